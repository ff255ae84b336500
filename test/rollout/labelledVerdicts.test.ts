/**
 * Show 1, twice. labelled.jsonl: 60 episodes out of kept measurements of four files (test/bench/anyFile), drawn by
 * Python's random with seed
 * 33 (18 "Done.", 8 refusals, 34 others, each different one once), whose answers one reader labelled; the rule was
 * written beside them. blind.jsonl: 60 more of examples/email, vet and library (seed 3301, half of them solved by the
 * calls alone), labelled by another before reading the rule: 54 answers alike and 56 of 60 solved alike then, with
 * "Done." to three questions called
 * solved and "I found no into." right. The rule was mended on them afterwards, so they hold it now and measure it no
 * more.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import type { ToolResultKind, Trace } from '../../trainer/protocol/trace';
import { writeVerdicts } from '../../trainer/rollout/verdicts/verdicts';
import { trace } from '../rewards/fixtures';

interface Labelled {
  set: string;
  task: Task;
  calls: { name: string; arguments: Record<string, unknown>; kind: ToolResultKind; content: string }[];
  reply: string;
  truncated: Trace['truncated'];
  answerRight: boolean;
}
interface LabelledBlind extends Labelled {
  /** all three verdicts, to the reader */
  solved: boolean;
}
const folder = join(__dirname, '../fixtures/verdicts');
const tools = JSON.parse(readFileSync(join(folder, 'tools.json'), 'utf8')) as Record<string, ToolSchema[]>;
const linesOf = <T>(file: string): T[] =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

function told({ set, task, calls, reply, truncated }: Labelled): Trace {
  const isCut = truncated !== 'no';
  const one = trace(
    [
      ...calls.map(({ name, arguments: args, kind, content }) => ({ calls: [[name, args, kind, content] as never] })),
      ...(isCut ? [] : [{ text: reply }]),
    ],
    { truncated, terminated: !isCut },
  );
  one.messages[0] = { role: 'user', content: task.prompt };
  writeVerdicts(one, task, tools[set]!);
  return one;
}

describe('the rule against a reader', () => {
  const all = linesOf<Labelled>('labelled.jsonl').map((line) => ({ ...line, told: told(line) }));
  it('at least 54 of 60 answers alike', () => {
    assert.equal(all.length, 60);
    const apart = all.filter(({ answerRight, told: { verdicts } }) => verdicts!.answerRight !== answerRight);
    assert.ok(apart.length <= 6, apart.map(({ task, reply }) => `${task.prompt} | ${reply}`).join('\n'));
  });
  it('no episode without an answer is right or finished', () => {
    for (const { told: one } of all.filter(({ truncated }) => truncated !== 'no'))
      assert.deepEqual([one.verdicts!.answerRight, one.verdicts!.finished, one.solved], [false, false, false]);
  });
  it('what is called solved is right to the reader but for one', () => {
    const wrong = all.filter(({ answerRight, told: one }) => one.solved && !answerRight);
    assert.deepEqual(
      wrong.map(({ reply }) => reply),
      ['iTunes'],
    );
  });
});

describe('the rule against a reader who had not read it', () => {
  const all = linesOf<LabelledBlind>('blind.jsonl').map((line) => ({ ...line, told: told(line) }));
  const solvedApart = all.filter(({ solved, told: one }) => one.solved !== solved);
  it('one of 60 apart: "renew B167" may be answered "Done." to a reader, but its task states the new date', () => {
    const apart = all.filter(({ answerRight, told: { verdicts } }) => verdicts!.answerRight !== answerRight);
    for (const some of [apart, solvedApart])
      assert.deepEqual(
        some.map(({ task }) => task.id),
        ['library-049'],
      );
  });
  it('nothing is called right or solved that is not so to the reader', () => {
    const over = all.filter(({ told: one, ...line }) => one.verdicts!.answerRight && !line.answerRight);
    assert.deepEqual([over, solvedApart.filter(({ told: one }) => one.solved)], [[], []]);
  });
});
