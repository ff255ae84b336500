/**
 * The rows that stand in the panel's HTML, in a real Chromium under the strict CSP: what they say and where they lie is
 * what the living page then puts in their
 * place. Screenshots go to test/artifacts/webview.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import { firstScreen } from '../../webview/shared/firstScreen';
import type { Route } from '../../webview/messages';
import { recordedRun } from './fixture';
import { inBrowser } from './browser';
import { artifacts, type Page, type ThemeName } from './harness.mjs';

const recording = recordedRun();
const runId = recording.manifest.id;
const state = recording.events.reduce(reduceRun, emptyRun);

interface Drawn {
  rows: string[];
  tops: Record<string, number>;
}

/** What the rows hold, without how custom properties are set, and where the page's parts begin. */
const drawn = (page: Page): Promise<Drawn> =>
  page.evaluate(() => {
    const rows = Array.from(document.querySelectorAll('[role=treeitem]')).slice(0, 20);
    const content = (row: Element): string =>
      `${row.getAttribute('aria-level')} ${row.getAttribute('aria-expanded')} ${row.innerHTML.replace(/ (style|data-vars)="[^"]*"/g, '')}`;
    const parts = { title: 'h1', summary: '.page > p', head: '.tree-head', first: '[role=treeitem]', meter: '.meter' };
    const tops = Object.fromEntries(
      Object.entries(parts).flatMap(([name, selector]) => {
        const element = document.querySelector(selector);
        return element ? [[name, element.getBoundingClientRect().top]] : [];
      }),
    );
    return {
      rows: rows.map(content),
      tops: {
        ...tops,
        nav: document.querySelectorAll('.nav-item')[3]!.getBoundingClientRect().left,
        last: rows.at(-1)!.getBoundingClientRect().top,
      },
    };
  });

describe('the panel’s first screen', function () {
  this.timeout(120_000);
  const browser = inBrowser({ run: { runId, state, runs: [recording.info] } });

  async function open(
    name: string,
    route: Extract<Route, { page: 'traces' }>,
    theme: ThemeName,
    traces = state.traces,
  ): Promise<[Drawn, Drawn]> {
    let still: Drawn | undefined;
    let violations: string[] = [];
    await browser.show(
      route,
      {
        theme,
        withAxe: true,
        first: firstScreen(traces, route, false),
        async beforeScript(page) {
          still = await drawn(page);
          violations = await page.evaluate(async () =>
            (
              await (
                window as unknown as {
                  axe: { run(root: Document): Promise<{ violations: { id: string; impact: string | null }[] }> };
                }
              ).axe.run(document)
            ).violations
              .filter(({ impact }) => impact === 'serious' || impact === 'critical')
              .map(({ id }) => id),
          );
          await page.screenshot({ path: path.join(artifacts, `${name}-html.png`) });
        },
      },
      { snapshot: { state: { ...state, traces } } },
    );
    await browser.panel.shot(`${name}-living`, { fullPage: false });
    assert.deepEqual(violations, []);
    return [still!, await drawn(browser.page)];
  }

  for (const [name, route, theme] of [
    ['every', { page: 'traces', all: true }, 'dark'],
    ['step', { page: 'traces', step: 30 }, 'light'],
    ['held-out', { page: 'traces', phase: 'after' }, 'highContrast'],
  ] as const) {
    it(`says what the living page says, at the same places: ${name}`, async () => {
      const [still, living] = await open(`first-${name}`, route, theme);
      assert.ok(still.rows.length >= 8);
      assert.deepEqual(still.rows, living.rows);
      for (const [part, top] of Object.entries(still.tops))
        assert.ok(Math.abs(top - living.tops[part]!) <= 1, `${part}: ${top} in the HTML, ${living.tops[part]} alive`);
      assert.equal(await browser.page.locator('#app.is-first, #app[aria-busy]').count(), 0);
    });
  }

  it('is none where the page comes back to where the user was', async () => {
    const route: Route = { page: 'trace', traceId: 's30-g0-0' };
    let children: number | undefined;
    await browser.show(undefined, {
      first: firstScreen(state.traces, { page: 'traces' }, false),
      state: { version: 1, runId, route, charts: { smoothing: 0.6, isLog: false, asTables: false } },
      beforeScript: async (page) => void (children = await page.locator('#app *').count()),
    });
    assert.equal(children, 0);
    assert.equal(await browser.page.locator('[role=treeitem]').count(), 0);
  });

  it('keeps hostile text text', async () => {
    const hostile = `"><img src=x onerror=alert(1)><script>document.title = 'gone'</script>'&amp;`;
    const traces = state.traces.map((trace) => ({ ...trace, prompt: hostile, path: hostile }));
    const [still, living] = await open('first-hostile', { page: 'traces', step: 30 }, 'dark', traces);
    assert.deepEqual(still.rows, living.rows);
    assert.ok((await browser.page.locator('[role=treeitem]').first().innerText()).includes(hostile));
    assert.deepEqual(
      await browser.page.evaluate(() => [document.title, document.querySelectorAll('#app img, #app script').length]),
      ['Coach', 0],
    );
  });
});
