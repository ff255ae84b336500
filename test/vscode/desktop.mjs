// `npm run test:desktop`: the host suite in a desktop VS Code by @vscode/test-electron, for people who have one (or may
// download it).
//   VSCODE_EXECUTABLE=/path/to/code npm run test:desktop    uses that one and downloads nothing
import path from 'node:path';
import { build, ensureInstalled, root } from '../../extension/build/install.mjs';
import { makeWorkspace, scriptedNode } from './workspace.mjs';

ensureInstalled();
build('--tests');
const { runTests } = await import('@vscode/test-electron');
const workspace = makeWorkspace();
try {
  await runTests({
    ...(process.env.VSCODE_EXECUTABLE ? { vscodeExecutablePath: process.env.VSCODE_EXECUTABLE } : {}),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(root, 'dist/test/suite.js'),
    launchArgs: [workspace.dir, '--disable-extensions'],
    extensionTestsEnv: { COACH_TEST_NODE: scriptedNode(workspace.dir) },
  });
} catch (error) {
  console.error(`test:desktop: ${error.message}`);
  process.exitCode = 1;
} finally {
  workspace.dispose();
}
