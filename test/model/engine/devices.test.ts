import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { OnnxBackend } from '../../../trainer/model/engine/onnx/backend';
import { jit } from '../../../trainer/model/engine/onnx/jit';
import { registerKernels } from '../../../trainer/model/engine/onnx/kernels/index';
import { loadRuntime, type NativeSession, type Runtime } from '../../../trainer/model/engine/onnx/runtime';
import type { Device } from '../../../trainer/model/engine/onnx/session';
import { cardsIn, namesSoftwareDriver } from '../../../trainer/model/engine/onnx/webGpu';

/**
 * The real ONNX Runtime; sessions that ask for WebGPU get the processor, `slowMs` later, and after `lives` runs their
 * device is lost.
 */
function fakeGpu({
  slowMs = { cpu: 0, webgpu: 0 },
  lives = Infinity,
}: {
  slowMs?: Record<Device, number>;
  lives?: number;
}): { runtime: Runtime; runs: Record<Device, number>; inputs: number[] } {
  const runtime = loadRuntime();
  const runs = { cpu: 0, webgpu: 0 };
  const inputs: number[] = [];
  const wait = (ms: number): void => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };
  const newSession = (): NativeSession => {
    const real = runtime.newSession();
    let device: Device = 'cpu';
    return {
      loadModel(buffer, offset, length, { executionProviders, ...options }) {
        device = executionProviders === undefined ? 'cpu' : 'webgpu';
        real.loadModel(buffer, offset, length, options);
      },
      run(feeds, fetches, options) {
        runs[device]++;
        inputs.push(Object.keys(feeds).length);
        wait(slowMs[device]);
        if (device === 'webgpu' && runs.webgpu > lives)
          throw new Error('Failed to download data from buffer: the device is lost');
        return real.run(feeds, fetches, options);
      },
      dispose: () => real.dispose(),
    };
  };
  return { runtime: { ...runtime, newSession }, runs, inputs };
}

async function open(
  runtime: Runtime,
  devices: Device[],
): Promise<{
  backend: OnnxBackend;
  notes: string[];
  jit(fn: (...args: tf.Tensor[]) => tf.Tensor): (...args: tf.Tensor[]) => tf.Tensor;
  close(): void;
}> {
  registerKernels();
  const notes: string[] = [];
  const backend = new OnnxBackend(runtime, { threads: 1, devices }, (message) => void notes.push(message));
  if (tf.findBackendFactory('onnx')) tf.removeBackend('onnx');
  tf.registerBackend('onnx', () => backend);
  await tf.setBackend('onnx');
  const sessions = new Set<{ dispose(): void }>();
  return {
    backend,
    notes,
    jit: (fn) =>
      jit(backend, fn, { work: 'training', isForAnySize: false }, sessions) as (...args: tf.Tensor[]) => tf.Tensor,
    close() {
      for (const s of sessions) s.dispose();
      backend.dispose();
    },
  };
}

