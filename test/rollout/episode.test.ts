import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { readTraceJson, type ToolResult, type Trace } from '../../trainer/protocol/trace';
import type { Environment, Outcome } from '../../trainer/rollout/environment/environment';
import { runEpisode, type EpisodeOptions } from '../../trainer/rollout/episode';
import { rollOut } from '../../trainer/rollout/group';
import { inTurn, scriptedPolicy } from '../../trainer/rollout/policy/scripted';
import type { Policy, PolicyTurn, TurnTokens } from '../../trainer/rollout/policy/policy';
import type { EpisodeRequest } from '../../trainer/rollout/record';
import { episodeOptions } from '../fixtures/episodes';

const OK: ToolResult = { kind: 'ok', content: '7', policy: 'real', startedAt: 0, durationMs: 0 };
const TURN: PolicyTurn = { text: '', content: '', calls: [], finishReason: 'stop', usage: null };
const caller = scriptedPolicy('caller', () => ({ calls: [{ name: 'weigh', arguments: {} }] }));
const request = (id: string): EpisodeRequest => ({
  id,
  task: { id: 't', prompt: 'Weigh it.' },
  groupId: 'g',
  indexInGroup: 0,
  random: Random.fromSeed(1),
});

describe('an episode', () => {
  /** Answers each call with 7, a turn without one with the end; counts who is open. */
  function world(beforeResult: () => Promise<void> = async () => undefined) {
    const counts = { open: 0, most: 0 };
    const environment = (): Environment => ({
      reset: async ({ prompt }) => {
        counts.most = Math.max(counts.most, ++counts.open);
        return { messages: [{ role: 'user', content: prompt }], tools: [] };
      },
      step: async ({ calls }): Promise<Outcome> => {
        await beforeResult();
        return {
          messages: calls.map(({ id, name }) => ({ role: 'tool', name, tool_call_id: id, content: '7' })),
          done: calls.length === 0,
          info: { results: calls.map(() => OK) },
        };
      },
      close: () => void counts.open--,
    });
    return { counts, environment };
  }
  const options = (policy: Policy, environment: () => Environment, more: Partial<EpisodeOptions> = {}) =>
    episodeOptions(
      { tools: [], hosts: { open: () => assert.fail('no host') } },
      {
        policy,
        environmentFor: environment,
        sampling: { temperature: 0, maxTurnTokens: 9, maxTokens: 99 },
        maxTurns: 2,
        ...more,
      },
    );

  it('ends with an answer: terminated, with every message, call and result in its place', async () => {
    const { environment, counts } = world();
    const script = inTurn([{ calls: [{ name: 'weigh', arguments: { label: 'k1' } }] }, { content: 'It weighs 7.' }]);
    const { trace } = await runEpisode(request('a'), options(scriptedPolicy('s', script), environment));
    assert.deepEqual([trace.model, trace.checkpoint, trace.terminated, trace.truncated], ['s', 'scripted', true, 'no']);
    assert.deepEqual(
      trace.turns.map(({ calls }) => calls),
      [[{ id: 'call-0-0', name: 'weigh', arguments: { label: 'k1' }, result: OK }], []],
    );
    assert.deepEqual(trace.messages, [
      { role: 'user', content: 'Weigh it.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call-0-0', type: 'function', function: { name: 'weigh', arguments: { label: 'k1' } } }],
      },
      { role: 'tool', name: 'weigh', tool_call_id: 'call-0-0', content: '7' },
      { role: 'assistant', content: 'It weighs 7.' },
    ]);
    assert.equal(counts.open, 0);
  });

  it('a turn says who answered, and what the environment said of it beside messages and results', async () => {
    const { environment } = world();
    const told = (): Environment => {
      const inner = environment();
      const step: Environment['step'] = async (turn, signal) => {
        const outcome = await inner.step(turn, signal);
        return { ...outcome, info: turn.calls.length > 0 ? { ...outcome.info, cost: 0.5, left: 3 } : outcome.info };
      };
      return { ...inner, step };
    };
    const script = inTurn([{ calls: [{ name: 'weigh', arguments: {} }] }, { content: 'It weighs 7.' }]);
    const { trace } = await runEpisode(request('a'), options(scriptedPolicy('s', script), told));
    assert.deepEqual(
      trace.turns.map(({ policy, info }) => [policy, info]),
      [
        ['s', { cost: 0.5, left: 3 }],
        ['s', undefined],
      ],
    );
    assert.equal('kind' in trace.tokens, false, 'a policy without tokens has no kinds of them');
    assert.deepEqual(readTraceJson(JSON.parse(JSON.stringify(trace))), { ok: true, trace });
  });

  it('kinds of tokens are those of its turns, one after the other; a turn that its length cut off has some, too', async () => {
    const tokens = (kind: string): TurnTokens => ({
      start: kind.search(/[ct]/),
      ids: [...kind].map(() => 5),
      logprobs: [...kind].map(() => null),
      plainLogprobs: [...kind].map(() => null),
      completionMask: [...kind].map(() => 0),
      writer: kind.replaceAll(/./g, 'f'),
      kind,
      allowed: new Map(),
    });
    const turns: PolicyTurn[] = [
      { ...TURN, calls: [{ name: 'weigh', arguments: {} }], tokens: tokens('.uu.ccc.') },
      { ...TURN, finishReason: 'length', tokens: tokens('.rr.t') },
    ];
    const policy: Policy = {
      id: 'p',
      version: 'base',
      constraint: 'none',
      open: () => ({
        respond: async () => turns.shift()!,
        append: () => undefined,
        fork: () => assert.fail('no fork'),
        close: () => undefined,
      }),
    };
    const { trace } = await runEpisode(request('a'), options(policy, world().environment));
    assert.equal(trace.tokens.kind, '.uu.ccc..rr.t');
    assert.deepEqual([trace.turns.length, trace.tokens.ids.length], [1, 13]);
  });

  it('ends at the limit of turns, the last results recorded', async () => {
    const { trace } = await runEpisode(request('a'), options(caller, world().environment));
    assert.deepEqual([trace.terminated, trace.truncated, trace.turns.length], [false, 'turnLimit', 2]);
    assert.equal(trace.messages.at(-1)!.role, 'tool');
  });

  it('a cancel while tools are at work ends it there: no result is recorded, and nobody is told', async () => {
    const stop = new AbortController();
    const { environment, counts } = world(async () => stop.abort());
    const told: Trace[] = [];
    const { trace } = await runEpisode(
      request('a'),
      options(caller, environment, { signal: stop.signal, onEnded: (ended) => told.push(ended) }),
    );
    assert.deepEqual([trace.truncated, trace.turns.length, trace.turns[0]!.calls[0]!.result], ['cancelled', 1, null]);
    assert.deepEqual([told, counts.open], [[], 0]);
  });

  it('what keeps a policy from answering is thrown, when the other episodes have ended, and nothing stays open', async () => {
    const { environment, counts } = world();
    const told: string[] = [];
    let asked = 0;
    const policy = scriptedPolicy('s', () => {
      if (asked++ === 0) throw new Error('out of words');
      return { content: 'Seven.' };
    });
    const o = options(policy, environment, { onEnded: ({ id }) => told.push(id) });
    await assert.rejects(rollOut(['a', 'b', 'c'].map(request), o), /out of words/);
    assert.deepEqual([told, counts.open], [['b', 'c'], 0]);
  });

  it('so many at once as may be, in the order of the requests', async () => {
    const { environment, counts } = world(() => new Promise((resolve) => setTimeout(resolve, Math.random() * 5)));
    const rollouts = await rollOut([...'abcdef'].map(request), options(caller, environment), 2);
    assert.deepEqual(
      rollouts.map(({ trace }) => trace.id),
      [...'abcdef'],
    );
    assert.deepEqual(counts, { open: 0, most: 2 });
  });
});
