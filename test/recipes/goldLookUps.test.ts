/** Demonstrations in which tools are looked up: what is learnt is what is sampled, prompt by prompt. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { episodeOptions, fakePolicy } from '../fixtures/episodes';
import { sampleTool } from '../store/runs/sample';
import { parseSettings, withLimits } from '../../trainer/app/settings';
import { Random } from '../../trainer/base/random';
import { byPrompt } from '../../trainer/recipes/steps/byPrompt';
import { CallGrammar } from '../../trainer/model/decoding/constrained/callGrammar';
import { ChatTemplate, type PromptTool } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import { goldWithLookUps, sequencesOf } from '../../trainer/recipes/steps/goldLookUps';
import type { Session } from '../../trainer/recipes/steps/session';
import { environmentsOf } from '../../trainer/rollout/environment/runEnvironment';
import { runEpisode } from '../../trainer/rollout/episode';
import { nanoParser } from '../../trainer/rollout/parser';
import type { LaneBatch } from '../../trainer/rollout/policy/scheduler';
import { ShownTools } from '../../trainer/tools/retrieval/shownTools';

const nano = resolve(__dirname, '../../trainer/model/nano');
const tokenizer = Tokenizer.load(nano);
const template = ChatTemplate.load(nano);
const END = tokenizer.idOf('<|end|>');
const tools: ToolSchema[] = ['bakeBread', 'findMail', 'payBill'].map((name) => ({
  ...sampleTool,
  name,
  description: `Does ${name}. And more.`,
  parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
}));
const task: Task = {
  id: 't',
  prompt: 'Find the mail by Ada. Then pay the rent.',
  calls: [
    { name: 'findMail', arguments: { of: 'Ada' } },
    { name: 'payBill', arguments: { of: 'rent' } },
  ],
};
/** Each tool by a word of its own; nothing is found by the whole request. */
const find = (request: string) =>
  request === task.prompt ? [] : request.includes('mail') ? [{ name: 'findMail' }] : [{ name: 'payBill' }];
const hosts = {
  open: () => ({
    call: async (name: string) => ({
      kind: 'ok' as const,
      content: JSON.stringify({ did: name }),
      policy: 'real' as const,
      startedAt: 0,
      durationMs: 0,
    }),
    close: () => undefined,
  }),
};
const grammars = new Map<readonly PromptTool[], CallGrammar>();
const grammarOn = (of: readonly PromptTool[]): CallGrammar => {
  const grammar = grammars.get(of) ?? new CallGrammar(tokenizer, of, true, true);
  grammars.set(of, grammar);
  return grammar;
};
const shown = new ShownTools({ tools, most: 2, find, looksUp: true });
const session = {
  base: { tokenizer, template },
  policy: { model: { grammarOn } },
  context: { hosts, tools, shown, signal: new AbortController().signal },
} as unknown as Session;

/** Lanes that go on as one of these sequences does. */
const along = (sequences: readonly (readonly number[])[]) => (): LaneBatch => {
  const read: number[][] = [];
  const logits = (ids: readonly number[]): Float32Array => {
    const one = sequences.find((whole) => whole.length > ids.length && ids.every((id, i) => whole[i] === id));
    assert.ok(one, `read what nothing was learnt behind: ${tokenizer.decode(ids, true)}`);
    return Float32Array.from({ length: tokenizer.vocabSize }, (_, id) => (id === one[ids.length] ? 9 : 0));
  };
  return {
    start: async (prompts) => prompts.map((ids) => logits(read[read.push([...ids]) - 1]!)),
    step: async (feeds) => feeds.map(({ lane, ids }) => logits((read[lane]!.push(...ids), read[lane]!))),
    known: (feeds) => feeds.map(() => 0),
    fork: () => assert.fail('nothing forks'),
    release: () => undefined,
    close: () => undefined,
  };
};

describe('a demonstration that looks tools up', () => {
  it('looks up what is missing when it is needed, by a sentence that finds it', async () => {
    const gold = (await goldWithLookUps(session, task))!;
    const said = gold.messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function));
    assert.deepEqual(
      said.map((call) => `${call.name} ${Object.values(call.arguments).join()}`),
      ['findMail Ada', 'find_tools Then pay the rent.', 'payBill rent'],
    );
    assert.deepEqual(
      gold.shown.map(({ tools: of, from }) => [from, of.map(({ name }) => name).join(' ')]),
      [
        [0, 'find_tools bakeBread findMail'],
        [5, 'find_tools findMail payBill'],
      ],
    );
    assert.ok(!gold.messages.at(-1)!.content.includes('find'), 'the answer is from the results of tools');
    const alone = { ...task, calls: [task.calls![0]!] };
    assert.equal(await goldWithLookUps(session, alone), null, 'nothing is missing');
    const lost = { ...task, prompt: 'Knead.', calls: [{ name: 'bakeBread', arguments: { of: 'rye' } }] };
    const few = new ShownTools({ tools: [...tools].reverse(), most: 1, find, looksUp: true });
    const other = { ...session, context: { ...session.context, shown: few } };
    assert.equal(await goldWithLookUps(other, lost), null, 'nothing said finds it');
  });

  it('sampled, it is the same ids, chosen among the same, behind the same prompts', async () => {
    const gold = (await goldWithLookUps(session, task))!;
    const learnt = sequencesOf(session, gold)!;
    assert.equal(learnt.length, 2);
    const policy = fakePolicy({
      tokenizer,
      template,
      grammarOn,
      vocabSize: tokenizer.vocabSize,
      endIds: new Set([END]),
      parser: nanoParser,
      openLanes: along(learnt.map(({ trace }) => trace.tokens.ids)),
    });
    const { trace, allowed } = await runEpisode(
      { id: 'a', task, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(0) },
      episodeOptions(
        { tools, hosts },
        {
          policy,
          environmentFor: environmentsOf({
            tools,
            shown,
            hosts,
            now: () => 0,
            config: withLimits(parseSettings({ toolFile: '/t.ts' })),
          }),
          sampling: { temperature: 0, maxTurnTokens: 99, maxTokens: 999 },
        },
      ),
    );
    assert.equal(trace.turns.length, 4);
    const sampled = byPrompt({ trace, allowed });
    assert.equal(sampled.length, 2);
    sampled.forEach((one, i) => {
      const { tokens } = learnt[i]!.trace;
      const { length } = tokens.ids;
      assert.deepEqual(one.trace.tokens.ids.slice(0, length), tokens.ids);
      assert.deepEqual(one.trace.tokens.completionMask.slice(0, length), tokens.completionMask);
      assert.ok(!one.trace.tokens.completionMask.slice(length).includes(1), 'nothing is learnt behind it');
      assert.deepEqual(
        [...one.allowed].sort(([a], [b]) => a - b),
        [...learnt[i]!.allowed].sort(([a], [b]) => a - b),
      );
    });
    assert.match(trace.tokens.writer.slice(trace.tokens.begins![0], trace.turns[2]!.start), /^p+$/);
  });
});
