/**
 * Preference pairs as sequences to learn from: the ids that were sampled where they are known, else tokenised once;
 * what was taken is kept in the run's folder.
 */
import type { Note } from '../../protocol/note';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TrainedTrace } from '../../learning/batch';
import { readTrainingPairs } from '../../store/preferences/trainingPairs';
import type { AnswerTokens, PreferencePair } from '../../protocol/reward';
import { UserError } from '../../protocol/result';
import { Message } from '../../protocol/trace';
import { writeFileAtomic } from '../../base/storage';
import type { Session } from './session';
import { spanRanges } from './spanRanges';

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
  const notes: GivenPairs['notes'] = [...read.notes];
  const taken: { pair: PreferencePair; sides: Pair }[] = []; // each pair with the ids it is trained on
  for (const { pair, where } of read.pairs) {
    const sides = (['chosen', 'rejected'] as const).map((side) => sideOf(s, pair, side));
    if (sides[0] && sides[1]) {
      taken.push({
        pair: { ...pair, tokens: { chosen: sides[0].tokens, rejected: sides[1].tokens } },
        sides: [sides[0].sequence, sides[1].sequence],
      });
      continue;
    }
    const message = `${where}: the ${sides[0] ? 'rejected' : 'chosen'} answer can't be said under constraint ${s.policy.constraint}, or holds no choice`;
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
      `pairs: ${file} holds no pair${notes[0] ? ` that can be used: ${notes.map(({ message }) => message).join('; ')}` : ''}`,
      'mark some pairs first, or leave --pairs out to mine them from scored groups',
    );
  if (!isResumed) {
    writeFileAtomic(kept, taken.map(({ pair }) => `${JSON.stringify(pair)}\n`).join(''));
    notes.unshift({
      level: 'info',
      code: 'pairsTaken',
      message: `Training on ${taken.length} pairs: ${count(taken.map(({ pair }) => pair.source ?? 'given'))}; they are kept in pairs.jsonl`,
    });
  }
  return {
    pairs: taken.map(({ sides }) => sides),
    taskIds: new Set(taken.flatMap(({ pair }) => pair.taskId ?? [])),
    notes,
  };
}

function sideOf(
  s: Session,
  pair: PreferencePair,
  side: 'chosen' | 'rejected',
): { tokens: AnswerTokens; sequence: TrainedTrace } | null {
  const [prompt, answer] = [pair.prompt, pair[side]].map((list) => list.map((m) => Message.parse(m)));
  const sampled = pair.tokens?.[side];
  const tokens = sampled && isOurs(s, sampled, prompt!) ? sampled : tokenised(s, prompt!, answer!);
  const sequence = sequenceOfTokens(s, tokens, prompt!);
  return sequence && { tokens, sequence };
}

function tokenised(s: Session, prompt: Message[], answer: Message[]): AnswerTokens {
  const encode = (messages: Message[]) => s.base.template.encodeDialogue(s.base.tokenizer, messages, s.context.tools);
  const { ids, mask } = encode([...prompt, ...answer]);
  return { ids, start: encode(prompt).ids.length, writer: mask.map((m) => (m === 1 ? 's' : 'p')).join('') };
}

/**
 * The ids are this tokenizer's and this template's, on these tools, where they spell what the prompt is written as
 * now.
 */
function isOurs(s: Session, { ids, start, writer }: AnswerTokens, prompt: Message[]): boolean {
  if (writer.length !== ids.length || start >= ids.length || ids.some((id) => id >= s.base.model.config.vocabSize))
    return false;
  const firstAnswer = prompt.findIndex((message) => message.role === 'assistant');
  const opening = s.base.template.render(
    firstAnswer < 0 ? prompt : prompt.slice(0, firstAnswer),
    s.context.tools,
    true,
  );
  return s.base.tokenizer.decode(ids.slice(0, start), true).startsWith(opening);
}

/**
 * As gold.ts does for text: from the answer's start on, what the policy wrote and what was a choice under the
 * constraint is trained. Null: the
 * constraint could never say it, or nothing of it is a choice.
 */
function sequenceOfTokens(
  s: Session,
  { ids, start, writer }: AnswerTokens,
  prompt: readonly Message[],
): TrainedTrace | null {
  const completionMask: (0 | 1)[] = ids.map(() => 0);
  const allowed = new Map<number, Int32Array | null>();
  const rangesAt =
    s.policy.grammar && spanRanges(s, prompt, s.context.tools, (t) => writer[t] === 's' || writer[t] === 'f');
  for (const part of writer.slice(start).matchAll(/[sf]+/g)) {
    const from = start + part.index;
    const turn = s.policy.grammar?.turn({ ids, ranges: rangesAt!(from) });
    for (let t = from; t < from + part[0].length; t++) {
      const choices = turn?.allowed();
      if (turn && !turn.advance(ids[t]!)) return null;
      if (choices && choices.length < 2) continue;
      completionMask[t] = 1;
      if (choices) allowed.set(t, choices);
    }
  }
  return completionMask.includes(1)
    ? { trace: { tokens: { ids, logprobs: ids.map(() => null), completionMask } }, allowed }
    : null;
}

function count(words: string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, n]) => `${n} ${word}`).join(', ');
}
