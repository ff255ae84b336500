/** Demonstrations that end with their last call: what a long result costs, and how often it is paid. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { sampleTool } from '../store/runs/sample';
import { Random } from '../../trainer/base/random';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { DEFAULTS } from '../../trainer/protocol/settings/defaults';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import { drawExamples, type Drawn } from '../../trainer/recipes/steps/goldExamples';
import type { Session } from '../../trainer/recipes/steps/session';

const nano = resolve(__dirname, '../../trainer/model/nano');
const tokenizer = Tokenizer.load(nano);
const template = ChatTemplate.load(nano);
const tools: ToolSchema[] = [
  {
    ...sampleTool,
    name: 'readPage',
    description: 'Reads a page',
    parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  },
];
const TASKS: Task[] = ['Harbour', 'Lighthouse', 'Hello'].map((title, i) => ({
  id: `of${i}`,
  prompt: `Read ${title}`,
  calls: title === 'Hello' ? [] : [{ name: 'readPage', arguments: { title } }],
  answer: `It is about ${title}`,
}));

/** A session whose tool returns so many words. */
const session = (words: number, sftAnswerTokens: number): Session =>
  ({
    base: { tokenizer, template },
    policy: { model: { grammarOn: () => null } },
    random: Random.fromSeed(3),
    shownFor: () => tools,
    otherNames: () => null,
    mix: {
      draw: (_: number, count: number) =>
        Array.from({ length: count }, (_, i) => ({ ...TASKS[i % TASKS.length]!, id: `t${i}` })),
    },
    context: {
      tools,
      tasks: { train: TASKS },
      signal: new AbortController().signal,
      config: { maxTokens: 2000, sftAnswerTokens },
      hosts: {
        open: () => ({
          call: async () => ({
            kind: 'ok' as const,
            content: 'tide '.repeat(words),
            policy: 'real' as const,
            startedAt: 0,
            durationMs: 0,
          }),
          close: () => undefined,
        }),
      },
    },
  }) as unknown as Session;

async function drawn(s: Session, update = 1): Promise<Drawn> {
  const known = new Map();
  const drawing = drawExamples(s, update, { step: 1, count: 300 }, { known, taught: null, teacher: null });
  for (;;) {
    const { done, value } = await drawing.next();
    if (done) return value!;
  }
}
const lengths = ({ sequences }: Drawn): number[] => sequences.map(({ trace }) => trace.tokens.ids.length);

describe('demonstrations up to their last call', () => {
  it('hold a long result and its answer so often that these take the tokens that were set, on average', async () => {
    const whole = await drawn(session(200, 0));
    const some = await drawn(session(200, 32));
    assert.equal(whole.counts.upToLastCall, 0);
    const [all, cut] = [lengths(whole), lengths(some)];
    const withCalls = all.filter((_, i) => i % 3 < 2).length;
    const calls = Math.min(...cut.filter((_, i) => i % 3 === 0));
    const rest = all[0]! - calls;
    const kept = withCalls - some.counts.upToLastCall;
    assert.ok(rest > 200, 'a result is long');
    assert.ok(Math.abs((kept * rest) / withCalls - 32) < 12, `${kept} of ${withCalls} hold ${rest} tokens more`);
    assert.deepEqual(
      cut.filter((_, i) => i % 3 === 2),
      all.filter((_, i) => i % 3 === 2),
      'without a call nothing is cut',
    );
    for (const { trace } of some.sequences) assert.equal(trace.tokens.completionMask.at(-1), 1, 'all is learnt from');
  });

  it('hold a short one always; the same update draws the same', async () => {
    const short = await drawn(session(1, 64));
    assert.equal(short.counts.upToLastCall, 0);
    assert.deepEqual(lengths(await drawn(session(200, 32))), lengths(await drawn(session(200, 32))));
    assert.notDeepEqual(lengths(await drawn(session(200, 32), 1)), lengths(await drawn(session(200, 32), 2)));
  });

  it('are the default where a real model learns from made tasks', () => {
    const of = (model: string, isGenerated: boolean): number => DEFAULTS.sftAnswerTokens({ model, isGenerated });
    assert.deepEqual([of('smol', true), of('smol', false), of('nano', true)], [32, 0, 0]);
  });
});
