import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { openEngine, type Engine, type EngineName } from '../../../trainer/model/engine/engine';
import { tensorOver } from '../../../trainer/model/engine/tensorOver';

describe('tensorOver', () => {
  let engine: Engine;
  afterEach(() => engine.dispose());

  for (const name of ['onnx', 'wasm', 'cpu'] as EngineName[]) {
    it(`${name}: a tensor of these numbers, alone and in a recorded function; none is left`, async () => {
      engine = await openEngine({ engine: name, threads: 1 });
      const before = tf.memory().numTensors;
      const weights = tensorOver(Float32Array.of(1, 2, 3, 4), [2, 2]) as tf.Tensor2D;
      const ids = tensorOver(Int32Array.of(1, 0, 1), [3]) as tf.Tensor1D;
      assert.deepEqual([weights.dtype, ids.dtype], ['float32', 'int32']);
      const run = engine.jit((x: tf.Tensor) => tf.gather(tf.matMul(x as tf.Tensor2D, weights), ids));
      const x = tf.tensor2d([1, 0, 0, 2], [2, 2]);
      const [recorded, alone] = [run(x), tf.tidy(() => tf.gather(tf.matMul(x, weights), ids))];
      for (const out of [recorded, alone]) assert.deepEqual([...out.dataSync()], [6, 8, 1, 2, 6, 8]);
      tf.dispose([weights, ids, x, recorded, alone]);
      assert.equal(tf.memory().numTensors, before);
    });
  }

  it('onnx: no copy is made, and what does not fill the shape is refused', async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    const data = Float32Array.of(1, 2);
    const tensor = tensorOver(data, [2]);
    assert.equal((tensor.dataSync() as Float32Array).buffer, data.buffer);
    tensor.dispose();
    assert.throws(() => tensorOver(data, [3]), /2 numbers do not fill \[3\]/);
  });
});
