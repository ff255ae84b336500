// What a person does with the keyboard alone, for the UI suites.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../places.mjs';
import { openPalette } from '../workbench.mjs';

/** A command by its title: the palette, the title, Enter. */
export async function command(page, name) {
  const input = page.locator('.quick-input-widget input[type=text]');
  for (let tries = 0; ; tries++) {
    await openPalette(page);
    // an editor that opens at this moment takes the focus, and the palette closes: whoever sits there opens it again
    const isFilled = await input.fill(`>${name}`, { timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (isFilled) break;
    if (tries === 3) throw new Error(`the palette does not stay open for ${name}`);
  }
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor();
  await page.keyboard.press('Enter');
}

/**
 * Tab (or another key) until what has the focus answers `wanted`, a function of the focused element that runs in its
 * frame.
 */
export async function press(page, frame, key, wanted, argument, most = 120) {
  for (let i = 0; i < most; i++) {
    if (await frame.evaluate(wanted, argument).catch(() => false)) return;
    await page.keyboard.press(key);
    await page.waitForTimeout(40);
  }
  throw new Error(`${most} times ${key} did not reach ${String(wanted)} ${JSON.stringify(argument)}`);
}

/**
 * Goes to a view of the side bar and presses keys there until `done`: right after a window opens, a list may still be
 * filled anew and lose its focus.
 */
export async function inView(page, name, keys, done) {
  for (let tries = 0; tries < 12; tries++) {
    await command(page, `Coach: Focus on ${name} View`);
    await page.waitForTimeout(700);
    for (const key of keys) {
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
    }
    for (let i = 0; i < 12; i++) {
      if (await done().catch(() => false)) return;
      await page.waitForTimeout(500);
    }
  }
  throw new Error(`${keys.join(' ')} in the view ${name} did not do it: ${done}`);
}

/** Whether the focused element reads so; controls of the toolkit keep their focus in a shadow. */
export const focusReads = (text) => {
  const at = document.activeElement;
  const label = (at?.getAttribute('aria-label') || at?.textContent || '').trim();
  return new RegExp(text).test(label);
};

/** The document inside the extension's webview, as a frame that scripts can be run in. */
export async function panelFrame(page, extensionId = 'agent-coach.agent-coach') {
  for (let tries = 0; tries < 300; tries++) {
    for (const frame of page.frames()) {
      if (frame.name() === 'active-frame' || /fake\.html/.test(frame.url())) {
        const has = await frame
          .evaluate(() => document.getElementById('app') !== null && document.querySelector('main h1') !== null)
          .catch(() => false);
        if (has) return frame;
      }
    }
    await page.waitForTimeout(200);
  }
  throw new Error(
    `no webview of ${extensionId}: ${page
      .frames()
      .map((frame) => `${frame.name()} ${frame.url().slice(0, 80)}`)
      .join('; ')}`,
  );
}

const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Serious and critical findings of axe-core in the panel's own document. */
export async function seriousFindings(frame) {
  await frame.evaluate(axe);
  return frame.evaluate(async () =>
    (await window.axe.run(document, { resultTypes: ['violations'] })).violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map((node) => `${node.target.join(' ')} ${node.failureSummary}`)
            .join(' | ')}`,
      ),
  );
}

export async function until(ask, timeoutMs = 180_000) {
  const deadline = Date.now() + timeoutMs;
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(`not after ${timeoutMs} ms: ${ask}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
