/** Import and export of preferences as files. */

import { basename } from 'node:path';
import { PreferenceBody, type LineProblem, type PreferenceFormat } from '../../protocol/preferences';
import { UserError } from '../../protocol/result';
import { readTextFile, writeFileAtomic } from '../../base/storage';
import { exportRows, formatRows, toBodies } from './formats';
import { readRows } from './readRows';
import { preferenceState, recordPreferences, toolsId, type RecordOptions } from '../preferences/store';

/** @throws UserError where no line of it is a preference; what the workspace has already is not imported again */
export function importPreferences(
  workspace: string,
  file: string,
  options: RecordOptions = {},
): { pairs: number; unpaired: number; known: number; problems: LineProblem[] } {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'storage',
      `${file}: can't be read: ${(error as Error).message}`,
      'Give a JSONL file in the form of TRL, OpenAI or KTO.',
    );
  }
  const { rows, problems } = readRows(text);
  if (rows.length === 0)
    throw new UserError(
      'task',
      `${file}: there is no usable preference in it${problems[0] ? `; ${problems[0].message}` : ', it is empty'}`,
      'A line is {"prompt", "chosen", "rejected"} (TRL), {"input", "preferred_output", ' +
        '"non_preferred_output"} (OpenAI) or {"prompt", "completion", "label"} (KTO).',
    );
  const { state } = preferenceState(workspace);
  const keyOf = (about: object) =>
    JSON.stringify({ ...about, id: undefined, source: undefined, version: undefined, t: undefined, author: undefined });
  const there = new Set([...state.imported, ...state.unpaired].map(keyOf));
  const bodies = toBodies(rows, basename(file), toolsId).map((body) => PreferenceBody.parse(body));
  const fresh = bodies.filter((body) =>
    body.type === 'tools' ? state.tools[toolsId(body.tools)] === undefined : !there.has(keyOf(body)),
  );
  const count = (type: string) => fresh.filter((body) => body.type === type).length;
  if (count('pair') + count('unpaired') > 0) recordPreferences(workspace, fresh, options);
  return {
    pairs: count('pair'),
    unpaired: count('unpaired'),
    known: rows.length - count('pair') - count('unpaired'),
    problems,
  };
}

export function exportPreferences(workspace: string, file: string, format: PreferenceFormat): { rows: number } {
  const lines = formatRows(exportRows(preferenceState(workspace).state), format);
  if (lines.length === 0)
    throw new UserError(
      'task',
      `${workspace}: there is no preference to export as ${format} yet`,
      'Mark some pairs first; ties and skips are not exported.',
    );
  writeFileAtomic(file, `${lines.join('\n')}\n`);
  return { rows: lines.length };
}
