import type { Message, Turn } from '../../../protocol/trace';
import { factsIn, plainly, type Day, type Fact } from './facts';

export interface Sources {
  /** what the user (or the system) wrote */
  said: readonly string[];
  /** what tools answered: JSON text, mostly */
  results: readonly string[];
  /** what the tool's author wrote about it */
  written: readonly string[];
}

/** An episode as far as it has come. */
export interface SoFar {
  messages: readonly Message[];
  turns: readonly Pick<Turn, 'calls'>[];
}

/**
 * What was said and answered so far. Left out is what this guard itself answered, for it repeats the value that was
 * refused.
 */
export const sourcesOf = ({ messages, turns }: SoFar): Omit<Sources, 'written'> => ({
  said: messages.flatMap((message) => (message.role === 'user' || message.role === 'system' ? [message.content] : [])),
  results: turns.flatMap((turn) =>
    turn.calls.flatMap(({ result }) => (result !== null && result.kind !== 'unseenValue' ? [result.content] : [])),
  ),
});

const WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
/** Words from which a day or a time is reckoned, so that it need not stand there itself. */
const RECKONED =
  /\b(?:today|tonight|tomorrow|yesterday|now|ago|noon|midnight|morning|afternoon|evening|weekend|(?:next|last|this|coming) \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:in|within|for) (?:\w+ ){1,2}(?:minute|hour|day|week|month|year)s?)\b/i;
/** Letters and digits that make one word; scripts without spaces between words have no such border. */
const JOINS = /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}]/u;
/** a float's own noise */
const NOISE = 1e-9;

/** The words and facts of an episode so far, to hold values and claims against. */
export class Seen {
  private readonly text: string;
  private readonly numbers: number[] = [];
  private readonly days: Day[] = [];
  private readonly times: number[] = [];
  private readonly isReckoned: boolean;

  constructor({ said, results, written }: Sources) {
    const flat = results.map((content) => flatten(content, this.numbers));
    const text = [...said, ...flat, ...written].join('\n');
    this.text = comparable(text);
    this.isReckoned = said.some((words) => RECKONED.test(words));
    for (const fact of factsIn(text, { quotes: false }).facts) this.keep(fact);
    for (const [word] of this.text.matchAll(/\p{L}+/gu))
      if (WORDS.includes(word)) this.numbers.push(WORDS.indexOf(word));
  }

  private keep(fact: Fact): void {
    if (fact.kind === 'number') this.numbers.push(...fact.readings.map(({ value }) => value));
    if (fact.kind === 'time') this.times.push(fact.minutes);
    if (fact.kind !== 'day') return;
    this.days.push(...fact.days);
    this.numbers.push(...fact.days.flatMap(({ year, day }) => (year === null ? [day] : [year, day])));
  }

  /** As whole words, whatever the case and the spaces: 12 does not occur in 312 or 1.2, nor "art" in "party". */
  hasText(text: string): boolean {
    const wanted = comparable(text);
    if (wanted === '') return true;
    for (let at = this.text.indexOf(wanted); at >= 0; at = this.text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      if (
        !goesOn(this.text.slice(Math.max(0, at - 2), at), wanted[0]!, /\d[.,]$/, -1) &&
        !goesOn(this.text.slice(end, end + 2), wanted.at(-1)!, /^[.,]\d/, 0)
      )
        return true;
    }
    return false;
  }

  /** @param mayRound whether a number may be a seen one, rounded to as many digits as it has */
  has(fact: Fact, { mayRound }: { mayRound: boolean }): boolean {
    if (this.hasText(fact.text)) return true;
    switch (fact.kind) {
      case 'number':
        return fact.readings.some(({ value, half }) => this.hasNumber(value, mayRound ? half : 0));
      case 'day':
        return this.isReckoned || fact.days.some((day) => this.days.some((seen) => isSameDay(day, seen)));
      case 'time':
        return this.isReckoned || this.hasTime(fact.minutes);
      default:
        return false;
    }
  }

  hasNumber(value: number, within = 0): boolean {
    return this.numbers.some((seen) => Math.abs(seen - Math.abs(value)) <= within + NOISE * Math.max(1, seen));
  }

  /**
   * "3:00", "3 pm" and "15:00" may be meant alike, and a full hour may be said as a number; midnight is what a day
   * without a time is padded with.
   */
  private hasTime(minutes: number): boolean {
    if (minutes === 0 || this.times.some((seen) => (seen - minutes) % 720 === 0)) return true;
    const hour = minutes / 60;
    return Number.isInteger(hour) && (this.hasNumber(hour) || this.hasNumber(hour % 12 || 12));
  }
}

const isSameDay = (a: Day, b: Day): boolean =>
  a.month === b.month && a.day === b.day && (a.year === null || b.year === null || a.year === b.year);

const comparable = (text: string): string => plainly(text).toLowerCase().replace(/\s+/g, ' ').trim();

/** Does a word or a number go on beyond its edge into what stands beside it? */
function goesOn(beside: string, edge: string, number: RegExp, next: 0 | -1): boolean {
  return JOINS.test(edge) && (JOINS.test(beside.at(next) ?? '') || (/\d/.test(edge) && number.test(beside)));
}

/** A result's words without JSON's escapes, one a line. How long its lists are is something that it says, too. */
function flatten(content: string, lengths: number[]): string {
  const deep = (value: unknown): string => {
    if (typeof value === 'string') return /^\s*[[{]/.test(value) ? flatten(value, lengths) : value;
    if (Array.isArray(value)) {
      lengths.push(value.length);
      return value.map(deep).join('\n');
    }
    if (typeof value === 'object' && value !== null)
      return Object.entries(value)
        .map(([key, each]) => `${key}\n${deep(each)}`)
        .join('\n');
    return String(value);
  };
  try {
    return deep(JSON.parse(content));
  } catch {
    return content; // text, or JSON that was cut in the middle
  }
}
