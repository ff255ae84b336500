import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openEngine, type Engine } from '../../../trainer/model/engine/engine';
import { hashOf, makeLoop } from './adamLoop';

describe('training in jit', () => {
  const opened: Engine[] = [];
  const open = async (engine: 'onnx' | 'cpu', threads = 1): Promise<Engine> => {
    opened.push(await openEngine({ engine, threads }));
    return opened.at(-1)!;
  };
  after(() => opened.forEach((e) => e.dispose()));

  it('8 AdamW steps follow the cpu back end', async () => {
    const reference = makeLoop(await open('cpu'));
    const initial = reference.state().map((x) => x.slice());
    const losses = Array.from({ length: 8 }, (_, n) => reference.run(n));
    const expected = reference.state();
    reference.dispose();
    const loop = makeLoop(await open('onnx', 2));
    losses.forEach((loss, n) => assert.ok(Math.abs(loop.run(n) - loss) < 2e-5, `loss of step ${n}`));
    // 8 steps of about 0.01
    assert.ok(Math.abs(expected[0]![0]! - initial[0]![0]!) > 0.01, 'the steps move the weights');
    loop
      .state()
      .forEach((s, k) =>
        s.forEach((x, i) =>
          assert.ok(Math.abs(x - expected[k]![i]!) < 5e-4, `value ${i} of state ${k}: ${x}, cpu ${expected[k]![i]}`),
        ),
      );
    loop.dispose();
  });

  it('tensors and memory stay flat over 300 AdamW steps', async () => {
    const loop = makeLoop(await open('onnx'));
    for (let n = 0; n < 50; n++) loop.run(n);
    const tensors = tf.memory().numTensors;
    const dataIds = tf.backend().numDataIds();
    const rss = process.memoryUsage().rss;
    for (let n = 50; n < 350; n++) loop.run(n);
    assert.equal(tf.memory().numTensors, tensors);
    assert.equal(tf.backend().numDataIds(), dataIds);
    // 300 steps write 300 * 3 * (64 * 32 + 32 * 32 + 32) * 4 B = 11 MB of state, and hundreds of MB if activations
    // stayed
    assert.ok(
      process.memoryUsage().rss - rss < 30e6,
      `grew by ${((process.memoryUsage().rss - rss) / 1e6).toFixed(1)} MB`,
    );
    loop.dispose();
  });

  it('is bit-exact across processes, after other work in the process, and after a resume', async function () {
    this.timeout(120_000);
    const program = join(__dirname, 'adamLoop.ts');
    const run = async (...args: number[]): Promise<string> => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, ...args.map(String)]);
      return /hash (\w{64})/.exec(stdout)![1]!;
    };
    const whole = await run(12, 0);
    assert.equal(await run(12, 1), whole, 'other work first');
    assert.notEqual(await run(11, 0), whole);

    const engine = await open('onnx', 2);
    const first = makeLoop(engine);
    for (let n = 0; n < 6; n++) first.run(n);
    const saved = first.state().map((s) => s.slice());
    first.dispose();
    const resumed = makeLoop(engine);
    resumed.load(saved);
    for (let n = 6; n < 12; n++) resumed.run(n);
    assert.equal(hashOf(resumed.state()), whole, 'resumed here');
    resumed.dispose();
  });
});
