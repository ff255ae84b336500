import assert from 'node:assert/strict';
import { episodeOptions, fakeLanes, fakePolicy } from '../fixtures/episodes';
import { openFixtureHosts, fixtureTool } from '../tools/hostsFixture';
import { rolloutMetrics } from '../../trainer/recipes/steps/metrics';
import { RunConfig } from '../../trainer/protocol/runConfig';
import { Trace, type Message } from '../../trainer/protocol/trace';
import { guardsOf } from '../../trainer/rollout/environment/guard/guard';
import { guarded } from '../../trainer/rollout/environment/guards';
import { ToolEnvironment } from '../../trainer/rollout/environment/tools';
import { rollOut } from '../../trainer/rollout/group';
import { nanoParser } from '../../trainer/rollout/parser';
import { Random } from '../../trainer/base/random';

const END = 1;
const add = fixtureTool('harmless.ts', 'add', {
  takes: ['a', 'b'],
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number', default: 10 } },
    required: ['a'],
    additionalProperties: false,
  },
});

/** Ends every turn at once; what it said is the next of `turns`. */
async function play(turns: string[], settings: Partial<RunConfig>): Promise<{ trace: Trace; fed: Message[] }> {
  const config = RunConfig.parse({ toolFile: '/t.ts', ...settings });
  const { hosts } = await openFixtureHosts(
    [add],
    config.guardSchema === undefined ? {} : { checksSchema: config.guardSchema },
  );
  const said = turns.slice();
  const fed: Message[] = [];
  const policy = fakePolicy({
    tokenizer: { encode: (text) => [...text].map(() => 0), decode: () => said.shift()! },
    template: { render: () => 'm', continuation: (messages) => (fed.push(...messages), 'm') },
    vocabSize: 2,
    endIds: new Set([END]),
    parser: nanoParser,
    openLanes: fakeLanes(() => Float32Array.of(0, 9)),
  });
  const now = (): number => 0;
  try {
    const task = { id: 't', prompt: 'Add 120 and 34.' };
    const [rollout] = await rollOut(
      [{ id: 'a', task, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(0) }],
      episodeOptions(
        { tools: [add], hosts },
        {
          policy,
          sampling: { temperature: 0, maxTurnTokens: 4, maxTokens: 99 },
          environmentFor: ({ id }) =>
            guarded(new ToolEnvironment(id, { tools: [add], hosts, callLimitMs: 9000, now }), guardsOf(config), now),
        },
      ),
    );
    return { trace: Trace.parse(rollout!.trace), fed };
  } finally {
    await hosts.close();
  }
}

const kinds = (trace: Trace) => trace.turns.flatMap((turn) => turn.calls.map((call) => call.result?.kind));
const contents = (trace: Trace) => trace.turns.flatMap((turn) => turn.calls.map((call) => call.result?.content));

describe('a guarded rollout', function () {
  this.timeout(30_000);
  const MADE_UP = [
    '<|call|>add{"a":999,"b":34}<|end|>',
    '<|call|>add{"a":120,"b":34}<|end|>',
    'It is 154, and 155 "in Rome".<|end|>',
  ];

  it('by default only the schema guards: made-up values run, and the answer is not looked at', async () => {
    const { trace } = await play(MADE_UP, {});
    assert.deepEqual(contents(trace), ['1033', '154']);
    assert.ok(!('ungrounded' in trace));
    assert.deepEqual(
      kinds((await play(['<|call|>add{"a":"one"}<|end|>', '<|call|>nope{}<|end|>', 'No.<|end|>'], {})).trace),
      ['invalidArguments', 'unknownTool'],
    );
  });

  it('guardValues: the call is not run, the model reads why and may try again', async () => {
    const { trace, fed } = await play(MADE_UP, { guardValues: true });
    const error =
      '{"error":"unseen value: a must be a value that the user gave or that a tool returned, got 999; copy it from there, or ask for it"}';
    assert.deepEqual(kinds(trace), ['unseenValue', 'ok']);
    assert.deepEqual(contents(trace), [error, '154']);
    assert.deepEqual(
      [fed[0], trace.messages[2]],
      Array.from({ length: 2 }, () => ({ role: 'tool', name: 'add', tool_call_id: 'a-0-0', content: error })),
    );
    assert.equal(trace.terminated, true);
    assert.ok(!('ungrounded' in trace));
  });

  it('guardAnswers: what is found nowhere is on the trace; an answer without such a claim has an empty list', async () => {
    assert.deepEqual((await play(MADE_UP.slice(1), { guardAnswers: true })).trace.ungrounded, ['in Rome', '155']);
    assert.deepEqual((await play([MADE_UP[1]!, '154'], { guardAnswers: true })).trace.ungrounded, []);
    assert.ok(
      !('ungrounded' in (await play(['<|call|>add{"a":<|end|>'], { guardAnswers: true })).trace),
      'what could not be read is no answer',
    );
  });

  it('guardSchema: false lets the tool have what the model wrote, with defaults; a tool that is not there stays so', async () => {
    const { trace } = await play(['<|call|>add{"a":"one","c":1}<|end|>', '<|call|>nope{}<|end|>', 'one10.<|end|>'], {
      guardSchema: false,
    });
    assert.deepEqual(kinds(trace), ['ok', 'unknownTool']);
    assert.equal(contents(trace)[0], '"one10"');
  });

  it('is counted in the figures of a step, where its switch is on', async () => {
    const traces = [
      (await play(MADE_UP, { guardValues: true, guardAnswers: true })).trace,
      (await play(['<|call|>nope{}<|end|>', '120'], { guardAnswers: true })).trace,
    ];
    const figures = (config: Partial<RunConfig>) =>
      Object.fromEntries(
        Object.entries(rolloutMetrics(traces, guardsOf(config))).filter(([name]) =>
          /refused|unseen|ungrounded/.test(name),
        ),
      );
    assert.deepEqual(figures({ guardValues: true, guardAnswers: true }), {
      'coach/refused_calls': 2,
      'coach/unseen_values': 1,
      'coach/ungrounded_answers': 1,
    });
    assert.deepEqual(figures({}), { 'coach/refused_calls': 2 });
    assert.equal(
      rolloutMetrics(
        traces.map(({ ungrounded: _, ...trace }) => trace),
        guardsOf({ guardAnswers: true }),
      )['coach/ungrounded_answers'],
      null,
      'no answer was looked at',
    );
  });
});
