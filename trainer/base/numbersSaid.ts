/** Numbers in words, both ways. */
export const UNITS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
  'fifteen sixteen seventeen eighteen nineteen'
).split(' ');
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const OTHER_NUMBERS: Readonly<Record<string, number>> = { dozen: 12, couple: 2, once: 1, twice: 2, both: 2, half: 0.5 };

/** 0 to 999 in words; null for what people write in digits. */
export function numberWords(n: number): string | null {
  if (!Number.isInteger(n) || n < 0 || n > 999) return null;
  if (n < 20) return UNITS[n] ?? null;
  if (n < 100) return `${TENS[Math.floor(n / 10)]}${n % 10 ? `-${UNITS[n % 10]}` : ''}`;
  const rest = n % 100;
  return `${UNITS[Math.floor(n / 100)]} hundred${rest ? ` and ${numberWords(rest)}` : ''}`;
}

/** Numbers that a text says in words ("twenty-one", "a couple", "two hundred"), in order. Digits are not looked at. */
export function numbersSaid(text: string): number[] {
  const out: number[] = [];
  let current: number | null = null;
  const flush = (): void => {
    if (current !== null) out.push(current);
    current = null;
  };
  for (const word of text.toLowerCase().match(/[a-z]+|[^\sa-z]+/g) ?? []) {
    const unit = UNITS.indexOf(word);
    const ten = TENS.indexOf(word);
    if (unit >= 0) {
      if (
        current !== null &&
        !(unit > 0 && unit < 10 && current >= 20 && current % 10 === 0) &&
        !(current >= 100 && current % 100 === 0)
      )
        flush();
      current = (current ?? 0) + unit;
    } else if (ten >= 2) {
      if (current !== null && current % 100 !== 0) flush();
      current = (current ?? 0) + ten * 10;
    } else if (word === 'hundred') current = (current ?? 1) * 100;
    else if (word === 'and' && current !== null && current >= 100) continue;
    else if (word === '-' && current !== null) continue;
    else {
      flush();
      if (Object.hasOwn(OTHER_NUMBERS, word)) out.push(OTHER_NUMBERS[word]!);
    }
  }
  flush();
  return out;
}
