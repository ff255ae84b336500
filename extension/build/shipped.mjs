// What of node_modules/ is in a VSIX: in bundles, or beside them. From esbuild's metafile, so that nothing is
// forgotten.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

/** Packages whose code stands inside a file of another one, where no metafile sees it. */
const INSIDE = {
  tar: ['chownr', 'minipass', 'minizlib', 'yallist', '@isaacs/fs-minipass'],
  '@ts-morph/common': ['typescript'],
};

/** @returns {{folder: string, name: string, version: string, license: string, author: string | null}[]} by folder */
export function shippedPackages() {
  const work = mkdtempSync(path.join(tmpdir(), 'coach-shipped-'));
  try {
    const list = path.join(work, 'files.json');
    const build = path.join(root, 'extension/build/build.mjs');
    const args = [
      build,
      '--production',
      '--platform',
      'universal',
      '--out',
      path.join(work, 'dist'),
      '--metafile',
      list,
    ];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`shipped: the build failed: ${stderr}`);
    const folders = new Set(JSON.parse(readFileSync(list, 'utf8')).map(packageFolder));
    for (const [holder, names] of Object.entries(INSIDE))
      if (folders.has(`node_modules/${holder}`)) for (const name of names) folders.add(nearest(holder, name));
    return [...folders].sort().map(describe);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The copy of a package that another one uses. */
function nearest(holder, name) {
  const own = `node_modules/${holder}/node_modules/${name}`;
  return existsSync(path.join(root, own)) ? own : `node_modules/${name}`;
}

/** node_modules/a/node_modules/@b/c/dist/x.js -> node_modules/a/node_modules/@b/c */
const packageFolder = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)[1];

function describe(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  if (!name || !version || typeof license !== 'string')
    throw new Error(`shipped: ${folder}/package.json must name its licence, got ${JSON.stringify(license)}`);
  return { folder, name, version, license, author: (typeof author === 'string' ? author : author?.name) ?? null };
}
