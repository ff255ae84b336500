import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { openEngine, type Engine } from '../../../trainer/model/engine/engine';
import type { OnnxBackend } from '../../../trainer/model/engine/onnx/backend';

for (const name of ['onnx', 'cpu'] as const) {
  describe(`jit on ${name}`, () => {
    let engine: Engine;
    let tensorsBefore: number;
    before(async () => {
      engine = await openEngine({ engine: name, threads: 1 });
    });
    after(() => engine.dispose());
    beforeEach(() => (tensorsBefore = tf.memory().numTensors));
    afterEach(() => assert.equal(tf.memory().numTensors, tensorsBefore, 'tensors left over'));
    /** Runs on fresh tensors of these numbers and reads the results. */
    const call = (
      fn: (...x: tf.Tensor[]) => tf.Tensor | tf.Tensor[],
      ...numbers: (number | number[])[]
    ): number[][] => {
      const args = numbers.map((n) => tf.tensor(n));
      const out = [fn(...args)].flat();
      const values = out.map((t) => [...t.dataSync()]);
      tf.dispose([...args, ...out]);
      return values;
    };

    it('reads scalars and variables at every call, and writes what it assigns', () => {
      const w = tf.tidy(() => tf.variable(tf.tensor1d([1, 2])));
      const step = engine.jit((x: tf.Tensor, lr: tf.Tensor) => {
        const { value, grads } = tf.variableGrads(() => tf.sum(tf.mul(tf.square(w), x)) as tf.Scalar, [w]);
        w.assign(tf.sub(w, tf.mul(grads[w.name]!, lr)));
        return value;
      });
      // loss = x . w^2 = 1 + 8; gradient 2 x w = [2, 8]; w -= 0.5 * gradient = [0, -2]
      assert.deepEqual(call(step as never, [1, 2], 0.5), [[9]]);
      assert.deepEqual([...w.dataSync()], [0, -2]);
      // a write from outside is seen: loss = 1 + 2; gradient [2, 4]; learning rate 0
      tf.tidy(() => w.assign(tf.tensor1d([1, 1])));
      assert.deepEqual(call(step as never, [1, 2], 0), [[3]]);
      assert.deepEqual([...w.dataSync()], [1, 1]);
      w.dispose();
    });

    it('a variable may be read after it was assigned, assigned twice, or returned', () => {
      const w = tf.tidy(() => tf.variable(tf.scalar(1)));
      const step = engine.jit((x: tf.Tensor) => {
        w.assign(tf.add(w, x) as tf.Scalar);
        w.assign(tf.mul(w, 2) as tf.Scalar);
        return [w, tf.add(w, 0.5), x] as tf.Tensor[];
      });
      assert.deepEqual(call(step as never, 2), [[6], [6.5], [2]]);
      assert.deepEqual(call(step as never, 1), [[14], [14.5], [1]]);
      assert.deepEqual([...w.dataSync()], [14]);
      w.dispose();
    });

    it('variables that share their memory stay apart', () => {
      const a = tf.tidy(() => tf.variable(tf.scalar(1)));
      const b = tf.variable(a);
      const clone = a.clone();
      const step = engine.jit((x: tf.Tensor) => {
        a.assign(tf.add(a, x) as tf.Scalar);
        return tf.add(a, b);
      });
      assert.deepEqual(call(step as never, 5), [[7]]);
      assert.deepEqual([...a.dataSync(), ...b.dataSync(), ...clone.dataSync()], [6, 1, 1]);
      tf.dispose([a, b, clone]);
    });

    it('other shapes, types and lists of results', () => {
      const f = engine.jit((x: tf.Tensor) => [tf.sum(x)]);
      assert.deepEqual(
        [call(f as never, [1, 2]), call(f as never, [1, 2, 3]), call(f as never, [5, 5])],
        [[[3]], [[6]], [[10]]],
      );
      const g = engine.jit((x: tf.Tensor) => (x.dtype === 'int32' ? tf.neg(x) : tf.square(x)));
      const [i, o] = [tf.tensor1d([3], 'int32'), tf.tensor1d([3])];
      const [a, b] = [g(i), g(o)];
      assert.deepEqual([...a.dataSync(), ...b.dataSync()], [-3, 9]);
      tf.dispose([i, o, a, b]);
    });

    it('a jitted function inside another, and the same tensor twice', () => {
      const square = engine.jit((x: tf.Tensor) => tf.square(x));
      const f = engine.jit((x: tf.Tensor, y: tf.Tensor) => tf.add(square(x), y));
      const x = tf.scalar(3);
      const y = f(x, x);
      assert.equal(y.dataSync()[0], 12);
      tf.dispose([x, y]);
    });

    it('gradients through custom gradients, with respect to arguments', () => {
      const f = engine.jit((x: tf.Tensor) => {
        const double = tf.customGrad((t: unknown, save: unknown) => {
          (save as tf.GradSaveFunc)([t as tf.Tensor]);
          return {
            value: tf.mul(t as tf.Tensor, 2),
            gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => tf.mul(dy, tf.mul(saved[0]!, 10)),
          };
        });
        return tf.grad((t) => tf.sum(double(t)))(x);
      });
      assert.deepEqual(call(f as never, [1, 2]), [[10, 20]]);
    });

    it('slices of an argument, of a variable and of an alias', () => {
      const w = tf.tidy(() =>
        tf.variable(
          tf.tensor2d([
            [1, 2],
            [3, 4],
            [5, 6],
          ]),
        ),
      );
      const cache = new Float32Array([0, 1, 2, 3, 4, 5, 6, 7]);
      const f = engine.jit((x: tf.Tensor, c: tf.Tensor) => [
        tf.slice(tf.slice(x, [1, 0, 0], [1, 2, 2]), [0, 1, 0], [1, 1, 2]), // row 3 of four
        tf.slice(x, [0, 0, 1], [2, 2, 1]), // not in one piece
        tf.unstack(w)[2]!,
        tf.reshape(tf.slice(c, [1, 0], [1, 4]), [2, 2]),
        x,
      ]);
      const x = tf.tensor3d([
        [
          [0, 1],
          [2, 3],
        ],
        [
          [4, 5],
          [6, 7],
        ],
      ]);
      for (const plus of [0, 100]) {
        cache[4] = 4 + plus;
        const c = engine.alias(cache, [2, 4]);
        const out = f(x, c);
        assert.deepEqual(
          out.map((t) => [...t.dataSync()]),
          [
            [6, 7],
            [1, 3, 5, 7],
            [5, 6],
            [4 + plus, 5, 6, 7],
            [0, 1, 2, 3, 4, 5, 6, 7],
          ],
        );
        tf.dispose([c, ...out]);
      }
      tf.dispose([w, x]);
    });

    it('inside a tidy of the caller, and on results of its own', () => {
      const f = engine.jit((x: tf.Tensor) => tf.add(x, 1));
      assert.deepEqual(
        tf.tidy(() => [...f(f(f(tf.scalar(0)))).dataSync()]),
        [3],
      );
    });

    it('an error in the function leaves variables and other tensors as they were', () => {
      const w = tf.tidy(() => tf.variable(tf.scalar(1)));
      const f = engine.jit((x: tf.Tensor) => {
        tf.neg(x);
        if (x.shape[0] === 2) throw new Error('from inside');
        w.assign(tf.add(w, tf.sum(x)) as tf.Scalar);
        return tf.neg(x);
      });
      assert.throws(() => call(f as never, [1, 2]), /from inside/);
      assert.deepEqual([...w.dataSync()], [1]);
      assert.deepEqual(call(f as never, [1, 2, 3]), [[-1, -2, -3]]);
      assert.deepEqual([...w.dataSync()], [7]);
      w.dispose();
      tf.engine().state.numTensors = tensorsBefore; // the throwing call's own argument
    });
  });
}

