/** The tool graph in a real Chromium: its picture by keys, its table, and why there is none; at 700 to 2,560 px. */
import assert from 'node:assert/strict';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import { buildGraph } from '../../trainer/store/toolGraph/buildGraph';
import { episode, listed, tracked } from '../fixtures/toolGraph';
import { inBrowser, themes } from './browser';
import { recordedRun } from './fixture';

const recording = recordedRun();
const runId = recording.manifest.id;
const state = recording.events.reduce(reduceRun, emptyRun);
const names = ['Abernathy', 'Bellweather', 'Castellan', 'Drummond', 'Eisenhart', 'Fairbairn'];
const graph = buildGraph([
  ...names.map((name, i) => tracked(name, name, `K${i}`, { solved: i !== 2 })),
  ...names.map((name) => listed(`l-${name}`, name)),
  ...names.map((name) =>
    episode(`s-${name}`, `Is what ${name} ordered in stock?`, [
      ['findOrders', { customer: name }, [{ order: 'K1', article: 'tent' }]],
      ['checkStock', { article: 'tent' }, 3],
      ['checkStock', { article: 'tents' }, { error: 'no article' }, 'threw'],
    ]),
  ),
  episode('r', 'Refund K7', [['refundOrder', { order: 'K7', amount: 3, grievance: 'late' }, 1]], { solved: null }),
]);

describe('the tool graph', function () {
  this.timeout(300_000);
  const browser = inBrowser({
    run: { runId, state, runs: [{ ...recording.info, status: state.status }] },
    answer: (request) => (request.type === 'openToolGraph' ? { type: 'toolGraph', runId, graph } : null),
  });

  for (const theme of themes)
    it(`is drawn when it is opened, walked by keys, and equals its table in ${theme}`, async () => {
      const panel = await browser.show({ page: 'tools' }, { theme, withAxe: true });
      const { page } = browser;
      assert.equal((await panel.posted('openToolGraph')).length, 0, 'nothing is read before');
      await page.getByText('Tool graph', { exact: true }).click();
      await panel.settle();
      assert.equal((await panel.posted('openToolGraph')).length, 1);
      const nodes = page.locator('.tool-graph-node');
      assert.equal(await nodes.count(), 6);
      assert.equal(await page.locator('.tool-graph-node[tabindex="0"]').count(), 1, 'one tab stop');
      await nodes.first().focus();
      await page.keyboard.press('ArrowRight');
      assert.match(await page.locator('.tool-graph-node:focus').innerText(), /findOrders/);
      const steps = await page.locator('.tool-graph-steps').innerText();
      assert.match(
        steps,
        /findOrders → trackOrder\s+6\s+33\s%\s+0\s+83\s%\s+order: \[0\]\.order of the result of findOrders 6/,
      );
      await page.locator('.tool-graph .picture-twin summary').click();
      await page.locator('.tool-graph .picture-twin tbody tr').first().waitFor(); // built when it is opened
      const rows = await page.locator('.tool-graph .picture-twin tbody tr').allInnerTexts();
      assert.equal(rows.length, graph.edges.length);
      for (const [i, { from, to, count }] of [...graph.edges].sort((a, b) => b.count - a.count).entries())
        assert.ok(rows[i]!.includes(String(count)), `${from} -> ${to}: ${rows[i]}`);
      assert.deepEqual(await browser.serious(), []);
      await panel.shot(`${theme}-tool-graph`);
    });

  for (const width of [700, 1280, 2560])
    it(`fits a window of ${width} px`, async () => {
      const panel = await browser.show({ page: 'tools' }, { theme: 'dark', width });
      await browser.page.getByText('Tool graph', { exact: true }).click();
      await panel.settle();
      assert.ok((await browser.overflow()) <= 0);
      await panel.shot(`tool-graph-${width}`);
    });

  it('says why there is none', async () => {
    const error = { border: 'config' as const, message: 'no training trace to make a tool graph of', hint: 'Train.' };
    const panel = await browser.show({ page: 'tools' }, {}, { answer: () => null });
    await browser.page.getByText('Tool graph', { exact: true }).click();
    await panel.send({ type: 'failed', request: 'openToolGraph', error });
    await panel.settle();
    assert.match(await browser.page.locator('.tool-graph').innerText(), /no training trace .* Train\./);
    assert.equal(await browser.page.getByRole('alert').count(), 0, 'said once');
  });
});
