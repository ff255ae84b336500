/** The runs of a workspace, and one of them by name. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { RunInfo, RunStatus } from '../../protocol/messages';
import { isTrained, runMethod } from '../../protocol/runMethod';
import { UserError } from '../../protocol/result';
import { nearest, suggest } from '../../base/nearest';
import { isHalfMade } from './halfMade';
import { readLabel } from './label';
import { lockHolder } from './lock';
import { readManifest } from './readRun';
import { loadIndex } from './runIndex';
import { runsFolder, workspaceAt } from './workspace';
import { readTextFile } from '../../base/storage';

/** Newest first. Folders that are no run, or are being made just now, are left out. */
export function listRuns(workspace: string): RunInfo[] {
  const runs = runsFolder(workspaceAt(workspace));
  const infos = namesIn(runs)
    .map((name) => join(runs, name))
    .filter((dir) => existsSync(join(dir, 'run.json')) || isHalfMade(dir))
    .map(runInfo);
  return infos.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

/** None where there is no such folder. @throws UserError where something else stands there */
function namesIn(runs: string): string[] {
  if (!existsSync(runs)) return [];
  if (statSync(runs).isDirectory()) return readdirSync(runs).filter((name) => !name.startsWith('.'));
  throw new UserError('storage', `${runs}: a file stands where the folder of runs must be`, 'Move that file away.');
}

export function runInfo(dir: string): RunInfo {
  const { manifest, createdAt, problem } = existsSync(join(dir, 'run.json')) ? readManifest(dir) : halfMade(dir);
  const index = loadIndex(dir);
  const isHeld = lockHolder(dir) !== null;
  const status: RunStatus = index.end !== 'open' ? index.end : isHeld ? 'running' : 'died';
  return {
    id: manifest?.id ?? basename(dir),
    dir,
    createdAt: createdAt ?? 0,
    status,
    toolFile: manifest?.config.toolFile ?? '',
    method: manifest ? runMethod(manifest) : '',
    model: manifest?.config.model ?? '',
    ...(manifest?.config.finetuning === 'full' ? { isWhole: true } : {}),
    step: index.step,
    steps: manifest && isTrained(manifest) ? manifest.config.steps : 0,
    reward: index.reward,
    result: index.result,
    ...(manifest?.evaluated && index.measured ? { measured: index.measured } : {}),
    socket: isHeld ? socketOf(dir) : null,
    problem,
    ...readLabel(dir),
  };
}

const HALF_MADE = 'was killed while its folder was being made: nothing was recorded, there is nothing to resume';

const halfMade = (dir: string): ReturnType<typeof readManifest> => ({
  manifest: null,
  id: null,
  createdAt: statSync(dir).mtimeMs,
  problem: HALF_MADE,
});

/** Where the live trainer listens; null: nowhere. */
export function socketOf(dir: string): string | null {
  try {
    const { path } = JSON.parse(readTextFile(join(dir, 'socket.json'))) as { path?: unknown };
    return typeof path === 'string' ? path : null;
  } catch {
    return null;
  }
}

/**
 * A run by its folder, or by its id in the workspace of `cwd`. @throws UserError with the nearest id, or of the
 * `others` that may stand there
 */
export function findRun(name: string, cwd: string, others: string[] = []): string {
  const asPath = resolve(cwd, name);
  if (existsSync(join(asPath, 'run.json'))) return asPath;
  const runs = runsFolder(workspaceAt(cwd));
  if (/^[\w.-]+$/.test(name) && existsSync(join(runs, name, 'run.json'))) return join(runs, name);
  const ids = namesIn(runs).filter((id) => existsSync(join(runs, id, 'run.json')));
  const half = [asPath, ...(/^[\w.-]+$/.test(name) ? [join(runs, name)] : [])].find(isHalfMade);
  if (half !== undefined)
    throw new UserError('config', `${half}: ${HALF_MADE}`, 'Start it again; --run-dir takes this folder once more.');
  throw new UserError(
    'config',
    `no run "${name}" in ${runs}`,
    ids.length > 0 || nearest(name, others)
      ? suggest(name, [...others, ...ids.sort().reverse().slice(0, 10)])
      : 'Give the folder of a run, or start one: coach train FILE.',
  );
}
