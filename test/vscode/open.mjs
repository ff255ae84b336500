// `npm run vscode [-- FOLDER] [--port N]`: the real editor in the browser, with this extension and the examples loaded.
// Ends with Ctrl-C.
// The folder is opened where it lies, so what one trains there stays.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, ensureInstalled, root, run } from '../../extension/build/install.mjs';

const { values: opt, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '0' } },
});
ensureInstalled();
build();
run(process.execPath, [path.join(root, 'test/vscode/prepare-vscode.mjs')]);
const { startVSCode } = await import('./server.mjs');
const code = await startVSCode({
  port: Number(opt.port),
  settings: { 'workbench.reduceMotion': 'auto', 'editor.minimap.enabled': true },
});
const url = code.url({ workspace: path.resolve(positionals[0] ?? path.join(root, 'examples')), extension: root });
console.log(
  `\nVS Code, with Coach loaded, is at\n\n  ${url}\n\nRight-click email/tools.ts, then "Train Agent on These Tools". Ctrl-C ends it.`,
);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void code.stop().then(() => process.exit(0)));
await code.exited;
