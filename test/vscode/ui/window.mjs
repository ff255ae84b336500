// One VS Code window on a fresh workspace, for a UI suite: opened, photographed in every theme, closed with all that it
// started.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { launchChromium } from '../chromium.mjs';
import { artifacts, root } from '../places.mjs';
import { startVSCode } from '../server.mjs';
import { openWorkbench, runCommand, SOON, untilDone, waitForExplorer } from '../workbench.mjs';
import { makeWorkspace, scriptedNode } from '../workspace.mjs';

/** name in a screenshot's file -> VS Code's theme, and the class that the workbench has then */
const THEMES = {
  light: ['Light Modern', 'vs'],
  contrast: ['Dark High Contrast', 'hc-black'],
  'contrast-light': ['Light High Contrast', 'hc-light'],
  dark: ['Dark Modern', 'vs-dark'],
};

/** COACH_THEMES=dark photographs one theme only. */
const named = process.env.COACH_THEMES?.split(',');

/** Settings of a run that ends in seconds. */
export const SMALL_RUN = {
  'agentCoach.steps': 1,
  'agentCoach.taskCount': 40,
  'agentCoach.training': {
    promptsPerStep: 2,
    groupSize: 2,
    evalTasks: 4,
    heldOutTasks: 4,
    forgottenTasks: 4,
    rehearsal: false,
  },
};

/**
 * @param {object} options
 * @param {string} options.name of the suite: prefix of its screenshots
 * @param {string} [options.from] folder to copy as the workspace
 * @param {boolean} [options.scripted] a scripted trainer in the place of the real one
 * @param {boolean} [options.trust]
 * @param {string[]} [options.vsix] instead of the extension's folder
 * @param {object} [options.env] variables for VS Code
 */
export async function openWindow({ name, from, scripted = false, trust = true, settings = {}, vsix = [], env = {} }) {
  const workspace = makeWorkspace(from);
  const machineSettings = scripted ? { 'agentCoach.nodePath': scriptedNode(workspace.dir) } : {};
  // so that engines that are installed on this machine are not taken
  env = { XDG_DATA_HOME: `${workspace.dir}-data`, ...env };
  const code = await startVSCode({
    vsix,
    trust,
    env,
    settings: { 'files.exclude': { '.scripted-node': true, 'script.json': true }, ...settings },
    machineSettings,
  });
  const browser = await launchChromium();
  mkdirSync(artifacts, { recursive: true });
  const target = { workspace: workspace.dir, ...(vsix.length > 0 ? {} : { extension: root }) };
  const window = {
    code,
    browser,
    workspace,
    page: await openWorkbench(browser, code, target),
    async photograph(shot) {
      await window.page.waitForTimeout(300); // fonts and focus rings settle
      await window.page.screenshot({ path: path.join(artifacts, `${name}-${shot}.png`) });
    },
    /** In every theme; the dark one last, so it stays. */
    async inThemes(look) {
      for (const [theme, [label, workbenchClass]] of Object.entries(THEMES).filter(
        ([one]) => !named || named.includes(one),
      )) {
        await chooseTheme(window.page, label);
        await window.page.locator(`.monaco-workbench.${workbenchClass}`).waitFor();
        await window.page.waitForTimeout(700); // the panel's page is told after the workbench
        await look(theme);
      }
    },
    photographThemes(shot, look = async () => {}) {
      return window.inThemes(async (theme) => {
        await window.photograph(`${shot}-${theme}`);
        await look(theme);
      });
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
      rmSync(env.XDG_DATA_HOME, { recursive: true, force: true });
    },
  };
  await chooseTheme(window.page, THEMES.dark[0]);
  return window;
}

/** After a reload the side bar may show another container than the Explorer. */
async function waitForWorkbench(page) {
  await page.locator('.monaco-workbench .part.activitybar').waitFor({ timeout: 120_000 });
  await Promise.race([waitForExplorer(page), page.locator('.pane-header').first().waitFor({ timeout: 120_000 })]);
}

async function chooseTheme(page, label) {
  const pick = page.locator('.quick-input-widget');
  await untilDone(page, async () => {
    await runCommand(page, 'Preferences: Color Theme');
    await pick.locator('input[type=text]').fill(label, SOON);
    // high contrast rows have a second name behind
    await pick.locator('.monaco-list-row').filter({ hasText: label }).first().click(SOON);
    await pick.waitFor({ state: 'hidden', ...SOON });
  });
}
