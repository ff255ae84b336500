// Installs what the lock file names, when it is not there yet. Needs nothing but Node and npm, so that `npm start` and
// `npm test`
// work in a fresh clone. Install scripts stay off: onnxruntime-node's would download CUDA parts that nobody asked for.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** True when every package of the lock that must be there is there, in that version. */
export function isInstalled(folder) {
  const installed = path.join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([name, entry]) =>
      name === '' || entry.optional || entry.devOptional || entry.peer || present[name]?.version === entry.version,
  );
}

export function ensureInstalled(folder = root) {
  if (isInstalled(folder)) return;
  const name = path.relative(root, folder) || 'the project';
  console.error(`Installing the packages of ${name} (once)…`);
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}

/** Runs a program with our output; ends this process with its exit code when it fails. */
export function run(command, args, cwd = root, env = {}) {
  const result = spawnSync(command, args, {
    cwd,
    stdio: ['inherit', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip', ...env },
  });
  if (result.error) throw result.error;
  if (result.signal) process.exit(130);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Builds dist/ for use from this folder. */
export function build(...options) {
  run(process.execPath, [path.join(root, 'extension/build/build.mjs'), ...options]);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Node 20.19 or newer is needed; this is ${process.versions.node}.`);
  process.exit(2);
}
requireNode();

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled();
