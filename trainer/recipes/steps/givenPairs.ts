/**
 * Preference pairs as sequences to learn from: the ids that were sampled where they are known, else tokenised once;
 * what was taken is kept in the run's folder.
 */
import type { Note } from '../../protocol/note';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TrainedTrace } from '../../learning/batch';
import { readTrainingPairs } from '../../store/preferences/trainingPairs';
import type { PreferencePair } from '../../protocol/reward';
import { UserError } from '../../protocol/result';
import { writeFileAtomic } from '../../base/storage';
import type { Session } from './session';
import { cantBeSaid, sideTokens, type Speech } from './pairTokens';

export type Pair = readonly [chosen: TrainedTrace, rejected: TrainedTrace];

export interface GivenPairs {
  pairs: Pair[];
  /** of the tasks that the pairs are about */
  taskIds: Set<string>;
  notes: Note[];
}

/** A resumed run takes what it began with, whatever was marked since. */
export function givenPairs(s: Session, file: string): GivenPairs {
  const kept = join(s.context.run.dir, 'pairs.jsonl');
  const isResumed = existsSync(kept);
  const read = readTrainingPairs(isResumed ? kept : file, isResumed ? null : s.context.config.toolFile);
  const speech = speechOf(s);
  const notes: GivenPairs['notes'] = [...read.notes];
  const taken: { pair: PreferencePair; sides: Pair }[] = []; // each pair with the ids it is trained on
  for (const { pair, where } of read.pairs) {
    const sides = (['chosen', 'rejected'] as const).map((side) => sideTokens(speech, pair, side));
    if (sides[0] && sides[1]) {
      taken.push({
        pair: { ...pair, tokens: { chosen: sides[0].tokens, rejected: sides[1].tokens } },
        sides: [sides[0].sequence, sides[1].sequence],
      });
      continue;
    }
    const message = `${where}: ${cantBeSaid(sides[0] ? 'rejected' : 'chosen', speech)}`;
    if (!read.isStore)
      throw new UserError(
        'config',
        message,
        'a line is {"id", "prompt": [messages], "chosen": [messages], "rejected": [messages]}',
      );
    notes.push({ level: 'warning', code: 'pairLeftOut', message: `${message}; it is left out` });
  }
  if (taken.length === 0)
    throw new UserError(
      'config',
      `pairs: ${file} holds no ` +
        `pair${notes[0] ? ` that can be used: ${notes.map(({ message }) => message).join('; ')}` : ''}`,
      'mark some pairs first, or leave --pairs out to mine them from scored groups',
    );
  if (!isResumed) {
    writeFileAtomic(kept, taken.map(({ pair }) => `${JSON.stringify(pair)}\n`).join(''));
    notes.unshift({
      level: 'info',
      code: 'pairsTaken',
      message:
        `Training on ${taken.length} pairs: ` +
        `${count(taken.map(({ pair }) => pair.source ?? 'given'))}; they are kept in pairs.jsonl`,
    });
  }
  return {
    pairs: taken.map(({ sides }) => sides),
    taskIds: new Set(taken.flatMap(({ pair }) => pair.taskId ?? [])),
    notes,
  };
}

const speechOf = ({ base, policy, context: { tools } }: Session): Speech => ({
  ...base,
  vocabSize: base.model.config.vocabSize,
  tools,
  constraint: policy.constraint,
  grammar: policy.grammar,
});

function count(words: string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, n]) => `${n} ${word}`).join(', ');
}
