/**
 * What the model gives to the trained tokens of a batch: logprobs, entropies, divergence. Tensors of [tokens,
 * vocabulary] are the largest of all, so they may be made a piece at a time.
 */
import * as tf from '@tensorflow/tfjs';
import type { Batch } from './batch';
import { after, checkpointed } from '../model/engine/checkpointed';
import { hiddenStates, logitsOf, pulls, trainedHead, withHead, type CausalLM } from '../model/network/causalLM';
import {
  entropies,
  LARGEST_PIECE,
  logprobsAndEntropies,
  scoresAndPulls,
  selectedLogprobs,
  sharedLogprobs,
} from '../model/network/logprobs';

/** What a loss sees of the model: [sequences, columns], nats, under the distribution that was sampled from. */
export interface TokenScores {
  logprobs: tf.Tensor2D;
  entropies: tf.Tensor2D;
  /** KL(teacher || student) over the teacher's most likely tokens, where there is a teacher (scoreBeside) */
  teacherKl?: tf.Tensor2D;
}

/** Of each of a batch's N trained tokens the teacher's k most likely ids in its place, and how likely it has them. */
export interface TeacherRows {
  /** [N, k] int32 */
  ids: tf.Tensor2D;
  /** [N, k], each row sums to 1 */
  shares: tf.Tensor2D;
  /** [N, 1]: the sum of shares times their logs, nats */
  negentropies: tf.Tensor2D;
  /** [N, 1]: what the k ids have of all probability, before it was made to sum to 1 */
  masses: tf.Tensor2D;
}

const BATCH_KEYS = [
  'prefix',
  'ids',
  'positions',
  'mask',
  'places',
  'targets',
  'bias',
  'temperatures',
  'slots',
  'completionMask',
  'sampledLogprobs',
] as const;
/** A batch's tensors, as a compiled function takes them. */
export type Inputs = Pick<Batch, (typeof BATCH_KEYS)[number]>;
export const INPUT_COUNT = BATCH_KEYS.length;
export const inputsOf = (batch: Batch): tf.Tensor[] => BATCH_KEYS.map((key) => batch[key]);
export const named = (inputs: readonly tf.Tensor[]): Inputs =>
  Object.fromEntries(BATCH_KEYS.map((key, i) => [key, inputs[i]])) as unknown as Inputs;

/**
 * [N, hiddenSize], at the places of the trained tokens alone. @param keys of the prefix, where it is computed apart
 * (prefixKeys.ts); else none
 */
const hiddenAt = (
  model: CausalLM,
  { prefix, ids, positions, mask, places }: Inputs,
  keys: readonly tf.Tensor[],
): tf.Tensor2D =>
  tf.gather(
    hiddenStates(model, ids, { prefix, positions, mask, ...(keys.length > 0 ? { keys } : {}) }) as tf.Tensor2D,
    places,
  );
/**
 * [N, vocab], at the temperatures the tokens were sampled at (defect 3 of ToolBrain): the narrow side is divided. A
 * bias of one number is that of free sampling, 0.
 */
function logitsAt(model: CausalLM, hidden: tf.Tensor, bias: tf.Tensor, temperatures: tf.Tensor): tf.Tensor2D {
  const logits = logitsOf(model, tf.div(hidden, temperatures)) as tf.Tensor2D;
  return bias.size === 1 ? logits : tf.add(logits, bias);
}

/** [N] -> [sequences, columns] */
const inColumns = (x: tf.Tensor1D, { slots, completionMask }: Inputs): tf.Tensor2D =>
  tf.reshape(tf.gather(x, slots), completionMask.shape);

/** To what a gradient will flow. */
export type Learnt = 'nothing' | 'logprobs' | 'entropies, too';

/**
 * Logprobs and entropies of a batch's trained tokens. @param keys of what is computed apart from it, where it is
 * behind a prefix
 */
