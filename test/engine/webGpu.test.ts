import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { openEngine } from '../../trainer/engine/engine';

/** A Vulkan device in software, out of the npm package that the UI tests take their Chromium from: it proves results, not speed. Null where that package is not installed. */
function unpackSwiftShader(): string | null {
  const archive = join(__dirname, '../vscode/node_modules/@sparticuz/chromium/bin/swiftshader.tar.br');
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(archive)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'coach-vulkan-'));
  writeFileSync(join(folder, 'all.tar'), brotliDecompressSync(readFileSync(archive)));
  const { status } = spawnSync('tar', ['-xf', 'all.tar'], { cwd: folder });
  return status === 0 && existsSync(join(folder, 'libvulkan.so.1')) ? folder : null;
}

describe('onnx on WebGPU', () => {
  const shader = process.env['COACH_VULKAN'] ?? unpackSwiftShader();
  after(() => {
    if (shader && !process.env['COACH_VULKAN']) rmSync(shader, { recursive: true });
  });
  const run = (device: string) => {
    const env = { ...process.env, ...(shader ? { LD_LIBRARY_PATH: shader, VK_ICD_FILENAMES: join(shader, 'vk_swiftshader_icd.json') } : {}) };
    const child = spawnSync(process.execPath, ['--import', 'tsx', join(__dirname, 'webGpuChild.ts'), device], { encoding: 'utf8', env, maxBuffer: 1 << 28 });
    assert.equal(child.status, 0, child.stderr.split('\n').slice(-5).join('\n'));
    return { ...(JSON.parse(child.stdout.trim().split('\n').at(-1)!) as { losses: number[]; weights: number[][]; moved: number; grown: number; compiles: number }), log: child.stderr };
  };

  it('20 AdamW steps in software Vulkan equal the CPU\'s; what fell back to the CPU is listed', function () {
    if (!shader) this.skip();
    this.timeout(300_000);
    const [gpu, cpu] = [run('webgpu'), run('cpu')];
    gpu.losses.forEach((loss, i) => assert.ok(Math.abs(loss - cpu.losses[i]!) < 1e-4, `loss of step ${i}: ${loss}, cpu ${cpu.losses[i]}`));
    assert.ok(cpu.moved > 0.01, `the steps move the weights, here by ${cpu.moved}`);
    const far = gpu.weights.flatMap((w, k) => w.filter((x, i) => Math.abs(x - cpu.weights[k]![i]!) > 1e-3));
    assert.equal(far.length, 0, `${far.length} weights and moments differ by more than 1e-3`); // Adam turns rounding into steps where a gradient is about 0
    assert.deepEqual([gpu.grown, gpu.compiles], [cpu.grown, cpu.compiles]);
    assert.match(gpu.log, /laced on \[WebGpuExecutionProvider\]/);
    let provider = '';
    const fellBack: string[] = [];
    for (const line of gpu.log.split('\n')) {
      provider = /laced on \[(\w+)\]/.exec(line)?.[1] ?? provider;
      const node = /VerifyEachNodeIsAssignedToAnEp\] {2,}(\w+) \(/.exec(line)?.[1];
      if (node && provider === 'CPUExecutionProvider') fellBack.push(node);
    }
    console.log(`      on the CPU: ${fellBack.length === 0 ? 'none' : fellBack.join(', ')}`);
    assert.ok(fellBack.every((op) => !op.includes('MatMul')), 'products run on the GPU');
  });

  it('where there is no adapter, it is an error that says so; auto stays on the CPU', async function () {
    await assert.rejects(openEngine({ engine: 'wasm', device: 'webgpu' }), /device webgpu belongs to the engine onnx/);
    await assert.rejects(openEngine({ device: 'tpu' as never }), /no device is called tpu/);
    try {
      (await openEngine({ device: 'webgpu', threads: 1 })).dispose();
      this.skip(); // a machine with a GPU
    } catch (error) {
      assert.match((error as Error).message, /^engine onnx: WebGPU: .*adapter/);
    }
    const engine = await openEngine({ engine: 'onnx', device: 'auto', threads: 1 });
    assert.match(engine.why, /on the CPU, 1 thread/);
    engine.dispose();
  });
});
