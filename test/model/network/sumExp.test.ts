import assert from 'node:assert/strict';
import { sumExp } from '../../../trainer/model/decoding/sumExp';

describe('the sum of exponentials', () => {
  for (const temperature of [1, 0.3, 2])
    it(`equals that of Math.exp to 1e-12, from 1 down to what is hardly a number, at temperature ${temperature}`, () => {
      const logits = Float32Array.from({ length: 20_000 }, (_, i) => 5 - 690 * temperature * (i / 20_000) ** 2);
      const cumulative = new Float64Array(logits.length);
      const sum = sumExp(logits, 5, temperature, cumulative);
      let expected = 0;
      logits.forEach((logit, i) =>
        assert.ok(
          Math.abs(cumulative[i]! / (expected += Math.exp((logit - 5) / temperature)) - 1) < 1e-12,
          `at ${logit}`,
        ),
      );
      assert.equal(sum, cumulative.at(-1));
      for (const logit of logits.filter((_, i) => i % 997 === 0))
        assert.ok(
          Math.abs(sumExp(Float32Array.of(logit), 5, temperature) / Math.exp((logit - 5) / temperature) - 1) < 1e-12,
          `${logit} alone`,
        );
    });

  it('counts what may not be as 0', () => {
    const cumulative = new Float64Array(4);
    assert.equal(sumExp(Float32Array.of(-1e9, 2, -Infinity, 2), 2, 1, cumulative), 2);
    assert.deepEqual([...cumulative], [0, 1, 1, 2]);
  });
});
