// The coaching room by keyboard alone, in a real window on a finished run: open it, filter, read a trace, compare its
// group, mark pairs with two rewrites and one undo,
// train on them, read before and after. Asserted on what lies on the disk; every page photographed and looked at by
// axe-core in four themes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { artifacts, root } from '../places.mjs';
import { viewRows } from '../workbench.mjs';
import { colourDifferences } from './colours.mjs';
import { command as run, focusReads, inView, panelFrame, press, seriousFindings, until } from './keys.mjs';
import { openWindow } from './window.mjs';

describe('the coaching room, by keyboard', function () {
  this.bail(true); // each step stands on the one before
  let window;
  let page;
  let hasFailed = false;
  const file = () => window.workspace.path('.coach/preferences.jsonl');
  const lines = () =>
    existsSync(file())
      ? readFileSync(file(), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .filter(({ type }) => type !== 'tools')
      : [];
  const types = () => lines().map(({ type, verdict }) => verdict ?? type);
  /** Which pair stands there; the tasks of two may be the same. */
  const shown = async () =>
    (await panelFrame(page)).evaluate(
      () => document.querySelector('.marking-panes')?.getAttribute('data-pair') ?? null,
    );
  const left = async () =>
    (await panelFrame(page)).evaluate(() => document.querySelector('.marking-left')?.textContent ?? '');
  const command = (name) => run(page, name);

  before(async () => {
    window = await openWindow({
      name: 'marking',
      scripted: true,
      settings: { 'editor.autoClosingBrackets': 'never', 'editor.autoIndent': 'none', 'editor.autoSurround': 'never' },
    }); // what is typed at once is whole
    page = window.page;
    execFileSync(process.execPath, ['--import', 'tsx', 'test/fixtures/writeRun.ts', window.workspace.dir, '12'], {
      cwd: root,
    });
    writeFileSync(window.workspace.path('script.json'), '{}');
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(() => {
    if (hasFailed && existsSync(file())) copyFileSync(file(), path.join(artifacts, 'marking-failed.jsonl'));
    return window?.close({ failed: hasFailed });
  });

  /** A key marks: one line more on the disk, then another pair. */
  async function mark(key, n) {
    const before = await shown();
    // a key before the page has the focus falls beside it, and writes nothing
    const frame = await panelFrame(page);
    await until(() => frame.evaluate(() => document.hasFocus()));
    await page.keyboard.press(key);
    await until(() => lines().length === n);
    await until(async () => ![before, null].includes(await shown()));
  }

  /** The panel's page in every theme, with no serious finding in any, and the colours that its tests have. */
  async function look(shot) {
    const findings = [];
    await window.photographThemes(shot, async (theme) => {
      const frame = await panelFrame(page);
      for (const finding of [...(await seriousFindings(frame)), ...(await colourDifferences(frame, theme))])
        findings.push(`${theme}: ${finding}`);
    });
    assert.deepEqual(findings, []);
  }

  it('opens the finished run: before and after, in the panel', async () => {
    await until(async () => {
      await command('Coach: Refresh Runs');
      return (await page.locator('.statusbar').count()) > 0 && existsSync(window.workspace.path('.coach/runs'));
    });
    await command('Coach: Focus on Runs View');
    await viewRows(page, 'Runs')
      .filter({ hasText: /pts · n/ })
      .waitFor();
    await inView(
      page,
      'Runs',
      ['Home', 'Enter'],
      async () => (await page.locator('.tab', { hasText: 'Coach: ' }).count()) > 0,
    );
    const frame = await panelFrame(page);
    await until(() => frame.evaluate(() => /held-out/i.test(document.body.innerText)));
    await look('1-run');
  });

  it('filters the traces by a line that is typed, over the whole run', async () => {
    await command('Coach: Filter Traces');
    await page.locator('.quick-input-widget', { hasText: 'Filter Traces' }).waitFor();
    await page.keyboard.type('is:failed error:timeout phase:train');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Show what matches' }).waitFor();
    await page.locator('.quick-input-list', { hasText: /tasks: \d+, traces: \d+, of the whole run/ }).waitFor();
    await window.photograph('2-filter');
    await page.keyboard.press('Enter');
    await page
      .locator('.pane-header[aria-label^="Traces"]', { hasText: 'filter: is:failed error:timeout phase:train' })
      .waitFor();
  });

  it('opens a trace from the list and walks its steps', async () => {
    const opened = () =>
      panelFrame(page).then((frame) => frame.evaluate(() => document.querySelector('.outline') !== null));
    await inView(page, 'Traces', ['Home', 'ArrowRight', 'ArrowDown', 'Enter'], opened);
    const frame = await panelFrame(page);
    await command('View: Focus Active Editor Group');
    await press(page, frame, 'Tab', () => document.activeElement?.classList.contains('outline-row') ?? false);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(() =>
      frame.evaluate(() => /^(turn|call)-/.test(document.activeElement?.getAttribute('data-anchor') ?? '')),
    );
    await look('3-trace');
  });

  it('compares its group, step by step', async () => {
    const frame = await panelFrame(page);
    await command('View: Focus Active Editor Group');
    await press(page, frame, 'Shift+Tab', focusReads, '^Side by side$');
    await page.keyboard.press('Enter');
    await until(() => frame.evaluate(() => document.querySelector('.group-table') !== null));
    // traces come one by one
    await until(() => frame.evaluate(() => document.querySelectorAll('.group-table thead th').length >= 4));
    await look('4-group');
  });

  it('opens the first pair from the palette, blind, as two equals', async () => {
    await until(async () => {
      await command('Coach: Mark Pairs');
      await page.waitForTimeout(1_500);
      return (await shown()) !== null;
    });
    const frame = await panelFrame(page);
    const panes = await frame.evaluate(() =>
      Array.from(document.querySelectorAll('.marking-pane'), (pane) => [
        pane.querySelector('h2').textContent,
        pane.getBoundingClientRect().width,
        getComputedStyle(pane).backgroundColor,
        /reward|checkpoint/.test(pane.textContent),
      ]),
    );
    assert.deepEqual(
      panes.map(([letter]) => letter),
      ['A', 'B'],
    );
    assert.deepEqual(panes[0].slice(1), panes[1].slice(1));
    assert.equal(panes[0][3], false);
    assert.match(await left(), /^(\d+) of \1 left$/);
    await look('5-pair');
  });

  it('A, B, =, N and S mark it, each on the disk before the next one is there; U takes the last one back', async () => {
    await command('View: Focus Active Editor Group');
    const [, total] = /of (\d+)/.exec(await left());
    await mark('a', 1);
    await mark('b', 2);
    await mark('=', 3);
    await mark('s', 4);
    assert.equal(await left(), `${total - 4} of ${total} left`);
    const [, , , last] = lines();
    await page.keyboard.press('u');
    await until(() => lines().length === 5);
    assert.equal(lines()[4].of, last.id);
    await until(async () => (await left()) === `${total - 3} of ${total} left`);
    await mark('n', 6);
    assert.deepEqual(types().slice(2), ['tie', 'skip', 'undo', 'bothBad']);
    assert.equal(lines()[5].pair.id, last.pair.id, 'the pair that was taken back');
    assert.ok(
      types()
        .slice(0, 2)
        .every((verdict) => verdict === 'first' || verdict === 'second'),
    );
    await window.photograph('6-after-undo');
  });

  it('the keys write nothing where no pair has the focus', async () => {
    await page.keyboard.press('Control+Shift+E');
    const frame = await panelFrame(page);
    await until(() => frame.evaluate(() => !document.hasFocus()));
    const before = lines().length;
    await page.keyboard.press('a');
    await page.keyboard.press('Escape');
    await page.waitForTimeout(1_000);
    assert.equal(lines().length, before);
    await command('View: Focus Active Editor Group');
  });

  for (const [n, query] of [
    [1, 'Ana'],
    [2, 'invoice'],
  ]) {
    it(`a rewrite is a form: which original is asked, what is wrong is not saved (${n} of 2)`, async () => {
      const before = lines().length;
      const pair = await shown();
      const frame = await panelFrame(page);
      await command('Coach: Rewrite the Better Answer');
      await until(() => frame.evaluate(() => document.querySelector('.marking-chooser:not([hidden])') !== null));
      await until(() => frame.evaluate(() => document.hasFocus()));
      await page.keyboard.press(n === 1 ? 'a' : 'b');
      await until(() => frame.evaluate(() => document.querySelector('.rewrite-form') !== null));
      // the calls that were made go, one after the other; a new one is of the first tool
      while ((await frame.evaluate(() => document.querySelectorAll('.rewrite-call').length)) > 0) {
        await press(page, frame, 'Tab', focusReads, '^Remove this call$');
        await page.keyboard.press('Enter');
      }
      await press(page, frame, 'Tab', () => document.activeElement?.tagName === 'TEXTAREA');
      await page.keyboard.press('Control+A');
      await page.keyboard.press('Delete');
      const problems = () =>
        frame.evaluate(() =>
          Array.from(document.querySelectorAll('.field-problem'), (one) => one.textContent).filter(Boolean),
        );
      await until(async () => (await problems()).some((problem) => /says nothing/.test(problem)));
      if (n === 1) await look('7-rewrite');
      await page.keyboard.press('Control+Enter');
      await page.waitForTimeout(1_000);
      assert.equal(lines().length, before, 'what is wrong is not saved');
      await press(page, frame, 'Shift+Tab', focusReads, '^Add a call$');
      await page.keyboard.press('Enter');
      await press(page, frame, 'Tab', () => document.activeElement?.matches('.rewrite-field textarea') ?? false);
      await page.keyboard.insertText(query);
      await until(async () => (await problems()).length === 0);
      await page.keyboard.press('Control+Enter');
      await until(() => lines().length === before + 1);
      const { type, of, messages } = lines().at(-1);
      assert.deepEqual(
        [type, messages[0].tool_calls.map(({ function: made }) => made)],
        ['rewrite', [{ name: 'search', arguments: { query } }]],
      );
      assert.ok(of === 0 || of === 1);
      await until(async () => ![pair, null].includes(await shown()));
    });
  }

  it('marks on until there are ten', async () => {
    await command('View: Focus Active Editor Group');
    const isMark = ({ type }) => type === 'mark';
    const undone = new Set(lines().flatMap(({ type, of }) => (type === 'undo' ? [of] : [])));
    const marks = () => lines().filter((line) => isMark(line) && !undone.has(line.id));
    for (let i = 0; marks().length < 10; i++) await mark(i % 2 ? 'a' : 'b', lines().length + 1);
    assert.equal(new Set(marks().map(({ pair }) => pair.id)).size, 10, 'never the same pair twice');
  });

  it('lists what waits and what was said', async () => {
    const rewritten = viewRows(page, 'Preferences').filter({ hasText: 'Rewritten:' });
    // what was said stands last, below what waits
    const keys = ['End', 'ArrowRight', ...Array.from({ length: 12 }, () => 'ArrowDown')];
    await inView(page, 'Preferences', keys, async () => (await rewritten.count()) > 0);
    await window.photographThemes('8-preferences');
  });

  it('is all there after the extension host was killed in the middle, and the window reloaded', async () => {
    await command('View: Focus Active Editor Group');
    await mark('s', lines().length + 1);
    const before = readFileSync(file(), 'utf8');
    const hosts = extensionHosts(window.code.dirs.tmp);
    assert.ok(hosts.length > 0, 'no extension host was found');
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
    await until(() => !hosts.some((pid) => existsSync(`/proc/${pid}`)));
    await window.reload();
    assert.equal(readFileSync(file(), 'utf8'), before);
    const marked = viewRows(page, 'Preferences').filter({ hasText: 'Marked' });
    await inView(page, 'Preferences', ['End'], async () => (await marked.count()) > 0);
  });

  it('trains on them, and shows before and after', async () => {
    const runs = () =>
      readdirSync(window.workspace.path('.coach/runs'))
        .filter((name) => existsSync(window.workspace.path('.coach/runs', name, 'run.json')))
        .sort();
    const [first] = runs();
    await command('Coach: Train on These Preferences');
    // so few pairs: it says what they can and can't show, and asks
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /So few pairs can teach these very answers/);
    await window.photograph('9-asks');
    await dialog.getByRole('button', { name: 'Train', exact: true }).click();
    await until(() => runs().length === 2);
    const dir = window.workspace.path(
      '.coach/runs',
      runs().find((name) => name !== first),
    );
    const { config } = JSON.parse(readFileSync(path.join(dir, 'run.json'), 'utf8'));
    assert.deepEqual(
      [config.method, config.pairs, config.startFrom],
      ['dpo', file(), window.workspace.path('.coach/runs', first)],
    );
    await until(() => readFileSync(path.join(dir, 'events.jsonl'), 'utf8').includes('"runFinished"'));
    const frame = await panelFrame(page);
    await until(() => frame.evaluate(() => /held-out/i.test(document.body.innerText)));
    await window.photographThemes('9-before-after');
  });
});

/** The extension hosts of the VS Code whose folder for temporary files this is. */
function extensionHosts(tmp) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=extensionHost') &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(tmp)
        );
      } catch {
        return false; // it ended meanwhile
      }
    })
    .map(Number);
}