export function score(model: CausalLM, inputs: Inputs, learnt: Learnt, keys: readonly tf.Tensor[] = []): TokenScores {
  const hidden = hiddenAt(model, inputs, keys);
  const learnsEntropy = learnt === 'entropies, too';
  const both =
    learnsEntropy || model.isWhollyTrained || (model.added && learnt !== 'nothing')
      ? scoresThroughLogits(model, hidden, inputs, learnsEntropy)
      : scoresOfFrozenHead(model, hidden, inputs, learnt === 'logprobs');
  const column = (i: number): tf.Tensor2D =>
    inColumns(tf.reshape(tf.slice2d(both, [0, i], [both.shape[0], 1]), [-1]), inputs);
  return { logprobs: column(0), entropies: column(1) };
}

/** [N, 2]. The gradient to the hidden states is made while the logits of a piece are there. */
function scoresOfFrozenHead(model: CausalLM, hidden: tf.Tensor2D, inputs: Inputs, isLearnt: boolean): tf.Tensor2D {
  const made = (h: tf.Tensor): tf.Tensor2D =>
    inPieces(model, inputs, (rows, inOrder) =>
      tf.tidy(() => {
        const divisors = rows(inputs.temperatures);
        const pull = (p: tf.Tensor2D, ids: tf.Tensor1D): tf.Tensor2D => tf.div(pulls(model, p, ids), divisors);
        return scoresAndPulls(
          logitsAt(model, inOrder(h), rows(inputs.bias), divisors),
          rows(inputs.targets),
          isLearnt ? pull : null,
        );
      }),
    );
  if (!isLearnt) return made(hidden);
  const op = tf.customGrad((...args: unknown[]) => {
    const [h, save] = args as [tf.Tensor2D, tf.GradSaveFunc];
    const all = made(h);
    const [n, d] = h.shape;
    save([tf.slice2d(all, [0, 2], [n, d])]);
    return {
      value: tf.slice2d(all, [0, 0], [n, 2]),
      gradFunc: (dy: tf.Tensor, [pulled]: tf.Tensor[]) =>
        tf.mul(tf.slice2d(dy as tf.Tensor2D, [0, 0], [n, 1]), pulled!),
    };
  });
  return op(hidden) as tf.Tensor2D;
}

/** [N, 2], with gradients to all that the logits are made from. */
function scoresThroughLogits(
  model: CausalLM,
  hidden: tf.Tensor2D,
  inputs: Inputs,
  learnsEntropy: boolean,
): tf.Tensor2D {
  const { targets, bias, temperatures } = inputs;
  if (!model.isCheckpointed) {
    const logits = logitsAt(model, hidden, bias, temperatures);
    return learnsEntropy
      ? (tf.stack([selectedLogprobs(logits, targets), entropies(logits)], 1) as tf.Tensor2D)
      : logprobsAndEntropies(logits, targets);
  }
  // the logits of a piece are made again for its gradient: what they take does not grow with the batch
  return inPieces(model, inputs, (rows, inOrder) =>
    checkpointed(
      ([h, head], [ids, added, divisors], isAgain) => {
        const logits = logitsAt(withHead(model, head), h!, added!, divisors!);
        const logprobs = selectedLogprobs(logits, ids as tf.Tensor1D);
        return tf.stack([logprobs, isAgain && !learnsEntropy ? tf.zerosLike(logprobs) : entropies(logits)], 1);
      },
      [inOrder(hidden), ...trainedHead(model)],
      [rows(targets), rows(bias), rows(temperatures)],
    ),
  );
}

/**
 * As `score`, and the KL to a teacher, by its rows (`teacherRows`). The logits of a piece are made again for the
 * gradient, so that what they take does not grow with the batch.
 */
