/** The linear engine beside JavaScript's own, on texts made of what patterns tell apart. */
import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { boundedPattern } from '../../trainer/base/boundedPattern';

/** Read by the linear engine. */
const LINEAR = [
  '^[A-Z]{3}-\\d+$',
  '^[\\w.%+-]+@[\\w-]+\\.[a-z]{2,}$',
  'a.c',
  '^\\s*\\S+\\s*$',
  '[\\s-]x',
  '[^\\s]a',
  '[\\Sa]',
  '^(?:a|ab)(?:c|bcd)?$',
  '\\bword\\b',
  '[^]a',
  'a{2,4}?b',
  '\\u0041|\\u{1F600}',
  '(?<year>\\d{4})-(?<month>\\d\\d)',
  '[[a]',
  '[\\]\\[\\-/]+',
  '\\/\\.\\$\\^',
  '[\\b]',
  '\\cA|\\0|\\x42',
  '\\p{L}\\p{Nd}',
  '',
  '^$',
  '(a*)*b',
  '\\d{1,3}(\\.\\d{1,3}){3}',
];
/** Beyond it. */
const OTHERS = [
  '^(?=.*\\d)(?=.*[a-z]).{4,}$',
  '(a|b)\\1',
  '(?<!x)y',
  '^.{1,2000}$',
  '\\p{Script=Greek}',
  '\\ud83d\\ude00',
];
const PIECES =
  'a b c x y A B Z 0 1 9 - . @ / [ ] ^ $ _ word abc ABC-12 \n \r \t \v \f \u00a0 \u2028 \u3000 \ufeff \u0000 \u0001 \b é β 😀 \u{10ffff}'.split(
    ' ',
  );

describe('patterns of strangers', () => {
  const random = Random.fromSeed('patterns');
  const text = () => Array.from({ length: random.int(7) }, () => random.pick([...PIECES, ' '])).join('');
  const texts = Array.from({ length: 3000 }, text);

  for (const pattern of [...LINEAR, ...OTHERS])
    it(`${JSON.stringify(pattern)} takes what JavaScript's engine takes`, () => {
      const native = new RegExp(pattern, 'u');
      const bounded = boundedPattern(pattern);
      assert.equal(bounded.isLinear, LINEAR.includes(pattern));
      for (const one of texts.slice(0, bounded.isLinear ? 3000 : 300))
        assert.equal(bounded.test(one), native.test(one), JSON.stringify(one));
    });

  it('none that JavaScript does not take', () => {
    for (const pattern of ['(', 'a{2,1}', '\\Q', '(?i)a', '[z-a]'])
      assert.throws(() => boundedPattern(pattern), SyntaxError);
  });
});
