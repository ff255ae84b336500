/** 20 training steps of a small model on the onnx engine's device that is named; prints the losses and the weights' sums as JSON. ONNX Runtime tells its placements on stderr. */
import * as tf from '@tensorflow/tfjs';
import { openOnnx } from '../../trainer/engine/onnx/engine';
import { makeLoop } from './adamLoop';

async function main(device: 'cpu' | 'webgpu'): Promise<void> {
  const { version: _, backend, ...engine } = await openOnnx(1, device, true);
  const loop = makeLoop(engine as never);
  const before = loop.state()[0]!.slice();
  const tensors = tf.memory().numTensors;
  const losses = Array.from({ length: 20 }, (_, n) => loop.run(n));
  const weights = loop.state().map((s) => [...s]);
  const moved = Math.max(...before.map((x, i) => Math.abs(x - weights[0]![i]!)));
  console.log(JSON.stringify({ losses, weights, moved, grown: tf.memory().numTensors - tensors, compiles: backend.statistics.compiles }));
}
void main(process.argv[2] as 'cpu');