export function scoreBeside(
  model: CausalLM,
  inputs: Inputs,
  teacher: Pick<TeacherRows, 'ids' | 'shares' | 'negentropies'>,
  keys: readonly tf.Tensor[] = [],
): Required<TokenScores> {
  const hidden = hiddenAt(model, inputs, keys);
  const all = inPieces(model, inputs, (rows, inOrder) =>
    checkpointed(
      ([h, head], [targets, bias, divisors, ids, shares, negentropies], isAgain) => {
        const logits = logitsAt(withHead(model, head), h!, bias!, divisors!);
        const logprobs = selectedLogprobs(logits, targets as tf.Tensor1D);
        const shared = sharedLogprobs(logits, ids as tf.Tensor2D, shares as tf.Tensor2D);
        const kl = tf.sub(tf.reshape(negentropies!, [-1]), shared);
        return tf.stack([logprobs, isAgain ? tf.zerosLike(logprobs) : entropies(logits), kl], 1);
      },
      [inOrder(hidden), ...trainedHead(model)],
      [
        ...[inputs.targets, inputs.bias, inputs.temperatures].map((x) => rows<tf.Tensor>(x)),
        ...[teacher.ids, teacher.shares, teacher.negentropies].map((x) => rows<tf.Tensor>(x)),
      ],
    ),
  );
  const column = (i: number): tf.Tensor2D =>
    inColumns(tf.reshape(tf.slice2d(all, [0, i], [all.shape[0], 1]), [-1]), inputs);
  return { logprobs: column(0), entropies: column(1), teacherKl: column(2) };
}

/**
 * A teacher's k most likely ids in the place of each trained token, among those that the student could choose from.
 * @returns [N, 2k + 2]: ids, shares, negentropy, mass, as `TeacherRows` has them; all float32, as one tensor
 */
export function teacherRows(model: CausalLM, inputs: Inputs, k: number, keys: readonly tf.Tensor[] = []): tf.Tensor2D {
  const hidden = hiddenAt(model, inputs, keys);
  return inPieces(model, inputs, (rows, inOrder) =>
    tf.tidy(() => {
      const logits = logitsAt(model, inOrder(hidden), rows(inputs.bias), rows(inputs.temperatures));
      const { values, indices } = tf.topk(tf.logSoftmax(logits), k, true);
      const mass = tf.sum(tf.exp(values), 1, true);
      const logShares = tf.sub(values, tf.log(mass)); // of a masked id about -1e9, and its share is 0
      const shares = tf.exp(logShares);
      const negentropy = tf.sum(tf.mul(shares, logShares), 1, true);
      return tf.concat([tf.cast(indices, 'float32'), shares, negentropy, mass], 1) as tf.Tensor2D;
    }),
  );
}

/** The sum of KL(policy || reference) over a batch's trained tokens, exact, nats; no gradient is meant to flow. */
export function divergence(policy: CausalLM, reference: CausalLM, inputs: Inputs): tf.Scalar {
  const [ours, theirs] = [hiddenAt(policy, inputs, []), hiddenAt(reference, inputs, [])];
  const perToken = inPieces(policy, inputs, (rows, inOrder) => {
    const logp = (model: CausalLM, hidden: tf.Tensor): tf.Tensor =>
      tf.logSoftmax(logitsAt(model, inOrder(hidden), rows(inputs.bias), rows(inputs.temperatures)));
    const p = logp(policy, ours);
    // masked places are -1e9 in both: 0 * 0
    return tf.sum(tf.mul(tf.exp(p), tf.sub(p, logp(reference, theirs))), 1, true);
  });
  return tf.sum(tf.mul(inColumns(tf.reshape(perToken, [-1]), inputs), inputs.completionMask));
}

/**
 * `run` on a piece of the tokens after another, results [count, k] joined to [N, k]. `rows` cuts what has a row for
 * each token (of one row all pieces have a
 * part); `inOrder` too, and does not give it before the piece before was done.
 */
function inPieces(
  { config }: CausalLM,
  {
    places: {
      shape: [n],
    },
  }: Inputs,
  run: (rows: Rows, inOrder: Rows) => tf.Tensor,
): tf.Tensor2D {
  const most = Math.max(1, Math.floor(LARGEST_PIECE / config.vocabSize));
  const each = Math.ceil(n / Math.ceil(n / most)); // alike: a small last one would take as long to dequantise the head
  const pieces: tf.Tensor2D[] = [];
  for (let from = 0; from < n; from += each) {
    const count = Math.min(each, n - from);
    const rows: Rows = (x) => (x.shape[0] === 1 || count === n ? x : tf.slice(x, from, count));
    const before = pieces.at(-1);
    pieces.push(run(rows, (x) => (before ? after(rows(x), before) : rows(x))) as tf.Tensor2D);
  }
  return pieces.length === 1 ? pieces[0]! : tf.concat(pieces);
}
type Rows = <T extends tf.Tensor>(x: T) => T;
