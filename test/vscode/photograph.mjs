// `node test/vscode/photograph.mjs [--from FOLDER] [--out FOLDER] [--widths 1000,1440] [--only pick,walkthrough,pages]`:
// the pick, the walkthrough and every page of the panel in real VS Code, in four themes. Each page of the panel is
// reached by keys and looked at by axe-core; what it finds ends the script with 1. FOLDER holds tool files and
// `.coach/runs`; without one, the tests' folder with a run of their fixture. Set COACH_THEMES=dark for one theme.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { artifacts, root } from './places.mjs';
import { command, panelFrame, press, seriousFindings } from './ui/keys.mjs';
import { openWindow } from './ui/window.mjs';
import { offerTraining } from './workbench.mjs';
import { closeWalkthrough, openWalkthrough, WALKTHROUGH_STEPS, walkthroughStep } from './walkthrough.mjs';

const { values: opt } = parseArgs({
  options: {
    from: { type: 'string' },
    out: { type: 'string', default: path.join(artifacts, 'photographs') },
    widths: { type: 'string', default: '1000,1440' },
    only: { type: 'string', default: 'pick,walkthrough,pages' },
    file: { type: 'string', default: 'weather.tools.ts' },
  },
});
const wanted = opt.only.split(',');
mkdirSync(opt.out, { recursive: true });

const window = await openWindow({ name: 'photograph', ...(opt.from ? { from: path.resolve(opt.from) } : {}) });
const { page, workspace } = window;
const findings = [];

async function photographPick(name) {
  await (await offerTraining(page, opt.file)).click();
  const pick = page.locator('.quick-input-widget');
  await pick.locator('.monaco-list-row', { hasText: 'Tool policy' }).first().waitFor();
  await page.waitForTimeout(1_500); // time and memory are told when they are reckoned
  await photograph(`pick-${name}`);
  await page.keyboard.press('Escape');
}

async function photographWalkthrough(name) {
  await openWalkthrough(page);
  for (const step of WALKTHROUGH_STEPS) {
    await walkthroughStep(page, step).click();
    await page.waitForTimeout(700);
    await photograph(`walkthrough-${step}-${name}`);
  }
  await closeWalkthrough(page);
}

/** By keys alone: the header's buttons, one after the other. */
async function photographPages(name) {
  await command(page, 'Coach: Open Coach');
  const first = await panelFrame(page);
  const labels = await first.evaluate(() =>
    Array.from(document.querySelectorAll('.nav-item'), (item) => item.textContent.trim()),
  );
  for (const label of labels) {
    const frame = await panelFrame(page);
    await command(page, 'View: Focus Active Editor Group');
    await press(page, frame, 'Shift+Tab', isNavItem, label);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(1_200);
    await photograph(`${label.toLowerCase().replaceAll(' ', '-')}-${name}`);
    for (const finding of await seriousFindings(frame)) findings.push(`${label}, ${name}: ${finding}`);
    const over = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) findings.push(`${label}, ${name}: ${over} px wider than its window`);
  }
}

const isNavItem = (label) =>
  document.activeElement?.matches('.nav-item') && document.activeElement.textContent.trim() === label;

async function photograph(name) {
  await page.screenshot({ path: path.join(opt.out, `${name}.png`) });
}

try {
  if (!opt.from)
    execFileSync(process.execPath, ['--import', 'tsx', 'test/fixtures/writeRun.ts', workspace.dir, '12'], {
      cwd: root,
    });
  else if (existsSync(path.join(opt.from, '.coach')))
    cpSync(path.join(opt.from, '.coach'), workspace.path('.coach'), { recursive: true });
  await command(page, 'Coach: Refresh Runs');
  for (const width of opt.widths.split(',').map(Number)) {
    await page.setViewportSize({ width, height: 900 });
    await window.inThemes(async (theme) => {
      const name = `${theme}-${width}`;
      if (wanted.includes('pick')) await photographPick(name);
      if (wanted.includes('walkthrough')) await photographWalkthrough(name);
      if (wanted.includes('pages')) await photographPages(name);
    });
  }
} catch (error) {
  await photograph('failed');
  throw error;
} finally {
  await window.close();
}
for (const finding of findings) console.log(finding);
console.log(`${findings.length} findings; pictures in ${opt.out}`);
process.exitCode = findings.length > 0 ? 1 : 0;
