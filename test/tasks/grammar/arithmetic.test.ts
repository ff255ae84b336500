import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';
import type { Arguments } from '../../../trainer/protocol/arguments';
import { isSum } from '../../../trainer/tasks/generate/grammar/arithmetic';
import { sayCall } from '../../../trainer/tasks/generate/grammar/say';
import { toolTalk } from '../../../trainer/tasks/generate/grammar/toolTalk';
import { NUMBER, STRING, tool } from '../fixtures';

const said = (of: ReturnType<typeof tool>, args: Arguments): string[] =>
  Array.from(
    { length: 300 },
    (_, i) => sayCall(toolTalk(of), args, { random: Random.fromSeed(`sum ${i}`) })?.text ?? '',
  );
const share = (texts: readonly string[], form: RegExp): number =>
  texts.filter((text) => form.test(text)).length / texts.length;

describe('sums', () => {
  const divide = tool('divide', 'Divides two numbers', { divisor: NUMBER, dividend: NUMBER });
  const calculate = tool('calculate', 'Does arithmetic', {
    operation: { type: 'string', enum: ['add', 'multiply'] },
    x: NUMBER,
    y: NUMBER,
  });

  it('are asked for as people put them, what is divided first, wherever the schema has it', () => {
    const texts = said(divide, { divisor: 4, dividend: 81 });
    assert.ok(
      share(texts, /(81|eighty-one) (divided by|\/|over) (4|four)|81\/4|divide (81|eighty-one) by|quotient of/i) > 0.5,
    );
    assert.equal(share(texts, /\b4 ?\/|(4|four) (divided by|over) (81|eighty)/), 0);
    assert.ok(
      share(said(tool('sqrt', 'Square root', { a: NUMBER }), { a: 16 }), /root of (16|sixteen)|sqrt\(16\)/i) > 0.3,
    );
  });

  it('by the operation that is picked; signs stand between digits alone', () => {
    const texts = said(calculate, { operation: 'multiply', x: 7, y: 6 });
    assert.ok(share(texts, /(7|seven) (times|x|\*|multiplied by) (6|six)|7\*6|multiply (7|seven)/i) > 0.5);
    assert.equal(share(texts, /seven ?[*x] |[*x] ?six\b/), 0);
  });

  it('also where a sign picks it', () => {
    const signs = { type: 'string', enum: ['+', '-'] };
    const calc = tool('calculate', 'Does arithmetic', { operation: signs, a: NUMBER, b: NUMBER });
    assert.ok(
      share(said(calc, { operation: '-', a: 40, b: 26 }), /(40|forty) (minus|-|less)|from (40|forty)|40-26/i) > 0.4,
    );
  });

  it('are no points that an account gets, and no call with more than its numbers', () => {
    const points = tool('add', 'Adds points to a level', { points: NUMBER, level: NUMBER });
    assert.ok(!isSum(toolTalk(points), { points: 3, level: 2 }));
    const named = tool('add', 'Adds numbers', { a: NUMBER, b: NUMBER, note: STRING });
    assert.ok(!isSum(toolTalk(named), { a: 3, b: 2, note: 'rent' }));
    assert.ok(isSum(toolTalk(divide), { dividend: 3, divisor: 2 }));
  });
});
