/**
 * The page Try and the page of a trace file in a real Chromium: by keyboard, what is posted, what is shown; axe-core in
 * every theme. Screenshots go to
 * test/artifacts/webview. COACH_THEMES=dark runs one theme only.
 */
import assert from 'node:assert/strict';
import { emptyRun, reduceRun, type RunState } from '../../trainer/protocol/runState';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import type { PanelEvent, PanelRequest, Route } from '../../webview/messages';
import { recordedRun } from './fixture';
import { openRig, type Panel, type PanelOptions, type Rig, type ThemeName } from './harness.mjs';
import { traceOf } from './traceFixture';

const recording = recordedRun({ steps: 12, heldOut: 40 });
const runId = recording.manifest.id;
const whole = recording.events.reduce(reduceRun, emptyRun);
const [shape] = whole.traces.filter((trace) => trace.phase === 'train');
const PROMPT = 'When is the invoice of <b>Ana</b> due, and who else wrote about it?';
const tried: TraceSummary[] = ['searchEmails → searchEmails✗ → (turn limit)', 'searchEmails → readEmail → answer'].map(
  (path, i) => ({
    ...shape!,
    id: `try-x-${i}`,
    groupId: 'try-x',
    taskId: 'prompt-x',
    phase: 'try',
    step: 12,
    prompt: PROMPT,
    path,
    reward: null,
    advantage: null,
    solved: null,
    truncated: i === 0 ? 'turnLimit' : 'no',
  }),
);
const themes = (process.env['COACH_THEMES']?.split(',') ?? [
  'dark',
  'light',
  'highContrast',
  'highContrastLight',
]) as ThemeName[];
const fileId = 'file:///mail.trace.jsonl';

function made(summary: TraceSummary): { trace: Trace; tokenTexts: string[]; tokensProblem?: string } {
  const { trace, tokenTexts } = traceOf(summary, runId);
  if (summary.phase === 'try')
    Object.assign(trace, {
      checkpoint: summary.id.endsWith('0') ? 'base' : 'step 12',
      rewards: [],
      reward: null,
      advantage: null,
    });
  return { trace, tokenTexts };
}

/** As the host answers. */
function answer(request: PanelRequest): PanelEvent | null {
  if (request.type === 'openTry')
    return {
      type: 'versions',
      runId,
      versions: [
        { version: 'base', step: 0 },
        { version: 10, step: 10 },
        { version: 12, step: 12 },
        { version: 'adapter', step: 12 },
      ],
      refused: null,
    };
  if (request.type === 'try')
    return {
      type: 'tried',
      runId,
      groupId: 'try-x',
      traceIds: tried.map(({ id }) => id),
      notes: ['nobody could be asked whether sendEmail may run, so its results are mocked in this run'],
    };
  return null;
}

