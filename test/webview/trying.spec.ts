/**
 * The page Try and the page of a trace file in a real Chromium: by keyboard, what is posted, what is shown; axe-core in
 * every theme. Screenshots go to
 * test/artifacts/webview. COACH_THEMES=dark runs one theme only.
 */
import assert from 'node:assert/strict';
import { emptyRun, reduceRun, type RunState } from '../../trainer/protocol/runState';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import type { PanelEvent, PanelRequest, Route } from '../../webview/messages';
import { inBrowser, themes } from './browser';
import { recordedRun } from './fixture';
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

/** Of the requests kept, before any is. */
const own: Extract<PanelEvent, { type: 'requests' }> = {
  type: 'requests',
  runId,
  requests: [],
  problems: [],
  before: 'base',
  after: 'step 12',
  tools: [
    {
      name: 'searchEmails',
      description: 'Searches.',
      parameters: { properties: { query: { type: 'string' } }, required: ['query'] },
    },
    {
      name: 'readEmail',
      description: 'Reads.',
      parameters: { properties: { id: { type: 'string' } }, required: ['id'] },
    },
  ],
  notes: [],
};

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
  if (request.type === 'openRequests') return own;
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
  const browser = inBrowser({
    run: { runId, state: whole, runs: [recording.info] },
    trace: made,
    answer,
  });
  const withTries: RunState = { ...whole, traces: [...whole.traces, ...tried] };
  const event = (seq: number, trace: TraceSummary): PanelEvent => ({
    type: 'events',
    runId,
    events: [{ seq: whole.seq + seq, t: 0, type: 'traceRecorded', trace }],
  });

  it('base and trained model answer a typed prompt side by side, by keyboard alone', async () => {
    const { page } = await browser.show({ page: 'try' });
    await page.locator('.empty-state').waitFor();
    await browser.panel.shot('try-empty');
    await page.locator('#try-prompt').focus();
    await page.keyboard.type(PROMPT);
    await browser.panel.send(event(1, tried[0]!), event(2, tried[1]!));
    await page.keyboard.press('Control+Enter');
    await page.locator('.try-column').nth(1).waitFor();
    await browser.panel.settle();
    const [asked] = await browser.panel.posted('try');
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
    await browser.panel.shot('try');
    await page.getByRole('button', { name: 'Which is better?' }).click();
    assert.deepEqual((await browser.panel.posted('markPair'))[0]!.traceIds, ['try-x-0', 'try-x-1']);
    await page.getByRole('button', { name: 'Make this a task' }).first().click();
    assert.deepEqual(
      [(await browser.panel.posted('makeTask'))[0]!.task.prompt, (await browser.panel.posted('makeTask'))[0]!.runId],
      [PROMPT, runId],
    );
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.locator('.group-table').waitFor();
    assert.match(await page.locator('.group-table thead').innerText(), /Base model.*Trained, step 12/s);
    await browser.panel.shot('try-group');
    assert.equal(
      ((await browser.panel.state()) as { opened: { prompt: string } }).opened.prompt,
      PROMPT,
      'what was typed survives a reload',
    );
  });

  it('what a person accepts as right is kept, measured before and after, and stands on the result card', async () => {
    const { page } = await browser.show({ page: 'try', groupId: 'try-x' }, {}, { snapshot: { state: withTries } });
    await page.locator('.try-column').nth(1).waitFor();
    await page.getByRole('button', { name: 'This is right' }).nth(1).click();
    const [kept] = await browser.panel.posted('keepRequest');
    assert.equal(kept!.request.prompt, PROMPT);
    assert.ok(kept!.request.calls.length > 0 && kept!.request.calls.every(({ name }) => name !== ''));
    const ids = Array.from({ length: 12 }, (_, i) => `request-${i}`);
    const requests = ids.map((id, i) => ({
      id,
      prompt: i === 0 ? PROMPT : `Request ${i}`,
      calls: kept!.request.calls,
    }));
    await browser.panel.send({ ...own, requests });
    await page.getByText(/Kept to measure on\. Right is: searchEmails\(/).waitFor();
    await page.getByRole('button', { name: 'Measure 12 requests' }).click();
    assert.deepEqual((await browser.panel.posted('measureRequests'))[0]!.ids, ids);
    await page.getByText('Measuring your requests').waitFor();
    const traces = ids.flatMap((taskId, i) =>
      ['base', 'step 12'].map(
        (checkpoint, j): TraceSummary => ({
          ...tried[1]!,
          id: `${taskId}-${j}`,
          groupId: `try-y-${i}`,
          taskId,
          checkpoint,
          solved: j === 1 ? i < 10 : i < 2,
        }),
      ),
    );
    await browser.panel.send(
      {
        type: 'events',
        runId,
        events: traces.map((trace, i) => ({ seq: whole.seq + i + 1, t: 0, type: 'traceRecorded', trace })),
      },
      { ...own, requests, problems: ['"Send it": the gold call names a tool that is missing: \'send\''] },
    );
    const figures = page.locator('.try-requests table').first();
    await page.locator('.try-requests').getByText('On your own requests').waitFor();
    assert.match(await figures.innerText(), /typed by you\s+12\s+16\.7\s%.*83\.3\s%.*\+66\.7\s\[/s);
    assert.equal(await page.getByRole('button', { name: /^Measure/ }).count(), 0);
    await browser.panel.shot('try-requests');
    await page.getByRole('button', { name: 'Request 3' }).click();
    assert.deepEqual(((await browser.panel.state()) as { route: Route }).route, {
      page: 'compare',
      traceIds: ['request-3-0', 'request-3-1'],
    });
    await browser.panel.send({ type: 'navigate', runId, route: { page: 'run' } });
    await page.locator('.result').getByText('On your own requests').waitFor();
    assert.match(await page.locator('.result').innerText(), /typed by you\s+12\s+16\.7\s%/s);
    await browser.panel.shot('run-requests');
  });

  it('what would have been right is said by fields of the tool, and what can’t be read is not kept', async () => {
    const { page } = await browser.show({ page: 'try', groupId: 'try-x' }, {}, { snapshot: { state: withTries } });
    await page.locator('.try-column').nth(1).waitFor();
    await page.getByRole('button', { name: 'Correct…' }).nth(1).click();
    const form = page.locator('.rewrite-form');
    await form.waitFor();
    await browser.panel.shot('try-correct');
    await form.getByRole('button', { name: 'Remove this call' }).first().click();
    await form.locator('#correct-answer').fill('3 May');
    await form.getByRole('button', { name: 'Keep as right' }).click();
    const [kept] = await browser.panel.posted('keepRequest');
    assert.deepEqual([kept!.request.prompt, kept!.request.answer], [PROMPT, '3 May']);
  });

  it('lists earlier tries, and says why none can be made while the run trains', async () => {
    const refused = 'The run is training now, and only its trainer may write to it. Stop it, or wait for its end.';
    const { page } = await browser.show(
      { page: 'try' },
      {},
      {
        snapshot: { state: withTries },
        answer: (request) => (request.type === 'openTry' ? { type: 'versions', runId, versions: [], refused } : null),
      },
    );
    await page.getByText(refused).waitFor();
    await page.locator('.plain-list button').first().click();
    await page.locator('.try-column').nth(1).waitFor();
    await page.locator('#try-prompt').focus();
    await page.keyboard.press('Control+Enter');
    assert.deepEqual(await browser.panel.posted('try'), []);
  });

  it('runs a task again beside its trace', async () => {
    const { page } = await browser.show({ page: 'trace', traceId: shape!.id });
    await page.getByRole('button', { name: /Run again with/ }).click();
    assert.deepEqual((await browser.panel.posted('tryAgain'))[0]!.traceId, shape!.id);
    await browser.panel.send(event(1, tried[1]!), {
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
    await browser.panel.shot('try-again');
  });

  it('shows a trace file: its traces, its unreadable lines by number, nothing of a run', async () => {
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
    const { page } = await browser.show(
      undefined,
      {},
      {
        snapshot: {
          runId: fileId,
          state: { ...emptyRun, status: 'finished', seq: 0, traces },
          runs: [],
          file: { name: 'mail.trace.jsonl', problems, isReading: false },
        },
        trace: make,
      },
    );
    await page.getByRole('button', { name: 'Traces' }).click();
    await page.getByText('line 3 is torn, or no JSON').waitFor();
    assert.deepEqual(await page.locator('.nav-item').allInnerTexts(), ['Traces']);
    await page
      .getByText('Show 2 more', { exact: false })
      .click()
      .catch(() => page.locator('.notice summary').click());
    await page.getByText(/update Coach to read it/).waitFor();
    await browser.panel.shot('trace-file');
    await browser.panel.send({
      type: 'events',
      runId: fileId,
      events: [{ seq: 1, t: 0, type: 'traceRecorded', trace: { ...traces[0]!, id: 'late', groupId: 'late', step: 3 } }],
    });
    await browser.panel.send({ type: 'navigate', runId: fileId, route: { page: 'trace', traceId: traces[0]!.id } });
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByText(/shown by their ids/).waitFor();
    await browser.panel.shot('trace-file-tokens');
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByRole('button', { name: /Save as file/ }).click();
    const [saved] = await browser.panel.posted('saveFile');
    assert.equal(saved!.name, `${traces[0]!.id}.trace.jsonl`);
    assert.equal((JSON.parse(saved!.text) as Trace).id, traces[0]!.id);
    assert.equal(await page.getByRole('button', { name: /Run again with/ }).count(), 0);
  });

  for (const theme of themes) {
    it(`has no serious finding of axe-core in ${theme}`, async () => {
      const { page } = await browser.show(
        { page: 'try', groupId: 'try-x' },
        { theme, withAxe: true },
        { snapshot: { state: withTries } },
      );
      await page.locator('.try-column').nth(1).waitFor();
      assert.deepEqual(await browser.serious(), []);
      await browser.panel.shot(`try-${theme}`);
    });
  }

  for (const [name, options] of [
    ['zoomed', { scale: 2 }],
    ['narrow', { width: 420 }],
  ] as const) {
    it(`fits when it is ${name}`, async () => {
      await browser.show({ page: 'try', groupId: 'try-x' }, options, { snapshot: { state: withTries } });
      await browser.panel.page.locator('.try-column').nth(1).waitFor();
      assert.ok((await browser.overflow()) <= 0);
      await browser.panel.shot(`${name}-try`);
    });
  }
});
