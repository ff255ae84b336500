// The right-click way with a model that another program keeps on this disk: found in the quick pick, taken, trained.
// And one from the hub, which wants a token.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Hub, SHA } from '../../fixtures/hub.ts';
import { root } from '../places.mjs';
import { offerTraining, viewRows } from '../workbench.mjs';
import { openWindow } from './window.mjs';

describe('a model found on this computer', function () {
  this.bail(true);
  this.timeout(600_000);
  let cache;
  let hub;
  let model;
  let window;
  let page;
  let hasFailed = false;

  before(async () => {
    cache = mkdtempSync(path.join(tmpdir(), 'coach-hub-'));
    const folder = path.join(cache, 'models--maker--tiny-qwen');
    model = path.join(folder, 'snapshots', 'f00');
    mkdirSync(path.join(folder, 'refs'), { recursive: true });
    writeFileSync(path.join(folder, 'refs', 'main'), 'f00');
    const script =
      "const { makeFamilyModel } = require('./test/fixtures/tinyModel'); makeFamilyModel('qwen2_5', 'ui', process.argv[1]);";
    execFileSync(process.execPath, ['--import', 'tsx', '-e', script, model], { cwd: root });
    hub = await Hub.open('maker/hub-qwen');
    hub.token = 'hf_right';
    hub.files = new Map(readdirSync(model).map((file) => [file, readFileSync(path.join(model, file))]));
    window = await openWindow({
      name: 'models',
      env: { HF_HUB_CACHE: cache, HF_ENDPOINT: hub.url, OLLAMA_MODELS: path.join(cache, 'none') },
      settings: {
        'agentCoach.steps': 2,
        'agentCoach.training': { finetuning: 'full', learningRate: 0.001, rehearsal: false },
      },
    });
    page = window.page;
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(async () => {
    await window?.close({ failed: hasFailed });
    hub?.close();
    rmSync(cache, { recursive: true, force: true });
  });
  const pick = () => page.locator('.quick-input-widget');

  it('is in the list of models, with whose it is and its size', async () => {
    await (await offerTraining(page, 'weather.tools.ts')).click();
    await pick().getByText('nano · grpo · 2 steps').waitFor();
    await page.keyboard.type('Model');
    await page.keyboard.press('Enter');
    const row = pick().getByText('maker/tiny-qwen');
    await row.waitFor();
    await pick()
      .getByText(/Hugging Face · \d+ MB/)
      .waitFor();
    await window.photograph('1-list');
  });

  it('is fetched from the hub by its name, once a token is given, and taken', async () => {
    await pick().getByText('From Hugging Face…').click();
    await page.getByPlaceholder('HuggingFaceTB/SmolLM2-135M-Instruct').waitFor();
    await page.keyboard.type('maker/hub-qwen');
    await window.photograph('2-name');
    await page.keyboard.press('Enter');
    await page
      .getByText(/refuses maker\/hub-qwen \(401\)/)
      .first()
      .waitFor();
    await window.photograph('3-refused');
    await page.getByRole('button', { name: 'Set Token…' }).click();
    await page.getByPlaceholder('hf_…').waitFor();
    await page.keyboard.type('hf_right');
    await page.keyboard.press('Enter');
    await page.getByPlaceholder('HuggingFaceTB/SmolLM2-135M-Instruct').waitFor(); // with the name from before
    await page.keyboard.press('Enter');
    await pick().getByText('maker/hub-qwen · grpo · 2 steps').waitFor();
    await window.photograph('4-fetched');
    assert.equal(readFileSync(path.join(cache, 'models--maker--hub-qwen', 'refs', 'main'), 'utf8'), SHA);
    assert.deepEqual(
      readdirSync(path.join(cache, 'models--maker--hub-qwen', 'snapshots', SHA)).sort(),
      readdirSync(model).sort(),
    );
  });

  it('is taken from the list', async () => {
    await page.keyboard.type('Model');
    await page.keyboard.press('Enter');
    await pick().getByText('maker/hub-qwen').first().waitFor();
    const row = pick().getByText('maker/tiny-qwen');
    await row.click();
    await pick().getByText('maker/tiny-qwen · grpo · 2 steps').waitFor();
    await pick().getByText('finetuning full, learningRate 0.001').waitFor();
    await window.photograph('5-start');
    await page.keyboard.press('Enter');
  });

  it('trains to the end', async () => {
    await viewRows(page, 'Runs').filter({ hasText: /n \d+/ }).waitFor({ timeout: 500_000 });
    await window.photograph('6-result');
    const runs = window.workspace.path('.coach/runs');
    const [name] = readdirSync(runs);
    const lines = readFileSync(path.join(runs, name, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines[0].manifest.config.model, model);
    assert.equal(lines.at(-1).type, 'runFinished');
    assert.equal(lines[0].manifest.config.learningRate, 0.001);
    assert.ok(
      existsSync(path.join(runs, name, 'model', 'model.safetensors')),
      'all weights were trained, and the run leaves a model',
    );
  });
});
