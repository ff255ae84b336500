/**
 * The coaching room's pages in a real Chromium: find in a trace, copies, tokens as a table, group and baseline, judge
 * and correction, a run of
 * 10,000 traces; axe-core on every page in every theme. Screenshots go to test/artifacts/webview. COACH_THEMES=dark
 * runs one theme only.
 */
import assert from 'node:assert/strict';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import type { PanelEvent, PanelRequest, Route } from '../../webview/messages';
import { inBrowser, themes } from './browser';
import { recordedRun } from './fixture';
import { marksOf, verdictsOf } from './judgeFixture';
import { traceOf } from './traceFixture';

const recording = recordedRun({ steps: 12, heldOut: 40 });
const runId = recording.manifest.id;
const whole = recording.events.reduce(reduceRun, emptyRun);
/** One group is judged, but only its rewards tell so. */
const ONLY_REWARDS = 's10-g7';
const verdicts = verdictsOf(whole.traces.filter((trace) => trace.groupId !== ONLY_REWARDS));
const train = whole.traces.filter((trace) => trace.phase === 'train' && trace.step === 10);
const other = { ...recording.info, id: 'older' };
const otherManifest = { ...recording.manifest, config: { ...recording.manifest.config, learningRate: 1e-4, seed: 3 } };
/** As the host answers. */
function answer(request: PanelRequest): PanelEvent | null {
  const brief = verdicts.map((v) => ({ ...v, reasons: [], rawReply: '' }));
  if (request.type === 'openJudge')
    return {
      type: 'judge',
      runId,
      verdicts: brief,
      marks: marksOf(whole.traces),
      problems: ['judge.jsonl, line 7: is torn or no verdict; it is left as it is and not used'],
      bar: 0.9,
    };
  if (request.type === 'openVerdicts')
    return {
      type: 'verdicts',
      runId,
      groupId: request.groupId,
      verdicts: verdicts.filter((v) => v.groupId === request.groupId),
      correction: null,
    };
  if (request.type === 'correctRanking')
    return {
      type: 'verdicts',
      runId,
      groupId: request.groupId,
      verdicts: verdicts.filter((v) => v.groupId === request.groupId),
      correction: { traceIds: request.traceIds, ranks: request.ranks, author: 'Lena', t: recording.manifest.createdAt },
    };
  if (request.type === 'compareWith' && request.runId !== null)
    return {
      type: 'comparison',
      runId: request.runId,
      curve: whole.curve,
      validation: whole.validation,
      manifest: otherManifest,
    };
  return null;
}

