/**
 * The page Marking in a real Chromium: both sides equal to the pixel but for their letters, marks by key and by button,
 * the form of a rewrite, axe-core in every theme and at two widths. COACH_THEMES=dark runs one theme only.
 */
import assert from 'node:assert/strict';
import type { MarkingState, MarkingStep, PanelEvent, PanelRequest } from '../../webview/messages';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import { inBrowser, themes } from './browser';
import { recordedRun } from './fixture';
import type { PanelOptions } from './harness.mjs';

const recording = recordedRun({ steps: 2, heldOut: 8 });
const runId = recording.manifest.id;
const state = recording.events.reduce(reduceRun, emptyRun);
const LONG = 'Find the mail of Ana about <b>invoices</b> and say when the oldest of them was due, '.repeat(6);
const call = (query: string): MarkingStep[] => [
  { kind: 'call', title: 'Step 1 · calls searchEmails', lines: [`query: "${query}"`, 'limit: 5'], turn: 0 },
  { kind: 'result', title: 'Result of searchEmails (mock)', lines: ['[', '  "mail 3",', '  "mail 9"', ']'], turn: 0 },
  { kind: 'answer', title: 'Step 2 · answers', lines: [`It is mail 3. ${'wrapped'.repeat(60)}`], turn: 1 },
  { kind: 'end', title: 'Ended by itself', lines: [], turn: null },
];
const side = (query: string) => ({
  steps: call(query),
  draft: { content: '', calls: [{ name: 'searchEmails', arguments: { query, limit: 5 } }] },
});
const tools = [
  {
    name: 'searchEmails',
    description: 'Searches mails.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'what to look for' },
        limit: { type: 'integer' },
        unread: { type: 'boolean' },
        order: { enum: ['newest', 'oldest'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['query'],
    },
  },
];
const marking = (more: Partial<MarkingState> = {}, equal = true): MarkingState => ({
  pair: {
    id: 'p1',
    prompt: LONG,
    before: [],
    sides: { a: side('Ana'), b: side(equal ? 'Ana' : 'invoice') },
    isBlind: true,
    tools,
  },
  left: 12,
  total: 30,
  done: [
    { lineId: 'l2', answer: 'bothBad', prompt: 'Say hello.' },
    { lineId: 'l1', answer: 'a', prompt: 'Which is the newest mail?' },
  ],
  reasons: [],
  none: null,
  trainable: 7,
  ...more,
});
describe('marking pairs, in a browser', function () {
  this.timeout(600_000);
  const browser = inBrowser({ run: { runId, state, runs: [recording.info] } });

  async function open(
    options: PanelOptions = {},
    shown: MarkingState = marking(),
    answer: (request: PanelRequest) => PanelEvent | null = () => null,
  ): Promise<void> {
    await browser.show(
      { page: 'marking' },
      { width: 1440, ...options },
      {
        answer: (request) => (request.type === 'openMarking' ? { type: 'marking', marking: shown } : answer(request)),
      },
    );
    await browser.page.locator('.marking-pane').first().waitFor();
    await browser.panel.settle();
  }
  const requests = async (type: PanelRequest['type']) => (await browser.panel.posted(type)) as PanelRequest[];

  for (const [theme, width] of themes.flatMap((theme) => [[theme, 700] as const, [theme, 1440] as const])) {
    it(`${theme}, ${width} px: equal answers look equal to the pixel, but for the letters`, async () => {
      await open({ theme, width });
      const panes = browser.page.locator('.marking-pane');
      const letters = browser.page.locator('.marking-letter');
      assert.deepEqual(await letters.allInnerTexts(), ['A', 'B']);
      const shots = [];
      await browser.panel.shot(`marking-${theme}-${width}`);
      await letters.evaluateAll((all) => all.forEach((one) => (one.textContent = '')));
      for (const i of [0, 1]) shots.push(await browser.page.screenshot({ clip: (await panes.nth(i).boundingBox())! }));
      assert.ok(shots[0]!.equals(shots[1]!), 'the panes differ');
      assert.ok(shots[0]!.length > 2_000, 'something is drawn');
    });

    it(`${theme}, ${width} px: nothing is cut off, and axe-core finds nothing`, async () => {
      await open({ theme, width, withAxe: true }, marking({}, false));
      const { over, serious } = {
        over: await browser.page.evaluate(() =>
          Array.from(document.querySelectorAll('.marking-pane *, .marking-top'))
            .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
            .map((e) => e.className),
        ),
        serious: await browser.serious(),
      };
      assert.deepEqual(over, []);
      assert.deepEqual(serious, []);
      await browser.page.keyboard.press('r');
      await browser.page.keyboard.press('b');
      await browser.page.locator('.rewrite-form').waitFor();
      await browser.panel.shot(`marking-rewrite-${theme}-${width}`);
      assert.deepEqual(await browser.serious(), []);
    });
  }

  it('the keys of today mark, n says both bad, u takes back; each names the pair that was seen', async () => {
    await open();
    for (const key of ['a', 'b', '=', 'n', 's', 'u']) await browser.page.keyboard.press(key);
    await browser.panel.settle();
    assert.deepEqual(
      (await requests('mark')).map((one) => one.type === 'mark' && [one.pairId, one.answer]),
      [
        ['p1', 'a'],
        ['p1', 'b'],
        ['p1', 'tie'],
        ['p1', 'bothBad'],
        ['p1', 'skip'],
      ],
    );
    assert.deepEqual(await requests('undoMark'), [{ type: 'undoMark', lineId: 'l2' }]);
    await browser.page.keyboard.press('Control+a');
    assert.equal((await requests('mark')).length, 5);
  });

  it('shows what is left, the keys on the buttons, and takes back any of the last marks by a click', async () => {
    await open();
    assert.equal(await browser.page.locator('.marking-left').innerText(), '12 of 30 left');
    assert.deepEqual(await browser.page.locator('.marking-buttons kbd').allInnerTexts(), [
      'A',
      'B',
      '=',
      'N',
      'S',
      'R',
      'U',
    ]);
    await browser.page.locator('.marking-done button').nth(1).click();
    assert.deepEqual(await requests('undoMark'), [{ type: 'undoMark', lineId: 'l1' }]);
    assert.match(
      await browser.page.locator('.marking-done').innerText(),
      /Both bad \(not asked again, nothing is trained/,
    );
  });

  it('the task stays in sight while the answers scroll', async () => {
    const far = marking();
    far.pair!.sides.a.steps = Array.from({ length: 40 }, () => call('Ana')).flat();
    await open({ width: 700, height: 600 }, far);
    await browser.page.evaluate(() => window.scrollTo(0, 3_000));
    await browser.panel.settle();
    const box = (await browser.page.locator('.marking-prompt').boundingBox())!;
    const header = (await browser.page.locator('.app-header').boundingBox())!;
    assert.ok(box.y >= header.y + header.height - 1 && box.y + box.height < 600, JSON.stringify({ box, header }));
  });

  it('by keyboard alone: every control can be reached, in the order in which it stands', async () => {
    await open();
    await browser.page.locator('h1').focus();
    const order: string[] = [];
    for (let i = 0; i < 14; i++) {
      await browser.page.keyboard.press('Tab');
      order.push(
        await browser.page.evaluate(() =>
          (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim(),
        ),
      );
    }
    assert.deepEqual(order.slice(0, 8), [
      'The task',
      'A is betterA',
      'B is betterB',
      'Equally good=',
      'Both badN',
      'SkipS',
      'RewriteR',
      'UndoU',
    ]);
    assert.ok(order[8]!.startsWith('Add a reason, answer A, step 1'), order.join(' | '));
  });

  it('a reason is written on a step, with or without a thumb; its letters mark nothing', async () => {
    await open();
    await browser.page
      .locator('.marking-pane')
      .nth(1)
      .getByRole('button', { name: /Add a reason/ })
      .first()
      .click();
    await browser.page.keyboard.type('asks a bit much');
    await browser.page.getByRole('button', { name: 'Bad step' }).click();
    assert.deepEqual(await requests('addReason'), [
      { type: 'addReason', pairId: 'p1', of: 'b', turn: 0, text: 'asks a bit much', thumb: 'down' },
    ]);
    assert.deepEqual(await requests('mark'), []);
  });

  it('a rewrite asks which original, has a field for each parameter, and says beside it what is wrong', async () => {
    const answer = (request: PanelRequest): PanelEvent | null =>
      request.type === 'rewrite'
        ? {
            type: 'rewriteChecked',
            pairId: request.pairId,
            number: request.number,
            problems:
              request.draft.calls[0]?.arguments['query'] === ''
                ? [{ call: 0, field: 'query', message: 'query must NOT have fewer than 1 characters' }]
                : [],
          }
        : null;
    await open({}, marking({}, false), answer);
    await browser.page.keyboard.press('r');
    assert.match(await browser.page.locator('.marking-chooser').innerText(), /Which one is the better original/);
    await browser.page.keyboard.press('b');
    const form = browser.page.locator('.rewrite-form');
    const kinds = () =>
      form
        .locator('.field-control')
        .evaluateAll((all) =>
          all.map((one) => [one.tagName, (one as HTMLInputElement).value, (one as HTMLInputElement).disabled]),
        );
    assert.deepEqual(await kinds(), [
      ['SELECT', 'searchEmails', false],
      ['TEXTAREA', 'invoice', false],
      ['INPUT', '5', false],
      ['SELECT', 'false', true],
      ['SELECT', '"newest"', true],
      ['TEXTAREA', '', true],
    ]);
    const save = form.getByRole('button', { name: 'Save' });
    const problems = () => form.locator('.field-problem:not(:empty)').allInnerTexts();
    const field = (name: string) => form.getByLabel(name, { exact: true });
    await field('limit').fill('five');
    await browser.page.waitForTimeout(300);
    assert.deepEqual(await problems(), ['must be a number, not "five"']);
    assert.deepEqual((await requests('rewrite')).length, 0, 'what can not be read is not sent');
    await field('limit').fill('3');
    await field('query').fill('');
    await form.locator('.field-problem', { hasText: 'fewer than 1' }).waitFor();
    assert.deepEqual(await problems(), ['query must NOT have fewer than 1 characters']);
    await form.getByLabel('Give tags').check();
    await field('tags').fill('["a"');
    await browser.page.waitForTimeout(300);
    assert.match((await problems()).join(), /is no JSON/);
    await field('tags').fill('["a"]');
    await field('query').fill('invoice of Ana');
    await browser.page.waitForTimeout(400);
    assert.deepEqual(await problems(), []);
    await save.click();
    await browser.panel.settle();
    const last = (await requests('rewrite')).at(-1);
    assert.deepEqual(last?.type === 'rewrite' && [last.of, last.isSave, last.draft], [
      'b',
      true,
      { content: '', calls: [{ name: 'searchEmails', arguments: { query: 'invoice of Ana', limit: 3, tags: ['a'] } }] },
    ]);
    assert.deepEqual(await requests('mark'), [], 'letters that are typed mark nothing');
  });

  it('says why no pair waits, and offers to train', async () => {
    await browser.show(
      { page: 'marking' },
      {},
      {
        answer: (request) =>
          request.type === 'openMarking'
            ? { type: 'marking', marking: marking({ pair: null, left: 0, none: 'All were marked.' }) }
            : null,
      },
    );
    await browser.page.getByText('All were marked.').waitFor();
    await browser.page.getByRole('button', { name: 'Train on these preferences (7)' }).click();
    assert.equal((await requests('trainOnPreferences')).length, 1);
  });
});
