// The walkthrough's page in a VS Code window: its steps, and whether they are ticked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';
import { runCommand, SOON, untilDone } from './workbench.mjs';

const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const nls = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8'));
const [walkthrough] = contributes.walkthroughs;
const words = (key) => nls[key.slice(1, -1)];

/** ids of its steps, in order */
export const WALKTHROUGH_STEPS = walkthrough.steps.map(({ id }) => id);

export async function openWalkthrough(page) {
  const title = words(walkthrough.title);
  await untilDone(page, async () => {
    await runCommand(page, 'Welcome: Open Walkthrough...');
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    await row.waitFor(SOON);
    await row.click(SOON);
    await page.locator('.getting-started-category', { hasText: title }).first().waitFor(SOON);
  });
}

export async function closeWalkthrough(page) {
  await runCommand(page, 'View: Close Editor');
  await page.locator('.getting-started-category').first().waitFor({ state: 'hidden' });
}

export const walkthroughStep = (page, id) =>
  page.locator('.getting-started-step', {
    hasText: words(walkthrough.steps.find((step) => step.id === id).title),
  });

/** ids of the steps that have their tick */
async function tickedSteps(page) {
  const ticked = [];
  for (const id of WALKTHROUGH_STEPS)
    if ((await walkthroughStep(page, id).locator('.codicon.complete').count()) > 0) ticked.push(id);
  return ticked;
}

/** Waits for these ticks and no other. */
export async function untilTicked(page, ids) {
  for (let tries = 0; tries < 100 && (await tickedSteps(page)).length < ids.length; tries++)
    await page.waitForTimeout(200);
  assert.deepEqual(await tickedSteps(page), ids);
}
