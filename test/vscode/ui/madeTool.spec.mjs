// By mouse: a maker behind a scripted server writes a tool from demonstrations; its diff is looked at, and applied.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { judgeServer } from '../../rewards/judgeServer.ts';
import { offerTraining } from '../workbench.mjs';
import { openWindow } from './window.mjs';

const TOOL = `/** Sort words by the alphabet.
 *  @param words the words, in the order in which they are given
 *  @pure
 *  @tool */
export function sortWords(words: string[]): string {
  return [...words].sort().join(' ');
}`;
const demonstrations = ['pear fig', 'b a', 'yak gnu cat', 'two one', 'z y x', 'dog ant', 'rook pawn'].map((words) => ({
  request: `Sort these words: ${words}`,
  answer: words.split(' ').sort().join(' '),
}));

describe('a made tool', function () {
  this.bail(true);
  this.timeout(600_000);
  let maker;
  let window;
  let page;
  let hasFailed = false;
  const keys = [];

  before(async () => {
    maker = await judgeServer(({ body, headers }) => {
      keys.push(headers.authorization);
      const asked = body.messages.at(-1).content;
      if (asked.startsWith('These tools are there')) return { content: '{"tool": null}' };
      if (!asked.startsWith('Now use ')) return { content: `\`\`\`ts\n${TOOL}\n\`\`\`` };
      const requests = [...asked.matchAll(/^(\d+): .*: (.*)$/gm)];
      return {
        content: JSON.stringify(Object.fromEntries(requests.map(([, id, words]) => [id, { words: words.split(' ') }]))),
      };
    });
    window = await openWindow({ name: 'made-tool' });
    page = window.page;
    const lines = demonstrations.map((one) => `${JSON.stringify(one)}\n`).join('');
    writeFileSync(window.workspace.path('words.jsonl'), lines);
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(async () => {
    await window?.close({ failed: hasFailed });
    await maker?.close();
  });
  const row = (text) => page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: text }).first();
  const toolFile = () => readFileSync(window.workspace.path('weather.tools.ts'), 'utf8');

  it('asks from which demonstrations, and by whom', async () => {
    await offerTraining(page, 'weather.tools.ts');
    await page.getByRole('menuitem', { name: 'Make a Tool from Demonstrations' }).click();
    await row('words.jsonl').click();
    await row('Server…').waitFor();
    await window.photograph('1-maker');
    await row('Server…').click();
    await page.getByPlaceholder('http://127.0.0.1:8080/v1').fill(maker.url);
    await page.keyboard.press('Enter');
    await page.getByPlaceholder('qwen3').fill('m');
    await page.keyboard.press('Enter');
    await page.getByPlaceholder('Empty, if the server wants none').fill('sk-maker');
    await page.keyboard.press('Enter');
  });

  it('shows the tool as a diff, and writes it only when asked to', async () => {
    await page.getByText('sortWords passed its tests at try 1. Nothing is written yet.').first().waitFor();
    await page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
    await window.photograph('2-diff');
    assert.doesNotMatch(toolFile(), /sortWords/);
    await page.getByRole('button', { name: 'Apply the Made Tool' }).first().click();
    await page.locator('.statusbar').getByText('sortWords is in weather.tools.ts, with 7 tasks').waitFor();
    await window.photograph('3-applied');
    assert.match(toolFile(), /export function sortWords\(words: string\[\]\)/);
    const tasks = readFileSync(window.workspace.path('weather.tools.tasks.jsonl'), 'utf8');
    assert.equal(tasks.match(/"demonstration-/g).length, 7);
    assert.ok(keys.every((key) => key === 'Bearer sk-maker'));
  });
});
