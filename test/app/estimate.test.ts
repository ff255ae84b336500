import assert from 'node:assert/strict';
import { realDependencies } from '../../trainer/app/dependencies';
import { estimateMemory } from '../../trainer/app/estimate';
import { RunConfig } from '../../trainer/protocol/runConfig';
import { sampleTool } from '../store/runs/sample';

describe('memory of a run, before there is one', () => {
  const dependencies = {
    ...realDependencies,
    discover: async () => ({ tools: [sampleTool], rewards: [], diagnostics: [], files: [__filename] }),
  };
  const of = (more: object) =>
    estimateMemory(
      RunConfig.parse({ toolFile: __filename, ...more }),
      process.cwd(),
      dependencies,
      () => assert.fail('nothing to note'),
      { bytes: 4e9, from: 'test' },
    );

  it('is the plan of the run itself: weights, optimiser, cache, the longest micro-batch; more where settings ask for more', async () => {
    const usual = await of({});
    assert.ok(usual.bytes > 8e6 && usual.bytes < 2e9, String(usual.bytes)); // nano: 2.0 M weights of 4 bytes
    assert.equal(usual.free.bytes, 4e9);
    assert.match(usual.words, /^Memory: at most [\d,]+ MB of 4,000 MB \(test\): weights \d+, adapter/);
    const [more, least] = [await of({ maxTokens: 2048, groupSize: 16 }), await of({ method: 'sft', batchSize: 2 })];
    assert.ok(least.bytes < usual.bytes && usual.bytes < more.bytes, [least, usual, more].map((e) => e.bytes).join());
  });
});
