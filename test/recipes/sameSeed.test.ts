import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvents } from '../../trainer/store/runs/readRun';
import { runTrainer, SOURCES } from '../fixtures/killedRun';

/**
 * A tool that takes another time at each call, so that results come in another order and beside other lanes' tokens.
 */
const TOOLS = `
/** Finds parcels by the town that they go to.
 * @tool
 * @param town where to
 * @example findParcels("Lyon")
 */
export async function findParcels(town: string): Promise<{ id: string; town: string; weight: number }[]> {
  await new Promise((done) => setTimeout(done, Math.random() * 50));
  return Array.from({ length: 1 + (town.length % 3) }, (_, i) => ({ id: 'P' + (town.length * 7 + i), town, weight: town.length + i }));
}
/** Says where a parcel is now.
 * @tool
 * @param id the parcel's number
 * @example whereIs("P31")
 */
export async function whereIs(id: string): Promise<string> {
  await new Promise((done) => setTimeout(done, Math.random() * 50));
  return 'parcel ' + id + ' lies in depot ' + (id.length * 3) + ', and goes on tomorrow';
}
`;

describe('two runs of one seed', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-same-seed-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are the same to the bit, whenever tools answer', async () => {
    writeFileSync(join(folder, 'parcels.ts'), TOOLS);
    mkdirSync(join(folder, 'runs'), { recursive: true });
    const settings = {
      toolFile: join(folder, 'parcels.ts'),
      steps: 2,
      seed: 5,
      engine: 'onnx',
      threads: 1,
      promptsPerStep: 4,
      groupSize: 8,
      heldOutTasks: 4,
      forgottenTasks: 0,
      evalTasks: 4,
      evalEvery: 2,
      checkpointEvery: 1,
      memoryCheck: false,
      rehearsal: false,
    }; // no warm start: each step samples
    const adapters: Buffer[] = [];
    const texts: string[] = [];
    for (const name of ['first', 'second']) {
      const run = join(folder, 'runs', name);
      const config = join(folder, `${name}.json`);
      writeFileSync(config, JSON.stringify(settings));
      assert.equal(await runTrainer(run, config, null, SOURCES), 0);
      const traces = readEvents(run, 0).events.filter((e) => e.type === 'traceRecorded');
      assert.ok(traces.length >= 64, `${traces.length} traces`);
      adapters.push(readFileSync(join(run, 'adapter/adapter_model.safetensors')));
      texts.push(
        JSON.stringify(
          readEvents(run, 0).events.flatMap((e) =>
            e.type === 'stepFinished' ? [e.metrics['loss'], e.metrics['reward']] : [],
          ),
        ),
      );
    }
    assert.equal(texts[1], texts[0]);
    assert.ok(adapters[0]!.equals(adapters[1]!), 'the adapters differ');
  });
});