describe('devices of the onnx engine', () => {
  it('where there are two, each recorded function is measured and stays where it was faster', async () => {
    for (const [slowMs, expected] of [
      [{ cpu: 12, webgpu: 0 }, 'webgpu'],
      [{ cpu: 0, webgpu: 12 }, 'cpu'],
    ] as const) {
      const { runtime, runs } = fakeGpu({ slowMs });
      const engine = await open(runtime, ['cpu', 'webgpu']);
      const twice = engine.jit((x) => tf.mul(x, 2));
      const before = tf.memory().numTensors;
      const x = tf.tensor1d([1, 2]);
      for (let i = 0; i < 3; i++) {
        const y = twice(x);
        assert.deepEqual([...y.dataSync()], [2, 4]);
        y.dispose();
      }
      x.dispose();
      // three runs each to measure, then three on the one that was taken
      assert.deepEqual(runs, { cpu: expected === 'cpu' ? 6 : 3, webgpu: expected === 'cpu' ? 3 : 6 });
      assert.equal(engine.backend.statistics.open, 1);
      assert.equal(engine.notes.length, 1);
      assert.match(
        engine.notes[0]!,
        new RegExp(`^training runs on ${expected}: one step took [\\d.]+ ms on cpu, [\\d.]+ ms on webgpu$`),
      );
      assert.equal(tf.memory().numTensors, before);
      engine.close();
    }
  });

  it('frozen weights lie in a GPU session, what is aliased or a variable does not', async () => {
    const { runtime, inputs } = fakeGpu({});
    const engine = await open(runtime, ['webgpu']);
    const frozen = tf.tensor1d(new Float32Array(100_000).fill(2));
    const variable = tf.variable(tf.tensor1d([1, 1]), true);
    const step = engine.jit((x) => tf.add(tf.mul(tf.sum(tf.mul(frozen, 0.5)), variable), x));
    const x = tf.tensor1d([5, 6]);
    assert.deepEqual([...step(x).dataSync()], [100_005, 100_006]);
    assert.deepEqual(inputs, [2]); // x and the variable
    variable.assign(tf.tensor1d([0, 1]));
    assert.deepEqual([...step(x).dataSync()], [5, 100_006]);
    engine.close();
    tf.disposeVariables();
  });

  it('a GPU that is lost between two steps: the step runs on the CPU, said once, and all that follow', async () => {
    const { runtime, runs } = fakeGpu({ lives: 2 });
    const engine = await open(runtime, ['webgpu']);
    const weight = tf.variable(tf.scalar(1), true);
    const step = engine.jit((x) => {
      weight.assign(tf.add(weight, x));
      return tf.mul(weight, 10);
    });
    const seen = Array.from({ length: 5 }, () => step(tf.scalar(1)).dataSync()[0]);
    assert.deepEqual(seen, [20, 30, 40, 50, 60]); // no step is lost, none is made twice
    assert.deepEqual(runs, { cpu: 3, webgpu: 3 });
    assert.equal(
      tf.tidy(() => tf.add(tf.scalar(1), 2).dataSync()[0]),
      3,
    ); // ops outside of jit, too
    assert.equal(runs.webgpu, 3);
    assert.deepEqual(engine.notes, [
      'the GPU was lost, from here on the CPU computes: onnx: could not run the graph: Failed to download data from buffer: the device is lost',
    ]);
    engine.close();
    tf.disposeVariables();
  });

  it('ops outside of jit survive the loss as well', async () => {
    const engine = await open(fakeGpu({ lives: 0 }).runtime, ['webgpu']);
    assert.equal(
      tf.tidy(() => tf.add(tf.tensor1d([1, 2]), tf.tensor1d([2, 2])).dataSync()[1]),
      4,
    );
    assert.equal(engine.notes.length, 1);
    engine.close();
  });

  it('a function that is wrong on the CPU too is its own error, and the GPU stays', async () => {
    const engine = await open(fakeGpu({}).runtime, ['webgpu']);
    const pick = engine.jit((i) => tf.gather(tf.tensor1d([1, 2, 3]), tf.cast(i, 'int32')));
    assert.throws(() => pick(tf.tensor1d([7], 'int32')), /GatherV2/);
    assert.deepEqual([engine.notes, engine.backend.devices], [[], ['webgpu']]);
    engine.close();
  });

  it('cards are read from what ONNX Runtime discovers: no processors, no consoles of servers and virtual machines', () => {
    const line = (vendorId: string, vendor: string, type: number, metadata = ''): string =>
      `x [I:onnxruntime:, device_discovery_common.cc:34 operator()] Discovered OrtHardwareDevice {vendor_id:${vendorId}, device_id:0x2335, vendor:${vendor}, type:${type}, metadata: [${metadata}]}`;
    const log = [
      line('0x1022', 'AMD', 0),
      line('0x10de', '', 1),
      line('0x8086', 'Intel', 1, 'Description=Intel(R) Arc(TM) 140V, LUID=5'),
      line('0x1414', 'Microsoft', 1),
      line('0x1a03', '', 1),
      line('0x8086', 'Intel', 2),
    ].join('\n');
    assert.deepEqual(cardsIn(log), ['NVIDIA 0x10de:0x2335', 'Intel(R) Arc(TM) 140V']);
    assert.deepEqual(cardsIn(line('0x1022', 'AMD', 0)), []);
    assert.ok(
      namesSoftwareDriver({ VK_ICD_FILENAMES: '/x/vk_swiftshader_icd.json' }) &&
        namesSoftwareDriver({ VK_DRIVER_FILES: '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json' }),
    );
    assert.ok(
      !namesSoftwareDriver({ VK_ICD_FILENAMES: '/usr/share/vulkan/icd.d/nvidia_icd.json' }) && !namesSoftwareDriver({}),
    );
  });
});
