// The main job by mouse, nothing scripted: the packed VSIX in a real VS Code, the real trainer and model, the e-mail
// example.
// Explorer -> quick pick -> steps advance -> traces in the side bar -> curves and a trace in the panel -> stop ->
// reload -> resume -> finished.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { artifacts, root } from '../places.mjs';
import { actOnRun, offerTraining, viewRows, webview } from '../workbench.mjs';
import { trainersIn } from '../workspace.mjs';
import { openWindow } from './window.mjs';

/** COACH_VSIX=universal: the package without native code, so on wasm; steps are slow there. */
const target = process.env.COACH_VSIX;
const { ENGINE, STEPS, MEGABYTES } =
  target === 'universal' ? { ENGINE: 'wasm', STEPS: 4, MEGABYTES: 15 } : { ENGINE: 'onnx', STEPS: 24, MEGABYTES: 30 }; // steps: enough that it is still running when it is told to stop
const LIMIT = { timeout: 900_000 };

describe('the main job, from a packed VSIX', function () {
  this.bail(true);
  this.timeout(1_200_000);
  const vsix = path.join(artifacts, 'agent-coach.vsix');
  let window;
  let page;
  let hasFailed = false;
  const status = () => page.locator('.statusbar-item', { hasText: /Coach/ }).first();
  const view = () => webview(page, 'agent-coach.agent-coach');
  const events = () => {
    const runs = window.workspace.path('.coach/runs');
    const [name] = readdirSync(runs);
    return readFileSync(path.join(runs, name, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(() => window?.close({ failed: hasFailed }));

  it('packs, small enough, with all that a run needs and nothing else', () => {
    mkdirSync(artifacts, { recursive: true });
    execFileSync(
      process.execPath,
      [path.join(root, 'extension/build/package.mjs'), '--out', vsix, ...(target ? ['--target', target] : [])],
      { cwd: root, stdio: 'pipe' },
    );
    assert.ok(statSync(vsix).size < MEGABYTES * 1e6, `${statSync(vsix).size} bytes`);
    const listed = execFileSync(process.execPath, ['-e', LIST_ZIP, vsix], { encoding: 'utf8' }).trim().split('\n');
    for (const file of [
      'dist/extension.js',
      'dist/trainer/entry.js',
      'dist/trainer/main.js',
      'dist/trainer/service.js',
      'dist/trainer/toolHost.js',
      'dist/trainer/cli.js',
      'dist/webview/main.js',
      'dist/nano/model.safetensors',
      ...(target === 'universal' ? [] : ['dist/node_modules/onnxruntime-node/package.json']),
    ]) {
      assert.ok(listed.includes(`extension/${file}`), `${file} is missing`);
    }
    assert.deepEqual(
      listed.filter((file) => /\.(ts|map)$|^extension\/(test|trainer|webview|examples|node_modules)\//.test(file)),
      [],
    );
  });

  it('installs, and trains from the Explorer', async () => {
    window = await openWindow({
      name: 'main',
      from: path.join(root, 'examples'),
      vsix: [vsix],
      settings: { 'agentCoach.steps': STEPS },
    });
    page = window.page;
    await page.getByRole('tab', { name: 'Coach' }).waitFor();
    await page.getByRole('treeitem', { name: 'email', exact: true }).click();
    const item = await offerTraining(page, 'tools.ts');
    await window.photograph('1-menu');
    await item.click();
    await page.locator('.quick-input-widget').getByText(`nano · grpo · ${STEPS} steps`).waitFor();
    assert.equal(
      await page.locator('.quick-input-title').innerText(),
      'Train Agent on These Tools · tools.ts (5 tools, 2 mocked)',
    ); // two of another file have the same names
    await window.photograph('2-pick');
    await page.keyboard.press('Enter');
  });

  it('measures before, then steps advance', async () => {
    await status()
      .getByText(/Coach measuring before \d+\/\d+/)
      .waitFor(LIMIT);
    await window.photograph('3-before');
    await status()
      .getByText(new RegExp(`Coach \\d+/${STEPS} · reward \\d\\.\\d\\d`))
      .waitFor(LIMIT);
  });

  it('shows traces in the side bar, curves and a trace in the panel', async () => {
    await view().locator('canvas').first().waitFor();
    const rows = viewRows(page, 'Traces');
    const traces = rows.filter({ hasText: /^\d\.\d\d {2}/ });
    for (let tries = 0; tries < 20 && (await traces.count()) === 0; tries++) {
      // a step that ends under the mouse brings its own groups
      await rows
        .filter({ hasText: /^\d\/\d {2}/ })
        .first()
        .click();
      await traces
        .first()
        .waitFor({ timeout: 1500 })
        .catch(() => undefined);
    }
    await window.photograph('4-running');
    await rows
      .filter({ hasText: /^\d\.\d\d {2}/ })
      .first()
      .click();
    await view().getByText('correctness').first().waitFor();
    await window.photograph('5-trace');
  });

  it('stops, and is there after a reload', async () => {
    await actOnRun(
      page,
      'Stop Run',
      viewRows(page, 'Runs').filter({ hasText: new RegExp(`stopped at \\d+/${STEPS}`) }),
    );
    for (let tries = 0; tries < 50 && trainersIn(window.workspace.dir).length > 0; tries++)
      await page.waitForTimeout(200);
    assert.deepEqual(trainersIn(window.workspace.dir), []); // it says that it has stopped, then ends
    await window.reload();
    await viewRows(page, 'Runs')
      .filter({ hasText: new RegExp(`stopped at \\d+/${STEPS}`) })
      .waitFor(LIMIT);
  });

  it('resumes to the end, with before and after on the held-out tasks', async () => {
    const stopped = events();
    await actOnRun(page, 'Resume Run', viewRows(page, 'Runs').first().filter({ hasNotText: 'stopped at' }));
    await viewRows(page, 'Runs')
      .filter({ hasText: /pts · n 240/ })
      .waitFor(LIMIT);
    const all = events();
    assert.deepEqual(all.slice(0, stopped.length), stopped, 'nothing that was recorded is lost');
    const last = all.at(-1);
    assert.equal(last.type, 'runFinished');
    assert.deepEqual(
      [last.result.engine, last.result.steps, last.result.before.n, last.result.after.n],
      [ENGINE, STEPS, 240, 240],
    );
    // the measurement before is an older process', read again from its events
    assert.deepEqual(
      last.result.forgotten.map(({ name }) => name),
      ['no-tool tasks', "another file's tasks (harbour)"],
    );
    for (const { name, before, after, gain } of last.result.forgotten)
      assert.ok(Math.abs(gain.mean - (after.success - before.success)) < 1e-9, name);
    const adapter = path.resolve(
      window.workspace.path('.coach/runs', readdirSync(window.workspace.path('.coach/runs'))[0]),
      last.result.adapter,
    );
    assert.ok(existsSync(path.join(adapter, 'adapter_model.safetensors')), adapter);
  });

  it('shows the result in every theme', async () => {
    await viewRows(page, 'Runs').first().click();
    await view()
      .getByText(/held-out/i)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await window.photographThemes('6-result');
  });
});

/** Names in a zip: its central directory, read by hand so that no package is needed. */
const LIST_ZIP = `
const b = require('fs').readFileSync(process.argv[1]);
let at = b.readUInt32LE(b.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6])) + 16);
while (b.readUInt32LE(at) === 0x02014b50) {
  const [name, extra, comment] = [28, 30, 32].map((o) => b.readUInt16LE(at + o));
  console.log(b.toString('utf8', at + 46, at + 46 + name));
  at += 46 + name + extra + comment;
}`;
