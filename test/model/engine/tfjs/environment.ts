/** Which engine the tests run on; read by tfjs-core's describeWithFlags, so it comes before the tests. */
import { setTestEnvs } from '@tensorflow/tfjs-core/dist/jasmine_util';

export const engines = ['onnx', 'cpu', 'wasm', 'tfjs-node'] as const;
export type Name = (typeof engines)[number];

const named = process.argv[2] && !process.argv[2].startsWith('-') ? process.argv[2] : 'onnx';
if (!engines.includes(named as Name)) {
  console.error(`test:backend: no engine is called ${named}; there are ${engines.join(', ')}`);
  process.exit(2);
}
export const engine = named as Name;
/** What tfjs calls it. */
export const backendName = engine === 'tfjs-node' ? 'tensorflow' : engine;
setTestEnvs([{ name: engine, backendName, isDataSync: true }]);
Error.stackTraceLimit = 10; // tfjs-core's jasmine_util makes it infinite
