// `npm test`: every test, real VS Code included, from a fresh clone. `npm test -- unit ui` runs only the parts named.
// Each part prints `N passed, N failed`; the sum of them is the last line, behind what failed or had to be run again,
// and the exit code.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled, root } from '../extension/build/install.mjs';

const node = process.execPath;
const bin = (name) => path.join(root, 'node_modules', name);
const rig = path.join(root, 'test/vscode');
/** --exit: a handle that a failed test left open must not keep CI waiting for its limit. */
const mocha = (...args) => [
  node,
  ['--import', 'tsx', bin('mocha/bin/mocha.js'), '--exit', '--reporter', 'test/reporter.cjs', ...args],
];

/** But for VS Code's own, and what the tests take as their material. */
const unitTests = () =>
  readdirSync(path.join(root, 'test'), { recursive: true })
    .map((name) => `test/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => name.endsWith('.test.ts') && !/^test\/(?:vscode|fixtures)\//.test(name))
    .sort();
/** Processes that take the files of unit one by one; most of a file keeps one core busy. */
const jobs = String(Math.min(availableParallelism(), 4));

/** What the rule of the layers looks at. */
const LAYERED = ['trainer', 'extension', 'webview'];

/**
 * name -> the commands of that part, in order. A part without a count of its own (style, layers, types, build) counts
 * as one
 * test.
 */
const parts = {
  rig: () => [[node, [path.join(rig, 'prepare-vscode.mjs')]]],
  style: () => [[node, [bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '.']]],
  layers: () => [
    [node, [bin('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.mjs', ...LAYERED]],
  ],
  types: () => [[node, [bin('typescript/bin/tsc'), '-b']]],
  build: () => [[node, ['extension/build/build.mjs', '--tests']]],
  unit: () => [
    mocha('--import=tsx', '--parallel', '--jobs', jobs, '--timeout', '60000', '--retries', '1', ...unitTests()),
  ],
  attacks: () => [mocha('--import=tsx', '--timeout', '60000', 'test/attacks/*.test.ts')],
  golden: () => goldenEngines().map((args) => [node, ['--import', 'tsx', 'test/golden/run.ts', ...args]]),
  backend: () => [[node, ['--import', 'tsx', 'test/model/engine/tfjs/run.ts']]],
  judge: () => [[node, ['--import', 'tsx', 'test/rewards/localJudge.ts']]],
  parity: () => [[node, ['--import', 'tsx', 'test/model/network/parity.ts']]],
  smollm2: () => [[node, ['--import', 'tsx', 'test/model/network/smollm2.ts']]],
  stories15m: () => [[node, ['--import', 'tsx', 'test/model/network/stories15m.ts']]],
  interop: () => [[node, ['--import', 'tsx', 'test/interop/run.ts']]],
  vscode: () => [[node, [path.join(rig, 'run-extension-tests.mjs'), '--artifacts', 'test/artifacts/host']]],
  webview: () => [mocha('--parallel', '--jobs', '2', '--timeout', '300000', 'test/webview/*.spec.ts')],
  ui: () =>
    readdirSync(path.join(rig, 'ui'))
      .filter((name) => name.endsWith('.spec.mjs'))
      .map((name) => mocha('--timeout', '600000', `test/vscode/ui/${name}`)),
};
const needsBuild = new Set(['vscode', 'ui']);
/**
 * VS Code and its packages. With them comes the software GPU of the WebGPU tests in unit and golden, which skip these
 * without it: so it goes first.
 */
const needsRig = new Set(['vscode', 'webview', 'ui']);
/**
 * By name only: attacks is a part of unit; parity, smollm2 and interop install Python packages of some GB; stories15m
 * downloads 112 MB and needs tfjs-node; judge runs a local judge.
 */
const onRequest = new Set(['attacks', 'parity', 'interop', 'smollm2', 'stories15m', 'judge']);
/**
 * A window under a mouse and a clock: on a busy machine a suite may fail for that alone, so one that fails is run once
 * more, whole, and said to be.
 */
const onceMore = new Set(['ui']);

/**
 * All on tfjs' cpu back end, the whole steps on each engine; `npm run test:golden -- --engine wasm` runs all on that
 * one.
 */
function goldenEngines() {
  if (engine !== undefined) return [['--engine', engine]];
  return [
    [],
    ...[['onnx'], ['wasm'], ['tfjs-node'], ['onnx', '--device', 'webgpu']].map((choice) => [
      '--only',
      'e2e',
      '--engine',
      ...choice,
    ]),
  ];
}

const {
  values: { engine },
  positionals: named,
} = parseArgs({ options: { engine: { type: 'string' } }, allowPositionals: true });
const unknown = named.find((name) => !(name in parts));
if (unknown) {
  console.error(`test: no part is called ${unknown}; there are ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
ensureInstalled();
const added = [
  ['rig', needsRig],
  ['build', needsBuild],
].flatMap(([part, needs]) => (named.some((name) => needs.has(name)) ? [part] : []));
const chosen =
  named.length === 0 ? Object.keys(parts).filter((name) => !onRequest.has(name)) : [...new Set([...added, ...named])];

/**
 * What may run side by side: each row waits for the one before it, and has lanes of parts, one after another. Unit takes
 * every core, and a window under a mouse wants the machine for itself: beside the webview it missed a click.
 */
const rows = [
  [['rig'], ['style', 'layers', 'types']],
  [['build']],
  [['unit']],
  [['golden'], ['backend']],
  [['vscode'], ['webview']],
];
const ofRows = new Set(rows.flat(2));
const plan = [...rows, ...chosen.filter((name) => !ofRows.has(name)).map((name) => [[name]])]
  .map((row) => row.map((lane) => lane.filter((name) => chosen.includes(name))).filter((lane) => lane.length > 0))
  .filter((row) => row.length > 0);

/** Runs one command, and reads the counts out of what it says. */
function execute([command, args], show) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    });
    let text = '';
    child.stdout.on('data', (data) => {
      show(data);
      text += data;
    });
    child.stderr.on('data', show);
    child.on('close', (code) => {
      const counts = [...text.matchAll(/^(\d+) passed, (\d+) failed/gm)].map((match) => [
        Number(match[1]),
        Number(match[2]),
      ]);
      resolve({ code: code ?? 1, counts, failures: text.match(/^(?:FAILED|AGAIN) .*/gm) ?? [] });
    });
  });
}

