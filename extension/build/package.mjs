// `npm run package -- --target linux-x64|linux-arm64|darwin-arm64|win32-x64|universal|all [--out FILE|FOLDER]`: a VSIX
// with only that platform's
// native libraries, all out of the one onnxruntime-node of package-lock.json. universal has none and trains on wasm:
// also for darwin-x64 and Alpine.
// Beside it lies FILE.sbom.json (CycloneDX): the npm packages that are in it.
// Packed from a folder of its own, so that dist/ stays as it is.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, ensureInstalled, root, run } from './install.mjs';
import { sbomOf } from './sbom.mjs';
import { shippedPackages } from './shipped.mjs';

/** target -> the most that its VSIX may weigh, MB */
export const limits = { 'linux-x64': 30, 'linux-arm64': 30, 'darwin-arm64': 30, 'win32-x64': 40, universal: 15 };

const here = `${process.platform}-${process.arch}`;
const { values: opt } = parseArgs({
  options: { target: { type: 'string', default: here in limits ? here : 'universal' }, out: { type: 'string' } },
});
const targets = opt.target === 'all' ? Object.keys(limits) : [opt.target];
if (targets.some((target) => !(target in limits))) {
  console.error(`package: no target is called ${opt.target}; there are ${Object.keys(limits).join(', ')}, all`);
  process.exit(2);
}

/** The bundles are the same for all targets: made for the first one. */
function pack(target, stage, out, sbom) {
  build(
    '--production',
    '--platform',
    target,
    '--out',
    path.join(stage, 'dist'),
    ...(existsSync(path.join(stage, 'dist', 'extension.js')) ? ['--only', 'assets'] : []),
  );
  mkdirSync(path.dirname(out), { recursive: true });
  const vsce = [
    'package',
    '--no-dependencies',
    '--no-rewrite-relative-links',
    '--allow-missing-repository',
    '--skip-license',
    ...(target === 'universal' ? [] : ['--target', target]),
    '--out',
    out,
  ];
  run(process.execPath, [path.join(root, 'node_modules/@vscode/vsce/vsce'), ...vsce], stage);
  writeFileSync(out.replace(/(\.vsix)?$/, '.sbom.json'), sbom);
  const megabytes = statSync(out).size / 1e6;
  console.log(`${out}: ${megabytes.toFixed(1)} MB`);
  if (megabytes > limits[target])
    throw new Error(`package: ${target} must be at most ${limits[target]} MB, is ${megabytes.toFixed(1)} MB`);
}

ensureInstalled();
const stage = mkdtempSync(path.join(tmpdir(), 'coach-package-'));
try {
  for (const name of [
    'package.json',
    'package.nls.json',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'THIRD-PARTY-NOTICES.md',
    '.vscodeignore',
    'extension/media',
    'l10n',
  ]) {
    if (existsSync(path.join(root, name))) cpSync(path.join(root, name), path.join(stage, name), { recursive: true });
  }
  const fileFor = (target) =>
    opt.target === 'all'
      ? path.resolve(root, opt.out ?? '.', `agent-coach-${target}.vsix`)
      : path.resolve(root, opt.out ?? `agent-coach-${target}.vsix`);
  const sbom = sbomOf(shippedPackages());
  for (const target of targets) pack(target, stage, fileFor(target), sbom);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
