/**
 * Training steps of a small model on the onnx engine's device that is named; prints the losses and weights as JSON.
 * ONNX Runtime tells its placements on stderr. `webGpuChild.ts DEVICE [STEPS]`
 */
import * as tf from '@tensorflow/tfjs';
import { openOnnx, type OnnxOptions } from '../../../trainer/model/engine/onnx/engine';
import { makeLoop } from './adamLoop';

async function main(device: NonNullable<OnnxOptions['device']>, steps: number): Promise<void> {
  const { version: _, backend, device: what, ...engine } = await openOnnx({ threads: 1, device, isVerbose: true });
  const loop = makeLoop(engine as never);
  const before = loop.state()[0]!.slice();
  const tensors = tf.memory().numTensors;
  const losses = Array.from({ length: steps }, (_, n) => loop.run(n));
  const weights = loop.state().map((s) => [...s]);
  const moved = Math.max(...before.map((x, i) => Math.abs(x - weights[0]![i]!)));
  console.log(
    JSON.stringify({
      what,
      losses,
      weights,
      moved,
      grown: tf.memory().numTensors - tensors,
      compiles: backend.statistics.compiles,
    }),
  );
}
void main(process.argv[2] as 'cpu', Number(process.argv[3] ?? 20));
