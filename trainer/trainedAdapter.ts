import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadCheckpoint } from './checkpoint/checkpoint';
import { peftName, readAdapter } from './checkpoint/exportAdapter';
import { loraOf } from './model/loraShape';
import { UserError } from './protocol/result';
import type { RunConfig } from './protocol/runConfig';
import type { AdapterWeights } from './rooms';

/** The adapter that a run has made so far: the exported one, else that of its best checkpoint, else of its last. */
export function adapterOf(dir: string, config: RunConfig): { weights: AdapterWeights; from: string } {
  if (existsSync(join(dir, 'adapter', 'adapter_config.json'))) {
    const { baseModel: _, ...weights } = readAdapter(join(dir, 'adapter'));
    return { weights, from: 'its adapter folder' };
  }
  const checkpoint = loadCheckpoint(dir, { which: 'best' }).checkpoint ?? loadCheckpoint(dir).checkpoint;
  if (checkpoint === null) throw new UserError('storage', `${dir}: the run has no adapter and no checkpoint yet`, `Let it go on: coach train --resume ${dir}`);
  const tensors: AdapterWeights['tensors'] = new Map([...checkpoint.tensors].flatMap(([name, tensor]) => { const peft = peftName(name); return peft === null ? [] : [[peft, tensor] as const]; }));
  return { weights: { tensors, ...loraOf(config) }, from: `the checkpoint of step ${checkpoint.step}` };
}
