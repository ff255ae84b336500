/** Ids of a vocabulary that a grammar treats apart. */
import type { Tokenizer } from '../../tokenizer/tokenizer';
import { PART } from './spans';

export interface SpecialIds {
  call: number;
  end: number;
  all: ReadonlySet<number>;
  /** specials, quotes, backslashes, control characters and parts of characters */
  notInString: ReadonlySet<number>;
  /** the same, but parts of characters: a span copies them one after the other */
  notInSpan: ReadonlySet<number>;
}
const specials = new WeakMap<Tokenizer, SpecialIds>();

export function specialIds(tokenizer: Tokenizer): SpecialIds {
  let found = specials.get(tokenizer);
  if (!found) {
    const all = new Set<number>();
    const notInString = new Set<number>();
    const notInSpan = new Set<number>();
    for (let id = 0; id < tokenizer.vocabSize; id++) {
      const text = tokenizer.tokenText(id);
      if (/^<\|.*\|>$/.test(text)) all.add(id);
      if (all.has(id) || /["\\\u0000-\u001f]/.test(text)) notInString.add(id);
      if (all.has(id) || /["\\\u0000-\u001f]/.test(text.replace(PART, ''))) notInSpan.add(id);
    }
    specials.set(
      tokenizer,
      (found = { call: tokenizer.idOf('<|call|>'), end: tokenizer.idOf('<|end|>'), all, notInString, notInSpan }),
    );
  }
  return found;
}
