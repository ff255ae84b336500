// One VS Code window on a fresh workspace, for a UI suite: opened, photographed in every theme, closed with all that it started.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { launchChromium } from '../chromium.mjs';
import { artifacts, root } from '../places.mjs';
import { startVSCode } from '../server.mjs';
import { openWorkbench, waitForExplorer } from '../workbench.mjs';
import { makeWorkspace, scriptedNode } from '../workspace.mjs';

export const THEMES = { dark: 'Dark Modern', light: 'Light Modern', contrast: 'Default High Contrast', 'contrast-light': 'Default High Contrast Light' };

/**
 * @param {object} options
 * @param {string} options.name of the suite: prefix of its screenshots
 * @param {string} [options.from] folder to copy as the workspace
 * @param {boolean} [options.scripted] a scripted trainer in the place of the real one
 * @param {boolean} [options.trust]
 * @param {string[]} [options.vsix] instead of the extension's folder
 */
export async function openWindow({ name, from, scripted = false, trust = true, settings = {}, vsix = [] }) {
  const workspace = makeWorkspace(from);
  const machineSettings = scripted ? { 'agentCoach.nodePath': scriptedNode(workspace.dir) } : {};
  const code = await startVSCode({ vsix, trust, settings: { 'workbench.colorTheme': THEMES.dark, ...settings }, machineSettings });
  const settingsFile = path.join(code.dirs.user, 'User/settings.json');
  const change = (more) => writeFileSync(settingsFile, JSON.stringify({ ...JSON.parse(readFileSync(settingsFile, 'utf8')), ...more }, null, 2));
  const browser = await launchChromium();
  mkdirSync(artifacts, { recursive: true });
  const target = { workspace: workspace.dir, ...(vsix.length > 0 ? {} : { extension: root }) };
  const window = {
    code, browser, workspace, changeSettings: change,
    page: await openWorkbench(browser, code, target),
    async photograph(shot) {
      await window.page.waitForTimeout(300); // fonts and focus rings settle
      await window.page.screenshot({ path: path.join(artifacts, `${name}-${shot}.png`) });
    },
    /** The same view in every theme; the dark one stays. */
    async photographThemes(shot) {
      for (const [theme, label] of Object.entries(THEMES)) {
        change({ 'workbench.colorTheme': label });
        await window.page.waitForTimeout(1_500);
        await window.photograph(`${shot}-${theme}`);
      }
      change({ 'workbench.colorTheme': THEMES.dark });
      await window.page.waitForTimeout(500);
    },
    async reload() {
      await window.page.reload();
      await waitForWorkbench(window.page);
    },
    async close({ failed = false } = {}) {
      if (failed) {
        code.saveLogs(path.join(artifacts, `${name}-logs`));
        await window.page.screenshot({ path: path.join(artifacts, `${name}-failed.png`) }).catch(() => {});
      }
      await browser.close().catch(() => {});
      await code.stop();
      workspace.dispose();
    },
  };
  return window;
}

/** After a reload the side bar may show another container than the Explorer. */
async function waitForWorkbench(page) {
  await page.locator('.monaco-workbench .part.activitybar').waitFor({ timeout: 120_000 });
  await Promise.race([waitForExplorer(page), page.locator('.pane-header').first().waitFor({ timeout: 120_000 })]);
}
