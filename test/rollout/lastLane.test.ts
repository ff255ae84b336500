import assert from 'node:assert/strict';
import { rollOut } from '../../trainer/rollout/group';
import { episodeOptions, fakeLanes, fakePolicy } from '../fixtures/episodes';
import { Random } from '../../trainer/base/random';

const END = 1;
/** Ends every turn at once, and each turn is a call. */
const caller = fakePolicy({
  tokenizer: { encode: (text) => [...text].map(() => 0), decode: () => '' },
  template: { render: () => 'm', continuation: () => 'm' },
  vocabSize: 2,
  endIds: new Set([END]),
  parser: { parse: () => ({ content: '', calls: [{ name: 'f', arguments: {} }] }) },
  openLanes: fakeLanes(() => Float32Array.of(0, 9)),
});

describe('a rollout whose last lane is ended by a result', () => {
  for (const [limit, { maxTurns, maxTokens }] of [
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
      const options = episodeOptions(
        { tools: [], hosts: { open: () => ({ call, close: () => undefined }) } },
        {
          policy: caller,
          sampling: { temperature: 0, maxTurnTokens: 4, maxTokens },
          maxTurns,
          onEnded: ({ id }) => ended.push(id),
        },
      );
      const [rollout] = await rollOut(
        [{ id: 'a', task: { id: 't', prompt: 'm' }, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(0) }],
        options,
      );
      assert.equal(rollout!.trace.truncated, limit);
      assert.deepEqual(ended, ['a']);
    });
  }
});
