// A tool that no values are known of: the run says so at the tool, a quick fix asks for an @example and writes it, and
// the next run covers all tools.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { offerTraining, untilDone, viewRows } from '../workbench.mjs';
import { openWindow, SMALL_RUN } from './window.mjs';

const TOOLS = `import { createHash } from 'node:crypto';

/**
 * The parts that are in the shop.
 * @tool
 */
export function listParts(): string[] {
  return ['a red bolt', 'a blue nut'];
}

/**
 * What lies in the drawer of a key.
 * @param key what the drawer is locked with
 * @tool
 */
export function readDrawer(key: string): { inside: string } {
  if (!createHash('sha256').update(key).digest('hex').startsWith('f6f6')) throw new Error(\`no drawer opens with \${key}\`);
  return { inside: 'a green washer' };
}
`;
/** the first key whose digest begins like that */
const KEY = 'drawer-126212';

describe('a tool without tasks', function () {
  this.bail(true);
  this.timeout(300_000);
  let folder;
  let window;
  let page;
  let hasFailed = false;
  const runs = () => window.workspace.path('.coach/runs');
  const newest = () => path.join(runs(), readdirSync(runs()).sort().at(-1));
  const pick = () => page.locator('.quick-input-widget');

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'coach-parts-'));
    mkdirSync(path.join(folder, 'shop'));
    writeFileSync(path.join(folder, 'parts.ts'), TOOLS);
    window = await openWindow({
      name: 'withoutTasks',
      from: folder,
      settings: {
        ...SMALL_RUN,
      },
    });
    page = window.page;
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(async () => {
    await window?.close({ failed: hasFailed });
    rmSync(folder, { recursive: true, force: true });
  });

  async function openPick() {
    await (await offerTraining(page, 'parts.ts')).click();
    await pick().getByText('nano · grpo · 1 step').waitFor();
  }
  const finished = () =>
    viewRows(page, 'Runs')
      .first()
      .filter({ hasText: /pts · n/ })
      .waitFor();

  it('is said in the view Tools, in the editor and in the next pick', async () => {
    await openPick();
    await page.keyboard.press('Enter');
    await viewRows(page, 'Tools')
      .filter({ hasText: /readDrawer.*no task/ })
      .waitFor();
    await finished();
    assert.doesNotMatch(readFileSync(path.join(newest(), 'tasks.json'), 'utf8'), /"name":\s*"readDrawer"/);
    await untilDone(page, async () => {
      await viewRows(page, 'Tools').filter({ hasText: 'readDrawer' }).first().click({ timeout: 8000 });
      await page.locator('.monaco-editor .squiggly-warning').first().waitFor({ timeout: 8000 });
    });
    await window.photograph('1-said');
  });

  it('a quick fix asks for a value and writes the @example', async () => {
    await untilDone(page, async () => {
      // the cursor stands at the tool then
      await viewRows(page, 'Tools').filter({ hasText: 'readDrawer' }).first().click({ timeout: 8000 });
      await page.locator('.monaco-editor.focused').waitFor({ timeout: 8000 });
      await page.keyboard.press('Control+.');
      await page.getByText('Write an @example for readDrawer…').first().click({ timeout: 8000 });
      await pick().getByText('key: what the drawer is locked with').waitFor({ timeout: 8000 });
    });
    await window.photograph('2-asked');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(KEY);
    await page.keyboard.press('Enter');
    await page
      .locator('.monaco-editor .view-line')
      .filter({ hasText: `@example readDrawer('${KEY}')` })
      .waitFor();
    await viewRows(page, 'Tools')
      .filter({ hasText: /readDrawer/ })
      .filter({ hasNotText: 'no task' })
      .waitFor();
    await window.photograph('3-written');
  });

  it('the next run covers all tools', async () => {
    const before = newest();
    await page
      .getByRole('tab', { name: /^Explorer/ })
      .first()
      .click();
    await openPick();
    await page.keyboard.press('Enter');
    for (let tries = 0; tries < 300 && newest() === before; tries++) await page.waitForTimeout(200);
    await finished();
    assert.notEqual(newest(), before);
    assert.match(readFileSync(path.join(newest(), 'tasks.json'), 'utf8'), /"name":\s*"readDrawer"/);
    assert.match(readFileSync(window.workspace.path('parts.ts'), 'utf8'), /@example readDrawer/);
  });
});
