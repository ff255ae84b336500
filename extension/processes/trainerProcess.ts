/**
 * Starts trainers: detached processes of their own that outlive the window. The first line such a process prints says
 * that it began,
 * or why not; what it says on its way down goes into a log by its process id, where the next window finds it. Free of
 * `vscode`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { trainingEnvironment } from '../../trainer/protocol/allocator';
import { TrainerError } from '../../trainer/protocol/result';
import type { RunConfigInput } from '../../trainer/protocol/runConfig';
import { Diagnostic } from '../../trainer/protocol/task';
import { SECRETS_FROM } from '../../trainer/protocol/secretNames';
import type { Log } from '../window/log';
import type { NodeCommand } from './programs';
import { logFileOf, tailOf, trainedIn } from '../runs/runFiles';

export type TrainerStart = { config: RunConfigInput } | { resume: string };

/**
 * Loading a model and compiling may take so long without a word; of the tools and tasks it tells every second or two.
 */
const START_TIMEOUT_MS = 180_000;

/** `preparing` lines come before the one that says whether it began. */
const FirstLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('started'),
    run: z.string(),
    dir: z.string(),
    socket: z.string().nullable(),
    pid: z.number().int(),
    diagnostics: z.array(Diagnostic).default([]),
  }),
  z.object({ type: z.literal('failed'), error: TrainerError }),
  z.object({ type: z.literal('preparing'), message: z.string() }),
]);
type FirstLine = Exclude<z.infer<typeof FirstLine>, { type: 'preparing' }>;

/**
 * @param onPreparing what it does before there is a run. @returns once the run exists and its trainer listens. @throws
 * why it did not begin
 */
export async function startTrainer(
  script: string,
  node: NodeCommand,
  start: TrainerStart,
  workspace: string,
  log: Log,
  onPreparing: (message: string) => void = () => undefined,
): Promise<{ dir: string; pid: number; diagnostics: Diagnostic[] }> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'coach-start-'));
  try {
    const child = launch(script, node, start, workspace, temporary);
    const first = await firstLine(child, onPreparing);
    child.stdout!.destroy(); // nothing follows the first line; the process must not depend on this window
    child.unref();
    if (first.type === 'failed') throw new StartRefused(first.error);
    log.info(`trainer: process ${first.pid} began run ${first.run} in ${first.dir}`);
    return { dir: first.dir, pid: first.pid, diagnostics: first.diagnostics };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function launch(
  script: string,
  node: NodeCommand,
  start: TrainerStart,
  workspace: string,
  temporary: string,
): ChildProcess {
  const args = [script, '--workspace', workspace];
  if ('resume' in start) args.push('--resume', start.resume);
  else {
    const configFile = path.join(temporary, 'config.json');
    writeFileSync(configFile, JSON.stringify(start.config));
    args.push('--config', configFile);
  }
  const early = `${logFileOf(process.pid)}.${path.basename(temporary)}`;
  mkdirSync(path.dirname(early), { recursive: true, mode: 0o700 });
  const output = openSync(early, 'a');
  const environment = trainingEnvironment(
    'config' in start ? { model: 'nano', ...start.config } : trainedIn(start.resume),
    node.env,
    process.platform,
  );
  try {
    const child = spawn(node.command, args, {
      cwd: workspace,
      env: { ...environment, [SECRETS_FROM]: 'stdin' },
      detached: true,
      stdio: ['pipe', 'pipe', output],
    });
    child.stdin!.on('error', () => undefined); // told by its end
    child.stdin!.end(JSON.stringify(node.secrets ?? {}));
    if (child.pid !== undefined) renameSync(early, logFileOf(child.pid)); // an open file keeps its name's changes
    return child;
  } finally {
    closeSync(output);
  }
}

function firstLine(child: ChildProcess, onPreparing: (message: string) => void): Promise<FirstLine> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      child.kill('SIGKILL');
      reject(new Error(`the trainer did not begin in ${START_TIMEOUT_MS / 1000} s`));
    };
    let timer = setTimeout(giveUp, START_TIMEOUT_MS);
    const settle = (how: () => void) => {
      clearTimeout(timer);
      lines.close();
      how();
    };
    const lines = createInterface({ input: child.stdout! });
    lines.on('line', (line) => {
      const said = parseLine(line);
      if (said?.type !== 'preparing')
        return settle(() =>
          said
            ? resolve(said)
            : reject(new Error(`the trainer said something else than it should: ${line.slice(0, 200)}`)),
        );
      clearTimeout(timer);
      timer = setTimeout(giveUp, START_TIMEOUT_MS);
      onPreparing(said.message);
    });
    child.once('error', (error) => settle(() => reject(new Error(`the trainer can't be started: ${error.message}`))));
    child.once('close', (code, signal) =>
      settle(() =>
        reject(
          new Error((child.pid && tailOf(child.pid)) || `the trainer ended with ${signal ?? `exit code ${code}`}`),
        ),
      ),
    );
  });
}

function parseLine(line: string): z.infer<typeof FirstLine> | null {
  try {
    return FirstLine.parse(JSON.parse(line));
  } catch {
    return null; // told by the caller, with the line
  }
}

/** The trainer said no, with the way out, and what of it stands at places of the user's files. */
export class StartRefused extends Error {
  readonly diagnostics: Diagnostic[];
  readonly border: TrainerError['border'];

  constructor({ border, message, hint, diagnostics = [] }: TrainerError) {
    super(hint ? `${message}. ${hint}`.replace(/\.\. /, '. ') : message);
    this.name = 'StartRefused';
    this.border = border;
    this.diagnostics = diagnostics;
  }
}
