/** All runs as rows: what is shown, how it is sorted and filtered. Pure. */
import { headlineOf } from '../../trainer/protocol/headline';
import type { RunInfo } from '../../trainer/protocol/messages';
import { modelName } from '../../trainer/protocol/modelName';
import { gainChange, type Change } from './noise';
import { shortPath } from '../shared/format';

export interface RunRow {
  info: RunInfo;
  name: string;
  file: string;
  method: string;
  model: string;
  steps: number;
  /** fractions; null: not measured (yet) */
  before: number | null;
  after: number | null;
  gain: Change | null;
  n: number | null;
  seconds: number | null;
  date: number;
  tags: string[];
  notes: string;
}

export const COLUMNS = [
  'name',
  'before',
  'after',
  'gain',
  'n',
  'file',
  'method',
  'model',
  'steps',
  'time',
  'date',
] as const;
export type ColumnId = (typeof COLUMNS)[number];
export interface Order {
  by: ColumnId;
  isDown: boolean;
}

export function runRow(info: RunInfo): RunRow {
  const told = info.result && headlineOf(info.result);
  return {
    info,
    name: info.label?.name || info.id,
    file: shortPath(info.toolFile),
    method: info.method,
    model: modelName(info.model),
    steps: info.step,
    before: (told?.before ?? info.measured)?.success ?? null,
    after: told?.after.success ?? null,
    gain: told ? gainChange(told.gain, told.after.n) : null,
    n: (told?.after ?? info.measured)?.n ?? null,
    seconds: info.result?.seconds ?? null,
    date: info.createdAt,
    tags: info.label?.tags ?? [],
    notes: info.label?.notes ?? '',
  };
}

const KEYS: Record<ColumnId, (row: RunRow) => string | number | null> = {
  name: (row) => row.name.toLowerCase(),
  file: (row) => row.file.toLowerCase(),
  method: (row) => row.method,
  model: (row) => row.model.toLowerCase(),
  steps: (row) => row.steps,
  before: (row) => row.before,
  after: (row) => row.after,
  gain: (row) => row.gain?.difference ?? null,
  n: (row) => row.n,
  time: (row) => row.seconds,
  date: (row) => row.date,
};

/** What was not measured comes last, whichever way; equal ones stay as they were. */
export function sorted(rows: readonly RunRow[], { by, isDown }: Order): RunRow[] {
  const key = KEYS[by];
  return rows
    .map((row, i) => ({ row, i, value: key(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null) || a.i - b.i;
      const less = a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
      return (isDown ? -less : less) || a.i - b.i;
    })
    .map(({ row }) => row);
}

/** Every word must occur in what the row says; a word with # in front must be the beginning of a tag. */
export function matching(rows: readonly RunRow[], filter: string): RunRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = [row.name, row.info.id, row.file, row.method, row.model, row.notes, ...row.tags]
      .join('\n')
      .toLowerCase();
    return words.every((word) =>
      word.startsWith('#') ? row.tags.some((tag) => tag.toLowerCase().startsWith(word.slice(1))) : text.includes(word),
    );
  });
}

/** "mail, first good one" -> its tags, each once. */
export const tagsOf = (text: string): string[] =>
  Array.from(
    new Set(
      text
        .split(',')
        .map((tag) => tag.trim().replace(/^#/, ''))
        .filter(Boolean),
    ),
  );
