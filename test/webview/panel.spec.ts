/**
 * The panel's page in a real Chromium: every page in every kind of theme under the strict CSP, keyboard, hostile text,
 * empty states,
 * what the buttons post. Screenshots go to test/artifacts/webview.
 */
import assert from 'node:assert/strict';
import type { RunInfo, TrainerEvent } from '../../trainer/protocol/messages';
import type { StageResult } from '../../trainer/protocol/stages';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import type { PanelEvent, Route } from '../../webview/messages';
import { infoOf, recordedRun, until } from './fixture';
import { openRig, type Panel, type PanelOptions, type Rig, type ThemeName } from './harness.mjs';
import { traceOf } from './traceFixture';

const recording = recordedRun();
const runId = recording.manifest.id;
const older = {
  ...infoOf(
    { ...recording.manifest, id: 'older', createdAt: recording.manifest.createdAt - 9e6 },
    'finished',
    60,
    null,
  ),
  method: 'sft',
};
const middle = until(recording, (e) => e.type === 'stepFinished' && e.step === 38);
const themes: ThemeName[] = ['dark', 'light', 'highContrast', 'highContrastLight'];

interface Show extends PanelOptions {
  events?: TrainerEvent[] | null;
  route?: Route;
  info?: Partial<RunInfo>;
  refused?: string;
}

function snapshotOf({
  events = recording.events,
  route,
  info,
  refused,
}: Show): Extract<PanelEvent, { type: 'snapshot' }> {
  const state = events?.reduce(reduceRun, emptyRun) ?? null;
  return {
    type: 'snapshot',
    runId: state ? runId : null,
    state,
    runs: state ? [{ ...recording.info, status: state.status, ...info }, older] : [],
    strings: {},
    locale: 'en',
    trainingRefused: refused ?? null,
    ...(route ? { route } : {}),
  };
}

