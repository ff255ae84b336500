/** `npm run soak -- --kills 1000 [--seed 1]`: trainer, tool hosts and service are killed at random moments. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../trainer/base/random';
import { bundledTrainer } from '../fixtures/bundledTrainer';
import { soakService } from './serviceSoak';
import { killedRun, makeWorkspace, METHODS, unbroken, type Unbroken } from './trainerSoak';

/** A run is killed so often at most before it may go on to its end. */
const KILLS_A_RUN = 8;

/**
 * A fifth of the kills meets the service, the others trainers and hosts of each method in turn.
 * @throws AssertionError where something that was acknowledged is lost, or bytes differ
 */
export async function soak(kills: number, seed: number, tell: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coach-soak-'));
  const random = Random.fromSeed(seed);
  try {
    const script = bundledTrainer();
    makeWorkspace(folder);
    const ofService = Math.ceil(kills / 5);
    const marks = await soakService(join(dirname(script), 'service.js'), folder, random, ofService);
    tell(`${ofService} kills of the service: ${marks} confirmed marks, none lost`);
    const runs: Unbroken[] = [];
    for (const method of METHODS) runs.push(await unbroken(script, folder, method));
    tell(`unbroken: ${runs.map(({ method, ms }) => `${method} ${(ms / 1000).toFixed(1)} s`).join(', ')}`);
    let left = kills - ofService;
    for (let i = 0; left > 0; i++) {
      const run = runs[i % runs.length]!;
      const most = Math.min(KILLS_A_RUN, Math.ceil(left / Math.max(1, runs.length - i)));
      const { trainer, host } = await killedRun(script, folder, run, random, most);
      left -= trainer + host;
      tell(`${run.method}: ${trainer} kills of the trainer, ${host} of a host, the same bytes; ${left} kills left`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (require.main === module) {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
  });
  const at = performance.now();
  soak(Number(values.kills), Number(values.seed), (line) => console.log(line)).then(
    () => {
      console.log(`${values.kills} kills in ${Math.round((performance.now() - at) / 1000)} s: nothing lost`);
      process.exit(0); // a message that a kill cut off keeps a timer of vscode-jsonrpc's reader going
    },
    (error: Error) => {
      console.error(error.stack);
      process.exit(1);
    },
  );
}
