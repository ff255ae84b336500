// Tools that the AI SDK and the MCP SDK define: found, described, trained on by mouse, as tagged ones are.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../places.mjs';
import { offerTraining, viewRows } from '../workbench.mjs';
import { openWindow, SMALL_RUN } from './window.mjs';

const FIXTURES = path.join(root, 'test/fixtures/defined');

describe('defined tools', function () {
  this.bail(true);
  this.timeout(300_000);
  let folder;
  let window;
  let page;
  let hasFailed = false;
  const pick = () => page.locator('.quick-input-widget');
  const take = (name) => cpSync(path.join(FIXTURES, name), window.workspace.path(name));

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'coach-shop-'));
    mkdirSync(path.join(folder, 'src'));
    writeFileSync(path.join(folder, 'package.json'), '{ "name": "shop", "private": true }\n');
    window = await openWindow({
      name: 'definedTools',
      from: folder,
      settings: {
        ...SMALL_RUN,
      },
    });
    page = window.page;
    // the packages themselves, which no copy of a workspace has
    symlinkSync(path.join(root, 'node_modules'), window.workspace.path('node_modules'));
    for (const name of ['shop.ts', 'aiSdk.ts', 'mcpServer.ts']) take(name);
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(async () => {
    await window?.close({ failed: hasFailed });
    rmSync(folder, { recursive: true, force: true });
  });

  it('stand in the view Tools with what they take', async () => {
    await page.getByRole('tab', { name: 'Coach' }).click();
    const rows = viewRows(page, 'Tools').filter({ hasText: 'amount, from, to' });
    await rows.nth(1).waitFor({ timeout: 180_000 }); // of both files
    await window.photograph('1-tree');
  });

  for (const [file, line] of [
    ['aiSdk.ts', 6],
    ['mcpServer.ts', 13],
  ])
    it(`${file}: offers and trains as for tagged functions`, async () => {
      await page.getByRole('tab', { name: 'Explorer' }).first().click();
      await (await offerTraining(page, file)).click();
      await pick().getByText('nano · grpo · 1 step').waitFor();
      await window.photograph(`2-${file}`);
      await page.keyboard.press('Enter');
      const runs = window.workspace.path('.coach/runs');
      await viewRows(page, 'Runs')
        .first()
        .filter({ hasText: /pts · n/ })
        .waitFor();
      const newest = path.join(runs, readdirSync(runs).sort().at(-1));
      const [tool] = JSON.parse(readFileSync(path.join(newest, 'tools.json'), 'utf8'));
      assert.deepEqual([tool.name, tool.binding.kind, tool.source.line], ['convertMoney', 'defined', line]);
    });
});
