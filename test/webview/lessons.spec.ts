/** The page of lessons in a real Chromium: what would be taken, and why not, before anything is written. */
import assert from 'node:assert/strict';
import type { LessonPlan } from '../../trainer/protocol/flywheel';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import { recordedRun } from './fixture';
import { openRig, type Panel, type PanelOptions, type Rig, type ThemeName } from './harness.mjs';
import { traceOf } from './traceFixture';

const recording = recordedRun();
const runId = recording.manifest.id;
const flagged = (
  traceId: string,
  flags: LessonPlan['flagged'][number]['flags'],
  kinds: LessonPlan['flagged'][number]['kinds'],
  dropped: LessonPlan['flagged'][number]['dropped'] = null,
) => ({ traceId, taskId: 't', prompt: `Find the mail of ${traceId}`, flags, kinds, dropped });
const plan: LessonPlan = {
  from: '/runs/r',
  isRun: true,
  traces: 512,
  aside: 240,
  lowReward: 0.25,
  flagged: [
    flagged('s30-g3-1', ['failedVerdict', 'lowReward'], [], 'enough'),
    flagged('s30-g3-3', ['toolError', 'retry'], ['recovery', 'pair']),
    flagged('s30-g2-3', ['thumbsDown'], ['task', 'pair']),
    flagged('s30-g1-3', ['judgeDoubt'], [], 'noDecision'),
  ],
  taken: { task: 1, demonstration: 3, recovery: 1, pair: 2 },
  replay: 4,
};

describe('the page of lessons', function () {
  this.timeout(300_000);
  let rig: Rig;
  let panel: Panel;
  before(async () => {
    rig = await openRig();
  });
  after(() => rig?.close());
  afterEach(async () => {
    await panel?.close();
    assert.deepEqual(panel?.problems, [], 'CSP violations, exceptions or console errors');
  });
  const show = async (options: PanelOptions, refused: string | null = null): Promise<Panel> => {
    panel = await rig.openPanel(options);
    const state = recording.events.reduce(reduceRun, emptyRun);
    await panel.serve(
      {
        type: 'snapshot',
        runId,
        state,
        runs: [{ ...recording.info, status: state.status }],
        strings: {},
        locale: 'en',
        trainingRefused: refused,
      },
      (summary) => traceOf(summary, runId),
    );
    return panel;
  };

  for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] as ThemeName[]) {
    it(`tells kinds, reasons and counts in ${theme}`, async () => {
      const { page } = await show({ theme });
      await page.getByRole('button', { name: 'Learn from flagged traces' }).click();
      await panel.settle();
      assert.equal((await panel.posted('openLessons')).length, 1);
      await panel.send({ type: 'lessons', runId, plan });
      await panel.settle();
      const text = await page.locator('main').innerText();
      assert.match(text, /4 of 512 traces are flagged\. 240 traces of evaluations are left aside/);
      assert.match(text, /low reward \(0\.25 or less, the lowest quarter\)\s+1/);
      assert.match(text, /Right traces of other tasks \(replay\)\s+4\s+Preference pairs\s+2/);
      assert.match(text, /two traces of its request are taken already\s+1/);
      const rows = await page.locator('table').nth(2).locator('tbody tr').allInnerTexts();
      assert.match(rows[0]!, /s30-g3-3.*a tool failed, the same call again.*recovery, preference pair/s);
      assert.match(rows.at(-1)!, /nothing: /, 'what is taken comes first');
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0);
      await panel.shot(`${theme}-lessons`);
    });
  }

  it('starts a run by keyboard; says why there is nothing, and where training is refused', async () => {
    const { page } = await show({});
    await panel.send({ type: 'navigate', runId, route: { page: 'lessons' } });
    await panel.settle(); // it asks once it stands
    await panel.send({ type: 'lessons', runId, plan });
    await panel.settle();
    await page.getByRole('button', { name: 'Train on these' }).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('trainOnLessons'), [{ type: 'trainOnLessons', runId }]);
    const error = { border: 'task' as const, message: 'none of its 9 traces is flagged', hint: '' };
    await panel.send({ type: 'failed', request: 'openLessons', error });
    await panel.settle();
    assert.match(await page.locator('main').innerText(), /Nothing to learn from.*none of its 9 traces is flagged/s);
    assert.equal(await page.getByRole('alert').count(), 0, 'said once');
    await panel.close();
    await show({}, 'not trusted');
    await panel.send({ type: 'navigate', runId, route: { page: 'lessons' } });
    await panel.settle(); // it asks once it stands
    await panel.send({ type: 'lessons', runId, plan });
    await panel.settle();
    const train = panel.page.getByRole('button', { name: 'Train on these' });
    assert.notEqual((await train.getAttribute('disabled')) ?? (await train.getAttribute('aria-disabled')), null);
  });
});
