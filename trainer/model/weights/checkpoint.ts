/**
 * Checkpoints of a run, `checkpoints/step-00010/`: tensors.safetensors (adapter and optimiser, float32, exact),
 * state.json (step, random state,
 * seed, …) and checksums.json. Written under a temporary name, each file fsynced, then renamed: a folder `step-…` is
 * whole or was damaged later,
 * which its checksums tell.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import { readBytesOf, readTextFile, storing, syncPath, writeAll, writeFileAtomic } from '../../base/storage';
import { readSafetensors, writeSafetensors, type StoredTensor, type Tensor } from './safetensors';

const CHECKPOINT_FORMAT = 1;

/** What a recipe keeps beside its tensors; everything must survive JSON. */
export const CheckpointState = z.looseObject({
  /** optimiser steps done */
  step: z.number().int().min(0),
  seed: z.number().int(),
  /** hashConfig of the run's settings: a checkpoint is no use to a run with others */
  configHash: z.string(),
  /** Random.state() */
  random: z.array(z.number()),
});
export type CheckpointState = z.infer<typeof CheckpointState>;

export interface LoadedCheckpoint {
  step: number;
  path: string;
  tensors: Map<string, StoredTensor>;
  state: CheckpointState;
}

const Checksums = z.object({ format: z.number().int(), files: z.record(z.string(), z.string()) });
const files = ['tensors.safetensors', 'state.json'] as const;

/**
 * @param isBest the best on validation so far: kept whatever else is pruned
 * @param keep how many of the newest stay
 * @returns the checkpoint's folder, relative to the run's
 */
export function saveCheckpoint(
  runDir: string,
  {
    tensors,
    state,
    isBest = false,
    keep = 3,
  }: { tensors: ReadonlyMap<string, Tensor>; state: CheckpointState; isBest?: boolean; keep?: number },
): string {
  const root = join(runDir, 'checkpoints');
  const name = stepName(CheckpointState.parse(state).step);
  const temporary = join(root, `.${name}.${process.pid}.tmp`);
  storing(root, () => {
    mkdirSync(root, { recursive: true });
    for (const left of readdirSync(root))
      if (left.startsWith('.step-')) rmSync(join(root, left), { recursive: true, force: true });
    try {
      mkdirSync(temporary);
      const content = {
        'tensors.safetensors': writeSafetensors(tensors),
        'state.json': Buffer.from(JSON.stringify(state)),
      };
      for (const file of files) writeSynced(join(temporary, file), content[file]);
      const sums = Object.fromEntries(files.map((file) => [file, sha256(content[file])]));
      writeSynced(
        join(temporary, 'checksums.json'),
        Buffer.from(JSON.stringify({ format: CHECKPOINT_FORMAT, files: sums })),
      );
      syncPath(temporary);
      putInPlace(temporary, join(root, name));
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      throw error;
    }
    syncPath(root);
  });
  if (isBest) writeFileAtomic(join(root, 'best.json'), JSON.stringify({ step: state.step }));
  prune(root, keep);
  return `checkpoints/${name}`;
}

/**
 * The newest whole checkpoint, the best one, or that of a step; null: there is none. A damaged one is skipped for the
 * one before and told in
 * `skipped` (best and step skip nothing: another one would not be what was asked for).
 *
 * @throws UserError when the checkpoint belongs to other settings, or a newer Coach wrote it
 */
export function loadCheckpoint(
  runDir: string,
  { which = 'latest', configHash }: { which?: 'latest' | 'best' | number; configHash?: string } = {},
): { checkpoint: LoadedCheckpoint | null; skipped: string[] } {
  const root = join(runDir, 'checkpoints');
  const step = which === 'best' ? bestStep(root) : which;
  if (step === null) return { checkpoint: null, skipped: [] };
  const candidates = step === 'latest' ? savedSteps(root).reverse() : savedSteps(root).filter((s) => s === step);
  const skipped: string[] = [];
  for (const candidate of candidates) {
    const path = join(root, stepName(candidate));
    let checkpoint: LoadedCheckpoint;
    try {
      checkpoint = readWhole(path);
    } catch (error) {
      if (error instanceof NewerFormat) throw error;
      skipped.push(`${path}: is damaged and was skipped: ${(error as Error).message}`);
      continue;
    }
    if (configHash !== undefined && checkpoint.state.configHash !== configHash) {
      throw new UserError(
        'config',
        `${path}: was made with other settings (hash ${checkpoint.state.configHash}, this run has ${configHash})`,
        'run.json was changed after the start; put it back, or start a new run.',
      );
    }
    return { checkpoint, skipped };
  }
  return { checkpoint: null, skipped };
}

/** Steps that have a checkpoint folder, ascending. */
export function savedSteps(root: string): number[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .flatMap((name) => (/^step-\d{5,}$/.test(name) ? [Number(name.slice(5))] : []))
    .sort((a, b) => a - b);
}

const stepName = (step: number): string => `step-${String(step).padStart(5, '0')}`;

/** Settings that came later, as runs of before had them: these go on. */
const BEFORE: Partial<RunConfig> = { toolNetwork: 'allow' };

/** Same settings, same hash, whatever the order of the keys. */
export function hashConfig(config: RunConfig): string {
  const entries = Object.entries(config)
    .filter(([name, value]) => value !== undefined && value !== BEFORE[name as keyof RunConfig])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(Buffer.from(JSON.stringify(entries))).slice(0, 16);
}

class NewerFormat extends UserError {}

function readWhole(path: string): LoadedCheckpoint {
  const checksums = Checksums.parse(JSON.parse(readTextFile(join(path, 'checksums.json'))));
  if (checksums.format > CHECKPOINT_FORMAT) {
    throw new NewerFormat(
      'storage',
      `${path}: checkpoint format must be at most ${CHECKPOINT_FORMAT}, got ${checksums.format}`,
      'Update Coach to the version that wrote it.',
    );
  }
  const content = new Map<string, Buffer>();
  for (const file of files) {
    const bytes = readBytesOf(join(path, file));
    if (sha256(bytes) !== checksums.files[file])
      throw new Error(`${file} (${bytes.length} bytes) is not what its checksum says`);
    content.set(file, bytes);
  }
  const state = CheckpointState.parse(JSON.parse(content.get('state.json')!.toString('utf8')));
  return { step: state.step, path, tensors: readSafetensors(content.get('tensors.safetensors')!), state };
}

/**
 * A step that is repeated after a resume replaces its checkpoint; between the two renames the one before is the
 * newest.
 */
function putInPlace(temporary: string, target: string): void {
  const old = `${temporary}.old`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(temporary, target);
  rmSync(old, { recursive: true, force: true });
}

function prune(root: string, keep: number): void {
  const best = bestStep(root);
  for (const step of savedSteps(root).slice(0, -keep)) {
    if (step !== best) rmSync(join(root, stepName(step)), { recursive: true, force: true });
  }
}

function bestStep(root: string): number | null {
  try {
    return z.object({ step: z.number().int() }).parse(JSON.parse(readTextFile(join(root, 'best.json')))).step;
  } catch {
    return null;
  }
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'wx');
  try {
    writeAll(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
