// Restricted Mode: tools are listed, old runs can be read, training is refused with the way out.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../places.mjs';
import { runCommand, viewRows, webview } from '../workbench.mjs';
import { openWindow } from './window.mjs';

describe('Restricted Mode', function () {
  this.bail(true);
  let window;
  let page;
  let hasFailed = false;

  before(async () => {
    window = await openWindow({ name: 'restricted', trust: false, scripted: true });
    page = window.page;
    const server = { command: 'touch', args: [window.workspace.path('was-started')] };
    writeFileSync(window.workspace.path('mcp.json'), JSON.stringify({ servers: { intruder: server } }));
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(() => window?.close({ failed: hasFailed }));

  it('lists the tools, which runs nothing of the folder', async () => {
    await page.getByText('Restricted Mode').first().waitFor();
    await page.getByRole('tab', { name: 'Coach' }).click();
    await viewRows(page, 'Tools').filter({ hasText: 'getWeather' }).waitFor({ timeout: 180_000 });
    await page.getByText('Restricted Mode: training is off').waitFor();
    await window.photograph('1-views');
  });

  it('offers training neither in the Explorer nor in the editor', async () => {
    await page.getByRole('tab', { name: 'Explorer' }).first().click();
    await page.getByRole('treeitem', { name: 'weather.tools.ts' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open to the Side' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Train Agent on These Tools' }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('names an MCP server, which it neither starts nor offers to train on', async () => {
    const file = page.getByRole('treeitem', { name: 'mcp.json' });
    // it was written beside the window: the Explorer misses that at times
    await file.waitFor({ timeout: 10_000 }).catch(() => runCommand(page, 'Refresh Explorer'));
    await file.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open to the Side' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Train Agent on These Tools' }).count(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Coach' }).click();
    const row = viewRows(page, 'Tools').filter({ hasText: 'intruder' });
    await row.filter({ hasText: 'not started in Restricted Mode' }).waitFor();
    await row.hover();
    assert.equal(await row.getByRole('button', { name: 'List Its Tools' }).count(), 0);
    assert.ok(!existsSync(window.workspace.path('was-started')));
    await page.getByRole('tab', { name: 'Explorer' }).first().click();
  });

  it('refuses the command, says why, and offers the way out', async () => {
    await runCommand(page, 'Coach: Train Agent on These Tools');
    // a development window keeps a warning behind its bell at times
    const notice = page
      .locator('.notification-toast, .notifications-center', { hasText: 'needs a trusted workspace' })
      .first();
    await notice.waitFor({ timeout: 5000 }).catch(() => runCommand(page, 'Notifications: Show Notifications'));
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    await window.photograph('2-refused');
    assert.ok(!existsSync(window.workspace.path('.coach')), 'nothing was started');
  });

  it('reads an old run', async () => {
    execFileSync(
      process.execPath,
      ['--import', 'tsx', path.join(root, 'test/fixtures/writeRun.ts'), window.workspace.dir],
      { cwd: root },
    );
    await page.getByRole('tab', { name: 'Coach' }).click();
    await viewRows(page, 'Runs').filter({ hasText: 'weather · nano · grpo' }).click({ timeout: 180_000 });
    const view = webview(page, 'agent-coach.agent-coach');
    await view.locator('canvas').first().waitFor({ timeout: 180_000 });
    await window.photograph('3-old-run');
  });

  it('trains once the folder is trusted', async () => {
    await runCommand(page, 'Workspaces: Manage Workspace Trust');
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await page.getByText('You trust this folder').waitFor();
    for (let tries = 0; tries < 5 && (await page.getByText('You trust this folder').isVisible()); tries++) {
      // it lies over the window, the notices over it
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Close/ })
        .first()
        .click({ timeout: 1000 })
        .catch(() => page.keyboard.press('Escape'));
    }
    await page.getByRole('tab', { name: 'Explorer' }).first().click();
    await page.getByRole('treeitem', { name: 'weather.tools.ts' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Train Agent on These Tools' }).waitFor();
    await page.keyboard.press('Escape');
  });
});
