// Bundles the programs into dist/, and lays beside them what they load at run time.
// node extension/build/build.mjs [--watch] [--production] [--tests] [--only extension,webview] [--platform
// linux-x64|…|universal] [--out dist] [--metafile FILE]
// --production: minified, what a VSIX ships; --tests: what the VS Code suites need, too; --watch: with source maps,
// until Ctrl-C.
// --metafile: which files of node_modules/ are in the bundles, or beside them, as a list in JSON.
// --platform universal: no native library at all, so the trainer runs on wasm.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { webviewBundle } from '../../webview/bundle.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const { values: opt } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
    production: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    only: { type: 'string' },
    platform: { type: 'string', default: `${process.platform}-${process.arch}` },
    out: { type: 'string', default: 'dist' },
    metafile: { type: 'string' },
  },
});
const dist = path.resolve(root, opt.out);
const at = (first, ...parts) =>
  first.startsWith('dist') ? path.join(dist, first.slice(5), ...parts) : path.join(root, first, ...parts);

const common = {
  absWorkingDir: root,
  bundle: true,
  logLevel: 'warning',
  legalComments: 'none',
  minify: opt.production,
  metafile: opt.metafile !== undefined,
  sourcemap: opt.watch ? 'linked' : false,
  tsconfigRaw: { compilerOptions: { target: 'ES2022', useDefineForClassFields: true } },
};
/** zod brings its messages in 50 languages into each bundle, 40 KB packed; ours are English. */
const englishZod = {
  name: 'english-zod',
  setup(build) {
    build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer, path: module }) =>
      /[\\/]zod[\\/]/.test(importer) ? { path: module, namespace: 'no-locales' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'no-locales' }, () => ({ contents: 'export {}' }));
  },
};
/** main.js and cli.js load entry.js, which lies beside them. */
const sharedEntry = {
  name: 'shared-entry',
  setup(build) {
    build.onResolve({ filter: /^\.\/entry$/ }, () => ({ path: './entry.js', external: true }));
  },
};
const node = {
  ...common,
  plugins: [englishZod, sharedEntry],
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Native code stays outside the bundles: it is loaded from dist/node_modules (onnxruntime-node) or from where the
  // user put it.
  // ts-morph carries a whole TypeScript, so the programs share one copy of it, in dist/node_modules, too.
  external: ['vscode', 'onnxruntime-node', 'ts-morph', '@tensorflow/tfjs-node', '@tensorflow/tfjs-node-gpu', 'mocha'],
  // The bundles are CommonJS; a module that asks for its own address gets it.
  define: {
    'import.meta.url': '__bundleUrl',
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  banner: { js: "const __bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
};

/** Separate bundles, so that the service loads no tensors and the tool host nothing at all; name in dist/ -> source. */
const nodePrograms = {
  extension: 'extension/extension.ts',
  'trainer/service': 'trainer/service.ts',
  'trainer/entry': 'trainer/entry.ts',
  'trainer/main': 'trainer/main.ts',
  'trainer/cli': 'trainer/cli.ts',
  'trainer/toolHost': 'trainer/tools/hosts/toolHost.ts',
  ...(opt.tests
    ? {
        'test/suite': 'test/vscode/suite/index.ts',
        'test/scriptedTrainer': 'test/fixtures/scriptedTrainer.ts',
        'test/toolHost': 'trainer/tools/hosts/toolHost.ts',
      }
    : {}),
};
/** A package as one file in dist/node_modules, for bundles that leave it outside. */
function sharedPackage(name) {
  const { version, license } = JSON.parse(readFileSync(at('node_modules', name, 'package.json'), 'utf8'));
  mkdirSync(at('dist/node_modules', name), { recursive: true });
  writeFileSync(
    at('dist/node_modules', name, 'package.json'),
    JSON.stringify({ name, version, license, main: 'index.js' }),
  );
  return {
    ...common,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    entryPoints: { index: name },
    outdir: at('dist/node_modules', name),
  };
}

const wanted = (name) => !opt.only || opt.only.split(',').includes(name);
const builds = [
  ...Object.entries(nodePrograms)
    .filter(([name]) => wanted(name))
    .map(([name, source]) => ({ ...node, entryPoints: { [name]: source }, outdir: dist })),
  ...(wanted('ts-morph') ? [sharedPackage('ts-morph')] : []),
  ...(wanted('webview')
    ? [
        {
          ...webviewBundle(at('dist/webview'), { minify: opt.production, sourcemap: opt.watch }),
          absWorkingDir: root,
          metafile: common.metafile,
        },
      ]
    : []),
];

/** Copies when the source is newer or of another size, so that a repeated build stays quick. */
function copy(from, to) {
  if (!existsSync(from)) return;
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from)) copy(path.join(from, name), path.join(to, name));
    return;
  }
  const source = statSync(from);
  const target = existsSync(to) ? statSync(to) : null;
  if (target && target.size === source.size && target.mtimeMs >= source.mtimeMs) return;
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to);
}

