import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { makeBatch, type TrainedTrace } from '../../trainer/learning/batch';
import { loadBaseModel } from '../../trainer/model/weights/baseModel';
import { openEngine } from '../../trainer/model/engine/engine';
import { DecoderGraphs } from '../../trainer/model/decoding/decoderGraphs';
import { Scorer } from '../../trainer/learning/trainStep';
import type { Trace } from '../../trainer/protocol/trace';
import { Random } from '../../trainer/base/random';
import { localPolicy } from '../../trainer/rollout/policy/local';
import { rollOut } from '../../trainer/rollout/group';
import { episodeOptions } from '../fixtures/episodes';

describe('episodes sampled from a part of the distribution', function () {
  this.timeout(60_000);

  for (const [name, cut] of [
    ['topK', { topK: 5 }],
    ['topP', { topP: 0.8 }],
    ['minP', { minP: 0.05 }],
    ['all three', { topK: 20, topP: 0.9, minP: 0.02 }],
  ] as const) {
    it(`are trained on just that part: ${name}`, async () => {
      const engine = await openEngine({ engine: 'onnx', threads: 1 });
      const base = loadBaseModel(resolve(__dirname, '../../trainer/model/nano'), 512);
      const options = episodeOptions(
        {
          tools: [],
          hosts: {
            open: () => ({
              call: async () => ({ kind: 'ok', content: '7', policy: 'real', startedAt: 0, durationMs: 0 }),
              close: () => undefined,
            }),
          },
        },
        {
          policy: localPolicy(base, new DecoderGraphs(engine, base.model), [], 'none', 'nano'),
          sampling: { temperature: 1.3, maxTurnTokens: 32, maxTokens: 512, ...cut },
          maxTurns: 1,
        },
      );
      const task = { id: 't', prompt: 'Weigh the crate k12 for me, please.' };
      const rollouts = await rollOut(
        Array.from({ length: 4 }, (_, i) => ({
          id: `e${i}`,
          task,
          groupId: 'g',
          indexInGroup: i,
          random: Random.fromSeed(i),
        })),
        options,
      );
      const sequences = rollouts.map(
        (rollout): TrainedTrace => ({ ...rollout, temperatures: { text: 1.3, calls: 1.3 } }),
      );
      assert.ok(
        sequences.every(({ allowed }) => allowed.size > 0),
        'something was cut',
      );
      const drift = async (list: TrainedTrace[]): Promise<number> => {
        const batch = makeBatch([list], base.model.config.vocabSize);
        const [now, then, mask] = await Promise.all(
          [new Scorer(engine, base.model).logprobs(batch), batch.sampledLogprobs, batch.completionMask].map((x) =>
            x.data(),
          ),
        );
        return Math.max(...Array.from(mask!, (m, i) => m * Math.abs(now![i]! - then![i]!)));
      };
      assert.ok((await drift(sequences)) < 1e-4);
      const alone = sequences.map(
        ({ trace }): TrainedTrace => ({
          trace: { tokens: { ...trace.tokens, logprobs: (trace as Trace).tokens.plainLogprobs! } },
          allowed: new Map(),
          temperatures: { text: 1, calls: 1 },
        }),
      );
      assert.ok((await drift(alone)) < 1e-4, 'beside it stands what the model alone gives');
      assert.ok(
        (await drift(sequences.map((one) => ({ ...one, allowed: new Map() })))) > 0.01,
        'the whole distribution is another',
      );
      engine.dispose();
    });
  }

  it('an id that was written becomes less likely, also greedily', async () => {
    const engine = await openEngine({ engine: 'onnx', threads: 1 });
    const base = loadBaseModel(resolve(__dirname, '../../trainer/model/nano'), 512);
    const written = async (repetitionPenalty: number): Promise<number[]> => {
      const task = { id: 't', prompt: 'Weigh the crate k12 for me, please.' };
      const [rollout] = await rollOut(
        [{ id: 'e', task, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(0) }],
        episodeOptions(
          {
            tools: [],
            hosts: {
              open: () => ({
                call: async () => {
                  throw new Error('no tool');
                },
                close: () => undefined,
              }),
            },
          },
          {
            policy: localPolicy(base, new DecoderGraphs(engine, base.model), [], 'none', 'nano'),
            sampling: { temperature: 0, maxTurnTokens: 24, maxTokens: 512, repetitionPenalty },
            maxTurns: 1,
            phase: 'try',
            step: 0,
          },
        ),
      );
      const { trace } = rollout!;
      assert.equal(trace.tokens.plainLogprobs === undefined, repetitionPenalty === 1);
      return trace.tokens.ids.slice(trace.tokens.completionMask.indexOf(1));
    };
    const [plain, again, penalised] = [await written(1), await written(1), await written(50)];
    assert.deepEqual(plain, again);
    assert.notDeepEqual(plain, penalised);
    assert.equal(new Set(penalised).size, penalised.length, 'nothing is said twice');
    engine.dispose();
  });
});
