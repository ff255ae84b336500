/** Logit distillation: by hand, against central differences, and through a whole model. */
import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { makeBatch, type TrainedTrace } from '../../trainer/learning/batch';
import { distilLoss } from '../../trainer/learning/losses/distil';
import { divergence, inputsOf, named, score, scoreBeside } from '../../trainer/learning/tokenScores';
import { TeacherScorer } from '../../trainer/learning/teacherScorer';
import { TrainStep, type Loss } from '../../trainer/learning/trainStep';
import { Random } from '../../trainer/base/random';
import { openEngine } from '../../trainer/model/engine/engine';
import { causalLM } from '../../trainer/model/network/causalLM';
import { weightShapes, type ModelConfig } from '../../trainer/model/network/config';
import { createTrainable } from '../../trainer/model/network/trained';
import { sharedLogprobs } from '../../trainer/model/network/logprobs';
import { ADAMW_DEFAULTS, createAdamW } from '../../trainer/learning/optimizer/adamw';
import {
  assertClose,
  assertGradient,
  assertNoLeak,
  lossOnly,
  randomMatrix,
  read,
  seededRandom,
  SMALL_QWEN3,
} from './helpers';

const config: ModelConfig = { ...SMALL_QWEN3, vocabSize: 48, layers: 2, maxPositions: 64 };

/** Weights that are drawn wide enough for peaked distributions. */
function model(seed: string) {
  const random = Random.fromSeed(seed);
  const weights = new Map(
    [...weightShapes(config)].map(([name, shape]) => {
      const size = shape.reduce((a, b) => a * b, 1);
      const values = Float32Array.from({ length: size }, () => (/norm/.test(name) ? 1 : 2 * random.next() - 1));
      return [name, tf.tensor(values, shape)] as const;
    }),
  );
  return causalLM(config, weights, 64);
}

const sequence = (seed: number, allowed: TrainedTrace['allowed'] = new Map()): TrainedTrace => {
  const ids = Array.from({ length: 14 }, (_, t) => (t < 6 ? t * 5 : (seed * 7 + t * 11) % 48));
  return {
    trace: { tokens: { ids, logprobs: ids.map(() => null), completionMask: ids.map((_, t) => (t >= 6 ? 1 : 0)) } },
    allowed,
  };
};

