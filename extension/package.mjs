// `npm run package [-- --platform linux-arm64]`: a VSIX for one platform, with only that platform's native libraries.
import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, ensureInstalled, root, run } from './install.mjs';

const { values: opt } = parseArgs({ options: { platform: { type: 'string', default: `${process.platform}-${process.arch}` }, out: { type: 'string' } } });
const out = path.resolve(root, opt.out ?? `agent-coach-${opt.platform}.vsix`);
ensureInstalled();
build('--production', '--platform', opt.platform);
run(process.execPath, [path.join(root, 'node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--no-rewrite-relative-links', '--allow-missing-repository', '--skip-license', '--target', opt.platform, '--out', out]);
console.log(`${out}: ${(statSync(out).size / 1e6).toFixed(1)} MB`);