const total = { passed: 0, failed: 0 };
const failedParts = [];
const allFailures = [];

/** @param isAlone its output is shown as it comes; beside others it is shown when it has ended */
async function runPart(name, isAlone) {
  const held = [];
  const show = (data) => (isAlone ? process.stdout.write(data) : held.push(data));
  const say = (line) => show(`${line}\n`);
  say(`\n== ${name}`);
  const started = Date.now();
  let passed = 0;
  let failed = 0;
  for (const command of parts[name]()) {
    let { code, counts, failures } = await execute(command, show);
    if (code !== 0 && onceMore.has(name)) {
      say(`== ${name}: ${command[1].at(-1)} failed; once more`);
      ({ code, counts, failures } = await execute(command, show));
    }
    allFailures.push(...failures.map((line) => `${name}: ${line}`));
    for (const [p, f] of counts) {
      passed += p;
      failed += f;
    }
    if (code !== 0 && failed === 0) failed = 1; // it ended before it could count
    if (code !== 0) break;
  }
  if (passed + failed === 0) passed = 1;
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) failedParts.push(name);
  say(`== ${name}: ${passed} ok, ${failed} not, ${((Date.now() - started) / 1000).toFixed(0)} s`);
  for (const data of held) process.stdout.write(data);
}

for (const lanes of plan) {
  const isAlone = lanes.length === 1;
  await Promise.all(
    lanes.map(async (lane) => {
      for (const name of lane) await runPart(name, isAlone);
    }),
  );
  if (failedParts.includes('build')) break; // nothing after it can run
}
for (const line of ['', ...allFailures]) console.log(line);
console.log(
  `${failedParts.length ? `failed: ${failedParts.join(', ')}\n` : ''}${total.passed} passed, ${total.failed} failed`,
);
process.exitCode = total.failed > 0 ? 1 : 0;
