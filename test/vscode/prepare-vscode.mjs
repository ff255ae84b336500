// Makes node_modules/code-server/lib/vscode runnable: the npm package ships the
// built VS Code server and workbench, but not the modules they load.
// Nothing is downloaded but npm packages; two small native modules are compiled.
// Repeatable: a second run with the same versions does nothing.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { ensureInstalled } from '../../extension/build/install.mjs';
import { unpackChromium } from './chromium.mjs';
import { nodeHome as homeOf, rigDir, vscodeDir as codeOf } from './places.mjs';

ensureInstalled(rigDir);
await unpackChromium();
const vscodeDir = codeOf();
const nodeHome = homeOf();

const log = (text) => console.log(`[prepare-vscode] ${text}`);
const stampFile = path.join(vscodeDir, '.prepared');
const version = JSON.parse(readFileSync(path.join(vscodeDir, 'package.json'), 'utf8')).version;
const nodeVersion = JSON.parse(readFileSync(path.join(nodeHome, 'package.json'), 'utf8')).version;
const stamp = JSON.stringify({ recipe: 1, version, nodeVersion, spdlog: process.env.VSCODE_SKIP_SPDLOG !== '1' });
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
  log(`VS Code ${version} is ready`);
  process.exit(0);
}
rmSync(stampFile, { force: true });

const env = {
  ...process.env,
  PATH: `${path.join(nodeHome, 'bin')}${path.delimiter}${process.env.PATH}`, // npm itself must run on Node 24
  npm_config_nodedir: nodeHome, // its include/ has the headers of that same Node
  npm_config_update_notifier: 'false',
};
function npm(cwd, args, more = {}) {
  const t0 = Date.now();
  const run = spawnSync('npm', args, {
    cwd,
    env: { ...env, ...more },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (run.status !== 0) {
    process.stderr.write(`${run.stdout}${run.stderr}`);
    throw new Error(`npm ${args.join(' ')} failed in ${cwd}: ${run.status ?? run.signal ?? run.error}`);
  }
  log(`npm ${args.join(' ')} (${path.basename(cwd)}): ${((Date.now() - t0) / 1000).toFixed(1)} s`);
}

const install = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
npm(vscodeDir, install); // its npm-shrinkwrap.json pins all but one peer, so 'npm ci' refuses
npm(path.join(vscodeDir, 'extensions'), install); // TypeScript for the built-in language features

// spdlog is the log service: without it output channels and log files stay empty.
// The others ship binaries (node-pty, @parcel/watcher, ripgrep) or are not needed
// (kerberos, sqlite3). CXXFLAGS: halves the compile time.
if (process.env.VSCODE_SKIP_SPDLOG !== '1') {
  npm(vscodeDir, ['rebuild', '@vscode/native-watchdog', '@vscode/spdlog', '--foreground-scripts'], {
    JOBS: String(cpus().length),
    CXXFLAGS: '-O0 -g0',
  });
}

// Smaller and quieter: no Copilot, no binaries of other platforms.
for (const dir of ['extensions/copilot', 'node_modules/@github'])
  rmSync(path.join(vscodeDir, dir), { recursive: true, force: true });
const keep = `${process.platform}-${process.arch}`;
for (const dir of ['node_modules/@vscode/ripgrep-universal/bin', 'node_modules/node-pty/prebuilds']) {
  for (const name of readdirSync(path.join(vscodeDir, dir))) {
    if (name !== keep) rmSync(path.join(vscodeDir, dir, name), { recursive: true, force: true });
  }
}
writeFileSync(stampFile, stamp);
log(`VS Code ${version} is ready in ${vscodeDir}`);
