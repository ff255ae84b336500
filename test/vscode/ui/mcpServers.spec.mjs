// Tools of MCP servers by mouse: right-click on mcp.json, which servers, may they start, train; the same in the view
// Tools; a server that was changed is asked about again. And the way out: tool files that the editor is offered.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../places.mjs';
import { offerTraining, runCommand, viewRows } from '../workbench.mjs';
import { openWindow, SMALL_RUN } from './window.mjs';

const SERVER = path.join(root, 'test/fixtures/mcp/shopServer.mjs');
const KEY = 'key-9f1c77';

describe('MCP servers', function () {
  this.bail(true);
  this.timeout(300_000);
  let folder;
  let window;
  let page;
  let hasFailed = false;
  const pick = () => page.locator('.quick-input-widget');
  const dialog = () => page.locator('.monaco-dialog-box');
  const row = (name) => viewRows(page, 'Tools').filter({ hasText: name }).first();
  const configure = (file, ...args) =>
    writeFileSync(
      file,
      `{
  // as an editor writes it
  "inputs": [{ "id": "shop-key", "type": "promptString", "description": "Key of the shop", "password": true }],
  "servers": {
    "shop": {
      "command": ${JSON.stringify(process.execPath)},
      "args": ${JSON.stringify([SERVER, ...args])},
      "env": { "SHOP_KEY": "\${input:shop-key}" }
    },
    "gone": { "command": "no-such-server" }
  }
}
`,
    );
  async function allow() {
    await dialog().getByRole('button', { name: 'Start It' }).click();
    await dialog().waitFor({ state: 'hidden' });
  }

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'coach-mcp-'));
    mkdirSync(path.join(folder, '.vscode'));
    configure(path.join(folder, '.vscode/mcp.json'));
    writeFileSync(path.join(folder, 'package.json'), '{ "name": "shop", "private": true }\n');
    window = await openWindow({
      name: 'mcpServers',
      from: folder,
      settings: {
        'chat.disableAIFeatures': false, // which its list of servers belongs to
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

  it('of a right-clicked mcp.json are chosen, and started once that was allowed', async () => {
    await page.getByRole('treeitem', { name: '.vscode' }).click();
    await (await offerTraining(page, 'mcp.json')).click();
    await pick().getByText('no-such-server').waitFor();
    await window.photograph('1-which');
    await pick().getByRole('button', { name: 'OK' }).click(); // the first one is chosen already
    await dialog().getByText('may it start the MCP server shop').waitFor();
    await dialog().getByText('It is given: shop-key').waitFor();
    await window.photograph('2-may-it');
    await allow();
    await pick().getByText('Key of the shop').waitFor();
    await page.keyboard.type(KEY);
    await page.keyboard.press('Enter');
    await pick().getByText('nano · grpo · 1 step').waitFor();
    await pick().getByText('mocked: order_paint; really run: convert_volume, find_color').waitFor();
    await window.photograph('3-pick');
  });

  it('train as tool files do, and no file of the run holds what the server was given', async () => {
    await page.keyboard.press('Enter');
    const runs = window.workspace.path('.coach/runs');
    await viewRows(page, 'Runs')
      .first()
      .filter({ hasText: /pts · n/ })
      .waitFor();
    const newest = path.join(runs, readdirSync(runs).sort().at(-1));
    const tools = JSON.parse(readFileSync(path.join(newest, 'tools.json'), 'utf8'));
    assert.deepEqual(
      tools.map(({ name, binding }) => [name, binding.kind, binding.server]),
      ['convert_volume', 'find_color', 'order_paint'].map((name) => [name, 'mcp', 'shop']),
    );
    for (const file of readdirSync(newest, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()))
      assert.ok(!readFileSync(path.join(file.parentPath, file.name)).includes(KEY), file.name);
  });

  it('stand in the view Tools, with their tools', async () => {
    await row('convert_volume').waitFor();
    await row('shop').filter({ hasText: '3 tools' }).waitFor();
    await row('gone').filter({ hasText: 'not started yet' }).waitFor();
    await window.photograph('4-tree');
  });

  it('say why one can not be used, with the way to where it is configured', async () => {
    await row('gone').hover();
    await row('gone').getByRole('button', { name: 'List Its Tools' }).click();
    await allow();
    // a development window keeps a notice behind its bell at times
    const notice = page
      .locator('.notification-toast, .notifications-center', { hasText: 'could not be started (no-such-server)' })
      .first();
    await notice.waitFor({ timeout: 5000 }).catch(() => runCommand(page, 'Notifications: Show Notifications'));
    await notice.getByRole('button', { name: 'Open mcp.json' }).waitFor();
    await window.photograph('5-gone');
    await notice.getByRole('button', { name: 'Open mcp.json' }).click();
    await page.getByRole('tab', { name: 'mcp.json' }).waitFor();
    await row('gone').filter({ hasText: 'unusable' }).waitFor();
  });

  it('are asked about again once they were changed', async () => {
    configure(window.workspace.path('.vscode/mcp.json'), '--other');
    await row('shop').filter({ hasText: 'not started yet' }).waitFor();
    await row('shop').hover();
    await row('shop').getByRole('button', { name: 'List Its Tools' }).click();
    await dialog().getByText('--other').waitFor();
    await allow();
    await row('shop').filter({ hasText: '3 tools' }).waitFor();
  });

  it('are what tool files are to the editor', async () => {
    writeFileSync(
      window.workspace.path('paint.ts'),
      '/** Mixes two colors.\n * @tool */\nexport const mix = (one: string, other: string): string => one + other;\n',
    );
    await row('paint.ts').waitFor();
    await runCommand(page, 'MCP: List Servers');
    await pick().locator('.monaco-list-row', { hasText: 'Coach: paint.ts' }).click();
    await pick().locator('.monaco-list-row', { hasText: 'Start Server' }).click();
    await page.getByText(/Discovered.1.tools/).waitFor(); // in the server's own output
    await window.photograph('6-offered');
  });
});
