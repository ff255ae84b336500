import assert from 'node:assert/strict';
import type { Policy } from '../../trainer/rollout/policy/policy';
import { rollout, type RolloutOptions } from '../../trainer/rollout/rollout';
import { Random } from '../../trainer/base/random';

const END = 1;
/** Ends every turn at once, and each turn is a call. */
const caller = {
  name: 'caller',
  version: 'base',
  constraint: 'none',
  grammar: null,
  vocabSize: 2,
  endIds: new Set([END]),
  parser: { parse: () => ({ content: '', calls: [{ name: 'f', arguments: {} }] }) },
  openLanes: () => ({
    start: async (prompts: readonly unknown[]) => prompts.map(() => Float32Array.of(0, 9)),
    step: async (feeds: readonly unknown[]) => feeds.map(() => Float32Array.of(0, 9)),
    known: (feeds: readonly unknown[]) => feeds.map(() => 0),
    release: () => undefined,
    close: () => undefined,
  }),
} as unknown as Policy;

describe('a rollout whose last lane is ended by a result', () => {
  for (const [limit, sampling] of [
    ['turnLimit', { maxTurns: 2, maxTokens: 99 }],
    ['tokenLimit', { maxTurns: 9, maxTokens: 6 }],
  ] as const) {
    it(`${limit}: it ends, and waits for nothing`, async () => {
      const call = async () => ({
        kind: 'ok' as const,
        content: '0',
        policy: 'real' as const,
        startedAt: 0,
        durationMs: 0,
      });
      const ended: string[] = [];
      const options = {
        policy: caller,
        tokenizer: { encode: (text: string) => [...text].map(() => 0), decode: () => '' },
        template: { render: () => 'm', continuation: () => 'm' },
        tools: [],
        hosts: { open: () => ({ call, close: () => undefined }) },
        sampling: { temperature: 0, maxTurnTokens: 4, callLimitMs: 1000, ...sampling },
        runId: 'r',
        phase: 'train',
        step: 1,
        seed: 0,
        signal: new AbortController().signal,
        now: () => 0,
        onEnded: (trace: { id: string }) => ended.push(trace.id),
      } as unknown as RolloutOptions;
      const [trace] = await rollout(
        [{ id: 'a', task: { id: 't', prompt: 'm' }, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(0) }],
        options,
      );
      assert.equal(trace.truncated, limit);
      assert.deepEqual(ended, ['a']);
    });
  }
});
