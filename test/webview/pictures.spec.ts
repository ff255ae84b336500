/**
 * Pictures in a real Chromium: each equals its table, is walked by keys and opens the traces behind a cell; and every
 * page at 700 to 2,560 px. Screenshots go to test/artifacts/webview.
 */
import assert from 'node:assert/strict';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import type { PanelEvent, PanelRequest, Route } from '../../webview/messages';
import type { TaskFacts } from '../../webview/shared/taskFacts';
import { inBrowser } from './browser';
import { recordedRun } from './fixture';

const recording = recordedRun();
const runId = recording.manifest.id;
const state = recording.events.reduce(reduceRun, emptyRun);
const ids = Array.from(new Set(state.traces.map(({ taskId }) => taskId)));
const tasks = ids.map(
  (id, i): TaskFacts => ({
    id,
    wanted: [['searchEmails'], ['searchEmails', 'readEmail'], [], null][i % 4]!,
    source: i % 3 === 0 ? 'person' : 'grammar',
    tags: [['one call', 'two calls', 'no tool', 'a_kind_of_task_with_one_very_long_word_in_its_name'][i % 4]!],
  }),
);
const first = state.traces.filter(({ phase }) => phase === 'train').slice(0, 16);
const answer = (request: PanelRequest): PanelEvent | null => {
  if (request.type === 'openTasks') return { type: 'tasks', runId, tasks };
  if (request.type === 'openJudge')
    return {
      type: 'judge',
      runId,
      verdicts: [
        {
          taskId: first[0]!.taskId,
          traceIds: first.map(({ id }) => id),
          ranks: first.map((_, i) => 1 + (i >> 2)),
          reasons: first.map(() => 'so'),
          model: 'judge',
          rawReply: '',
        },
      ],
      marks: first.slice(0, 8).map(({ id }, i) => ({
        id: `m${i}`,
        traceIds: [id, first[15 - i]!.id],
        verdict: (['first', 'second', 'tie'] as const)[i % 3]!,
      })),
      problems: [],
      bar: null,
    };
  return null;
};
const cut = state.traces.find(({ truncated }) => truncated !== 'no')!;
const PAGES: [string, Route][] = [
  ['run', { page: 'run' }],
  ['evaluation', { page: 'evaluation' }],
  ['traces', { page: 'traces', step: 30 }],
  ['trace', { page: 'trace', traceId: cut.id }],
  ['group', { page: 'group', groupId: 's30-g3' }],
  ['judge', { page: 'judge' }],
  ['try', { page: 'try' }],
  ['tools', { page: 'tools' }],
  ['runs', { page: 'runs' }],
];

