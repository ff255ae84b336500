import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { listEngines, openEngine } from '../../../trainer/model/engine/engine';
import { openers, order } from '../../../trainer/model/engine/openers';
import { UserError } from '../../../trainer/protocol/result';

describe('choice of the engine', () => {
  const real = { ...openers };
  afterEach(() => void Object.assign(openers, real));
  const missing = (message: string) => async () => {
    throw new Error(message);
  };

  it('the order is GPU, onnx, native CPU, wasm, cpu', () =>
    assert.deepEqual(order, ['tfjs-node-gpu', 'onnx', 'tfjs-node', 'wasm', 'cpu']));

  it('auto takes the first that works and keeps the reasons of the better ones', async () => {
    openers['tfjs-node-gpu'] = missing('the package loads but sees no GPU');
    openers.onnx = missing("Cannot find module 'onnxruntime-node'\nRequire stack:\n- /x.js");
    openers['tfjs-node'] = missing('no libtensorflow');
    openers.wasm = missing('no wasm');
    const engine = await openEngine();
    assert.equal(engine.name, 'cpu');
    assert.equal(tf.getBackend(), 'cpu');
    assert.deepEqual(engine.rejected, [
      { name: 'tfjs-node-gpu', reason: 'the package loads but sees no GPU' },
      { name: 'onnx', reason: "Cannot find module 'onnxruntime-node'" },
      { name: 'tfjs-node', reason: 'no libtensorflow' },
      { name: 'wasm', reason: 'no wasm' },
    ]);
    assert.match(engine.why, /^tfjs-node-gpu, onnx, tfjs-node, wasm not available; plain JavaScript/);
  });

  it('a GPU package that works comes first', async () => {
    openers['tfjs-node-gpu'] = real.cpu;
    const engine = await openEngine();
    assert.deepEqual([engine.name, engine.rejected], ['tfjs-node-gpu', []]);
    assert.match(engine.why, /first choice/);
  });

  it('a named engine that does not work is an error with the real message and the way out, never another one', async () => {
    openers.onnx = missing('libonnxruntime.so.1: cannot open shared object file');
    await assert.rejects(openEngine({ engine: 'onnx' }), (e) => {
      assert.ok(e instanceof UserError);
      assert.equal(e.border, 'device');
      assert.equal(e.message, 'engine onnx: libonnxruntime.so.1: cannot open shared object file');
      assert.match(e.hint!, /npm install onnxruntime-node@1\.30\.0/);
      return true;
    });
  });

  it('nothing works: every reason in one message', async () => {
    for (const name of order) openers[name] = missing(`no ${name}`);
    await assert.rejects(
      openEngine(),
      /no engine works here: tfjs-node-gpu: no tfjs-node-gpu; onnx: no onnx; .*cpu: no cpu/,
    );
  });

  it('wrong options are named', async () => {
    await assert.rejects(openEngine({ threads: 0 }), /threads must be a whole number of 1 or more, got 0/);
    await assert.rejects(openEngine({ engine: 'webgl' as never }), /no engine is called webgl/);
  });

  it('onnx is what auto takes here, with the threads it was given', async function () {
    const engine = await openEngine({ threads: 2 });
    if (engine.name === 'tfjs-node-gpu') this.skip();
    assert.deepEqual([engine.name, engine.threads, tf.getBackend()], ['onnx', 2, 'onnx']);
    assert.match(engine.why, /ONNX Runtime 1\.30\.\d+ on the CPU, 2 threads/);
    assert.equal(engine.rejected[0]!.name, 'tfjs-node-gpu');
    engine.dispose();
  });

  it('listEngines names all five and leaves the back end alone', async () => {
    const engine = await openEngine({ engine: 'onnx', threads: 1 });
    const x = tf.scalar(2);
    const list = await listEngines();
    assert.deepEqual(
      list.map((e) => e.name),
      order,
    );
    assert.ok(list.find((e) => e.name === 'onnx')!.available && list.find((e) => e.name === 'cpu')!.available);
    assert.equal(tf.getBackend(), 'onnx');
    assert.equal(
      tf.tidy(() => tf.mul(x, 3).dataSync()[0]),
      6,
    );
    x.dispose();
    engine.dispose();
  });
});
