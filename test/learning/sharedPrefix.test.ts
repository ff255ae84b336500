import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { makeBatch, type TrainedTrace } from '../../trainer/learning/batch';
import { sharedStart } from '../../trainer/learning/rowLayout';
import { DPO_DEFAULTS, dpoLoss, sequenceLogprobs } from '../../trainer/learning/losses/dpo';
import { GRPO_DEFAULTS, grpoLoss } from '../../trainer/learning/losses/grpo';
import { sftLoss } from '../../trainer/learning/losses/sft';
import { openEngine, type Engine } from '../../trainer/model/engine/engine';
import { causalLM } from '../../trainer/model/network/causalLM';
import { weightShapes, type ModelConfig } from '../../trainer/model/network/config';
import { createTrainable } from '../../trainer/model/network/trained';
import { ADAMW_DEFAULTS, createAdamW } from '../../trainer/learning/optimizer/adamw';
import { Scorer, TrainStep, type Loss } from '../../trainer/learning/trainStep';
import { Random } from '../../trainer/base/random';
import { SMALL_QWEN3 } from './helpers';

const config: ModelConfig = SMALL_QWEN3;

/** 70 tokens that all begin with, a request of its own, and 20 that are trained. */
const sequence = (seed: number, own: number): TrainedTrace => {
  const ids = Array.from({ length: 70 + own + 20 }, (_, t) =>
    t < 70 ? (t * 7919) % 512 : (seed * 104_729 + t * 1299) % 512,
  );
  return {
    trace: { tokens: { ids, logprobs: ids.map(() => -6), completionMask: ids.map((_, t) => (t >= 70 + own ? 1 : 0)) } },
    allowed: new Map(),
  };
};
const sequences = [
  [1, 9],
  [2, 17],
  [3, 4],
  [4, 30],
  [5, 12],
  [6, 21],
].map(([seed, own]) => sequence(seed!, own!));
const SHARED = 70;

interface Method {
  loss: Loss;
  extra(part: TrainedTrace[], reference: tf.Tensor2D, mask: tf.Tensor2D): tf.Tensor[];
}
const methods: Record<'SFT' | 'DPO' | 'GRPO', Method> = {
  SFT: {
    loss: ({ logprobs, entropies }, { completionMask }, [items]) =>
      sftLoss({ logprobs, entropies, labelMask: completionMask, itemsInBatch: items as tf.Scalar }, 'nll'),
    extra: () => [tf.scalar(120)],
  },
  DPO: {
    // one pair a micro-batch, the chosen one first
    loss: ({ logprobs }, { completionMask }, [chosen, rejected]) =>
      dpoLoss(
        {
          logprobs,
          completionMask,
          referenceChosen: chosen as tf.Tensor1D,
          referenceRejected: rejected as tf.Tensor1D,
        },
        DPO_DEFAULTS,
      ),
    extra: (_part, reference, mask) => tf.tidy(() => tf.split(sequenceLogprobs(reference, mask, null), 2)),
  },
  GRPO: {
    loss: ({ logprobs, entropies }, { completionMask }, [advantages, items, rows, reference]) =>
      grpoLoss(
        {
          logprobs,
          entropies,
          completionMask,
          advantages: advantages as tf.Tensor1D,
          itemsInBatch: items as tf.Scalar,
          rowsInBatch: rows as tf.Scalar,
          oldLogprobs: null,
          entropyCoefficient: 0,
          referenceLogprobs: reference as tf.Tensor2D,
        },
        { ...GRPO_DEFAULTS, beta: 0.1 },
      ),
    extra: (part, reference) => [
      tf.tensor1d(part.map((one) => Math.sin(one.trace.tokens.ids[75]!))),
      tf.scalar(120),
      tf.scalar(6),
      tf.clone(reference),
    ],
  },
};

interface How {
  isWhole?: boolean;
  isCheckpointed?: boolean;
  rate?: number;
}
/** In parts of `size` sequences; `shared` of their first tokens are computed once. */
async function updateOf(
  engine: Engine,
  { loss, extra }: Method,
  size: number,
  shared: number,
  { isWhole = false, isCheckpointed = false, rate = 0 }: How,
): Promise<{ losses: number[]; sums: number[][]; norm: number; tokens: number; weights: number[] }> {
  const random = Random.fromSeed('prefix');
  const weights = new Map(
    [...weightShapes(config)].map(
      ([name, shape]) =>
        [
          name,
          tf.keep(
            tf.tensor(
              Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () =>
                name.endsWith('norm.weight') ? 1 : random.normal() * 0.2,
              ),
              shape,
            ),
          ),
        ] as const,
    ),
  );
  const plain = causalLM(config, weights, 256);
  const trained = createTrainable(
    plain,
    isWhole ? 'whole' : { rank: 2, alpha: 4, targets: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'down_proj'] },
    random,
  );
  for (const v of Object.values(trained.variables))
    tf.tidy(() =>
      v.assign(
        tf.tensor(
          Float32Array.from({ length: v.size }, (_, i) => (isWhole ? v.dataSync()[i]! : 0) + random.normal() * 0.05),
          v.shape,
        ),
      ),
    );
  const trainer = new TrainStep(
    engine,
    trained.on({ ...plain, isCheckpointed }),
    trained.variables,
    createAdamW(engine, trained.variables, ADAMW_DEFAULTS),
    loss,
    { maxGradNorm: 1e9, dropout: rate > 0 ? { rate, random, updates: 0 } : null },
  );
  const scorer = new Scorer(engine, plain);
  const losses: number[] = [];
  let tokens = shared;
  let sums: number[][] = [];
  let norm = 0;
  for (let step = 1; step <= 2; step++) {
    // in the second the prefix has other keys and values
    for (let from = 0; from < sequences.length; from += size) {
      const part = sequences.slice(from, from + size);
      const batch = makeBatch([part], config.vocabSize, shared);
      const reference = scorer.logprobs(batch);
      const given = extra(part, reference, batch.completionMask);
      losses.push((await trainer.accumulate(batch, given))['loss']!);
      if (step === 1) tokens += batch.tokens;
      tf.dispose([reference, ...given]);
      batch.dispose();
    }
    norm = await trainer.apply(0.01, step);
    sums = Object.values(trained.variables).map((v) => [...v.dataSync()]);
  }
  scorer.dispose();
  const read = (trainer as unknown as { optimizer: { read(): Map<string, { data: Float32Array }> } }).optimizer.read();
  // 0.09 and 0.1 times the two steps' gradients
  const moments = [...read].filter(([name]) => name.endsWith('exp_avg')).map(([, { data }]) => [...data]);
  trained.dispose();
  tf.dispose([...weights.values(), plain.rotary.cos, plain.rotary.sin]);
  return { losses, sums: moments, norm, tokens, weights: sums.flat() };
}

