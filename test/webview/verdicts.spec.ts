/** The three verdicts, and expected beside actual, on the pages Trace and Side by side. */
import assert from 'node:assert/strict';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import type { Route } from '../../webview/messages';
import { recordedRun } from './fixture';
import { openRig, type Panel, type Rig } from './harness.mjs';
import { traceOf } from './traceFixture';

const recording = recordedRun();
const runId = recording.manifest.id;
const verdicts = { callsRight: false, answerRight: false, finished: true };
const told = (summary: TraceSummary): { trace: Trace; tokenTexts: string[] } => {
  const { trace, tokenTexts } = traceOf(summary, runId);
  trace.verdicts = verdicts;
  trace.expected = {
    calls: [
      { name: 'searchEmails', arguments: { query: 'invoices' } },
      { name: 'readEmail', arguments: { id: 'm-104' } },
    ],
  };
  trace.differences = [
    { what: 'wrongValue', call: 1, tool: 'searchEmails', argument: 'query' },
    { what: 'notGrounded', words: ['curse'] },
  ];
  return { trace, tokenTexts };
};

describe('verdicts in the panel', function () {
  this.timeout(120_000);
  let rig: Rig;
  let panel: Panel;
  before(async () => {
    rig = await openRig();
    panel = await rig.openPanel({});
    const events = recording.events.map((event) =>
      event.type === 'traceRecorded' ? { ...event, trace: { ...event.trace, verdicts } } : event,
    );
    const state = events.reduce(reduceRun, emptyRun);
    await panel.serve(
      {
        type: 'snapshot',
        runId,
        state,
        runs: [recording.info],
        strings: {},
        locale: 'en',
        trainingRefused: null,
      },
      told,
    );
  });
  after(async () => {
    assert.deepEqual(panel.problems, [], 'CSP violations, exceptions or console errors');
    await panel.close();
    await rig.close();
  });
  const open = async (route: Route): Promise<void> => {
    await panel.send({ type: 'navigate', runId, route });
    await panel.settle();
  };

  it('a trace: three marks with words, what differs, gold calls beside made ones', async () => {
    await open({ page: 'trace', traceId: 's30-g3-3' });
    const { page } = panel;
    await page.locator('.expected').waitFor(); // the trace itself comes a moment later
    assert.deepEqual(await page.locator('.trace-header .verdicts li').allInnerTexts(), [
      'calls right\n: no',
      'answer right\n: no',
      'finished\n: yes',
    ]);
    assert.deepEqual(await page.locator('.expected .differences li').allInnerTexts(), [
      'Call 1: wrong value of query of searchEmails',
      'Not grounded: curse',
    ]);
    assert.match(await page.locator('.expected table').innerText(), /searchEmails\(query: "invoices"\)/);
    await panel.shot('verdicts-trace');
  });

  it('side by side: a row each of marks, expected and what differs', async () => {
    await open({ page: 'group', groupId: 's30-g3' });
    await panel.page.locator('.verdict-row').first().waitFor();
    assert.equal(await panel.page.locator('.verdict-row').count(), 3);
    await panel.shot('verdicts-group');
  });
});
