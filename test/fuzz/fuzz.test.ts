/** A short run of the fuzzer with a seed of its own; `npm run fuzz -- --minutes 10` is the long one. */
import assert from 'node:assert/strict';
import { Fuzzer } from './harness';
import { TARGETS } from './targets';

describe('fuzz', function () {
  this.timeout(60_000);
  const fuzzer = new Fuzzer();
  after(() => fuzzer.close());

  for (const target of Object.keys(TARGETS))
    it(`${target}: no hang, no crash, no gigabyte, one message`, async () => {
      const failure = await fuzzer.fuzz(target, { seed: 32, runs: target === 'template' ? 5 : 12, limitMs: 8_000 });
      assert.equal(failure, null, JSON.stringify(failure));
    });

  for (const [broken, why] of [
    ['crash', /crash: the process ended \(3\)/],
    ['fault', /fault: TypeError: Cannot read properties of undefined/],
    ['memory', /memory: took \d{4} MB/],
    ['words', /words: a message of several lines/],
    ['hang', /hang: hangs for more than 5 s/],
  ] as const)
    it(`sees a ${broken}`, async () => {
      const failure = await fuzzer.fuzz(broken, { seed: 1, runs: 1, shrinks: false });
      assert.match(String(failure?.why), why);
    });
});