describe('what all micro-batches of a step begin with', function () {
  this.timeout(120_000);
  let engine: Engine;
  afterEach(() => engine.dispose());

  it('is as long as what all sequences begin with, never with a token that what is trained is predicted from', async () => {
    engine = await openEngine({ engine: 'cpu' });
    assert.equal(sharedStart(sequences), SHARED);
    assert.equal(sharedStart([sequences[0]!, sequences[0]!]), 70 + 9 - 1);
    assert.equal(
      sharedStart([
        sequences[0]!,
        {
          ...sequences[1]!,
          trace: { tokens: { ...sequences[1]!.trace.tokens, ids: [5, ...sequences[1]!.trace.tokens.ids.slice(1)] } },
        },
      ]),
      0,
    );
    const [one] = sequences;
    assert.equal(
      sharedStart([
        one!,
        {
          ...one!,
          trace: {
            tokens: { ...one!.trace.tokens, ids: one!.trace.tokens.ids.map((id, t) => (t === 20 ? id + 1 : id)) },
          },
        },
      ]),
      0,
      '20 tokens are too few',
    );
  });

  for (const [name, method] of Object.entries(methods)) {
    for (const [words, how] of [
      ['LoRA', {}],
      ['LoRA, checkpointed', { isCheckpointed: true }],
      ['all weights', { isWhole: true }],
      ['all weights, checkpointed', { isWhole: true, isCheckpointed: true }],
    ] as [string, How][]) {
      it(`${name}, ${words}: computed once, losses and gradients are those of each micro-batch that computes it itself; no tensor is left`, async () => {
        engine = await openEngine({ engine: 'onnx', threads: 1 });
        const before = tf.memory().numTensors;
        const [once, each] = [
          await updateOf(engine, method, 2, SHARED, how),
          await updateOf(engine, method, 2, 0, how),
        ];
        assert.equal(tf.memory().numTensors, before);
        compare(once, each);
        assert.equal(once.tokens, each.tokens - 2 * SHARED, 'three micro-batches');
      });
    }
  }

  it('on an engine that computes op by op, too', async () => {
    engine = await openEngine({ engine: 'wasm', threads: 1 });
    compare(await updateOf(engine, methods.SFT, 2, SHARED, {}), await updateOf(engine, methods.SFT, 2, 0, {}));
  });

  it('how the step is cut changes nothing but rounding, and the same step has the same bytes', async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    const [twos, threes, again] = [
      await updateOf(engine, methods.SFT, 2, SHARED, {}),
      await updateOf(engine, methods.SFT, 3, SHARED, {}),
      await updateOf(engine, methods.SFT, 2, SHARED, {}),
    ];
    compare({ ...twos, losses: [] }, { ...threes, losses: [] });
    assert.deepEqual(again, twos);
  });

  it('with a dropout the prefix that is gone through backwards is the one that was computed', async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    const [dropped, again, plain] = [
      await updateOf(engine, methods.SFT, 2, SHARED, { rate: 0.3 }),
      await updateOf(engine, methods.SFT, 2, SHARED, { rate: 0.3 }),
      await updateOf(engine, methods.SFT, 2, SHARED, {}),
    ];
    assert.deepEqual(again, dropped);
    assert.notDeepEqual(dropped.sums, plain.sums);
    // checkpointed it is another graph, which draws the same
    compare(await updateOf(engine, methods.SFT, 2, SHARED, { rate: 0.3, isCheckpointed: true }), dropped);
  });
});

type Update = Awaited<ReturnType<typeof updateOf>>;
function compare(found: Update, expected: Update): void {
  found.losses.forEach((loss, i) =>
    assert.ok(
      Math.abs(loss - expected.losses[i]!) <= 2e-5 * Math.max(0.1, Math.abs(loss)),
      `loss ${i}: ${loss}, computed with it ${expected.losses[i]}`,
    ),
  );
  const largest = expected.sums.flat().reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  assert.ok(largest > 1e-4 && expected.sums.every((each) => each.some((x) => x !== 0)), 'every matrix has a gradient');
  found.sums.forEach((each, i) =>
    each.forEach((x, j) =>
      assert.ok(
        Math.abs(x - expected.sums[i]![j]!) <= 1e-4 * largest,
        `matrix ${i}, ${j}: ${x}, computed with it ${expected.sums[i]![j]} (largest ${largest})`,
      ),
    ),
  );
  assert.ok(Math.abs(found.norm - expected.norm) <= 1e-4 * expected.norm, `norm ${found.norm}, ${expected.norm}`);
}