describe('logit distillation', function () {
  this.timeout(60_000);
  before(async () => {
    await tf.setBackend('cpu');
  });

  it('by hand: teacher 3/4 and 1/4, student 1/2 and 1/4', () => {
    // logits of p = (1/2, 1/4, 1/4); the teacher has 3/4 and 1/4 for ids 0 and 2
    tf.tidy(() => {
      const logits = tf.log(tf.tensor2d([[0.5, 0.25, 0.25]])) as tf.Tensor2D;
      const ids = tf.tensor2d([[0, 2]], [1, 2], 'int32');
      const shares = tf.tensor2d([[0.75, 0.25]]);
      const [value] = sharedLogprobs(logits, ids, shares).dataSync();
      assertClose(value, 0.75 * Math.log(0.5) + 0.25 * Math.log(0.25)); // -0.866434
      // d/dz: shares at their ids, less p times their sum
      const gradient = tf
        .grad((z) => tf.sum(sharedLogprobs(z as tf.Tensor2D, ids, shares)))(logits)
        .dataSync();
      [0.75 - 0.5, -0.25, 0.25 - 0.25].forEach((wanted, i) => assertClose(gradient[i], wanted));
      // KL = 3/4 ln (3/4 : 1/2) + 1/4 ln (1/4 : 1/4) = 0.304099; the label is id 1, -ln 1/4 = 1.386294; 2 items in the
      // step; a second position is no label
      const kl = 0.75 * Math.log(1.5);
      const of = (share: number) =>
        distilLoss({
          kl: tf.tensor2d([[kl, 99]]),
          logprobs: tf.tensor2d([[Math.log(0.25), Number.NaN]]),
          labelMask: tf.tensor2d([[1, 0]]),
          teacherShare: tf.tensor2d([[share]]),
          itemsInBatch: 2,
        });
      for (const [share, wanted] of [
        [0, Math.log(4) / 2],
        [1, kl / 2],
        [0.5, (kl + Math.log(4)) / 4],
      ] as const) {
        const { loss, statistics } = of(share);
        assertClose(loss.dataSync()[0], wanted);
        assertClose(read(statistics)['coach/teacher_kl'], kl);
      }
    });
  });

  it('its gradients against central differences', () => {
    const ids = (): tf.Tensor2D => tf.tensor2d([0, 3, 4, 2, 1, 0], [3, 2], 'int32');
    const shares = (): tf.Tensor2D => tf.tensor2d([0.9, 0.1, 0.5, 0.5, 1, 0], [3, 2]);
    const weights = (): tf.Tensor1D => tf.tensor1d([1, -0.5, 2]);
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('sharedLogprobs', randomMatrix(3, 5, -2, 2, seededRandom(3)), {
          loss: (z) => tf.sum(tf.mul(sharedLogprobs(z as tf.Tensor2D, ids(), shares()), weights())) as tf.Scalar,
        }),
      ),
    );
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('distilLoss', randomMatrix(2, 3, -1.5, -0.2, seededRandom(4)), {
          loss: (input) =>
            lossOnly(
              distilLoss({
                kl: tf.square(input) as tf.Tensor2D,
                logprobs: input as tf.Tensor2D,
                labelMask: tf.tensor2d([1, 0, 1, 1, 1, 0], [2, 3]),
                teacherShare: tf.tensor2d([0.3, 1], [2, 1]),
              }),
            ),
        }),
      ),
    );
  });

  it('the teacher is asked in the same places: of all its tokens it is the whole KL, of itself 0', async () => {
    const engine = await openEngine({ engine: 'cpu', threads: 1 });
    const [student, teacher] = [model('student'), model('teacher')];
    const held = new Map([[8, Int32Array.of(3, 7, 40, 0, 22, (2 * 7 + 8 * 11) % 48)]]);
    const batch = makeBatch([[sequence(1)], [sequence(2, held)]], 48);
    const all = new TeacherScorer(engine, teacher, 4096);
    const rows = all.rows(batch);
    assert.equal(rows.ids.shape[1], 48, 'the vocabulary at most');
    const inputs = named(inputsOf(batch));
    const scores = scoreBeside(student, inputs, rows);
    const plain = score(student, inputs, 'nothing');
    for (const name of ['logprobs', 'entropies'] as const) {
      const [a, b] = [scores[name].dataSync(), plain[name].dataSync()];
      a.forEach((value, i) => assertClose(value, b[i]!));
    }
    // as the exact KL of whole distributions has it, which is computed another way
    const [sum] = tf.sum(tf.mul(scores.teacherKl, batch.completionMask)).dataSync();
    const [whole] = divergence(teacher, student, inputs).dataSync();
    assert.ok(whole! > 1 && Math.abs(sum! - whole!) < 1e-4 * whole!, `${sum} is not ${whole}`);
    rows.masses.dataSync().forEach((mass) => assertClose(mass, 1));
    // the likeliest 5 alone: their shares sum to 1, and no KL is below 0
    const few = new TeacherScorer(engine, teacher, 5);
    const top = few.rows(batch);
    tf.sum(top.shares, 1)
      .dataSync()
      .forEach((sum) => assertClose(sum, 1));
    assert.ok(top.masses.dataSync().every((mass) => mass > 0.1 && mass <= 1 + 1e-6));
    assert.ok([...scoreBeside(student, inputs, top).teacherKl.dataSync()].every((value) => value > -1e-5));
    const itself = new TeacherScorer(engine, student, 48).rows(batch);
    scoreBeside(student, inputs, itself)
      .teacherKl.dataSync()
      .forEach((value, i) => assert.ok(Math.abs(value) < 1e-4, `${i}: ${value}`));
    batch.dispose();
    await engine.dispose();
  });

  it('a step towards the teacher makes the KL smaller, alike behind a prefix that is computed once', async () => {
    const engine = await openEngine({ engine: 'onnx', threads: 1 });
    const [base, teacher] = [model('student'), model('teacher')];
    const sequences = [[sequence(1)], [sequence(2)]];
    const told: number[][] = [];
    for (const shared of [0, 5]) {
      const shape = { rank: 4, alpha: 8, targets: ['q_proj', 'v_proj', 'down_proj'] as const };
      const trained = createTrainable(base, { ...shape, targets: [...shape.targets] }, Random.fromSeed('a'));
      const optimizer = createAdamW(engine, trained.variables, ADAMW_DEFAULTS);
      const loss: Loss = (scores, { completionMask }, [teacherShare]) =>
        distilLoss({
          kl: scores.teacherKl!,
          logprobs: scores.logprobs,
          labelMask: completionMask,
          teacherShare: teacherShare as tf.Tensor2D,
        });
      const step = new TrainStep(engine, trained.on(base), trained.variables, optimizer, loss, {
        maxGradNorm: 1,
        hasTeacher: true,
      });
      const scorer = new TeacherScorer(engine, teacher, 8);
      const kls: number[] = [];
      for (let i = 1; i <= 6; i++) {
        const batch = makeBatch(sequences, 48, shared);
        const { ids, shares, negentropies, masses } = scorer.rows(batch);
        const share = tf.tensor2d([[1], [1]]);
        const metrics = await step.accumulate(batch, [ids, shares, negentropies, share]);
        kls.push(metrics['coach/teacher_kl']!);
        await step.apply(0.02, i);
        tf.dispose([ids, shares, negentropies, masses, share]);
        batch.dispose();
      }
      scorer.dispose();
      assert.ok(kls[5]! < 0.8 * kls[0]!, kls.join(', '));
      told.push(kls);
    }
    told[0]!.forEach((kl, i) =>
      assert.ok(Math.abs(kl - told[1]![i]!) < 1e-3 * kl, `step ${i + 1}: ${told.join(' | ')}`),
    );
    await engine.dispose();
  });
});