describe('coaching room in a browser', function () {
  this.timeout(600_000);
  const browser = inBrowser({ run: { runId, state: whole, runs: [recording.info, other] }, answer });
  const failing = train.find((trace) => trace.path.includes('✗')) ?? train[0]!;

  for (const theme of themes) {
    it(`has no serious finding of axe-core in ${theme}, on any page`, async () => {
      const { page } = await browser.show({ page: 'run' }, { theme, withAxe: true });
      const findings: string[] = [];
      const look = async (name: string): Promise<void> => {
        findings.push(...(await browser.serious()).map((found) => `${name}: ${found}`));
        assert.ok((await browser.overflow()) <= 0, `${name} is wider than the window`);
        await browser.panel.shot(`${theme}-axe-${name}`);
      };
      await look('run');
      const pages: [string, Route][] = [
        ['evaluation', { page: 'evaluation' }],
        ['traces', { page: 'traces', step: 10 }],
        ['tools', { page: 'tools' }],
        ['group', { page: 'group', groupId: failing.groupId }],
        ['judge', { page: 'judge' }],
        ['judged', { page: 'judge', groupId: failing.groupId }],
        ['notjudged', { page: 'judge', groupId: 's10-g5' }],
        ['trace', { page: 'trace', traceId: failing.id }],
      ];
      for (const [name, route] of pages) {
        await browser.go(route);
        if (name === 'judged')
          await page.evaluate(() =>
            document.querySelectorAll('.vote').forEach((d) => {
              (d as HTMLDetailsElement).open = true;
            }),
          );
        await look(name);
      }
      await page.getByRole('tab', { name: 'Tokens' }).click();
      await look('tokens');
      await page.locator('.token-panel vscode-checkbox').first().click();
      await look('tokentable');
      await page.getByRole('tab', { name: 'Judge' }).click();
      await page
        .locator('.trace-judge')
        .getByText(/\d of 8/)
        .waitFor();
      await look('tracejudge');
      await page.getByRole('tab', { name: 'Raw' }).click();
      await look('raw');
      assert.deepEqual(findings, []);
    });
  }

  it('finds in a trace what is folded, by keyboard', async () => {
    const { page } = await browser.show({ page: 'trace', traceId: failing.id });
    await page.keyboard.press('Control+f');
    await page.keyboard.type('overlooked nowhere');
    await browser.panel.settle();
    await page.getByText('no match').waitFor();
    for (let i = 0; i < 18; i++) await page.keyboard.press('Backspace');
    await page.keyboard.type('m-104');
    await page.locator('.find-count').filter({ hasText: /match/ }).waitFor();
    await page.keyboard.press('Enter');
    await browser.panel.settle();
    assert.match(await page.locator('.find-count').innerText(), /^1 of \d+$/);
    const total = Number(/of (\d+)/.exec(await page.locator('.find-count').innerText())![1]);
    const current = await page.evaluate(() =>
      Array.from((CSS.highlights as unknown as Map<string, Set<Range>>).get('coach-find-current') ?? []).map((range) =>
        range.toString(),
      ),
    );
    assert.deepEqual(current, ['m-104']);
    for (let i = 0; i < total; i++) await page.keyboard.press('Enter');
    await browser.panel.settle();
    assert.match(await page.locator('.find-count').innerText(), /^1 of/, 'it goes round');
    assert.equal(
      await page.evaluate(() => (CSS.highlights as unknown as Map<string, Set<Range>>).get('coach-find')!.size),
      total,
      'as many are marked as were counted, once all is open',
    );
    await browser.panel.shot('find');
    assert.deepEqual(((await browser.panel.state()) as { opened: object }).opened, {
      tab: 'conversation',
      find: 'm-104',
    });
    await page.keyboard.press('Escape');
    assert.equal(
      await page.evaluate(() => (CSS.highlights as unknown as Map<string, Set<Range>>).has('coach-find')),
      false,
    );
  });

  it('copies in three forms, and makes a task', async () => {
    const { page } = await browser.show({ page: 'trace', traceId: failing.id });
    for (const name of ['Markdown', 'OpenAI messages', 'JSON', 'Make this a task'])
      await page.locator('.trace-tools').getByText(name, { exact: true }).click();
    const [markdown, messages, json] = await browser.panel.posted('copy');
    assert.match(markdown!.text, /^# Trace/);
    assert.equal((JSON.parse(messages!.text) as { role: string }[])[0]!.role, 'system');
    assert.equal((JSON.parse(json!.text) as { id: string }).id, failing.id);
    assert.equal((await browser.panel.posted('makeTask'))[0]!.task.id, `from-${failing.id}`);
  });

  it('reads tokens as a table, by keyboard', async () => {
    const { page } = await browser.show(
      { page: 'trace', traceId: failing.id },
      {
        state: {
          version: 1,
          runId,
          route: { page: 'trace', traceId: failing.id },
          charts: { smoothing: 0.6, isLog: false, asTables: false },
          opened: { tab: 'tokens', tokensAsTable: true },
        },
      },
    );
    await page.locator('.token-rows .token-row').first().focus();
    for (const key of ['End', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
    await browser.panel.settle();
    const { trace } = traceOf(failing, runId);
    assert.equal(
      await page.evaluate(() => (document.activeElement as HTMLElement).dataset['at']),
      String(trace.tokens.ids.length - 3),
    );
    assert.ok((await page.locator('.token-rows .token-row').count()) < 120, 'only the rows of the window exist');
    await browser.panel.shot('token-table');
  });

  it('holds a group against any of its traces', async () => {
    const { page } = await browser.show({ page: 'group', groupId: failing.groupId });
    assert.match(
      await page.locator('.group-table tr').filter({ hasText: 'differs from baseline' }).innerText(),
      /baseline.*(≠|=)/s,
    );
    await page.getByText('make it the baseline').nth(1).click();
    await browser.panel.settle();
    const cells = await page
      .locator('.group-table .summary-row')
      .filter({ hasText: 'differs from baseline' })
      .locator('td')
      .allInnerTexts();
    assert.equal(
      cells.findIndex((text) => text.trim() === 'baseline'),
      2,
    );
    await browser.panel.shot('group-baseline');
  });

  it('shows the settings in which two runs differ', async () => {
    const { page } = await browser.show({ page: 'run' });
    await page.locator('.chart-settings vscode-dropdown').click();
    await page.locator('.chart-settings vscode-option').nth(1).click();
    await browser.panel.settle();
    const text = await page.locator('.setting-differences').innerText();
    assert.match(text, /learningRate\s+0\.003\s+0\.0001/);
    assert.match(text, /seed\s+7\s+3/);
    await browser.panel.shot('settings-differ');
  });

  it('shows agreement with people, and warns below the bar', async () => {
    const { page } = await browser.show({ page: 'judge' });
    assert.match(
      await page.locator('.agreement').innerText(),
      /The judge agrees with people in \d+.%.*the bar is 90.*Cohen's kappa \[/s,
    );
    assert.match(await page.locator('.judge-page').innerText(), /not judged\s+12/);
    await page.locator('.judge-page .data-table .link').first().click();
    await browser.panel.settle();
    assert.equal(await page.locator('.ranking .ranked').count(), 8);
  });

  it('corrects a ranking by keyboard; not judged stays not judged', async () => {
    const { page } = await browser.show({ page: 'judge', groupId: 's10-g0' });
    const ids = (): Promise<string[]> =>
      page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>('.ranking > li')).map((li) => li.dataset['key']!),
      );
    const before = await ids();
    await page.locator('.ranking .ranked').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    assert.deepEqual((await ids()).slice(0, 4), [before[0], before[2], before[3], before[1]]);
    assert.equal(
      await page.evaluate(() => document.activeElement?.closest('li')?.dataset['key']),
      before[1],
      'the focus goes with it',
    );
    await page.getByText('Keep my ranking').click();
    await browser.panel.settle();
    const [kept] = await browser.panel.posted('correctRanking');
    assert.deepEqual(
      [kept!.traceIds.slice(0, 4), kept!.ranks, kept!.judge!.model],
      [[before[0], before[2], before[3], before[1]], [1, 2, 3, 4, 5, 6, 7, 8], 'llama-3.1-8b'],
    );
    await page.getByText(/Put in this order by Lena/).waitFor();
    assert.deepEqual(
      await page.evaluate(() => [document.title, document.querySelectorAll('#app img, #app b[onclick]').length]),
      ['Coach', 0],
    );
    await browser.go({ page: 'judge', groupId: 's10-g5' });
    assert.match(
      await page.locator('.judged-group').innerText(),
      /not judged.*no answer within 30 s, 3 tries.*not a middle one/s,
    );
  });

  it('reads a judge out of the rewards where it kept no verdict', async () => {
    const judged = (summary: TraceSummary): { trace: Trace; tokenTexts: string[] } => {
      const made = traceOf(summary, runId);
      const nth = Number(summary.id.at(-1));
      made.trace.rewards.push({
        name: 'judge',
        score: nth === 2 ? null : nth / 8,
        weight: 1,
        reason: `it was number ${nth}`,
        parts: { agreement: 1 },
        usage: { promptTokens: 100, completionTokens: 10, usd: 0.001 },
      });
      return made;
    };
    const { page } = await browser.show({ page: 'judge', groupId: ONLY_REWARDS }, {}, { trace: judged });
    await page.locator('.ranking .ranked').first().waitFor();
    assert.match(await page.locator('.ranking .ranked').first().innerText(), /judge: 1.*it was number 7/s);
    assert.match(await page.locator('.ranking .ranked').nth(7).innerText(), /not judged/);
    assert.match(await page.locator('.judge-head').innerText(), /800 read, 80 written.*0\.0080 USD/s);
    await browser.go({ page: 'group', groupId: ONLY_REWARDS });
    assert.match(await page.locator('.group-table').innerText(), /judge's reason.*it was number/s);
    await browser.go({ page: 'trace', traceId: `${ONLY_REWARDS}-3` });
    await page.locator('.reward-parts summary').click();
    await browser.panel.shot('judge-from-rewards');
  });

  it('opens a trace of 500 turns quickly, and walks to its end', async () => {
    const long = (summary: TraceSummary): { trace: Trace; tokenTexts: string[] } => {
      const { trace, tokenTexts } = traceOf(summary, runId);
      const [turn] = trace.turns;
      const turns = Array.from({ length: 500 }, (_, i) => ({
        ...turn!,
        start: 40 * i,
        end: 40 * i + 30,
        text: `turn ${i}`,
      }));
      const n = 500 * 40;
      const tokens = {
        ids: Array.from({ length: n }, (_, i) => i),
        logprobs: Array.from({ length: n }, (_, i) => (i % 40 < 30 ? -0.5 : null)),
        completionMask: Array.from({ length: n }, (_, i): 0 | 1 => (i % 40 < 30 ? 1 : 0)),
        writer: `${'s'.repeat(30)}${'t'.repeat(10)}`.repeat(500),
      };
      return {
        trace: { ...trace, turns, tokens },
        tokenTexts: Array.from({ length: n }, (_, i) => ` ${tokenTexts[i % tokenTexts.length]}`),
      };
    };
    const { page } = await browser.show({ page: 'traces', step: 10 }, {}, { trace: long });
    // Without the way over Playwright, which is not the product's: the event is there, then the page draws it.
    await page.evaluate(() => {
      (window as unknown as { harness: { onPost: null } }).harness.onPost = null;
    });
    await browser.go({ page: 'trace', traceId: failing.id });
    const drawn = await page.evaluate(
      async (event) => {
        const started = performance.now();
        window.dispatchEvent(new MessageEvent('message', { data: event }));
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return performance.now() - started;
      },
      { type: 'trace', runId, ...long(failing) },
    );
    await page.locator('.conversation').waitFor();
    console.log(`      500 turns, 20,000 tokens: drawn ${drawn.toFixed(0)} ms after they came`);
    await page.locator('.outline-row').first().focus();
    for (const key of ['End', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await browser.panel.settle();
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-anchor')), 'call-500-0');
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await browser.panel.settle();
    assert.ok((await page.locator('.token').count()) < 3_000);
  });

  it('holds 10,000 traces: few rows exist, filter and scroll stay quick, the place is kept', async () => {
    const shape = train[0]!;
    const many: TraceSummary[] = Array.from({ length: 10_000 }, (_, i) => ({
      ...shape,
      id: `t${i}`,
      taskId: `task-${i % 997}`,
      groupId: `g${i >> 3}`,
      phase: 'train',
      step: 1 + Math.floor(i / 64),
      prompt: `${shape.prompt} ${i >> 3}`,
      reward: (i % 10) / 10,
    }));
    const { page } = await browser.show(
      { page: 'traces', all: true },
      {},
      { snapshot: { state: { ...whole, traces: many } } },
    );
    assert.match(await page.locator('.traces-page').innerText(), /1,250 of 1,250 groups/);
    const rows = (): Promise<number> => page.locator('[role=treeitem]').count();
    assert.ok((await rows()) < 100, `${await rows()} rows`);
    const steps = 20;
    let before = await browser.panel.cpu();
    for (let i = 0; i < steps; i++) {
      await page.evaluate((to) => window.scrollTo(0, to % document.documentElement.scrollHeight), i * 2_500);
      await browser.panel.settle();
    }
    const scroll = ((await browser.panel.cpu()) - before) / steps;
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.locator('[role=treeitem][tabindex="0"]').focus();
    await page.keyboard.press('End');
    await browser.panel.settle();
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-posinset')), '1250');
    assert.ok((await rows()) < 120);
    await page.locator('vscode-text-field.control-text-field').first().click();
    before = await browser.panel.cpu();
    await page.keyboard.type('1249');
    await browser.panel.settle();
    await browser.panel.settle();
    const filter = ((await browser.panel.cpu()) - before) / 4;
    console.log(
      `      10,000 traces: ${scroll.toFixed(1)} ms of the page's CPU for a scroll step, ${filter.toFixed(1)} ms for a key of the filter`,
    );
    assert.ok(scroll < 50 && filter < 50);
    assert.match(await page.locator('.traces-page').innerText(), /1 of 1,250 groups/);
    assert.equal(((await browser.panel.state()) as { opened: { filter: string } }).opened.filter, '1249');
    await browser.panel.shot('many-traces');
  });

  for (const [name, options] of [
    ['zoomed', { scale: 2 }],
    ['narrow', { width: 420 }],
  ] as const) {
    it(`fits when it is ${name}`, async () => {
      const { page } = await browser.show({ page: 'judge' }, options);
      for (const [label, route] of [
        ['judge', { page: 'judge' }],
        ['judged', { page: 'judge', groupId: 's10-g0' }],
        ['group', { page: 'group', groupId: 's10-g0' }],
        ['trace', { page: 'trace', traceId: failing.id }],
      ] satisfies [string, Route][]) {
        await browser.go(route);
        assert.ok((await browser.overflow()) <= 0, `${label} is wider than the window`);
        await browser.panel.shot(`${name}-${label}`);
      }
      await page.getByRole('tab', { name: 'Tokens' }).click();
      await browser.panel.settle();
      assert.ok((await browser.overflow()) <= 0, 'tokens are wider than the window');
    });
  }
});
