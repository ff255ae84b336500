// `npm start`: the main job in a terminal, from a fresh clone: install, build, train nano on the e-mail example, before
// -> after.
import path from 'node:path';
import { build, ensureInstalled, root, run } from './install.mjs';

ensureInstalled();
build();
run(process.execPath, [
  path.join(root, 'dist/trainer/cli.js'),
  'train',
  'examples/email/tools.ts',
  // By then validation is flat: 64 take twice as long and gain as much. As a setting, so that --steps and --stages go
  // before it.
  ...['--set', 'steps=32'],
  ...process.argv.slice(2),
]);
console.log(
  '\nTo do the same by mouse: npm run vscode (VS Code in your browser, with this extension and examples/ open),\nor npm run package and install the .vsix in your own VS Code.',
);
