import * as tf from '@tensorflow/tfjs';
import { doraLinear, loraDelta, mergeDora, mergeLora } from '../../trainer/model/network/lora';
import { loraScaling } from '../../trainer/model/network/loraShape';
import { type CaseCheck, type CaseResult, runCase, tensorOf } from './compare';

interface LoraCase {
  id: number;
  r: number;
  lora_alpha: number;
  use_rslora: boolean;
  use_dora: boolean;
  scaling: number;
  weight: number[][];
  bias: number[] | null;
  lora_A: number[][];
  lora_B: number[][];
  magnitude: number[] | null;
  x: number[][][];
  y: number[][][];
  cotangent: number[][][];
  grad_x: number[][][];
  grad_A: number[][];
  grad_B: number[][];
  grad_magnitude: number[] | null;
  merged_weight: number[][];
}

export interface LoraFile {
  cases: LoraCase[];
}

export function runLora(file: LoraFile): CaseResult[] {
  return file.cases.map((golden) =>
    runCase(`lora.json ${golden.id} (${golden.use_dora ? 'dora' : 'lora'})`, (check) => compare(golden, check)),
  );
}

function compare(golden: LoraCase, check: CaseCheck): void {
  const scaling = loraScaling({ rank: golden.r, alpha: golden.lora_alpha, rslora: golden.use_rslora });
  check.scalar('scaling', scaling, golden.scaling);
  const weight = tensorOf<tf.Tensor2D>(golden.weight);
  const bias = golden.bias === null ? null : tensorOf<tf.Tensor1D>(golden.bias);
  const inputs = [tensorOf(golden.x), tensorOf(golden.lora_A), tensorOf(golden.lora_B)];
  const cotangent = tensorOf(golden.cotangent);
  const A = inputs[1] as tf.Tensor2D;
  const B = inputs[2] as tf.Tensor2D;

  if (golden.use_dora && golden.magnitude !== null) {
    const magnitude = tensorOf<tf.Tensor1D>(golden.magnitude);
    const layer = (x: tf.Tensor, a: tf.Tensor, b: tf.Tensor, m: tf.Tensor): tf.Tensor =>
      doraLinear(x, weight, bias, a as tf.Tensor2D, b as tf.Tensor2D, m as tf.Tensor1D, scaling);
    check.tensor('y', layer(inputs[0], A, B, magnitude), golden.y);
    const gradients = tf.grads(layer)([...inputs, magnitude], cotangent);
    compareGradients(gradients, golden, check);
    check.tensor('grad_magnitude', gradients[3], golden.grad_magnitude ?? []);
    check.tensor('merged_weight', mergeDora(weight, A, B, magnitude, scaling), golden.merged_weight);
    return;
  }
  const layer = (x: tf.Tensor, a: tf.Tensor, b: tf.Tensor): tf.Tensor => {
    const rows = tf.reshape(x, [-1, weight.shape[1]]);
    const base = tf.reshape(tf.matMul(rows, weight, false, true), tensorShape(golden.y));
    const y = tf.add(base, loraDelta(x, a as tf.Tensor2D, b as tf.Tensor2D, scaling));
    return bias === null ? y : tf.add(y, bias);
  };
  check.tensor('y', layer(inputs[0], A, B), golden.y);
  compareGradients(tf.grads(layer)(inputs, cotangent), golden, check);
  check.tensor('merged_weight', mergeLora(weight, A, B, scaling), golden.merged_weight);
}

function compareGradients([gradX, gradA, gradB]: tf.Tensor[], golden: LoraCase, check: CaseCheck): void {
  check.tensor('grad_x', gradX, golden.grad_x);
  check.tensor('grad_A', gradA, golden.grad_A);
  check.tensor('grad_B', gradB, golden.grad_B);
}

function tensorShape(values: number[][][]): number[] {
  return [values.length, values[0].length, values[0][0].length];
}
