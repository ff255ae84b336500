// What a person does in a VS Code window, for the UI suites.

/** Opens a window and waits until the Explorer shows the folder's files. */
export async function openWorkbench(browser, code, target) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
  page.setDefaultTimeout(120_000);
  await page.goto(code.url(target));
  await waitForExplorer(page);
  return page;
}

export async function waitForExplorer(page) {
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 120_000 });
}

/** A pick that is just closing, or a frame that is just taking the focus, swallows the key. */
export async function openPalette(page) {
  const input = page.locator('.quick-input-widget input[type=text]');
  for (let tries = 0; tries < 20 && !(await input.isVisible()); tries++) {
    await page.keyboard.press('F1');
    await input.waitFor({ state: 'visible', timeout: 3_000 }).catch(() => undefined);
  }
}

/**
 * Right-clicks a file of the Explorer until its menu offers to train on it: the extension may still be looking for
 * tools. @returns the entry, still to be clicked
 */
export async function offerTraining(page, file) {
  const entry = page.getByRole('menuitem', { name: 'Train Agent on These Tools' });
  for (let tries = 0; tries < 60 && (await entry.count()) === 0; tries++) {
    await page.keyboard.press('Escape');
    await page.getByRole('treeitem', { name: file, exact: true }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open to the Side' }).waitFor();
    await page.waitForTimeout(500);
  }
  return entry;
}

/** Runs a command by its title in the command palette. */
export async function runCommand(page, title) {
  await untilDone(page, async () => {
    await openPalette(page);
    await page.locator('.quick-input-widget input[type=text]').fill(`>${title}`, SOON);
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first().click(SOON);
  });
}

/**
 * A pick closes when a page takes the focus, which it may do at any time: what a person would do then is to open it
 * again.
 */
export const SOON = { timeout: 8_000 };
export async function untilDone(page, attempt, tries = 6) {
  for (let i = 1; ; i++) {
    try {
      return await attempt();
    } catch (error) {
      if (i === tries) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

/** The document inside an extension's webview: an iframe within an iframe. */
export function webview(page, extensionId) {
  return page
    .frameLocator(`iframe.webview.ready[src*="extensionId=${extensionId}"]`)
    .frameLocator('iframe#active-frame');
}

/** The rows of a tree view in the side bar, by the view's name. */
export function viewRows(page, name) {
  return page
    .locator('.pane')
    .filter({ has: page.locator(`.pane-header[aria-label^="${name}"]`) })
    .locator('.monaco-list-row');
}

/**
 * Stops or resumes the first run by the button on its row. A tree that is drawn again under the mouse loses the click:
 * where `happened` does not show, a person clicks again.
 */
export async function actOnRun(page, button, happened) {
  await untilDone(page, async () => {
    if (!(await happened.isVisible())) {
      await viewRows(page, 'Runs').first().hover(SOON);
      await viewRows(page, 'Runs').first().getByRole('button', { name: button }).click(SOON);
    }
    await happened.waitFor({ timeout: 40_000 });
  });
}