describe('pictures in a browser', function () {
  this.timeout(300_000);
  const browser = inBrowser({
    run: { runId, state, runs: [recording.info, { ...recording.info, id: 'other', method: 'sft' }] },
    answer,
  });
  /**
   * Opens every fold, so that all pictures and tables are there. A table is built on its fold's `toggle`, which a busy
   * machine tells late, and a picture may be drawn anew meanwhile: so until three looks see them all.
   */
  const unfold = async (): Promise<void> => {
    await browser.panel.settle();
    for (let seen = 0; seen < 3; ) {
      const isWhole = await browser.panel.page.evaluate(() => {
        for (const fold of Array.from(document.querySelectorAll<HTMLDetailsElement>('main details'))) fold.open = true;
        document.querySelector('.pictures, .picture')?.scrollIntoView();
        return Array.from(document.querySelectorAll('.picture-twin')).every((fold) => fold.querySelector('table'));
      });
      seen = isWhole ? seen + 1 : 0;
      await browser.panel.settle();
    }
  };

  /** What each picture draws, and what its table says. */
  const look = () =>
    browser.panel.page.evaluate(() =>
      Array.from(document.querySelectorAll('.picture')).map((figure) => {
        const texts = (parts: ArrayLike<Element>): string[] => Array.from(parts, (part) => part.textContent ?? '');
        const rows = Array.from(figure.querySelectorAll('.picture-row:not(.head)'));
        return {
          title: figure.querySelector('figcaption strong')?.textContent ?? '',
          heads: [texts(figure.querySelectorAll('.picture-row.head > *')), texts(figure.querySelectorAll('thead th'))],
          names: [texts(figure.querySelectorAll('[role=rowheader]')), texts(figure.querySelectorAll('tbody th'))],
          drawn: rows.map((row) => texts(row.querySelectorAll('.picture-cell')).map((text) => text || '0')),
          table: Array.from(figure.querySelectorAll('tbody tr')).map((row) => texts(row.querySelectorAll('td'))),
          shades: rows.map((row) =>
            Array.from(row.querySelectorAll<HTMLElement>('.picture-cell'), (cell) =>
              Number(cell.style.getPropertyValue('--shade')),
            ),
          ),
        };
      }),
    );

  it('draws every picture from the numbers of its table', async () => {
    await browser.show({ page: 'run' });
    const seen: string[] = [];
    for (const [, route] of PAGES) {
      await browser.go(route);
      await unfold();
      let pairs = await look();
      // a picture that was drawn anew in between has its fold closed
      for (let tries = 0; tries < 20 && pairs.some(({ heads }) => heads[1]!.length === 0); tries++) {
        await unfold();
        pairs = await look();
      }
      for (const { title, heads, names, drawn, table, shades } of pairs) {
        seen.push(title);
        assert.deepEqual(heads[0], heads[1], title);
        assert.deepEqual(names[0], names[1], title);
        assert.deepEqual(drawn, table, title);
        // What is darker holds more.
        shades.forEach((row, r) =>
          row.forEach((shade, c) =>
            assert.equal(shade > 0, !/^(0|–|0\s%.*)$/.test(drawn[r]![c]!), `${title} ${r} ${c}`),
          ),
        );
      }
      if (route.page === 'trace') {
        const [bars, rows] = await browser.panel.page.evaluate(() => [
          Array.from(document.querySelectorAll('.waterfall-row'), (bar) => bar.getAttribute('title')),
          Array.from(document.querySelectorAll('.waterfall-picture tbody tr'), (row) =>
            Array.from(row.children, (cell) => cell.textContent).join(', '),
          ),
        ]);
        assert.ok(bars!.length > 1);
        assert.match(String(bars!.at(-1)), /^cut off: /);
        assert.deepEqual(bars, rows);
      }
    }
    assert.deepEqual(Array.from(new Set(seen)).sort(), [
      'How calls of each tool ended',
      'Judge and gold',
      'Judge and people',
      'Rewards over the steps',
      'Solved, by who wrote the request and by kind of task',
      'Wanted and called',
    ]);
  });

  it('is walked by the arrow keys, and Enter opens the traces behind a cell', async () => {
    const { page } = await browser.show({ page: 'run' });
    await unfold();
    const cell = page.locator('.picture-cell[tabindex="0"]').first();
    await cell.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    const count = /: ([\d,]+)$/.exec(label)![1]!;
    await page.keyboard.press('Enter');
    await browser.panel.settle();
    assert.match(await page.locator('.traces-page [role=status]').first().innerText(), new RegExp(`${count} traces`));
    await browser.panel.shot('pictures-behind');
    await page.getByText('Show all traces').click();
    await browser.panel.settle();
    assert.equal(await page.locator('.stepper').isVisible(), true);
  });

  it('sorts, filters, labels and deletes runs', async () => {
    const { page } = await browser.show({ page: 'runs' });
    await page.locator('[data-column=method]').click();
    await browser.panel.settle();
    assert.equal(await page.locator('th[aria-sort=ascending]').innerText(), 'method');
    assert.deepEqual(await page.locator('tbody td:nth-child(7)').allInnerTexts(), ['grpo', 'sft']);
    await page
      .getByRole('button', { name: /^Name, tags and notes of/ })
      .first()
      .click();
    await page.locator('.label-form input').nth(1).fill('mail, #first');
    await page.locator('.label-form input').first().fill('the good one');
    await page.keyboard.press('Enter');
    await browser.panel.settle();
    assert.deepEqual(await browser.panel.posted('labelRun'), [
      { type: 'labelRun', runId, label: { name: 'the good one', tags: ['mail', 'first'], notes: '' } },
    ]);
    await page
      .getByRole('button', { name: /^Delete/ })
      .nth(1)
      .click();
    assert.deepEqual(await browser.panel.posted('deleteRun'), [{ type: 'deleteRun', runId: 'other' }]);
    await page.locator('.runs-page vscode-text-field').click();
    await page.keyboard.type('sft');
    await browser.panel.settle();
    assert.equal(await page.locator('tbody tr').count(), 1);
  });

  for (const width of [700, 1000, 1440, 2560])
    it(`loses nothing at ${width} px, on any page`, async () => {
      const { page } = await browser.show(
        { page: 'run' },
        { width, withAxe: width === 1000, theme: width === 1440 ? 'light' : 'dark' },
      );
      const findings: string[] = [];
      for (const [name, route] of PAGES) {
        await browser.go(route);
        await unfold();
        findings.push(
          ...(await page.evaluate((name) => {
            const isScrolled = (element: Element): boolean => {
              for (let up = element.parentElement; up; up = up.parentElement)
                if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true;
              return false;
            };
            const wide = document.documentElement.scrollWidth - window.innerWidth;
            const out = wide > 0 ? [`${name}: ${wide} px wider than the window`] : [];
            for (const table of Array.from(document.querySelectorAll('main table, main .picture-grid')))
              if (table.getBoundingClientRect().right > window.innerWidth && !isScrolled(table))
                out.push(`${name}: a table without a scroll area: ${table.textContent?.slice(0, 40)}`);
            return out;
          }, name)),
        );
        if (width === 1000)
          findings.push(
            ...(await browser.panel.violations()).map(({ id, nodes }) => `${name}: ${id} ${nodes.join(' ')}`),
          );
        if (width === 1000 || width === 1440) await browser.panel.shot(`pictures-${width}-${name}`);
      }
      assert.deepEqual(findings, []);
    });
});