describe('jit on onnx: traps', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
  });
  after(() => engine.dispose());
  const backend = (): OnnxBackend => tf.backend() as unknown as OnnxBackend;

  it('JavaScript numbers are frozen, tensors are not', () => {
    let factor = 2;
    const f = engine.jit((x: tf.Tensor, y: tf.Tensor) => tf.mul(tf.mul(x, factor), y));
    const run = (y: number): number => tf.tidy(() => f(tf.scalar(3), tf.scalar(y)).dataSync()[0]!);
    assert.equal(run(1), 6);
    factor = 100;
    assert.equal(run(1), 6);
    assert.equal(run(10), 60);
  });

  it('reading an argument or a variable while recording is an error that says what to do', () => {
    const w = tf.tidy(() => tf.variable(tf.scalar(2)));
    const f = engine.jit((x: tf.Tensor) => tf.mul(x, x.dataSync()[0]!));
    const g = engine.jit((x: tf.Tensor) => tf.mul(x, tf.neg(w).dataSync()[0]!));
    const constant = engine.jit((x: tf.Tensor) => tf.mul(x, tf.sum(tf.range(0, 4)).dataSync()[0]!));
    tf.tidy(() => {
      assert.throws(() => f(tf.scalar(1)), /jit: the function read a tensor .*read it outside/);
      assert.throws(() => g(tf.scalar(1)), /jit: the function read a tensor/);
      assert.equal(constant(tf.scalar(2)).dataSync()[0], 12);
    });
    w.dispose();
  });

  it('an optimiser slot that the step would create is an error that says what to do', () => {
    const w = tf.tidy(() => tf.variable(tf.scalar(2)));
    const momentum = tf.train.momentum(0.1, 0.9);
    const before = tf.memory().numTensors;
    const f = engine.jit((x: tf.Tensor) => momentum.minimize(() => tf.mul(w, x) as tf.Scalar, true, [w])!);
    const x = tf.scalar(1);
    assert.throws(() => f(x), /created the variable .*create variables \(optimiser slots\) before the first step/);
    assert.equal(w.dataSync()[0], 2);
    tf.dispose([w, x]);
    assert.ok(tf.memory().numTensors <= before);
  });

  it('a variable that was disposed, and a tensor kept from a recording, are named', () => {
    const w = tf.tidy(() => tf.variable(tf.scalar(2), true, 'gone'));
    let kept: tf.Tensor | undefined;
    const f = engine.jit((x: tf.Tensor) => {
      kept ??= tf.keep(tf.add(x, 1));
      return tf.mul(w, x);
    });
    tf.tidy(() => assert.equal(f(tf.scalar(3)).dataSync()[0], 6));
    assert.throws(() => kept!.dataSync(), /made while jit recorded/);
    kept!.dispose();
    w.dispose();
    tf.tidy(() => assert.throws(() => f(tf.scalar(3)), /the variable gone .*was disposed/));
  });

  it("an error of the graph names the call in the caller's file", () => {
    const f = engine.jit((x: tf.Tensor, i: tf.Tensor) => tf.neg(tf.gather(x, i)));
    tf.tidy(() =>
      assert.throws(
        () => f(tf.tensor1d([1, 2]), tf.tensor1d([7], 'int32')),
        /kernel GatherV2 on \[2\] float32 and \[1\] int32[\s\S]*jit\.test\.ts/,
      ),
    );
  });

  it('a signature is compiled once, whatever the values', () => {
    const f = engine.jit((x: tf.Tensor, s: tf.Tensor) => tf.sum(tf.softmax(tf.mul(x, s))));
    const { compiles } = backend().statistics;
    for (const [n, s] of [
      [4, 1],
      [4, 0],
      [4, 2],
      [5, 1],
      [4, 1],
    ] as const)
      tf.tidy(() => f(tf.range(0, n), tf.scalar(s)).dataSync());
    assert.equal(backend().statistics.compiles, compiles + 2);
  });

  it('for any size: one graph serves signatures that differ in sizes, with the numbers that their own ones give', () => {
    const work = (x: tf.Tensor, w: tf.Tensor): tf.Tensor =>
      tf.matMul(tf.softmax(tf.add(x, tf.range(0, x.shape[0]!).reshape([-1, 1]))) as tf.Tensor2D, w as tf.Tensor2D);
    const [own, any] = [engine.jit(work), engine.jit(work, 'a step', 'any')];
    const w = tf.tensor2d(
      Array.from({ length: 15 }, (_, i) => Math.cos(i)),
      [3, 5],
    );
    const run = (f: typeof own, rows: number): Float32Array =>
      tf.tidy(
        () =>
          f(
            tf.tensor2d(
              Array.from({ length: rows * 3 }, (_, i) => Math.sin(i)),
              [rows, 3],
            ),
            w,
          ).dataSync() as Float32Array,
      );
    run(any, 4);
    const { compiles, open } = backend().statistics;
    const results = [2, 9, 4].map((rows) => run(any, rows));
    assert.deepEqual(backend().statistics, { ...backend().statistics, compiles, open });
    assert.deepEqual(
      results,
      [2, 9, 4].map((rows) => run(own, rows)),
    );
    any.forget();
    own.forget();
    assert.equal(backend().statistics.open, open - 1);
    w.dispose();
  });

  it('forgets its graphs, and records again at the next call', () => {
    const double = engine.jit((x: tf.Tensor) => tf.mul(x, 2));
    const results = [[1], [1, 2]].map((values) => double(tf.tensor1d(values)));
    const { open, compiles } = backend().statistics;
    double.forget();
    assert.equal(backend().statistics.open, open - 2);
    assert.deepEqual(
      results.map((x) => [...x.dataSync()]),
      [[2], [2, 4]],
    );
    assert.deepEqual([...double(tf.tensor1d([3])).dataSync()], [6]);
    assert.equal(backend().statistics.compiles, compiles + 1);
  });

  it('what is pending runs before the step, never as a part of it', () => {
    tf.tidy(() => {
      const captured = tf.add(tf.range(0, 3), 1); // pending
      const { runs } = backend().statistics;
      const f = engine.jit((x: tf.Tensor) => tf.mul(x, captured));
      for (let i = 0; i < 2; i++) assert.deepEqual([...f(tf.scalar(2)).dataSync()], [2, 4, 6]);
      assert.equal(backend().statistics.runs, runs + 1);
      const other = tf.neg(tf.range(0, 3)); // not captured, pending all the same
      f(tf.scalar(2));
      assert.equal(backend().statistics.runs, runs + 2);
      assert.deepEqual([...other.dataSync()], [-0, -1, -2]);
    });
  });

  it('fewer than all results are read; unread ones leak nothing', () => {
    const before = tf.memory().numTensors;
    const f = engine.jit((x: tf.Tensor) => [tf.neg(x), tf.zerosLike(x), tf.fill([2000], 3)]);
    for (let i = 0; i < 5; i++)
      tf.tidy(() => {
        const [a, b, c] = f(tf.tensor1d([1, 2]));
        assert.deepEqual([[...a!.dataSync()], [...b!.dataSync()], c!.dataSync()[1999]], [[-1, -2], [0, 0], 3]);
      });
    assert.equal(tf.memory().numTensors, before);
  });
});
