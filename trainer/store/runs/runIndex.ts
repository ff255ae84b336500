/**
 * index.json: what a list of runs shows, folded from the events up to a byte. It only saves reading; the events are the
 * truth, so a missing,
 * torn or wrong index is made anew, and failing to write it is no error.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { RunResult, Success, type TrainerEvent } from '../../protocol/messages';
import { readEvents } from './readRun';
import { readTextFile, writeFileAtomic } from '../../base/storage';

export const RunIndex = z.object({
  /** events.jsonl is folded up to here */
  bytes: z.number().int(),
  seq: z.number().int(),
  /** how it ended; open: it did not */
  end: z.enum(['open', 'finished', 'stopped', 'failed']),
  step: z.number().int(),
  reward: z.number().nullable(),
  result: RunResult.nullable(),
  /** the first measurement */
  measured: Success.nullable(),
  lastEventAt: z.number().nullable(),
});
export type RunIndex = z.infer<typeof RunIndex>;

export const emptyIndex: RunIndex = {
  bytes: 0,
  seq: -1,
  end: 'open',
  step: 0,
  reward: null,
  result: null,
  measured: null,
  lastEventAt: null,
};

export function indexEvent(index: RunIndex, event: TrainerEvent): RunIndex {
  const next = { ...index, seq: Math.max(index.seq, event.seq), lastEventAt: event.t };
  switch (event.type) {
    case 'runResumed':
      return { ...next, end: 'open', step: event.fromStep, result: null };
    case 'stepFinished':
      return { ...next, step: event.step, reward: event.metrics['reward'] ?? null };
    case 'evaluated':
      return { ...next, measured: next.measured ?? event.result };
    case 'runFinished':
      return { ...next, end: 'finished', result: event.result };
    case 'runStopped':
      return { ...next, end: 'stopped' };
    case 'runFailed':
      return { ...next, end: 'failed' };
    default:
      return next;
  }
}

/** The index up to the last whole line, reading only what index.json does not know yet. */
export function loadIndex(dir: string): RunIndex {
  let index = storedIndex(dir);
  const size = statSync(join(dir, 'events.jsonl'), { throwIfNoEntry: false })?.size ?? 0;
  if (index.bytes > size) index = emptyIndex;
  for (;;) {
    const { events, nextByte } = readEvents(dir, index.bytes);
    if (nextByte === index.bytes) return index;
    index = { ...events.reduce(indexEvent, index), bytes: nextByte };
  }
}

export function storeIndex(dir: string, index: RunIndex): void {
  try {
    writeFileAtomic(join(dir, 'index.json'), JSON.stringify(index), { sync: false });
  } catch {
    // It is only a shortcut.
  }
}

function storedIndex(dir: string): RunIndex {
  try {
    return RunIndex.parse(JSON.parse(readTextFile(join(dir, 'index.json'))));
  } catch {
    return emptyIndex;
  }
}
