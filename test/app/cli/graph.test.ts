import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listed, tracked } from '../../fixtures/toolGraph';
import { newRun, tempFolder } from '../../store/runs/sample';
import { coach } from './coach';

describe('coach graph', function () {
  this.timeout(20_000);
  const { dir, remove } = tempFolder();
  after(remove);

  it("prints a run's tools, transitions and where arguments came from, of its training traces alone", async () => {
    const run = newRun(dir);
    const traces = [
      tracked('a', 'Abernathy', 'K1'),
      tracked('b', 'Drummond', 'K2'),
      listed('c', 'Hathaway'),
      listed('h', 'Ironside', { phase: 'after' }),
    ];
    for (const trace of traces) run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
    run.close();
    const { code, stdout } = await coach(dir, ['graph', run.id]);
    assert.equal(code, 0);
    assert.match(stdout, /3 traces of/);
    assert.match(stdout, /findOrders -> trackOrder +2 +66\.7 % +0 +100\.0 %/);
    assert.match(stdout, /findOrders -> trackOrder +order +\[0\]\.order of findOrders's result 2/);
    assert.match(stdout, /1 other traces are left out/);
    const json = JSON.parse((await coach(dir, ['graph', run.id, '--json'])).stdout);
    assert.deepEqual([json.traces, json.nodes.length, json.leftOut.measured], [3, 2, 1]);
  });

  it('a file without traces is refused with the way out', async () => {
    writeFileSync(join(dir, 'none.jsonl'), '{"some": "thing"}\n');
    const { code, stderr } = await coach(dir, ['graph', 'none.jsonl']);
    assert.equal(code, 2);
    assert.match(stderr, /none\.jsonl/);
  });
});
