// A fresh copy of a folder to open in VS Code; at the end the trainers that were started in it are ended, and it is
// removed.
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './places.mjs';

export function makeWorkspace(from = path.join(root, 'test/fixtures/workspace')) {
  const dir = mkdtempSync(path.join(tmpdir(), 'coach-workspace-'));
  cpSync(from, dir, { recursive: true, filter: (file) => !/[\\/](\.coach|node_modules)([\\/]|$)/.test(file) });
  return {
    dir,
    path: (...parts) => path.join(dir, ...parts),
    dispose() {
      for (const pid of trainersIn(dir))
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          /* it has ended */
        }
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** Trainers are processes of their own: closing the window does not end them. */
export function trainersIn(dir) {
  const runs = path.join(dir, '.coach/runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs).flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(path.join(runs, name, 'lock'), 'utf8')).pid];
    } catch {
      return [];
    }
  });
}

/**
 * A `node` for the setting agentCoach.nodePath that runs test/fixtures/scriptedTrainer.ts where the product's trainer
 * is meant, and
 * everything else as it is: the window under test notices no difference.
 */
export function scriptedNode(folder) {
  const file = path.join(folder, '.scripted-node');
  writeFileSync(
    file,
    `#!/bin/sh
case "$1" in
  */dist/trainer/main.js) if [ "$2" = --play ]; then exec '${process.execPath}' "$@"; fi; shift; exec '${process.execPath}' '${path.join(root, 'dist/test/scriptedTrainer.js')}' "$@" ;;
  *) exec '${process.execPath}' "$@" ;;
esac
`,
  );
  chmodSync(file, 0o755);
  return file;
}
