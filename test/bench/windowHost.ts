/**
 * The half of bench `window` that runs in VS Code's extension host. It opens an empty webview and the panel in turn,
 * telling when it did by a line on the
 * console (`bench open NAME TIME`); then it measures its own event loop while a training streams events, and while it
 * does not (`bench delay NAME P99`).
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { commands, EXTENSION_ID } from '../../extension/contributions';

const ROUNDS = 7;
const OPEN_MS = 2_500;
const WATCH_SECONDS = 10;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const closeAll = async (): Promise<void> => {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await sleep(1_000);
};

async function open(name: string, how: () => unknown): Promise<void> {
  console.log(`bench open ${name} ${Date.now()}`);
  await how();
  await sleep(OPEN_MS);
  await closeAll();
}

function openEmpty(): void {
  const panel = vscode.window.createWebviewPanel('coachBench.empty', 'Empty', vscode.ViewColumn.Active, {
    enableScripts: true,
  });
  panel.webview.html = '<!DOCTYPE html><html><body><p id="empty">Nothing.</p></body></html>';
}

/** p99 of the event loop's delay, ms, while a training runs that the panel follows. */
async function delayBeside(workspace: string, seed: number): Promise<number> {
  const config = path.join(workspace, `bench-${seed}.json`);
  writeFileSync(
    config,
    JSON.stringify({ toolFile: path.join(workspace, 'weather.tools.ts'), steps: WATCH_SECONDS + 8, seed }),
  );
  const child = spawn(
    process.env['COACH_BENCH_NODE']!,
    [process.env['COACH_BENCH_TRAINER']!, '--config', config, '--workspace', workspace],
    { cwd: workspace, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await vscode.commands.executeCommand(commands.refreshRuns);
  await sleep(3_000);
  await vscode.commands.executeCommand(commands.openPanel);
  await sleep(2_000);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(1_000 * WATCH_SECONDS);
  delay.disable();
  child.kill('SIGKILL');
  await ended;
  await closeAll();
  return delay.percentile(99) / 1e6;
}

export async function run(): Promise<void> {
  const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  await vscode.extensions.getExtension(EXTENSION_ID)!.activate();
  await vscode.commands.executeCommand(commands.refreshRuns);
  await sleep(5_000); // the run is read, and the window is at rest
  for (let i = 0; i < ROUNDS; i++) {
    await open('empty', openEmpty);
    await open('panel', () => vscode.commands.executeCommand(commands.showAllTraces));
  }
  for (let i = 0; i < 3; i++) {
    console.log(`bench delay silent ${await delayBeside(workspace, 1)}`);
    console.log(`bench delay streamed ${await delayBeside(workspace, 0)}`);
  }
}
