import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { makeBatch, type TrainedTrace } from '../../trainer/learning/batch';
import { loadBaseModel } from '../../trainer/model/weights/baseModel';
import { openEngine } from '../../trainer/model/engine/engine';
import { DecoderGraphs } from '../../trainer/model/decoding/decoderGraphs';
import { Scorer } from '../../trainer/learning/trainStep';
import type { ToolSchema } from '../../trainer/protocol/task';
import { Random } from '../../trainer/base/random';
import { localPolicy } from '../../trainer/rollout/policy/local';
import { rollOut } from '../../trainer/rollout/group';
import { episodeOptions } from '../fixtures/episodes';

const tool = (name: string, parameter: string): ToolSchema =>
  ({
    name,
    description: `${name} something`,
    parameters: { type: 'object', properties: { [parameter]: { type: 'string' } }, required: [parameter] },
  }) as unknown as ToolSchema;
const TOOLS = [tool('weighCrate', 'label'), tool('dyeCrate', 'colour'), tool('openHatch', 'hatch')];
const [TEXT, CALLS] = [0.7, 3];

describe('episodes whose calls are sampled hotter than their text', function () {
  this.timeout(60_000);

  it('are trained under the very distribution that they were sampled from', async () => {
    const engine = await openEngine({ engine: 'onnx', threads: 1 });
    const base = loadBaseModel(resolve(__dirname, '../../trainer/model/nano'), 512);
    const options = episodeOptions(
      {
        tools: TOOLS,
        hosts: {
          open: () => ({
            call: async () => ({ kind: 'ok', content: '7', policy: 'real', startedAt: 0, durationMs: 0 }),
            close: () => undefined,
          }),
        },
      },
      {
        policy: localPolicy(base, new DecoderGraphs(engine, base.model), TOOLS, 'auto', 'nano'),
        sampling: { temperature: TEXT, maxTurnTokens: 48, maxTokens: 512 },
        maxTurns: 2,
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
        callTemperature: CALLS,
      })),
      options,
    );
    const traces = rollouts.map(({ trace }) => trace);
    assert.ok(
      traces.every((t) => t.temperature === TEXT && t.callTemperature === CALLS) &&
        traces.some((t) => t.turns.some((turn) => turn.calls.length > 0)),
    );

    const scorer = new Scorer(engine, base.model);
    const drift = async (temperatures: TrainedTrace['temperatures']): Promise<number> => {
      const batch = makeBatch([rollouts.map((rollout) => ({ ...rollout, temperatures }))], base.model.config.vocabSize);
      const [now, then, mask] = await Promise.all(
        [scorer.logprobs(batch), batch.sampledLogprobs, batch.completionMask].map((x) => x.data()),
      );
      return Math.max(...Array.from(mask, (m, i) => m * Math.abs(now[i] - then[i])));
    };
    assert.ok((await drift({ text: TEXT, calls: CALLS })) < 1e-4);
    assert.ok(
      (await drift({ text: TEXT, calls: TEXT })) > 0.1 && (await drift({ text: CALLS, calls: CALLS })) > 0.1,
      'both are told apart',
    );
    engine.dispose();
  });
});
