// `node test/vscode/photograph.mjs [--from FOLDER] [--out FOLDER] [--widths 1000,1440]
// [--only pick,walkthrough,pages,editor]`: the pick, the walkthrough, every page of the panel, and the editor's
// CodeLens and quick fixes, in real VS Code, in four themes. Each page of the panel is reached by keys and looked at by
// axe-core; what it finds ends the script with 1. FOLDER holds tool files and `.coach/runs`; without one, the tests'
// folder with a run of their fixture. Set COACH_THEMES=dark for one theme.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { artifacts, root } from './places.mjs';
import { command, panelFrame, press, seriousFindings } from './ui/keys.mjs';
import { openWindow } from './ui/window.mjs';
import { offerTraining, SOON, untilDone } from './workbench.mjs';
import { closeWalkthrough, openWalkthrough, WALKTHROUGH_STEPS, walkthroughStep } from './walkthrough.mjs';

const { values: opt } = parseArgs({
  options: {
    from: { type: 'string' },
    out: { type: 'string', default: path.join(artifacts, 'photographs') },
    widths: { type: 'string', default: '1000,1440' },
    only: { type: 'string', default: 'pick,walkthrough,pages,editor' },
    file: { type: 'string', default: 'weather.tools.ts' },
  },
});
const wanted = opt.only.split(',');
mkdirSync(opt.out, { recursive: true });
const UNEXPORTED = 'stamps.ts';
const UNEXPORTED_TOOL = `/**
 * What a stamp costs.
 * @param country where the letter goes
 * @tool
 */
function stampPrice(country: string): number {
  return country.length;
}
`;

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

/** FOLDER's runs, as runs on the copy of its tool file. */
function bringRuns(from) {
  cpSync(path.join(from, '.coach'), workspace.path('.coach'), { recursive: true });
  for (const run of readdirSync(workspace.path('.coach/runs')))
    for (const name of ['run.json', 'events.jsonl', 'tools.json']) {
      const file = workspace.path('.coach/runs', run, name);
      if (existsSync(file)) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, workspace.dir));
    }
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

/** The CodeLens over a tool of the last run, and what the light bulb offers at a tool that is not exported. */
async function photographEditor(name) {
  await openFile(opt.file);
  await page.locator('.monaco-editor .codelens-decoration').first().waitFor();
  await page.waitForTimeout(1_500); // counts of the last run are read from its folder
  await photograph(`codelens-${name}`);
  await openFile(UNEXPORTED);
  const mark = page.locator('.monaco-editor .squiggly-error, .monaco-editor .squiggly-warning').first();
  await mark.waitFor();
  await untilDone(page, async () => {
    // to the first problem of the file, whose peek closes again
    await page
      .locator('.monaco-editor .view-lines')
      .first()
      .click({ position: { x: 5, y: 5 }, ...SOON });
    await page.keyboard.press('F8');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget .monaco-list-row').first().waitFor(SOON);
  });
  await page.waitForTimeout(700);
  await photograph(`quick-fix-${name}`);
  await page.keyboard.press('Escape');
}

async function openFile(file) {
  await page.getByRole('treeitem', { name: file, exact: true }).first().dblclick();
  await page.getByRole('tab', { name: file }).first().waitFor();
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
  else if (existsSync(path.join(opt.from, '.coach'))) bringRuns(path.resolve(opt.from));
  if (wanted.includes('editor')) writeFileSync(workspace.path(UNEXPORTED), UNEXPORTED_TOOL);
  await command(page, 'Coach: Refresh Runs');
  for (const width of opt.widths.split(',').map(Number)) {
    await page.setViewportSize({ width, height: 900 });
    await window.inThemes(async (theme) => {
      const name = `${theme}-${width}`;
      if (wanted.includes('pick')) await photographPick(name);
      if (wanted.includes('walkthrough')) await photographWalkthrough(name);
      if (wanted.includes('pages')) await photographPages(name);
      if (wanted.includes('editor')) await photographEditor(name);
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
