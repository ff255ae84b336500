import { boundedPattern } from '../../base/boundedPattern';
import type { Random } from '../../base/random';

/**
 * A string that matches a regular expression: literals, classes, \d \w \s, groups, alternatives and quantifiers;
 * anchors are skipped.
 *
 * @returns null for what is not supported (look-around, back references, unicode properties) and where the draw does
 * not match
 */
export function samplePattern(pattern: string, random: Random): string | null {
  try {
    const text = new Sampler(pattern, random).alternatives();
    return boundedPattern(pattern).test(text) ? text : null;
  } catch {
    return null;
  }
}

/** Characters of a text, and times that a part of it is repeated. */
const MOST = 10_000;
const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

class Sampler {
  private at = 0;
  constructor(
    private readonly pattern: string,
    private readonly random: Random,
  ) {}

  /** a|b|c: all are read, one is kept. */
  alternatives(): string {
    const options = [this.sequence()];
    while (this.pattern[this.at] === '|') {
      this.at++;
      options.push(this.sequence());
    }
    return this.random.pick(options);
  }

  private sequence(): string {
    let out = '';
    while (this.at < this.pattern.length && this.pattern[this.at] !== '|' && this.pattern[this.at] !== ')') {
      const start = this.at;
      const first = this.atom();
      const [least, most] = this.quantifier();
      const end = this.at;
      const times = least + this.random.int(most - least + 1);
      if (times > MOST || out.length > MOST) throw new Error('a text of this pattern is too long');
      if (times > 0) out += first;
      for (let i = 1; i < times; i++) {
        this.at = start;
        out += this.atom();
      }
      this.at = end;
    }
    return out;
  }

  private atom(): string {
    const char = this.pattern.charAt(this.at++);
    if (char === '^' || char === '$') return '';
    if (char === '.') return this.random.pick([...LETTERS]);
    if (char === '\\') return this.escape(this.pattern.charAt(this.at++));
    if (char === '[') return this.charClass();
    if (char !== '(') return char;
    if (this.pattern.startsWith('?:', this.at)) this.at += 2;
    else if (/^\?<[A-Za-z]/.test(this.pattern.slice(this.at))) this.at = this.pattern.indexOf('>', this.at) + 1;
    else if (this.pattern[this.at] === '?') throw new Error('unsupported group');
    const inner = this.alternatives();
    this.at++; // the closing parenthesis
    return inner;
  }

  private escape(char: string): string {
    if (char === '') throw new Error('open escape');
    if (char === 'b' || char === 'B') return '';
    const set = classOf(char);
    if (set) return this.random.pick([...set]);
    if (/[A-Za-z1-9]/.test(char)) throw new Error('unsupported escape');
    return char;
  }

  private charClass(): string {
    if (this.pattern[this.at] === '^') throw new Error('unsupported class');
    let set = '';
    while (this.pattern[this.at] !== ']') {
      let char = this.pattern.charAt(this.at++);
      if (char === '') throw new Error('open class');
      if (char === '\\') {
        char = this.pattern.charAt(this.at++);
        const inner = classOf(char);
        if (inner) {
          set += inner;
          continue;
        }
      }
      const last = this.pattern[this.at + 1];
      if (this.pattern[this.at] === '-' && last !== ']') {
        if (last === undefined) throw new Error('open class');
        for (let code = char.charCodeAt(0); code <= last.charCodeAt(0); code++) set += String.fromCharCode(code);
        this.at += 2;
      } else set += char;
    }
    this.at++;
    return this.random.pick([...set]);
  }

  private quantifier(): [number, number] {
    const match = /^(?:\{(\d+)(,(\d*))?\}|[?*+])\??/.exec(this.pattern.slice(this.at));
    if (!match) return [1, 1];
    this.at += match[0].length;
    if (match[0][0] === '?') return [0, 1];
    if (match[0][0] === '*') return [0, 4];
    if (match[0][0] === '+') return [1, 4];
    const least = Number(match[1]);
    return [least, match[2] === undefined ? least : match[3] ? Number(match[3]) : least + 3];
  }
}

function classOf(char: string): string | null {
  if (char === 'd') return DIGITS;
  if (char === 'w') return LETTERS + DIGITS;
  return char === 's' ? ' ' : null;
}
