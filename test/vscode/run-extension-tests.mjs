// Runs the host suite (the run() that @vscode/test-electron calls, too) inside a real extension host.
// Exit code 0: passed; 1: failed or not finished.
//   node run-extension-tests.mjs [--workspace DIR] [--vsix FILE]... [--timeout SECONDS] [--artifacts DIR] [--verbose]
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import { launchChromium } from './chromium.mjs';
import { root } from './places.mjs';
import { startVSCode } from './server.mjs';
import { makeWorkspace, scriptedNode } from './workspace.mjs';

const { values: opt } = parseArgs({
  options: {
    workspace: { type: 'string' },
    vsix: { type: 'string', multiple: true },
    timeout: { type: 'string', default: '900' },
    artifacts: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

// The workbench logs into the same stream as the tests' console.
const noise =
  /^(Resolv(ing|ed) connection token|Ignoring fetching additional|Creation of workbench contribution|Creating a socket|Updating additional builtin|\[(reconnection|AgentHost|AccountPolicy|Service Worker|driver))|authentication provider 'github'/;

let exitCode = 1;
const workspace = makeWorkspace(opt.workspace);
const code = await startVSCode({ vsix: opt.vsix, env: { COACH_TEST_NODE: scriptedNode(workspace.dir) } });
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
let timer;
try {
  const finished = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no result after ${opt.timeout} s`)), Number(opt.timeout) * 1000);
    page.once('crash', () => reject(new Error('the workbench page crashed')));
    code.exited.then(() => reject(new Error('the VS Code server ended')));
    browser.once('disconnected', () => reject(new Error('the browser ended')));
    page.exposeFunction('codeAutomationExit', (result) => resolve(result)).catch(reject);
  });
  finished.catch(() => {});
  await page.exposeFunction('codeAutomationLog', (level, args) => {
    const text = format(...args);
    if (opt.verbose || !noise.test(text)) (level === 'error' ? console.error : console.log)(text);
  });
  await page.goto(
    code.url({ workspace: workspace.dir, extension: root, tests: path.join(root, 'dist/test/suite.js') }),
  );
  exitCode = (await finished) === 0 ? 0 : 1;
} catch (error) {
  console.error(`run-extension-tests: ${error.message}`);
} finally {
  clearTimeout(timer);
  if (exitCode !== 0 && opt.artifacts) {
    code.saveLogs(opt.artifacts);
    await page.screenshot({ path: path.join(opt.artifacts, 'workbench.png') }).catch(() => {});
  }
  await browser.close().catch(() => {});
  await code.stop();
  workspace.dispose();
}
process.exitCode = exitCode;
