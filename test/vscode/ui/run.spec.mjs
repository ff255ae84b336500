// A run from the Explorer to its end, as a person sees it; a scripted trainer paces it, so that each moment can be
// looked at.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { closeWalkthrough, openWalkthrough, untilTicked } from '../walkthrough.mjs';
import { actOnRun, runCommand, SOON, untilDone, viewRows, webview } from '../workbench.mjs';
import { trainersIn } from '../workspace.mjs';
import { openWindow } from './window.mjs';

describe('a run, by mouse', function () {
  this.bail(true); // each step stands on the one before
  let window;
  let page;
  let hasFailed = false;
  const status = () => page.locator('.statusbar-item', { hasText: /Coach/ }).first();
  const script = (values) => writeFileSync(window.workspace.path('script.json'), JSON.stringify(values));

  before(async () => {
    window = await openWindow({ name: 'run', scripted: true, settings: { 'agentCoach.steps': 40 } });
    page = window.page;
    script({ stepMs: 100, holdAtStep: 12 });
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(() => window?.close({ failed: hasFailed }));

  it('offers to train on a tool file, and on no other file', async () => {
    await page.getByRole('tab', { name: 'Coach' }).waitFor();
    const item = page.getByRole('menuitem', { name: 'Train Agent on These Tools' });
    await page.getByRole('treeitem', { name: 'notes.md' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open to the Side' }).waitFor();
    assert.equal(await item.count(), 0);
    await page.keyboard.press('Escape');
    await untilVisible(async () => {
      await page.keyboard.press('Escape');
      await page.getByRole('treeitem', { name: 'weather.tools.ts' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Open to the Side' }).waitFor();
      return (await item.count()) > 0;
    });
    await window.photograph('1-menu');
    await page.keyboard.press('Escape');
  });

  it('the walkthrough ticks its first step, since there are tools', async () => {
    await openWalkthrough(page);
    await untilTicked(page, ['tools']);
    await closeWalkthrough(page);
    await page.getByRole('treeitem', { name: 'weather.tools.ts' }).click({ button: 'right' });
    const train = page.getByRole('menuitem', { name: 'Train Agent on These Tools' });
    await train.waitFor();
    // VS Code takes no click in a menu's first moment: it would be the end of the one that opened it
    await page.waitForTimeout(500);
    await train.click();
    await train.waitFor({ state: 'hidden' });
  });

  it('asks once, in one quick pick, and starts with Enter', async () => {
    const pick = page.locator('.quick-input-widget');
    await pick.getByText('Train Agent on These Tools · weather.tools.ts (3 tools, 1 mocked)').waitFor();
    for (const row of ['Start', 'Method', 'Model', 'Steps', 'Tool policy'])
      await pick.locator('.monaco-list-row', { hasText: row }).first().waitFor();
    await window.photograph('2-pick');
    await pick.getByRole('option', { name: 'Steps, ' }).click();
    await pick.getByRole('option', { name: '24 steps', exact: true }).waitFor();
    await window.photograph('3-pick-steps');
    await pick.getByRole('option', { name: 'check 40 steps' }).click();
    await pick.locator('.monaco-list-row', { hasText: 'nano · grpo · 40 steps' }).waitFor();
    await page.keyboard.press('Enter');
  });

  it('shows the steps advancing in the status bar', async () => {
    await status()
      .getByText(/Coach 11\/40 · reward 0\.\d\d · \d+ (s|min)/)
      .waitFor({ timeout: 180_000 });
    script({ stepMs: 100, holdAtStep: 16 });
    await status()
      .getByText(/Coach 15\/40 · reward/)
      .waitFor();
  });

  it('lists tools, the run and its traces in the side bar', async () => {
    await viewRows(page, 'Tools').filter({ hasText: 'getWeather' }).waitFor();
    await viewRows(page, 'Runs').filter({ hasText: 'weather · nano · grpo' }).waitFor();
    const traces = viewRows(page, 'Traces');
    const header = page.locator('.pane-header[aria-label^="Traces"]');
    await header.getByText('step 16').waitFor(); // its tries are recorded, the step itself is held
    const tries = traces.filter({ hasText: /^\d\.\d\d {2}[+−]\d\.\d\d.*answer/ }); // reward, advantage, path
    // a group of 8 tries at one task; a list that is filled anew under the mouse loses the click
    await untilDone(page, async () => {
      if ((await tries.count()) === 0)
        await traces
          .filter({ hasText: /^\d\/8 {2}/ })
          .first()
          .click(SOON);
      await tries.nth(1).waitFor(SOON);
    });
    script({ stepMs: 100, holdAtStep: 20 });
    await status()
      .getByText(/Coach 19\/40/)
      .waitFor();
    assert.match(await header.innerText(), /step 16/, 'the list that is being read stays');
    await header.hover();
    await page.getByRole('button', { name: 'Follow the Latest Step' }).click();
    await header.getByText('step 20').waitFor();
  });

  it('shows curves in the panel', async () => {
    const view = webview(page, 'agent-coach.agent-coach');
    await view.locator('canvas').first().waitFor();
    await window.photograph('4-running');
  });

  it('stops when asked, and says where', async () => {
    await viewRows(page, 'Runs').first().hover();
    await page.locator('.pane-header[aria-label^="Runs"]').hover();
    await page.getByRole('button', { name: 'Stop Run' }).first().click();
    await viewRows(page, 'Runs')
      .filter({ hasText: /stopped at \d+\/40/ })
      .waitFor({ timeout: 180_000 });
    await untilVisible(() => trainersIn(window.workspace.dir).length === 0);
    await window.photograph('5-stopped');
  });

  it('is still there after the window was reloaded', async () => {
    await window.reload();
    await viewRows(page, 'Runs')
      .filter({ hasText: /stopped at \d+\/40/ })
      .waitFor({ timeout: 180_000 });
    const view = webview(page, 'agent-coach.agent-coach');
    await view.locator('canvas').first().waitFor({ timeout: 180_000 });
    await window.photograph('6-reloaded');
  });

  it('resumes, goes on while the window is reloaded, and finishes', async () => {
    script({ stepMs: 100, holdAtStep: 30 });
    const running = status().getByText(/Coach \d+\/40 · reward/);
    await actOnRun(page, 'Resume Run', running);
    await window.reload();
    await status()
      .getByText(/Coach 29\/40/)
      .waitFor({ timeout: 180_000 });
    script({ stepMs: 20 });
    await viewRows(page, 'Runs')
      .filter({ hasText: /pts · n 24/ })
      .waitFor({ timeout: 180_000 });
    assert.equal(readdirSync(window.workspace.path('.coach/runs')).length, 1);
  });

  it('the walkthrough ticks all of its steps', async () => {
    await openWalkthrough(page);
    await untilTicked(page, ['tools', 'train', 'watch', 'result']);
    await window.photograph('7-walkthrough');
    await closeWalkthrough(page);
  });

  it('shows before and after, in every theme', async () => {
    await viewRows(page, 'Runs').first().click();
    const view = webview(page, 'agent-coach.agent-coach');
    await view
      .getByText(/held-out/i)
      .first()
      .waitFor();
    await window.photographThemes('7-result');
  });

  it('opens a trace from the side bar, step by step', async () => {
    const rows = viewRows(page, 'Traces');
    await rows
      .filter({ hasText: /^\d\/8 {2}/ })
      .first()
      .click();
    await rows
      .filter({ hasText: /^\d\.\d\d {2}/ })
      .first()
      .click();
    const view = webview(page, 'agent-coach.agent-coach');
    await view
      .getByText(/correctness/)
      .first()
      .waitFor();
    await window.photographThemes('8-trace');
  });

  it('trains again with the last settings', async () => {
    const row = page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Train with the last settings' });
    for (let tries = 0; tries < 5 && !(await row.isVisible()); tries++) {
      // a pick closes where something else takes the focus, such as a panel that is just drawn
      await runCommand(page, 'Coach: Train Agent on These Tools');
      await row.waitFor({ timeout: 5000 }).catch(() => undefined);
    }
    await row.waitFor({ timeout: 5000 });
    await window.photograph('9-again');
    await page.keyboard.press('Escape');
  });
});

async function untilVisible(ask, timeoutMs = 180_000) {
  const deadline = Date.now() + timeoutMs;
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(`not after ${timeoutMs} ms: ${ask}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