describe('trying a model, and trace files, in a browser', function () {
  this.timeout(600_000);
  let rig: Rig;
  let panel: Panel;
  before(async () => {
    rig = await openRig();
  });
  after(() => rig?.close());
  afterEach(async () => {
    if (!panel) return;
    await panel.close();
    assert.deepEqual(panel.problems, [], 'CSP violations, exceptions or console errors');
  });
  const show = async (route: Route, options: PanelOptions = {}, state: RunState = whole): Promise<Panel> => {
    panel = await rig.openPanel(options);
    await panel.serve(
      {
        type: 'snapshot',
        runId,
        state,
        runs: [recording.info],
        strings: {},
        locale: 'en',
        trainingRefused: null,
        route,
      },
      made,
      answer,
    );
    await panel.settle();
    return panel;
  };
  const withTries: RunState = { ...whole, traces: [...whole.traces, ...tried] };
  const event = (seq: number, trace: TraceSummary): PanelEvent => ({
    type: 'events',
    runId,
    events: [{ seq: whole.seq + seq, t: 0, type: 'traceRecorded', trace }],
  });

  it('base and trained model answer a typed prompt side by side, by keyboard alone', async () => {
    const { page } = await show({ page: 'try' });
    await page.locator('.empty-state').waitFor();
    await panel.shot('try-empty');
    await page.locator('#try-prompt').focus();
    await page.keyboard.type(PROMPT);
    await panel.send(event(1, tried[0]!), event(2, tried[1]!));
    await page.keyboard.press('Control+Enter');
    await page.locator('.try-column').nth(1).waitFor();
    await panel.settle();
    const [asked] = await panel.posted('try');
    assert.deepEqual(
      [asked!.prompt, asked!.versions, asked!.samples, asked!.temperature, asked!.toolPolicy],
      [PROMPT, ['base', 'adapter'], 1, 0, null],
    );
    assert.deepEqual(await page.locator('.try-column h3').allInnerTexts(), ['Base model', 'Trained, step 12']);
    assert.match(await page.locator('.try-state').innerText(), /nobody could be asked/);
    assert.match(await page.locator('.try-column').first().innerText(), /Stopped|limit/i);
    assert.equal(
      await page.locator('.try-page b').filter({ hasText: 'Ana' }).count(),
      0,
      'nothing of the prompt became markup',
    );
    await panel.shot('try');
    await page.getByRole('button', { name: 'Which is better?' }).click();
    assert.deepEqual((await panel.posted('markPair'))[0]!.traceIds, ['try-x-0', 'try-x-1']);
    await page.getByRole('button', { name: 'Make this a task' }).first().click();
    assert.deepEqual(
      [(await panel.posted('makeTask'))[0]!.task.prompt, (await panel.posted('makeTask'))[0]!.runId],
      [PROMPT, runId],
    );
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.locator('.group-table').waitFor();
    assert.match(await page.locator('.group-table thead').innerText(), /Base model.*Trained, step 12/s);
    await panel.shot('try-group');
    assert.equal(
      ((await panel.state()) as { opened: { prompt: string } }).opened.prompt,
      PROMPT,
      'what was typed survives a reload',
    );
  });

  it('lists earlier tries, and says why none can be made while the run trains', async () => {
    panel = await rig.openPanel();
    const refused = 'The run is training now, and only its trainer may write to it. Stop it, or wait for its end.';
    await panel.serve(
      {
        type: 'snapshot',
        runId,
        state: withTries,
        runs: [recording.info],
        strings: {},
        locale: 'en',
        trainingRefused: null,
        route: { page: 'try' },
      },
      made,
      (request) => (request.type === 'openTry' ? { type: 'versions', runId, versions: [], refused } : null),
    );
    const { page } = panel;
    await page.getByText(refused).waitFor();
    await page.locator('.plain-list button').first().click();
    await page.locator('.try-column').nth(1).waitFor();
    await page.locator('#try-prompt').focus();
    await page.keyboard.press('Control+Enter');
    assert.deepEqual(await panel.posted('try'), []);
  });

  it('runs a task again beside its trace', async () => {
    const { page } = await show({ page: 'trace', traceId: shape!.id });
    await page.getByRole('button', { name: /Run again with/ }).click();
    assert.deepEqual((await panel.posted('tryAgain'))[0]!.traceId, shape!.id);
    await panel.send(event(1, tried[1]!), {
      type: 'tried',
      runId,
      groupId: 'try-x',
      traceIds: [tried[1]!.id],
      notes: [],
      beside: shape!.id,
    });
    // the columns come as their traces do
    await page.locator('.group-table thead').getByText('Trained, step 12').waitFor();
    assert.match(await page.locator('.group-table thead').innerText(), /training step 1.*Trained, step 12/s);
    await panel.shot('try-again');
  });

  it('shows a trace file: its traces, its unreadable lines by number, nothing of a run', async () => {
    panel = await rig.openPanel();
    const traces = whole.traces.filter(({ phase, step }) => phase === 'train' && step < 3);
    const problems = [
      'line 3 is torn, or no JSON',
      'line 8 is of a newer version (trace version must be at most 2, got 9): update Coach to read it',
      'line 12 is no trace: ✖ Invalid input: expected number, received undefined → at version',
    ];
    const make = (summary: TraceSummary) => ({
      ...made(summary),
      tokenTexts: made(summary).tokenTexts.map((_, i) => `<${i}>`),
      tokensProblem: "The tokens are shown by their ids, since the tokenizer of /models/gone can't be read: ENOENT",
    });
    await panel.serve(
      {
        type: 'snapshot',
        runId: fileId,
        state: { ...emptyRun, status: 'finished', seq: 0, traces },
        runs: [],
        strings: {},
        locale: 'en',
        trainingRefused: null,
        file: { name: 'mail.trace.jsonl', problems, isReading: false },
      },
      make as never,
      answer,
    );
    const { page } = panel;
    await page.getByRole('button', { name: 'Traces' }).click();
    await page.getByText('line 3 is torn, or no JSON').waitFor();
    assert.deepEqual(await page.locator('.nav-item').allInnerTexts(), ['Traces']);
    await page
      .getByText('Show 2 more', { exact: false })
      .click()
      .catch(() => page.locator('.notice summary').click());
    await page.getByText(/update Coach to read it/).waitFor();
    await panel.shot('trace-file');
    await panel.send({
      type: 'events',
      runId: fileId,
      events: [{ seq: 1, t: 0, type: 'traceRecorded', trace: { ...traces[0]!, id: 'late', groupId: 'late', step: 3 } }],
    });
    await panel.send({ type: 'navigate', runId: fileId, route: { page: 'trace', traceId: traces[0]!.id } });
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByText(/shown by their ids/).waitFor();
    await panel.shot('trace-file-tokens');
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByRole('button', { name: /Save as file/ }).click();
    const [saved] = await panel.posted('saveFile');
    assert.equal(saved!.name, `${traces[0]!.id}.trace.jsonl`);
    assert.equal((JSON.parse(saved!.text) as Trace).id, traces[0]!.id);
    assert.equal(await page.getByRole('button', { name: /Run again with/ }).count(), 0);
  });

  for (const theme of themes) {
    it(`has no serious finding of axe-core in ${theme}`, async () => {
      const { page } = await show({ page: 'try', groupId: 'try-x' }, { theme, withAxe: true }, withTries);
      await page.locator('.try-column').nth(1).waitFor();
      const serious = (await panel.violations()).filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(serious, []);
      await panel.shot(`try-${theme}`);
    });
  }

  for (const [name, options] of [
    ['zoomed', { scale: 2 }],
    ['narrow', { width: 420 }],
  ] as const) {
    it(`fits when it is ${name}`, async () => {
      await show({ page: 'try', groupId: 'try-x' }, options, withTries);
      await panel.page.locator('.try-column').nth(1).waitFor();
      assert.ok((await panel.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0);
      await panel.shot(`${name}-try`);
    });
  }
});
