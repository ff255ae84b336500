/**
 * The pairs of a file that is given to training: a workspace's preferences.jsonl, a file of bare pairs, or TRL's or
 * OpenAI's rows.
 */

import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { parsePreferenceLine, type PreferenceLine } from '../../protocol/preferences';
import { foldPreferences, trainingPairs } from '../../protocol/preferenceState';
import { UserError } from '../../protocol/result';
import { PreferencePair } from '../../protocol/reward';
import { Message } from '../../protocol/trace';
import type { Note } from '../../protocol/note';
import { readRows } from '../exchange/readRows';
import { keptRequests } from '../requests';
import { toolFileIn } from './openPairs';
import { readTextFile } from '../../base/storage';
import { parseJson } from '../../base/json';

export interface TrainingPairs {
  pairs: { pair: PreferencePair; where: string }[];
  /** a workspace's store: what can't be used is left out and said; of any other file it is an error */
  isStore: boolean;
  notes: Note[];
}

/** @param toolFile of a store, only pairs on these tools are taken, and imported ones */
export function readTrainingPairs(file: string, toolFile: string | null): TrainingPairs {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'config',
      `pairs: ${file} can't be read: ${(error as Error).message}`,
      'give a JSONL file of {"prompt": […], "chosen": […], "rejected": […]}',
    );
  }
  const lines = text
    .split('\n')
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== '');
  const parsed = lines.map(({ line, number }) => parsePreferenceLine(line, number));
  if (!parsed.some((p) => p.ok && p.value.type !== 'pair')) return bare(file, lines);
  const known = parsed.flatMap((p): PreferenceLine[] => (p.ok ? [p.value] : []));
  const notes = parsed.flatMap((p): Note[] =>
    p.ok ? [] : [{ level: 'warning', code: 'pairLeftOut', message: `${basename(file)}: ${p.problem.message}` }],
  );
  const mine = toolFile === null ? null : toolFileIn(dirname(dirname(file)), toolFile);
  const state = foldPreferences(known);
  const pairs = trainingPairs(state, (of) => mine === null || of === null || of === mine);
  const isKept = toolFile === null ? () => false : keptRequests(dirname(dirname(file)), toolFile);
  const [measured, taken] = [
    pairs.filter((pair) => isKept(requestIn(pair))),
    pairs.filter((pair) => !isKept(requestIn(pair))),
  ];
  const others = trainingPairs(state).length - pairs.length;
  const disputed = state.pairs.filter(({ verdict }) => verdict === 'disputed').length;
  if (others > 0)
    notes.push({
      level: 'warning',
      code: 'pairsOfOtherTools',
      message: `${others} pairs are about other tools than ${mine}: they are left out`,
    });
  if (disputed > 0)
    notes.push({
      level: 'warning',
      code: 'pairsDisputed',
      message: `${disputed} pairs are disputed (people do not agree): they are left out`,
    });
  if (measured.length > 0)
    notes.push({
      level: 'warning',
      code: 'requestsKept',
      message: `${measured.length} pairs are about requests that are kept to measure on: they are left out`,
    });
  return { pairs: taken.map((pair) => ({ pair, where: `pair ${pair.id} (${pair.source})` })), isStore: true, notes };
}

/** What the person asked. */
function requestIn({ prompt }: PreferencePair): string {
  const asked = prompt.filter(({ role }) => role === 'user').at(-1)?.['content'];
  return typeof asked === 'string' ? asked : '';
}

function bare(file: string, lines: { line: string; number: number }[]): TrainingPairs {
  const pairs = lines.map(({ line, number }) => {
    const where = `${file}:${number}`;
    const bad = (what: string): UserError =>
      new UserError(
        'config',
        `${where}: ${what}`,
        'a line is {"id", "prompt": [messages], "chosen": [messages], "rejected": [messages]}',
      );
    let json: unknown;
    try {
      json = parseJson(line);
    } catch (error) {
      throw bad(`not JSON (${(error as Error).message})`);
    }
    const own = PreferencePair.safeParse({ id: String(number), ...(json as object) });
    const messages = z.array(Message);
    if (
      own.success &&
      [own.data.prompt, own.data.chosen, own.data.rejected].every((list) => messages.safeParse(list).success)
    )
      return { pair: own.data, where };
    const {
      rows: [row],
      problems,
    } = readRows(line);
    if (row?.kind !== 'pair')
      throw bad(row ? 'a single answer is no pair' : (problems[0]?.message.replace(/^line 1: /, '') ?? 'is no pair'));
    return {
      pair: { id: String(number), prompt: row.prompt, chosen: row.chosen, rejected: row.rejected, source: 'given' },
      where,
    };
  });
  return { pairs, isStore: false, notes: [] };
}
