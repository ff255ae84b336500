import * as tf from '@tensorflow/tfjs';
import { loraScaling } from '../../trainer/model/network/loraShape';
import { addDelta } from '../../trainer/model/weights/exportMerged';
import { loraLayer } from '../fixtures/loraLayer';
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
  x: number[][][];
  y: number[][][];
  cotangent: number[][][];
  grad_x: number[][][];
  grad_A: number[][];
  grad_B: number[][];
  merged_weight: number[][];
}

export interface LoraFile {
  cases: LoraCase[];
}

/** PEFT's cases, on the projection that runs compute and the merge that is exported. Runs have no DoRA. */
export function runLora(file: LoraFile): CaseResult[] {
  return file.cases
    .filter(({ use_dora }) => !use_dora)
    .map((golden) => runCase(`lora.json ${golden.id}`, (check) => compare(golden, check)));
}

function compare(golden: LoraCase, check: CaseCheck): void {
  const scaling = loraScaling({ rank: golden.r, alpha: golden.lora_alpha, rslora: golden.use_rslora });
  check.scalar('scaling', scaling, golden.scaling);
  const weight = tensorOf(golden.weight);
  const [outputs = 0, inputs = 0] = weight.shape;
  const bias = golden.bias === null ? null : tensorOf(golden.bias);
  const layer = (x: tf.Tensor, a: tf.Tensor, b: tf.Tensor): tf.Tensor =>
    loraLayer(tf.reshape(x, [-1, inputs]), { weight, bias, a, b, scaling }); // [rows, out]
  const [x, a, b] = [tensorOf(golden.x), tensorOf(golden.lora_A), tensorOf(golden.lora_B)];
  check.tensor('y', layer(x, a, b), golden.y);
  const cotangent = tf.reshape(tensorOf(golden.cotangent), [-1, outputs]);
  const [gradX, gradA, gradB] = tf.grads(layer)([x, a, b], cotangent);
  check.tensor('grad_x', gradX, golden.grad_x);
  check.tensor('grad_A', gradA, golden.grad_A);
  check.tensor('grad_B', gradB, golden.grad_B);
  const pair = {
    layer: 0,
    target: 'q_proj' as const,
    a: { shape: a.shape, data: Float32Array.from(golden.lora_A.flat()) },
    b: { shape: b.shape, data: Float32Array.from(golden.lora_B.flat()) },
  };
  const merged = addDelta(Float32Array.from(golden.weight.flat()), [outputs, inputs], pair, scaling);
  check.tensor('merged_weight', tf.tensor2d(merged, [outputs, inputs]), golden.merged_weight);
}
