/** A process of its own: what other tests hold in wasm's memory would count. */
import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { openEngine } from '../../../trainer/model/engine/engine';

/** What the test uses of tfjs' BackendWasm: memory for an output, nothing written into it. */
interface Wasm extends tf.KernelBackend {
  makeOutput(shape: number[], dtype: 'float32'): tf.TensorInfo;
}

async function main(): Promise<void> {
  const engine = await openEngine({ engine: 'wasm' });
  const first = tf.tensor1d([1, 2, 3]);
  const backend = tf.backend() as Wasm;
  const held: tf.TensorInfo[] = [];
  // 500 MB each: 8 of them and the reserve of 268 MB are more than 4295 MB
  const fill = (): number => {
    for (;;) held.push(backend.makeOutput([125_000_000], 'float32'));
  };
  assert.throws(
    fill,
    /^Error: wasm: no room for (500|268) MB: tensors take \d{4} MB of the 4295 MB that a wasm memory can have; take smaller batches/,
  );
  assert.ok(held.length >= 6 && held.length <= 8, `${held.length} tensors of 500 MB fitted`);
  assert.deepEqual([...first.dataSync()], [1, 2, 3]);
  assert.deepEqual(
    [...tf.tidy(() => tf.matMul(tf.reshape(first, [1, 3]), tf.reshape(first, [3, 1])).dataSync())],
    [14],
  ); // the reserve serves small work
  const before = held.length;
  for (const { dataId } of held.splice(0)) backend.disposeData(dataId);
  assert.throws(fill, /no room/);
  assert.ok(held.length >= before - 1, 'a small tensor may lie in the way');
  for (const { dataId } of held) backend.disposeData(dataId);
  first.dispose();
  engine.dispose();
}

void main();
