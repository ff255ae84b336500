import * as tf from '@tensorflow/tfjs';
import { SFT_LOSS_TYPES, sftLossFromLogits } from '../../trainer/learning/losses/sft';
import { entropies, selectedLogprobs } from '../../trainer/model/network/logprobs';
import { type CaseCheck, type CaseResult, NoLossYet, readStatistics, runCase, tensorOf } from './compare';

interface SftCase {
  id: number;
  loss_type: string;
  num_items_in_batch: number | null;
  logits: number[][][];
  labels: number[][];
  loss: number;
  grad_logits: number[][][];
  metrics: Record<string, number | null>;
}

interface LogprobCase {
  id: number;
  temperature: number;
  hidden: number[][];
  lm_head: number[][];
  labels: number[];
  log_probs: number[];
  entropy: number[];
  cotangent: number[];
  grad_hidden: number[][];
  grad_lm_head: number[][];
}

export interface SftFile {
  cases: SftCase[];
}
export interface LogprobFile {
  cases: LogprobCase[];
}

/** TRL's fused head computes in float32 too. */
const FLOAT32 = { absolute: 1e-5 };

export function runSft(file: SftFile): CaseResult[] {
  return file.cases.map((golden) =>
    runCase(`sft.json ${golden.id} (${golden.loss_type})`, (check) => compareLoss(golden, check)),
  );
}

export function runLogprobs(file: LogprobFile): CaseResult[] {
  return file.cases.map((golden) => runCase(`logps.json ${golden.id}`, (check) => compareLogprobs(golden, check)));
}

function compareLoss(golden: SftCase, check: CaseCheck): void {
  const lossType = SFT_LOSS_TYPES.find((known) => known === golden.loss_type);
  if (lossType === undefined) throw new NoLossYet(`loss_type ${golden.loss_type}`);
  const labels = tf.cast(tensorOf<tf.Tensor2D>(golden.labels), 'int32') as tf.Tensor2D;
  let statistics: Record<string, tf.Scalar> = {};
  const { value, grad } = tf.valueAndGrad((logits) => {
    const result = sftLossFromLogits(logits as tf.Tensor3D, labels, lossType, golden.num_items_in_batch);
    statistics = result.statistics;
    return result.loss;
  })(tensorOf(golden.logits));
  check.scalar('loss', value.dataSync()[0], golden.loss);
  check.tensor('grad_logits', grad, golden.grad_logits);
  check.metrics(readStatistics(statistics), golden.metrics);
}

/** The head as one product: logits = hidden lm_head^T / temperature; TRL's function does the same in chunks. */
function compareLogprobs(golden: LogprobCase, check: CaseCheck): void {
  const hidden = tensorOf<tf.Tensor2D>(golden.hidden); // [rows, hidden]
  const head = tensorOf<tf.Tensor2D>(golden.lm_head); // [vocab, hidden]
  const labels = tf.cast(tensorOf<tf.Tensor1D>(golden.labels), 'int32') as tf.Tensor1D;
  const logits = (h: tf.Tensor, w: tf.Tensor): tf.Tensor2D => tf.div(tf.matMul(h, w, false, true), golden.temperature);
  const logprobs = selectedLogprobs(logits(hidden, head), labels);
  // TRL's entropy is a difference of two numbers as large as the logits, so its rounding grows with them.
  const largest = Math.max(...golden.log_probs.map(Math.abs));
  check.tensor('log_probs', logprobs, golden.log_probs, FLOAT32);
  check.tensor('entropy', entropies(logits(hidden, head)), golden.entropy, { absolute: 1e-5 + 1e-6 * largest });
  const [gradHidden, gradHead] = tf.grads((h, w) => selectedLogprobs(logits(h, w), labels))(
    [hidden, head],
    tensorOf(golden.cotangent),
  );
  check.tensor('grad_hidden', gradHidden, golden.grad_hidden, FLOAT32);
  check.tensor('grad_lm_head', gradHead, golden.grad_lm_head, FLOAT32);
}
