/**
 * Name, tags and notes of a run: `label.json` in its folder. No run reads it, so it changes nothing that a run does.
 */
import { existsSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseJson } from '../../base/json';
import { readTextFile, storing, writeFileAtomic } from '../../base/storage';
import { RunLabel, type RunInfo } from '../../protocol/messages';
import { UserError } from '../../protocol/result';
import { lockHolder } from './lock';

const FILE = 'label.json';

/** @returns nothing where there is no label; the reason where it can't be read */
export function readLabel(dir: string): Pick<RunInfo, 'label' | 'labelProblem'> {
  const path = join(dir, FILE);
  if (!existsSync(path)) return {};
  try {
    return { label: RunLabel.parse(parseJson(readTextFile(path))) };
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { labelProblem: `${path}: is no label (name, tags, notes): ${why}` };
  }
}

/** Whole or not at all. @throws UserError where it can't be written */
export function writeLabel(dir: string, label: RunLabel): void {
  if (!existsSync(join(dir, 'run.json')))
    throw new UserError('storage', `${dir}: is no run, so it takes no label`, 'coach runs lists the runs.');
  const path = join(dir, FILE);
  storing(path, () => writeFileAtomic(path, `${JSON.stringify(RunLabel.parse(label), null, 2)}\n`));
}

const MARK = '.deleted';

/**
 * Renames a run's folder beside itself so that no list finds it. @returns its new place. @throws UserError where the
 * run goes on
 */
export function putRunAside(dir: string): string {
  if (!existsSync(join(dir, 'run.json')))
    throw new UserError('storage', `${dir}: is no run`, 'coach runs lists the runs.');
  if (lockHolder(dir) !== null)
    throw new UserError('storage', `${dir}: the run goes on, so it can't be deleted`, 'Stop it first.');
  const aside = join(dirname(dir), `.${basename(dir)}${MARK}`);
  storing(dir, () => renameSync(dir, aside));
  return aside;
}

/** Undoes putRunAside. @throws UserError where a run of that name stands there again */
export function restoreRun(aside: string): string {
  const name = basename(aside);
  if (!name.startsWith('.') || !name.endsWith(MARK))
    throw new UserError('storage', `${aside}: is no deleted run`, 'Name its folder.');
  const dir = join(dirname(aside), name.slice(1, -MARK.length));
  if (existsSync(dir)) throw new UserError('storage', `${dir}: stands there again`, 'Move that folder away.');
  storing(aside, () => renameSync(aside, dir));
  return dir;
}
