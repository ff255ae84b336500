import assert from 'node:assert/strict';
import { byPrompt } from '../../trainer/recipes/steps/byPrompt';
import { emptyTrace, type Trace } from '../../trainer/protocol/trace';

const turn = (start: number, end: number): Trace['turns'][number] => ({ start, end, text: '', calls: [], sampleMs: 0 });
const trace: Trace = {
  ...emptyTrace('a', 1),
  advantage: 0.5,
  tokens: {
    ids: [1, 2, 3, 4, 5, 6, 7],
    logprobs: [null, null, -1, null, null, -2, -3],
    completionMask: [0, 0, 1, 0, 0, 1, 1],
    writer: 'ppsppss',
    kind: '.uc.utt',
    begins: [3],
  },
  turns: [turn(2, 3), turn(5, 7)],
};
const allowed = new Map([
  [2, Int32Array.of(3, 9)],
  [6, Int32Array.of(7, 8)],
]);

describe('an episode by the prompts that were read', () => {
  it('each is a sequence of its own, with its turns, what it was chosen from, and the advantage', () => {
    const [first, second, ...more] = byPrompt({ trace, allowed });
    assert.equal(more.length, 0);
    assert.deepEqual(first!.trace.tokens, {
      ids: [1, 2, 3],
      logprobs: [null, null, -1],
      completionMask: [0, 0, 1],
      writer: 'pps',
      kind: '.uc',
    });
    assert.deepEqual(second!.trace.tokens.ids, [4, 5, 6, 7]);
    assert.deepEqual([first!.trace.turns, second!.trace.turns], [[turn(2, 3)], [turn(2, 4)]]);
    assert.deepEqual([[...first!.allowed.keys()], [...second!.allowed.keys()]], [[2], [3]]);
    assert.deepEqual([first!.trace.advantage, second!.trace.advantage], [0.5, 0.5]);
  });

  it('of one prompt it is itself', () => {
    const { begins: _, ...tokens } = trace.tokens;
    const whole = { trace: { ...trace, tokens }, allowed };
    assert.equal(byPrompt(whole)[0]!.trace, whole.trace);
  });
});
