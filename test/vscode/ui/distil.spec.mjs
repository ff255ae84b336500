// By mouse: a teacher behind a scripted server shows how, the student is trained on it and goes on with GRPO; then a
// typed pipeline; the page Pipeline in every theme; then the wheel is turned on what that run did wrong.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeCrates } from '../../fixtures/crates.ts';
import { judgeServer } from '../../rewards/judgeServer.ts';
import { root } from '../places.mjs';
import { offerTraining, viewRows, webview } from '../workbench.mjs';
import { openWindow } from './window.mjs';

const KEY = 'sk-teacher-0123456789';
const LIMIT = { timeout: 400_000 };

describe('a teacher and a pipeline', function () {
  this.bail(true);
  this.timeout(600_000);
  let from;
  let teacher;
  let window;
  let page;
  let hasFailed = false;
  const asked = [];

  before(async () => {
    from = mkdtempSync(path.join(tmpdir(), 'coach-distil-'));
    writeCrates(from, { tasks: 20 });
    const model = path.join(from, 'student');
    const script = "require('./test/fixtures/tinyModel').makeTinyModel('ui', process.argv[1]);";
    execFileSync(process.execPath, ['--import', 'tsx', '-e', script, model], { cwd: root });
    teacher = await judgeServer(({ body, headers }) => {
      asked.push(headers.authorization);
      const last = body.messages.at(-1);
      if (last.role === 'tool') return { content: `It weighs ${last.content}.` };
      return {
        content: '',
        calls: [{ name: 'weighCrate', args: JSON.stringify({ label: /k\d+/.exec(last.content)[0] }) }],
      };
    });
    window = await openWindow({
      name: 'distil',
      from,
      settings: {
        'agentCoach.steps': 2,
        'agentCoach.model': model,
        'agentCoach.training': {
          rehearsal: false,
          heldOutTasks: 3,
          evalTasks: 2,
          promptsPerStep: 2,
          groupSize: 4,
          batchSize: 2,
          maxTokens: 192,
          maxTurnTokens: 24,
          maxTurns: 2,
          constraint: 'none',
          loraRank: 2,
        },
      },
    });
    page = window.page;
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(async () => {
    await window?.close({ failed: hasFailed });
    await teacher?.close();
    rmSync(from, { recursive: true, force: true });
  });
  const pick = () => page.locator('.quick-input-widget');
  const row = (text) => pick().locator('.monaco-list-row').filter({ hasText: text }).first();
  const runs = () => {
    const dir = window.workspace.path('.coach/runs');
    return (existsSync(dir) ? readdirSync(dir) : []).sort().map((name) => path.join(dir, name));
  };
  const lines = (dir) =>
    readFileSync(path.join(dir, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  const finished = async (index) => {
    const has = () => runs().length > index && lines(runs()[index]).at(-1).type === 'runFinished';
    for (let tries = 0; tries < 600 && !has(); tries++) await page.waitForTimeout(500);
  };

  it('asks for the teacher, its key, and what comes behind it', async () => {
    await (await offerTraining(page, 'crates.ts')).click();
    await row('Method').click();
    await window.photograph('1-methods');
    await row('rloo').scrollIntoViewIfNeeded();
    await row('Distil from a Teacher').click();
    await row('Server…').click();
    await page.getByPlaceholder('http://127.0.0.1:8080/v1').fill(teacher.url);
    await page.keyboard.press('Enter');
    await page.getByPlaceholder('qwen3').fill('m');
    await page.keyboard.press('Enter');
    await page.getByPlaceholder('Empty, if the server wants none').fill(KEY);
    await page.keyboard.press('Enter');
    await row('SFT, then GRPO').waitFor();
    await window.photograph('2-behind');
    await row('SFT, then GRPO').click();
    await pick().getByText('distil from m, then grpo · 4 steps').waitFor();
    await window.photograph('3-start');
    await row('Start').click();
  });

  it('the teacher shows the tasks, and the student is trained on that, with a gate behind', async () => {
    await viewRows(page, 'Runs')
      .filter({ hasText: /sft → grpo/ })
      .filter({ hasText: /n 3/ })
      .waitFor(LIMIT);
    assert.ok(asked.length > 0 && asked.every((header) => header === `Bearer ${KEY}`));
    const [distilled, trained] = runs();
    const { config, stages } = lines(trained)[0].manifest;
    assert.equal(config.sftDialogues, path.join(distilled, 'dialogues.jsonl'));
    assert.deepEqual(
      stages.map(({ method, steps }) => `${method}:${steps}`),
      ['sft:2', 'grpo:2'],
    );
    const last = lines(trained).at(-1);
    assert.equal(last.type, 'runFinished');
    assert.equal(last.result.stages.length, 2);
    for (const dir of runs())
      for (const name of readdirSync(dir, { recursive: true }).filter((file) => /\.jsonl?$/.test(file)))
        assert.ok(!readFileSync(path.join(dir, name), 'utf8').includes(KEY), name);
  });

  it('shows the stages in every theme', async () => {
    await viewRows(page, 'Runs')
      .filter({ hasText: /sft → grpo/ })
      .first()
      .click();
    const view = webview(page, 'agent-coach.agent-coach');
    await view.getByRole('button', { name: 'Pipeline', exact: true }).click();
    await view
      .locator('.stage-place')
      .nth(1)
      .getByText(/passed on/)
      .first()
      .waitFor();
    await window.photographThemes('4-pipeline');
  });

  it('takes a pipeline that is typed', async () => {
    await page.getByRole('tab', { name: 'Explorer' }).first().click();
    await (await offerTraining(page, 'crates.ts')).click();
    await pick().getByText('Train with the last settings').waitFor();
    await row('Method').click();
    await row('Pipeline…').click();
    await row('sft:48,grpo:64,dpo:32').waitFor();
    await pick().getByText('Pipeline · crates.ts').waitFor();
    await page.keyboard.type('sft:1,grpo');
    await pick().getByText('no pipeline yet').waitFor();
    await page.keyboard.type(':1');
    await row('sft:1,grpo:1').waitFor();
    await window.photograph('5-typed');
    await page.keyboard.press('Enter');
    await pick().getByText('sft:1 → grpo:1 · 2 steps').waitFor();
    await row('Start').click();
    await finished(2);
    const { result } = lines(runs()[2]).at(-1);
    assert.deepEqual(
      result.stages.map(({ method, steps }) => `${method}:${steps}`),
      ['sft:1', 'grpo:1'],
    );
    assert.equal(lines(runs()[2])[0].manifest.config.sftDialogues, undefined, 'another method has no teacher');
  });

  it('turns the wheel: what was flagged is shown, and trained on', async () => {
    await viewRows(page, 'Runs')
      .filter({ hasText: /sft → grpo/ })
      .last()
      .click();
    const view = webview(page, 'agent-coach.agent-coach');
    await view.getByRole('button', { name: 'Learn from flagged traces' }).click();
    await view.getByRole('heading', { name: 'What would be taken' }).waitFor(LIMIT);
    await window.photographThemes('6-lessons');
    await view.getByRole('button', { name: 'Train on these' }).click();
    await finished(3);
    const { config } = lines(runs()[3])[0].manifest;
    assert.deepEqual(
      [config.splitsOf, config.startFrom],
      [runs()[1], runs()[1]],
      'from what that run learnt, on its splits',
    );
    assert.ok(existsSync(config.pairs ?? config.sftDialogues));
    assert.equal(lines(runs()[3]).at(-1).type, 'runFinished');
  });
});
