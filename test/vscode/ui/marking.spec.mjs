// Marking pairs by keyboard alone, in a real window on a finished run; asserted on what lies on the disk, photographed in every theme.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { root } from '../places.mjs';
import { viewRows } from '../workbench.mjs';
import { openWindow } from './window.mjs';

describe('marking pairs, by keyboard', function () {
  this.bail(true); // each step stands on the one before
  let window;
  let page;
  let hasFailed = false;
  const file = () => window.workspace.path('.coach/preferences.jsonl');
  const lines = () => (existsSync(file()) ? readFileSync(file(), 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter(({ type }) => type !== 'tools') : []);
  const types = () => lines().map(({ type, verdict }) => verdict ?? type);
  const diff = () => page.locator('.monaco-diff-editor').first();
  const title = () => page.locator('.tab.active .label-name').first().innerText();

  before(async () => {
    window = await openWindow({ name: 'marking', scripted: true });
    page = window.page;
    execFileSync(process.execPath, ['--import', 'tsx', 'test/fixtures/writeRun.ts', window.workspace.dir, '12'], { cwd: root });
  });
  afterEach(function () { hasFailed ||= this.currentTest?.state === 'failed'; });
  after(() => window?.close({ failed: hasFailed }));

  /** A command by its title, by keys only. */
  async function command(name) {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input[type=text]').fill(`>${name}`);
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor();
    await page.keyboard.press('Enter');
  }

  /** A key marks: one line more on the disk, then another pair. */
  async function mark(key, n) {
    const before = await title();
    await page.keyboard.press(key);
    await until(() => lines().length === n);
    await until(async () => (await title()) !== before);
    await diff().locator('.modified .view-line').first().waitFor();
  }

  it('opens the first pair from the palette, blind, as a diff that is easy to read', async () => {
    await until(async () => {
      await command('Coach: Mark Pairs');
      await page.waitForTimeout(1_500);
      return (await diff().count()) > 0;
    });
    await diff().locator('.view-line', { hasText: /Step.\d/ }).first().waitFor(); // the editor writes no plain spaces
    assert.match(await title(), /^A ↔ B: .* \(\d+ open\)$/);
    assert.ok(!/reward|checkpoint/.test(await diff().innerText()));
    await window.photographThemes('1-pair');
  });

  it('A, B, = and S mark it, each on the disk before the next one is there; U takes the last one back', async () => {
    await page.keyboard.press('Control+1'); // focus into the editor
    await mark('a', 1);
    await mark('b', 2);
    await mark('=', 3);
    await mark('s', 4);
    const [, , , last] = lines();
    await page.keyboard.press('u');
    await until(() => lines().length === 5);
    assert.equal(lines()[4].of, last.id);
    assert.deepEqual(types().slice(2), ['tie', 'skip', 'undo']);
    assert.ok(types().slice(0, 2).every((verdict) => verdict === 'first' || verdict === 'second'));
    await window.photograph('2-after-undo');
  });

  it('the keys write nothing where no pair has the focus', async () => {
    await page.keyboard.press('Control+Shift+E');
    const before = lines().length;
    await page.keyboard.press('a');
    await page.keyboard.press('Escape');
    await page.waitForTimeout(1_000);
    assert.equal(lines().length, before);
    await page.keyboard.press('Control+1');
  });

  it('a rewrite is checked while it is typed, and recorded by saving it', async () => {
    await command('Coach: Rewrite the Better Answer');
    await page.locator('.tab.active', { hasText: /answer [AB]\.json/ }).waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('{\n  "content": "",\n  "tool_calls": [\n    { "name": "search", "arguments": { "quer": "Ana" } }\n  ]\n}');
    await page.locator('.squiggly-error').first().waitFor();
    await window.photographThemes('3-rewrite');
    const before = lines().length;
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+2');
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('{\n  "content": "",\n  "tool_calls": [\n    { "name": "search", "arguments": { "query": "Ana" } }\n  ]\n}');
    await until(async () => (await page.locator('.squiggly-error').count()) === 0);
    await page.keyboard.press('Control+S');
    await until(() => lines().length === before + 1);
    assert.equal(lines().at(-1).type, 'rewrite');
  });

  it('lists what waits and what was said', async () => {
    await command('Coach: Focus on Preferences View');
    await viewRows(page, 'Preferences').filter({ hasText: 'To mark' }).waitFor();
    await viewRows(page, 'Preferences').filter({ hasText: 'Marked' }).click();
    await window.photographThemes('4-preferences');
  });

  it('is all there after the window was reloaded', async () => {
    const before = readFileSync(file(), 'utf8');
    await window.reload();
    assert.equal(readFileSync(file(), 'utf8'), before);
    await viewRows(page, 'Preferences').filter({ hasText: 'Marked' }).waitFor({ timeout: 180_000 });
  });
});

async function until(ask, timeoutMs = 180_000) {
  const deadline = Date.now() + timeoutMs;
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(`not after ${timeoutMs} ms: ${ask}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
