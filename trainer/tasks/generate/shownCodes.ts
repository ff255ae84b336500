/** "The booking's number, e.g. AB12CD", "such as treadmill 4": of the shape that a description shows there are more. */
import { singular } from '../../tools/schema/words';
import type { Draw } from './draw';

const OF_CODES = new RegExp(
  '^(id|code|sku|number|no|reference|ref|key|serial|ticket|identifier|barcode|isbn|confirmation|seat|gate|room|platform|' +
    'flight|plate|table|locker|bay|shelf)$',
);
const CODE = /^(?=.*\d)[A-Za-z\d]+(?:[-_/#][A-Za-z\d]+)*$/;
/** A year, a day, a paper size: what looks like a code, and is one of a known few. */
const NO_CODE = /^(?:(?:19|20)\d\d|\d{4}-\d\d(?:-\d\d)?|[A-Z]\d)$/;
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';

/** null: the values shown are no codes. @param words of the parameter's name, then of its description */
export function shownCode(shown: readonly string[], words: readonly string[]): Draw | null {
  if (shown.length > 0 && shown.every((value) => NUMBERED.test(value))) return numberedLike(shown);
  const areCodes = shown.length > 0 && shown.every((value) => CODE.test(value) && !NO_CODE.test(value));
  if (!areCodes || !words.some((word) => OF_CODES.test(singular(word)))) return null;
  return (random) => {
    const like = random.pick(shown);
    // what stands before the digits is the kind of thing: ORD-5512, K4107
    const kept = /^[A-Za-z]+(?=[-_/#]|\d+$)/.exec(like)?.[0].length ?? 0;
    const other = (sign: string, at: number): string => {
      const isFirst = at === 0 || !/[\dA-Za-z]/.test(like[at - 1]!);
      if (/\d/.test(sign)) return String(isFirst && sign !== '0' ? 1 + random.int(9) : random.int(10));
      const letter = random.pick([...LETTERS]);
      return /[A-Z]/.test(sign) ? letter : /[a-z]/.test(sign) ? letter.toLowerCase() : sign;
    };
    return like.slice(0, kept) + [...like.slice(kept)].map((sign, i) => other(sign, i + kept)).join('');
  };
}

/** "treadmill 4", "Gate 12" */
const NUMBERED = /^(\p{L}+(?: \p{L}+)?) (\d{1,3})$/u;

/** Another of them: "treadmill 2". */
const numberedLike =
  (shown: readonly string[]): Draw =>
  (random) => {
    const [, thing = '', number = ''] = NUMBERED.exec(random.pick(shown))!;
    return `${thing} ${1 + random.int(Math.max(9, 2 * Number(number)))}`;
  };
