import assert from 'node:assert/strict';
import { add, div, mul, sqrt, sub, vectorLoop } from '../../trainer/learning/optimizer/vectorLoop';

const numbers = (length: number, of: (i: number) => number): Float32Array =>
  Float32Array.from({ length }, (_, i) => of(i));

describe('vectorLoop', () => {
  // less than four numbers, a few past four, one piece, some past two
  for (const length of [0, 1, 3, 4, 7, 16384, 32773]) {
    it(`computes each of ${length} numbers in float32, and changes only what it stores to`, () => {
      const loop = vectorLoop(
        ['x', 'y', 'kept'],
        ['s', 't'],
        ({ arrays: { x, y, kept }, scalars: { s, t }, value, store }) => {
          const product = value(mul(x, s));
          store('x', add(product, kept));
          store('y', sub(sqrt(y), div(product, add(kept, t))));
        },
      );
      const [x, y, kept] = [
        numbers(length, (i) => Math.sin(i)),
        numbers(length, (i) => i / 3),
        numbers(length, (i) => 1 + Math.cos(i)),
      ];
      const before = { x: x.slice(), y: y.slice(), kept: kept.slice() };
      loop({ x, y, kept }, { s: 0.7, t: 1e-3 });
      const f = Math.fround;
      for (let i = 0; i < length; i++) {
        const product = f(before.x[i]! * f(0.7));
        assert.equal(x[i], f(product + before.kept[i]!), `x ${i}`);
        assert.equal(y[i], f(f(Math.sqrt(before.y[i]!)) - f(product / f(before.kept[i]! + f(1e-3)))), `y ${i}`);
      }
      assert.deepEqual(kept, before.kept);
    });
  }

  it('reads behind a store what was stored, and of a value what it was', () => {
    const loop = vectorLoop(['x'], [], ({ arrays: { x }, value, store }) => {
      const old = value(x);
      store('x', add(x, x));
      store('x', mul(x, old));
    });
    const x = Float32Array.of(1, 2, 3);
    loop({ x }, {});
    assert.deepEqual([...x], [2, 8, 18]);
  });

  it('takes a part of an array for itself, and leaves what is beside it', () => {
    const all = numbers(10, (i) => i);
    vectorLoop(['x'], ['s'], ({ arrays, scalars, store }) => store('x', mul(arrays.x, scalars.s)))(
      { x: all.subarray(3, 8) },
      { s: 10 },
    );
    assert.deepEqual([...all], [0, 1, 2, 30, 40, 50, 60, 70, 8, 9]);
  });

  it('takes more scalars and arrays than one byte can count', () => {
    const names = Array.from({ length: 150 }, (_, i) => `n${i}`);
    const loop = vectorLoop(names, names, ({ arrays, scalars, value, store }) => {
      const sum = names.map((name) => value(mul(arrays[name]!, scalars[name]!))).reduce((a, b) => value(add(a, b)));
      store('n149', sum);
    });
    const of = <T>(f: (i: number) => T): Record<string, T> => Object.fromEntries(names.map((name, i) => [name, f(i)]));
    const arrays = of((i) => Float32Array.of(i, 2 * i));
    loop(
      arrays,
      of((i) => i),
    );
    const squares = names.reduce((sum, _, i) => sum + i * i, 0);
    assert.deepEqual([...arrays['n149']!], [squares, 2 * squares]);
  });

  it('says which array has another length, and changes nothing', () => {
    const loop = vectorLoop(['x', 'y'], [], ({ arrays, store }) => store('x', arrays.y));
    const x = Float32Array.of(1, 2);
    assert.throws(() => loop({ x, y: Float32Array.of(1) }, {}), {
      message: 'vectorLoop: "y" must have the 2 numbers of "x", got 1',
    });
    assert.deepEqual([...x], [1, 2]);
  });
});
