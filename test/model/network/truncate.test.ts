import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleId } from '../../../trainer/model/decoding/sample';
import { penalised, truncate } from '../../../trainer/model/decoding/truncate';
import { Random } from '../../../trainer/base/random';

interface Case {
  logits: number[];
  temperature: number;
  topK?: number;
  topP?: number;
  minP?: number;
  repetitionPenalty?: number;
  seen?: number[];
  penalised?: number[];
  kept: number[];
  logprobs: number[];
}
/** By transformers' warpers (truncate.py). */
const cases = JSON.parse(readFileSync(join(__dirname, 'truncate.cases.json'), 'utf8')) as Case[];
const all = (logits: Float32Array): number[] => Array.from(logits.keys());

describe('truncate', () => {
  it('keeps what transformers keeps, with the same log-probabilities', () => {
    for (const [
      i,
      { logits: given, temperature, seen, repetitionPenalty, kept, logprobs, ...truncation },
    ] of cases.entries()) {
      let logits: Float32Array = Float32Array.from(given);
      if (seen) {
        logits = penalised(logits, seen, repetitionPenalty!);
        logits.forEach((x, id) =>
          assert.ok(Math.abs(x - truncation.penalised![id]!) < 1e-5, `case ${i}, penalty of ${id}`),
        );
      }
      const from = truncate(logits, null, temperature, truncation);
      assert.deepEqual(Array.from(from ?? all(logits)), kept, `case ${i}`);
      const random = Random.fromSeed(i);
      for (let n = 0; n < 20; n++) {
        const { id, logprob } = sampleId(logits, from, temperature, random);
        assert.ok(Math.abs(logprob - logprobs[kept.indexOf(id)]!) < 1e-5, `case ${i}: log p of ${id}`);
      }
    }
  });

  it('cuts among what is allowed; greedy decoding and wide bounds cut nothing', () => {
    const logits = Float32Array.from([5, 4, 3, 2, 1]);
    assert.deepEqual(Array.from(truncate(logits, [1, 3, 4], 1, { topK: 2 })!), [1, 3]);
    assert.equal(truncate(logits, [1, 3], 1, { topK: 2 }), null);
    assert.equal(truncate(logits, null, 0, { topK: 1 }), null);
    assert.equal(truncate(logits, null, 1, { topK: 5, topP: 1, minP: 0 }), null);
    assert.deepEqual(Array.from(truncate(logits, null, 1, { topP: 1e-9 })!), [0]);
  });

  it('equal ones at the edge of the k likeliest all stay', () => {
    assert.deepEqual(Array.from(truncate(Float32Array.from([1, 2, 2, 2, 0]), null, 1, { topK: 2 })!), [1, 2, 3]);
  });
});