/** The nano model's files: what a run reads, not the recipe that made them. */
function copyNano() {
  const shipped = /\.(json|jinja|safetensors)$|^README\.md$/;
  if (!existsSync(at('trainer/model/nano'))) return;
  for (const name of readdirSync(at('trainer/model/nano')))
    if (shipped.test(name)) copy(at('trainer/model/nano', name), at('dist/nano', name));
}

/** What words mean, for requests that are made: read by its side, since it is no code. */
function copyWords() {
  for (const name of ['words.txt', 'words.int8'])
    copy(at('trainer/tasks/generate/associations', name), at('dist/words', name));
}

/** onnxruntime-node with the libraries of one platform only; its dependencies beyond -common serve its installer. */
function copyOnnxRuntime() {
  const [os, arch] = opt.platform.split('-');
  const from = at('node_modules/onnxruntime-node');
  const to = at('dist/node_modules/onnxruntime-node');
  const bin = path.join('bin', 'napi-v6', os, arch ?? '');
  if (!existsSync(from)) return;
  if (opt.platform === 'universal' || !existsSync(path.join(from, bin))) {
    if (opt.platform !== 'universal')
      console.warn(
        `build: onnxruntime-node has no libraries for ${opt.platform}; the trainer falls back to wasm there`,
      );
    for (const name of ['onnxruntime-node', 'onnxruntime-common'])
      rmSync(at('dist/node_modules', name), { recursive: true, force: true });
    return;
  }
  removeOthers(path.join(to, 'bin/napi-v6'), os);
  removeOthers(path.join(to, 'bin/napi-v6', os), arch);
  copy(path.join(from, 'package.json'), path.join(to, 'package.json'));
  copyScripts(path.join(from, 'dist'), path.join(to, 'dist'));
  // the tarball holds the Mac's library twice; the binding loads the one without the minor version
  for (const name of readdirSync(path.join(from, bin)))
    if (!/\d\.\d+\.\d+\.dylib$/.test(name)) copy(path.join(from, bin, name), path.join(to, bin, name));
  const commonFrom = at('node_modules/onnxruntime-common');
  const commonTo = at('dist/node_modules/onnxruntime-common');
  copy(path.join(commonFrom, 'package.json'), path.join(commonTo, 'package.json'));
  copy(path.join(commonFrom, 'dist/cjs/package.json'), path.join(commonTo, 'dist/cjs/package.json'));
  copyScripts(path.join(commonFrom, 'dist/cjs'), path.join(commonTo, 'dist/cjs'));
}

function removeOthers(folder, kept) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name !== kept) rmSync(path.join(folder, name), { recursive: true });
}

/** The binding between tfjs-node and the libtensorflow that `coach engines --install` fetches. */
function copyTensorFlowBinding() {
  const name = 'tfjs_binding.node';
  if (opt.platform === 'linux-x64')
    copy(at('trainer/model/engine/native/linux-x64', name), at('dist/trainer/native/linux-x64', name));
  else rmSync(at('dist/trainer/native'), { recursive: true, force: true });
}

function copyScripts(from, to) {
  for (const name of readdirSync(from)) if (name.endsWith('.js')) copy(path.join(from, name), path.join(to, name));
}

function copyAssets() {
  copyNano();
  copyWords();
  copyOnnxRuntime();
  copyTensorFlowBinding();
  // The wasm back end looks for its binaries beside the script that loads it; every Node from 16.4 on knows SIMD.
  const wasm = at('node_modules/@tensorflow/tfjs-backend-wasm/wasm-out');
  if (existsSync(wasm))
    for (const name of readdirSync(wasm))
      if (name.endsWith('simd.wasm')) copy(path.join(wasm, name), at('dist/trainer', name));
}

/** What bundles hold bytes of, and what is copied beside them. */
function shippedFiles(results) {
  const bundled = results.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0 && file.includes('node_modules/')),
    ),
  );
  const copied = ['onnxruntime-node', 'onnxruntime-common', '@tensorflow/tfjs-backend-wasm'];
  return [...new Set([...bundled, ...copied.map((name) => `node_modules/${name}/package.json`)])].sort();
}

const started = Date.now();
copyAssets();
if (opt.watch) {
  for (const program of builds) await (await esbuild.context(program)).watch();
  console.log('build: watching');
} else {
  // esbuild has told the errors
  const results = await Promise.allSettled(builds.map((program) => esbuild.build(program)));
  const failed = results.filter((result) => result.status === 'rejected').length;
  console.log(
    `build: ${builds.length - failed} of ${builds.length} bundles in ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  if (failed > 0) process.exitCode = 1;
  else if (opt.metafile) writeFileSync(opt.metafile, JSON.stringify(shippedFiles(results.map(({ value }) => value))));
}
