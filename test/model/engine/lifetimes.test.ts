import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { openOnnx } from '../../../trainer/model/engine/onnx/engine';
import type { OnnxBackend } from '../../../trainer/model/engine/onnx/backend';

type Opened = Awaited<ReturnType<typeof openOnnx>>;

describe('onnx: lifetimes of recorded tensors', () => {
  let engine: Opened;
  let backend: OnnxBackend;
  let tensorsBefore: number;
  before(async () => {
    engine = await openOnnx({ threads: 1 });
    backend = engine.backend;
  });
  after(() => engine.dispose());
  beforeEach(() => (tensorsBefore = tf.memory().numTensors));
  afterEach(() => assert.equal(tf.memory().numTensors, tensorsBefore, 'tensors left over'));

  it('a disposed tensor still feeds what was made from it, and is no output', () => {
    const a = tf.tensor1d([1, 2, 3]);
    const b = tf.mul(a, 2);
    a.dispose();
    const c = tf.add(b, 1);
    const d = tf.mul(c, 10);
    tf.dispose([b, c]);
    assert.deepEqual([...d.dataSync()], [30, 50, 70]); // (2x + 1) * 10
    assert.equal(backend.statistics.lastOutputs, 1);
    d.dispose();
    assert.equal(backend.numDataIds(), 0);
  });

  it('a dead branch of a tidy is not computed', () => {
    const x = tf.tensor1d([1, 2]);
    const y = tf.tidy(() => {
      const z = tf.exp(x);
      tf.sin(tf.cos(z));
      return tf.log(z);
    });
    y.dataSync();
    assert.equal(backend.statistics.lastNodes, 2); // exp, log
    tf.dispose([x, y]);
  });

  it('reading one tensor runs everything pending in one graph', () => {
    const x = tf.tensor1d([1, 2]);
    const [y, z] = [tf.neg(x), tf.square(x)];
    y.dataSync();
    const { runs } = backend.statistics;
    assert.deepEqual([...z.dataSync()], [1, 4]);
    assert.equal(backend.statistics.runs, runs);
    tf.dispose([x, y, z]);
  });

  it('a chain of assigns keeps the value that others hold', () => {
    const v = tf.tidy(() => tf.variable(tf.tensor1d([1, 1])));
    const old = tf.add(v, 0.5);
    for (let i = 0; i < 3; i++) tf.tidy(() => v.assign(tf.mul(v, 2)));
    assert.deepEqual([...v.dataSync()], [8, 8]);
    assert.deepEqual([...old.dataSync()], [1.5, 1.5]);
    tf.dispose([v, old]);
  });

  it('clone and reshape outlive their source', () => {
    const a = tf.tensor1d([1, 2]);
    const [r, c] = [tf.reshape(a, [2, 1]), a.clone()];
    a.dispose();
    assert.deepEqual(
      [r.shape, [...r.dataSync()], [...c.dataSync()]],
      [
        [2, 1],
        [1, 2],
        [1, 2],
      ],
    );
    tf.dispose([r, c]);
  });

  it("an edit of the caller's array before the run is not seen, as on the other back ends", () => {
    const array = new Float32Array([1, 2]);
    const t = tf.tensor1d(array);
    const u = tf.add(t, 1);
    array[0] = 50;
    assert.deepEqual([...u.dataSync()], [2, 3]);
    tf.dispose([t, u]);
  });

  it('an alias sees later writes', () => {
    const array = new Float32Array([1, 2]);
    const t = engine.alias(array, [2]);
    const first = tf.add(t, 1);
    assert.deepEqual([...first.dataSync()], [2, 3]);
    array[0] = 50;
    const second = tf.add(t, 1);
    assert.deepEqual([...second.dataSync()], [51, 3]);
    tf.dispose([t, first, second]);
    const again = engine.alias(array, [2]);
    const run = engine.jit((x: tf.Tensor) => tf.add(x, tf.reshape(again, [1, 2])));
    const zero = tf.zeros([1, 2]);
    for (const value of [50, 60]) {
      array[0] = value;
      const out = run(zero);
      assert.deepEqual([...out.dataSync()], [value, 2], 'in a recorded function, in another shape');
      out.dispose();
    }
    tf.dispose([again, zero]);
    assert.throws(() => engine.alias(array, [3]), /alias: 2 numbers do not fill \[3\]/);
  });

  it('one graph serves all values of a shape', () => {
    const run = (n: number): void => tf.tidy(() => void tf.softmax(tf.mul(tf.tensor1d([1, 2, n]), 1 / n)).dataSync());
    run(1);
    const { compiles } = backend.statistics;
    for (let n = 2; n < 20; n++) run(n);
    assert.equal(backend.statistics.compiles, compiles);
  });

  it('tensors move from and to another back end', () => {
    void tf.setBackend('cpu');
    const a = tf.tensor1d([1, 2]);
    void tf.setBackend('onnx');
    const b = tf.add(a, 1);
    void tf.setBackend('cpu');
    const c = tf.mul(b, 2);
    assert.deepEqual([...c.dataSync()], [4, 6]);
    void tf.setBackend('onnx');
    tf.dispose([a, b, c]);
  });

  it('a failing graph names kernel, shapes and the rule, and later reads still work', () => {
    const x = tf.tensor2d([
      [1, 2],
      [3, 4],
    ]);
    const outOfRange = tf.tensor1d([5], 'int32');
    const bad = tf.gather(x, outOfRange);
    const good = tf.neg(x);
    assert.throws(
      () => bad.dataSync(),
      /kernel GatherV2 on \[2, 2\] float32 and \[1\] int32 -> \[1, 2\] float32: .*idx=5/s,
    );
    assert.throws(() => bad.dataSync(), /no values/);
    assert.throws(() => good.dataSync(), /no values/);
    const again = tf.neg(x);
    assert.deepEqual([...again.dataSync()], [-1, -2, -3, -4]);
    tf.dispose([x, outOfRange, bad, good, again]);
  });

  it('a missing kernel says so by name, with the call and the shapes', () => {
    const x = tf.tidy(() => tf.zeros([4, 4, 1])) as tf.Tensor3D;
    assert.throws(
      () => tf.browser.draw(x, {} as HTMLCanvasElement),
      /^Error: onnx: there is no kernel Draw, which tf\.draw needs on \[4, 4, 1\] float32; .*coach engines/,
    );
    x.dispose();
  });

  it('kernels on strings, on complex numbers and with shapes that depend on values run on the host', () => {
    const before = tf.findBackend('cpu').numDataIds();
    tf.tidy(() => {
      assert.deepEqual(tf.concat([tf.tensor1d(['a', 'b']), tf.tensor1d(['c'])]).dataSync(), ['a', 'b', 'c']);
      assert.deepEqual([...tf.real(tf.spectral.fft(tf.complex([1, 2], [0, 0]))).dataSync()], [3, -1]); // 1 + 2, 1 - 2
      const x = tf.mul(tf.tensor1d([2, 1, 2, 3]), 2); // pending
      assert.deepEqual([...tf.unique(x).values.dataSync()], [4, 2, 6]);
    });
    assert.equal(tf.findBackend('cpu').numDataIds(), before);
    const unique = engine.jit((x: tf.Tensor) => tf.unique(x).values);
    tf.tidy(() => assert.throws(() => unique(tf.tensor1d([1, 1])), /jit: the function read a tensor/));
  });
});
