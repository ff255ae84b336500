/** The three verdicts, and expected beside actual, on the pages Trace and Side by side. */
import assert from 'node:assert/strict';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import { inBrowser } from './browser';
import { recordedRun } from './fixture';
import { traceOf } from './traceFixture';

const recording = recordedRun();
const runId = recording.manifest.id;
const JUDGED = 's30-g3-2';
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
  if (summary.id === JUDGED)
    trace.rewards.push({ name: 'judge', score: 0.86, weight: 0.5, reason: 'Finds the mail, and tells a wrong date.' });
  trace.differences = [
    { what: 'wrongValue', call: 1, tool: 'searchEmails', argument: 'query' },
    { what: 'notGrounded', words: ['curse'] },
  ];
  return { trace, tokenTexts };
};

describe('verdicts in the panel', function () {
  this.timeout(120_000);
  const events = recording.events.map((event) =>
    event.type === 'traceRecorded' ? { ...event, trace: { ...event.trace, verdicts } } : event,
  );
  const state = events.reduce(reduceRun, emptyRun);
  const browser = inBrowser({ run: { runId, state, runs: [recording.info] }, trace: told });

  it('a trace: three marks with words, what differs, gold calls beside made ones', async () => {
    await browser.show({ page: 'trace', traceId: 's30-g3-3' });
    const { page } = browser;
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
    await browser.panel.shot('verdicts-trace');
  });

  it('what a judge said stands below, by its own name, with its reason', async () => {
    await browser.show({ page: 'trace', traceId: JUDGED });
    const { page } = browser;
    await page.locator('.trace-header .verdicts').nth(1).waitFor();
    assert.deepEqual(await page.locator('.trace-header .verdicts').allInnerTexts(), [
      'by rule\ncalls right\n: no\nanswer right\n: no\nfinished\n: yes',
      'by judge\njudge: 0.86\nFinds the mail, and tells a wrong date.',
    ]);
    await browser.panel.shot('verdicts-judge');
  });

  it('side by side: a row each of marks, expected and what differs', async () => {
    await browser.show({ page: 'group', groupId: 's30-g3' });
    await browser.panel.page.locator('.verdict-row').first().waitFor();
    assert.equal(await browser.panel.page.locator('.verdict-row').count(), 3);
    await browser.panel.shot('verdicts-group');
  });
});