describe('panel in a browser', function () {
  this.timeout(300_000);
  let rig: Rig;
  let panel: Panel;
  before(async () => {
    rig = await openRig();
  });
  after(() => rig?.close());
  const show = async (options: Show = {}): Promise<Panel> => {
    panel = await rig.openPanel(options);
    await panel.serve(snapshotOf(options), (summary) =>
      summary.id === 's30-g0-0'
        ? {
            error: {
              border: 'storage',
              message: 'traces/train-00030.jsonl: line 12 is cut off',
              hint: 'Resume repairs it.',
            },
          }
        : traceOf(summary, runId),
    );
    return panel;
  };
  afterEach(async () => {
    if (!panel) return;
    await panel.close();
    assert.deepEqual(panel.problems, [], 'CSP violations, exceptions or console errors');
  });
  const focused = (): Promise<string> => panel.page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
  const overflow = (): Promise<number> =>
    panel.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

  for (const theme of themes) {
    it(`looks right in ${theme}`, async () => {
      const { page } = await show({ theme });
      assert.deepEqual(
        [
          await page.locator('h1').count(),
          await page.locator('main').count(),
          await page.locator('nav').first().isVisible(),
        ],
        [1, 1, true],
      );
      assert.equal(await page.locator('canvas').count(), 8);
      await panel.shot(`${theme}-run`);
      const routes: [string, Route][] = [
        ['evaluation', { page: 'evaluation' }],
        ['traces', { page: 'traces', step: 30 }],
        ['trace', { page: 'trace', traceId: 's30-g3-3' }],
        ['group', { page: 'group', groupId: 's30-g3' }],
        ['tools', { page: 'tools' }],
      ];
      for (const [name, route] of routes) {
        await panel.send({ type: 'navigate', runId, route });
        await panel.settle();
        assert.equal(await page.locator('h1').count(), 1);
        assert.ok((await overflow()) <= 0, `${name} is wider than the window`);
        await panel.shot(`${theme}-${name}`);
      }
      await panel.send({ type: 'navigate', runId, route: { page: 'trace', traceId: 's30-g3-1' } });
      await page.getByRole('tab', { name: 'Tokens' }).click();
      await panel.shot(`${theme}-tokens`);
      await panel.send(snapshotOf({ events: middle, route: { page: 'run' } }));
      await panel.shot(`${theme}-live`);
    });
  }

  for (const theme of themes) {
    it(`tells a pipeline, stage by stage, in ${theme}`, async () => {
      const stages = (['sft', 'grpo', 'dpo'] as const).map((method) => ({
        ...recording.manifest.config,
        method,
        steps: 20,
      }));
      const measured = (success: number): StageResult['before'] => ({
        n: 240,
        success,
        ci95: [success - 0.06, success + 0.06],
      });
      const results: StageResult[] = [
        {
          method: 'sft',
          steps: 20,
          before: measured(0.2),
          after: measured(0.5),
          gain: { mean: 0.3, ci95: [0.22, 0.38] },
          passed: true,
          gate: 'the lower bound of its gain, +22.0, is above -5.0 points on 240 validation tasks',
        },
        {
          method: 'grpo',
          steps: 20,
          before: measured(0.5),
          after: measured(0.4),
          gain: { mean: -0.1, ci95: [-0.16, -0.04] },
          passed: false,
          gate: 'the lower bound of its gain, -16.0, is not above -5.0 points on 240 validation tasks',
        },
      ];
      const events = middle.map((event) =>
        event.type === 'runStarted' ? { ...event, manifest: { ...event.manifest, stages } } : event,
      );
      const more = results.flatMap(({ method, steps }, index) => [
        { type: 'stageStarted' as const, index, method, steps, fromStep: 20 * index },
        { type: 'stageFinished' as const, index, result: results[index]! },
      ]);
      const all = [...events, ...more.map((body, i) => ({ ...body, seq: events.length + i, t: events.at(-1)!.t }))];
      const reasons = ['sft: pass@8 is 38 %, under the bar of 50 %', 'no dpo: no pairs of answers are given'];
      const chosen = { type: 'stagesChosen' as const, stages, reasons, seq: all.length, t: all.at(-1)!.t };
      const { page } = await show({ theme, events: [...all, chosen] });
      const rows = (await page.locator('.stages tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      assert.equal(rows.length, 3);
      assert.match(rows[0]!, /1\. sft 20 20\.0 % .* 50\.0 % .*passed on the lower bound/);
      assert.match(rows[1]!, /2\. grpo 20 50\.0 % .* 40\.0 % .*not passed on/);
      assert.match(rows[2]!, /3\. dpo 20 – – – not begun/);
      assert.ok((await overflow()) <= 0);
      await page.evaluate(() => document.querySelector('.stages')!.scrollIntoView());
      await panel.shot(`${theme}-pipeline`);

      await page.getByRole('button', { name: 'Pipeline', exact: true }).click();
      await panel.settle();
      assert.equal(await focused(), 'Pipeline', 'who went there by the keyboard stands at its heading');
      const places = await page.locator('.stage-place').allInnerTexts();
      assert.equal(places.length, 3);
      assert.match(
        places[0]!,
        /1\. sft.*20\.0.*→.*50\.0.*\+30\.0 .*a real gain.*the model as the run found it.*passed on/s,
      );
      assert.match(
        places[1]!,
        /2\. grpo.*a real loss.*began with what stage 1 \(sft\) passed on.*not passed on.*−16\.0/s,
      );
      assert.match(places[2]!, /3\. dpo.*not begun/s);
      assert.deepEqual(await page.locator('.pipeline-page .notes li').allInnerTexts(), reasons);
      assert.equal(await page.locator('.pipeline-page canvas').count(), 3);
      assert.ok((await overflow()) <= 0);
      await panel.shot(`${theme}-pipeline-page`);
      await page.locator('[data-chart=solved] .chart-plot').focus();
      await page.keyboard.press('End');
      assert.match(
        (await page.locator('[data-chart=solved] .chart-plot').getAttribute('aria-valuetext')) ?? '',
        /step 30.*stage 2\. grpo/,
      );
      await page.getByRole('button', { name: 'As table' }).focus();
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('.stage-row').isVisible(), false);
      assert.match(await page.locator('.pipeline-page .stages tbody tr').nth(1).innerText(), /2\. grpo/);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Traces of 1. sft' }).click();
      await panel.settle();
      assert.equal(await page.locator('h1').innerText(), 'Traces');
    });
  }

  it('the page Pipeline is there where there are stages', async () => {
    const { page } = await show();
    assert.equal(await page.getByRole('button', { name: 'Pipeline', exact: true }).count(), 0);
    await panel.send({ type: 'navigate', runId, route: { page: 'pipeline' } });
    await panel.settle();
    assert.match(await page.locator('.pipeline-page').innerText(), /This run has one stage\s*It trains by grpo alone/);
  });

  it('follows a live run', async () => {
    const { page } = await show({ events: middle });
    assert.match(await page.locator('.progress-words').innerText(), /step 38 of 60.*left.*validation/s);
    assert.equal(await page.locator('.status').innerText(), 'running');
    const rest = recording.events.slice(middle.length);
    await panel.send({ type: 'events', runId, events: rest.slice(0, 66) });
    await panel.settle();
    assert.match(await page.locator('.progress-words').innerText(), /step 39 of 60/);
    assert.equal(await page.locator('.result.so-far').count(), 1);
    await panel.send({ type: 'events', runId, events: rest.slice(66) });
    await panel.settle();
    assert.equal(await page.locator('.status').innerText(), 'finished');
    assert.match(await page.locator('.result').innerText(), /37\.9.*→.*80\.8.*\+42\.9 points.*a real gain/s);
    assert.match((await page.locator('[aria-live=polite]').first().textContent()) ?? '', /finished/);
  });

  it('says not measured instead of drawing a 0, and noise is called noise', async () => {
    const quiet = recordedRun({ from: 0.5, to: 0.52, heldOut: 40, steps: 12 });
    const events = quiet.events.map((e) =>
      e.type === 'stepFinished' ? { ...e, metrics: { ...e.metrics, kl: null } } : e,
    );
    const { page } = await show({ events });
    assert.match(await page.locator('[data-chart=kl]').innerText(), /not measured/);
    assert.equal(await page.locator('[data-chart=kl] canvas').count(), 0);
    assert.match(await page.locator('.verdict-line').innerText(), /could be chance.*holds 0/s);
    await panel.shot('noise');
  });

  it('is told by the tasks nearest to people, with the other writers, what it was measured on, and what no task covered', async () => {
    const part = (n: number, success: number) => ({
      n,
      success,
      ci95: [success - 0.1, success + 0.1] as [number, number],
    });
    const gain = { mean: 0.2, ci95: [0.05, 0.35] as [number, number] };
    const events = recording.events.map((e) =>
      e.type === 'runFinished'
        ? {
            ...e,
            result: {
              ...e.result,
              before: { ...e.result.before, bySource: { grammar: part(40, 0.3), schema: part(200, 0.5) } },
              after: { ...e.result.after, bySource: { grammar: part(40, 0.5), schema: part(200, 0.9) } },
              gain: {
                ...e.result.gain,
                bySource: { grammar: { ...gain, n: 40 }, schema: { ...gain, mean: 0.4, n: 200 } },
              },
              headline: {
                sources: ['grammar' as const],
                before: part(40, 0.3),
                after: part(40, 0.5),
                gain,
                verdict: 'a real gain',
              },
              toolsWithoutTasks: ['sendEmail'],
            },
          }
        : e,
    );
    const { page } = await show({ events });
    const text = await page.locator('.result').innerText();
    assert.match(text, /Result on held-out tasks made by grammar\s.*30\.0.*→.*50\.0.*\+20\.0 points.*a real gain/s);
    assert.match(
      text,
      /Measured on requests that Coach made up; what people ask may differ: write some in tools\.tasks\.jsonl\./,
    );
    assert.match(text, /No task covered sendEmail/);
    assert.match(text, /By who wrote the tasks.*made by grammar\s+40\s.*from the schemas\s+200\s/s);
    await panel.shot('by-source');
  });

  it('shows empty, refused, failed and died runs with the way out', async () => {
    const { page } = await show({ events: null });
    await page.getByText('No run yet').waitFor();
    await page.getByText('Train agent on these tools').click();
    assert.equal((await panel.posted('train')).length, 1);
    for (const name of ['Evaluation', 'Traces', 'Tools']) {
      await page.getByRole('button', { name, exact: true }).click();
      await panel.settle();
      assert.equal(await page.locator('.empty-state').count(), 1, name);
    }
    await panel.send(
      snapshotOf({
        events: null,
        refused: 'Training runs your tools, so it needs a trusted workspace.',
        route: { page: 'run' },
      }),
    );
    await page.getByText(/trusted workspace/).waitFor();
    const failed: TrainerEvent[] = [
      ...middle,
      {
        seq: middle.length,
        t: 0,
        type: 'runFailed',
        error: {
          border: 'storage',
          message: 'events.jsonl: no space left on device',
          hint: 'Free some space, then resume: nothing recorded is lost.',
        },
      },
    ];
    await panel.send(snapshotOf({ events: failed }));
    await page.getByText(/no space left/).waitFor();
    await page.getByText('Resume from step 30').click();
    assert.deepEqual(await panel.posted('resume'), [{ type: 'resume', runId }]);
    await panel.shot('failed');
    await panel.send(snapshotOf({ events: middle, info: { status: 'died' } }));
    await page.getByText('The trainer died').waitFor();
    await panel.send({
      type: 'failed',
      request: 'resume',
      error: { border: 'device', message: 'another window is resuming it' },
    });
    await page.getByText('Could not resume the run').waitFor();
  });

  it('posts what the buttons mean', async () => {
    const { page } = await show();
    for (const label of ['Open adapter folder', 'Export…']) await page.getByText(label).click();
    assert.deepEqual(
      [await panel.posted('openAdapterFolder'), await panel.posted('export')],
      [[{ type: 'openAdapterFolder', runId }], [{ type: 'export', runId }]],
    );
    await page.locator('[data-chart=reward] vscode-button').click();
    await page.locator('[data-chart=reward] .chart-twin vscode-button').click();
    const [document] = await panel.posted('openDocument');
    assert.match(document!.text, /^step,Reward,correctness,efficiency,format\r\n60,/);
    await panel.send(snapshotOf({ events: middle }));
    await page.getByText('Stop', { exact: true }).click();
    await page.getByText('Stopping…').waitFor();
    assert.deepEqual(await panel.posted('stop'), [{ type: 'stop', runId }]);
    await panel.send({ type: 'navigate', runId, route: { page: 'trace', traceId: 's30-g3-1' } });
    await page.locator('vscode-button[aria-label="Go to the definition of readEmail"]').click();
    assert.deepEqual(await panel.posted('revealTool'), [{ type: 'revealTool', runId, tool: 'readEmail' }]);
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByText('Copy as JSON').click();
    assert.equal(JSON.parse((await panel.posted('copy'))[0]!.text).id, 's30-g3-1');
  });

  it('is complete by keyboard', async () => {
    const { page } = await show();
    const chart = page.locator('[data-chart=reward] [role=slider]');
    await chart.focus();
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    await panel.settle();
    assert.equal(await chart.getAttribute('aria-valuenow'), '58');
    assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /step 58: 0\.\d+, correctness/);
    assert.match(await page.locator('[data-chart=kl] .chart-detail').innerText(), /step 58/, 'the crosshair is shared');
    await panel.shot('crosshair');
    await page.keyboard.press('Enter');
    await panel.settle();
    assert.equal(await focused(), 'Traces');
    await page.locator('[role=treeitem][tabindex="0"]').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight'])
      await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-level')), '2');
    await page.keyboard.press('Enter');
    await panel.settle();
    assert.equal(await page.locator('.trace-page').count(), 1);
    const strip = page.locator('.rank-strip [aria-current=true]');
    await strip.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await panel.settle();
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-current')),
      'true',
      'the focus stays on the strip',
    );
    await page.getByRole('tab', { name: 'Conversation' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'Tokens');
    await page.locator('.token[tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await page.locator('.token-readout').innerText(), /id \d+ · log p/);
    const unnamed = await page.evaluate(
      () =>
        Array.from(
          document.querySelectorAll('button, vscode-button, [role=tab], [role=treeitem], [role=slider]'),
        ).filter((e) => !(e.getAttribute('aria-label') || e.textContent?.trim())).length,
    );
    assert.equal(unnamed, 0, 'controls without a name');
  });

  it('moves the focus for the user, not for the host', async () => {
    const { page } = await show();
    await panel.send({ type: 'navigate', runId, route: { page: 'traces' } });
    await panel.settle();
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
    await page.getByRole('button', { name: 'Evaluation', exact: true }).click();
    await panel.settle();
    assert.equal(await focused(), 'Evaluation');
  });

  it('keeps hostile text text', async () => {
    const { page } = await show({ route: { page: 'traces', step: 30 } });
    await panel.send({ type: 'navigate', runId, route: { page: 'trace', traceId: 's30-g0-1' } });
    await panel.settle();
    for (const tab of ['Raw', 'Tokens', 'Conversation']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.evaluate(() =>
        document.querySelectorAll('details').forEach((d) => {
          d.open = true;
        }),
      );
      await panel.settle();
    }
    assert.deepEqual(
      await page.evaluate(() => [
        document.title,
        document.querySelectorAll('#app img, #app script, #app iframe, #app b[onclick]').length,
      ]),
      ['Coach', 0],
    );
  });

  it('says why a trace can’t be read, and tries again', async () => {
    const { page } = await show({ route: { page: 'trace', traceId: 's30-g0-0' } });
    await page.getByText(/line 12 is cut off/).waitFor();
    await page.getByText('Try again').click();
    await panel.settle();
    assert.equal((await panel.posted('openTrace')).length, 2);
  });

  it('remembers where the user was, and how the charts were set', async () => {
    const state = {
      version: 1,
      runId,
      route: { page: 'trace', traceId: 's30-g3-1' },
      charts: { smoothing: 0.2, isLog: true, asTables: true },
    };
    const { page } = await show({ state });
    assert.deepEqual((await panel.posted('ready'))[0], { type: 'ready', runId });
    assert.equal(await page.locator('.trace-page').count(), 1);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await panel.settle();
    assert.equal(await page.locator('.chart-twin table').count(), 8);
    await panel.shot('tables');
  });

  it('redraws the charts when the theme changes', async () => {
    const { page } = await show({ theme: 'dark' });
    const stroke = (): Promise<string | null> =>
      page.locator('[data-chart=reward] .swatch line').first().getAttribute('stroke');
    assert.equal(await stroke(), '#59a4f9');
    await panel.setTheme('light');
    await panel.settle();
    assert.equal(await stroke(), '#0063d3');
  });

  it('compares with another run', async () => {
    const { page } = await show();
    await page.locator('.chart-settings vscode-dropdown').click();
    await page.locator('.chart-settings vscode-option').nth(1).click();
    await panel.settle();
    assert.deepEqual(await panel.posted('compareWith'), [{ type: 'compareWith', runId: 'older' }]);
    const other = recordedRun({ seed: 11, to: 0.5 }).events.reduce(reduceRun, emptyRun);
    await panel.send({ type: 'comparison', runId: 'older', curve: other.curve, validation: other.validation });
    await panel.settle();
    assert.match(await page.locator('[data-chart=solved] .legend').innerText(), /other run/);
    await panel.shot('compared');
  });

  for (const [name, options] of [
    ['zoomed', { scale: 2 }],
    ['narrow', { width: 420 }],
  ] as const) {
    it(`fits when it is ${name}`, async () => {
      const { page } = await show(options);
      for (const route of [
        { page: 'run' },
        { page: 'evaluation' },
        { page: 'traces', step: 30 },
        { page: 'trace', traceId: 's30-g3-3' },
        { page: 'group', groupId: 's30-g3' },
      ] satisfies Route[]) {
        await panel.send({ type: 'navigate', runId, route });
        await panel.settle();
        assert.ok((await overflow()) <= 0, `${route.page} is wider than the window`);
        if (route.page === 'run' || route.page === 'trace') await panel.shot(`${name}-${route.page}`);
      }
      assert.equal(await page.locator('main').count(), 1);
    });
  }
});
