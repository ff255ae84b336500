import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openPromise } from 'yauzl';
import { unpack } from '../../trainer/model/engine/native/unpack';

const root = path.resolve(__dirname, '../..');
/** The native files of each target, and the most that its VSIX may weigh, MB. All else is the same in each. */
const targets: Record<string, { most: number; native: string[] }> = {
  'linux-x64': {
    most: 30,
    native: [
      'bin/napi-v6/linux/x64/libonnxruntime.so.1',
      'bin/napi-v6/linux/x64/onnxruntime_binding.node',
      'native/linux-x64/tfjs_binding.node',
    ],
  },
  'linux-arm64': {
    most: 30,
    native: ['bin/napi-v6/linux/arm64/libonnxruntime.so.1', 'bin/napi-v6/linux/arm64/onnxruntime_binding.node'],
  },
  'darwin-arm64': {
    most: 30,
    native: ['bin/napi-v6/darwin/arm64/libonnxruntime.1.dylib', 'bin/napi-v6/darwin/arm64/onnxruntime_binding.node'],
  },
  'win32-x64': {
    most: 40,
    native: ['DirectML.dll', 'dxcompiler.dll', 'dxil.dll', 'onnxruntime.dll', 'onnxruntime_binding.node'].map(
      (name) => `bin/napi-v6/win32/x64/${name}`,
    ),
  },
  universal: { most: 15, native: [] },
};
const isNative = (name: string): boolean => /\.(node|dll|dylib|so(\.\d+)*)$/.test(name);

describe('VSIX for each platform', function () {
  this.timeout(900_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'coach-vsix-'));
  const vsix = (target: string): string => path.join(folder, `agent-coach-${target}.vsix`);
  const names: Record<string, string[]> = {};
  const listed = (target: string): string[] => names[target]!;
  after(() => rmSync(folder, { recursive: true, force: true }));

  before(async () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(root, 'extension/build/package.mjs'), '--target', 'all', '--out', folder],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    for (const target of Object.keys(targets)) {
      names[target] = [];
      for await (const { fileName } of (await openPromise(vsix(target))).eachEntry()) names[target].push(fileName);
      names[target].sort();
    }
  });

  for (const [target, { most, native }] of Object.entries(targets)) {
    it(`${target}: its own libraries, each once, at most ${most} MB`, () => {
      assert.deepEqual(
        listed(target)
          .filter(isNative)
          .map((name) => native.find((end) => name.endsWith(end)) ?? name)
          .sort(),
        [...native].sort(),
      );
      assert.ok(statSync(vsix(target)).size <= most * 1e6, `${statSync(vsix(target)).size} bytes`);
      console.log(`      ${(statSync(vsix(target)).size / 1e6).toFixed(1)} MB`);
    });
  }

  it('a bill of materials lies beside each: all that the notices name, and nothing that stays here', () => {
    const notices = readFileSync(path.join(root, 'THIRD-PARTY-NOTICES.md'), 'utf8');
    const named = [...notices.matchAll(/^\| (\S+) \| (\d\S*) \|/gm)].map(([, name, version]) => `${name}@${version}`);
    for (const target of Object.keys(targets)) {
      const bom = JSON.parse(readFileSync(vsix(target).replace('.vsix', '.sbom.json'), 'utf8'));
      assert.deepEqual([bom.bomFormat, bom.metadata.component.name], ['CycloneDX', 'agent-coach']);
      const listed = bom.components.map((one: { name: string; version: string }) => `${one.name}@${one.version}`);
      assert.deepEqual(listed.sort(), named.sort());
    }
  });

  it('besides those, all hold the same; nothing of sources, tests or notes', () => {
    const others = (target: string): string[] =>
      listed(target).filter((name) => !isNative(name) && !/node_modules\/onnxruntime-/.test(name));
    for (const target of Object.keys(targets)) assert.deepEqual(others(target), others('universal'), target);
    const all = others('universal');
    for (const name of [
      'package.json',
      'package.nls.json',
      'readme.md',
      'THIRD-PARTY-NOTICES.md',
      'l10n/bundle.l10n.json',
      'dist/extension.js',
      'dist/trainer/entry.js',
      'dist/trainer/main.js',
      'dist/trainer/cli.js',
      'dist/trainer/service.js',
      'dist/trainer/toolHost.js',
      'dist/trainer/tfjs-backend-wasm-simd.wasm',
      'dist/nano/model.safetensors',
      'dist/words/words.int8',
    ])
      assert.ok(all.includes(`extension/${name}`), name);
    assert.deepEqual(
      all.filter(
        (name) =>
          /\.(ts|map|py|md)$/.test(name) &&
          !/extension\/(readme|changelog|THIRD-PARTY-NOTICES)\.md|nano\/README\.md/.test(name),
      ),
      [],
    );
  });

  it('the universal one trains with wasm: its own program, a folder of its own, no node_modules beside it', async () => {
    const home = path.join(folder, 'universal');
    assert.ok(
      (await unpack(
        { type: 'wheel', place: (name) => (name.startsWith('extension/') ? name : null) },
        vsix('universal'),
        home,
      )) > 20,
    );
    const cli = path.join(home, 'extension/dist/trainer/cli.js');
    assert.ok(existsSync(cli));
    const env = { ...process.env, COACH_DATA: path.join(folder, 'data') };
    const args = [
      'train',
      path.join(root, 'examples', 'email', 'tools.ts'),
      '--steps',
      '2',
      '--run-dir',
      path.join(folder, 'run'),
      '--json',
      '--set',
      'promptsPerStep=2',
      '--set',
      'groupSize=2',
      '--set',
      'taskCount=40',
      '--set',
      'evalTasks=2',
      '--set',
      'heldOutTasks=2',
      '--set',
      'forgottenTasks=0',
      '--set',
      'rehearsal=false',
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    assert.equal(status, 0, stderr);
    const result = JSON.parse(stdout.trim().split('\n').at(-1)!) as { engine: string; steps: number };
    assert.deepEqual([result.engine, result.steps], ['wasm', 2]);
    assert.doesNotMatch(stderr, /already registered/);
    assert.ok(readdirSync(path.join(folder, 'run')).length > 0);
  });
});
