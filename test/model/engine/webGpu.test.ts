import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openEngine } from '../../../trainer/model/engine/engine';
import { NO_SWIFTSHADER, openSwiftShader } from './swiftShader';

describe('onnx on WebGPU', () => {
  const shader = openSwiftShader();
  after(() => shader?.remove());
  const child = (file: string, ...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', join(__dirname, file), ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...shader?.env },
      maxBuffer: 1 << 28,
    });
  const run = (device: string) => {
    const { status, stdout, stderr } = child('webGpuChild.ts', device);
    assert.equal(status, 0, stderr.split('\n').slice(-5).join('\n'));
    return {
      ...(JSON.parse(stdout.trim().split('\n').at(-1)!) as {
        what: string;
        losses: number[];
        weights: number[][];
        moved: number;
        grown: number;
        compiles: number;
      }),
      log: stderr,
    };
  };

  it("20 AdamW steps in software Vulkan equal the CPU's; what fell back to the CPU is listed", function () {
    if (!shader) {
      console.log(`      skipped: ${NO_SWIFTSHADER}`);
      this.skip();
    }
    this.timeout(600_000);
    const [gpu, cpu] = [run('webgpu'), run('cpu')];
    assert.equal(gpu.what, 'a software adapter by WebGPU (experimental), what it lacks on the CPU');
    gpu.losses.forEach((loss, i) =>
      assert.ok(Math.abs(loss - cpu.losses[i]!) < 1e-4, `loss of step ${i}: ${loss}, cpu ${cpu.losses[i]}`),
    );
    assert.ok(cpu.moved > 0.01, `the steps move the weights, here by ${cpu.moved}`);
    const far = gpu.weights.flatMap((w, k) => w.filter((x, i) => Math.abs(x - cpu.weights[k]![i]!) > 1e-3));
    // Adam turns rounding into steps where a gradient is about 0
    assert.equal(far.length, 0, `${far.length} weights and moments differ by more than 1e-3`);
    assert.deepEqual([gpu.grown, gpu.compiles], [cpu.grown, cpu.compiles]);
    assert.match(gpu.log, /laced on \[WebGpuExecutionProvider\]/);
    const fellBack = onCpu(gpu.log);
    console.log(`      on the CPU: ${fellBack.length === 0 ? 'none' : fellBack.join(', ')}`);
    assert.ok(
      fellBack.every((op) => !op.includes('MatMul')),
      'products run on the GPU',
    );
  });

  it('auto never takes a software adapter', function () {
    if (!shader) this.skip();
    this.timeout(300_000);
    const { status, stdout, stderr } = child('webGpuChild.ts', 'auto', '1');
    assert.equal(status, 0, stderr.split('\n').slice(-5).join('\n'));
    assert.equal((JSON.parse(stdout.trim().split('\n').at(-1)!) as { what: string }).what, 'the CPU');
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

/** The nodes that ONNX Runtime placed on the processor, from its log. */
function onCpu(log: string): string[] {
  let provider = '';
  return log.split('\n').flatMap((line) => {
    provider = /laced on \[(\w+)\]/.exec(line)?.[1] ?? provider;
    const node = /VerifyEachNodeIsAssignedToAnEp\] {2,}(\w+) \(/.exec(line)?.[1];
    return node && provider === 'CPUExecutionProvider' ? [node] : [];
  });
}
