import assert from 'node:assert/strict';
import { stepFacts } from '../../extension/preferences/stepFacts';
import { sampleTrace } from '../store/runs/sample';

describe('what a step taught, in words', () => {
  const trace = sampleTrace('a-0');
  const tokens = {
    ids: [1, 2, 3, 4],
    logprobs: [null, -1, -0.5, 0],
    completionMask: [0, 1, 1, 0] as (0 | 1)[],
    writer: 'pssf',
  };
  const turn = { ...trace.turns[0]!, start: 1, end: 4 };
  const facts = (more: object) =>
    stepFacts({ ...trace, tokens, turns: [turn], phase: 'train', advantage: 0.35, ...more })[0];

  it('counts what the model chose, how sure it was, and which way it was pushed', () => {
    // mean of -1 and -0.5 is -0.75; e^-0.75 = 0.472
    assert.equal(
      facts({}),
      "3 tokens, 2 of them the model's choice · mean log-probability -0.75 (probability 0.47) · advantage +0.35: made likelier",
    );
    assert.match(facts({ advantage: -1.5 })!, /advantage −1\.50: made less likely$/);
    assert.match(facts({ advantage: 0 })!, /it taught nothing$/);
  });

  it('says nothing of an advantage where nothing was trained', () => {
    assert.match(facts({ phase: 'after' })!, /probability 0\.47\)$/);
    assert.match(facts({ advantage: null })!, /probability 0\.47\)$/);
    assert.equal(
      facts({ tokens: { ...tokens, completionMask: [0, 0, 0, 0] } }),
      "3 tokens, 0 of them the model's choice",
    );
  });
});
