import { traceReward, type Score } from '../rule';

/**
 * Reasoning beside the answer: (1 - reasoning) x answer + reasoning x the share of its own words, in [0, 1], each a
 * part of its own. Own words: of the distinct
 * words that the policy wrote (beside its calls and in its reply), those that no tool result holds. A reply that hands
 * a result on has none. null where the
 * task gives no answer, or nothing was written.
 * Source: From Proof to Program (TIM), arXiv:2511.10899, tells tool output taken for reasoning by a judge; this is the
 * part that can be counted. It can't tell
 * whether reasoning is right: that is the judge's.
 */
export const tim = traceReward({
  row: 14,
  description: "the answer, and how much of the words are the policy's own",
  source: 'TIM (From Proof to Program), arXiv:2511.10899',
  range: [0, 1],
  options: {
    reasoning: {
      kind: 'number',
      default: 0.3,
      minimum: 0,
      maximum: 1,
      description: 'weight of own words; the rest is for the answer',
    },
  },
  examples: [
    {
      what: 'right, by handing the result on: 0.7',
      gold: { answer: '7' },
      trace: { calls: [['count', {}, 'ok', '7']], reply: '7' },
      score: 0.7,
    },
    // words: so, there, are, 7; one of four is the tool's
    {
      what: 'right, in own words: 0.7 + 0.3 x 3/4',
      gold: { answer: '7' },
      trace: { calls: [['count', {}, 'ok', '7']], reply: 'So there are 7.' },
      score: 0.925,
    },
    { what: 'wrong, in own words: 0.3 x 1', gold: { answer: '7' }, trace: { reply: 'I think eight.' }, score: 0.3 },
    { what: 'no gold answer', gold: { calls: [] }, trace: { reply: '7' }, score: null },
  ],
  rule:
    ({ reasoning }) =>
    ({ hasAnswer, texts, calls }): Score => {
      const words = new Set(texts.flatMap(wordsOf));
      if (hasAnswer === null || words.size === 0) return null;
      const given = calls
        .map((call) => call.content)
        .join('\n')
        .toLowerCase();
      let own = 0;
      for (const word of words) if (!occursWhole(word, given)) own++;
      const share = own / words.size;
      return {
        score: (1 - reasoning) * Number(hasAnswer) + reasoning * share,
        parts: { answer: Number(hasAnswer), ownWords: share },
      };
    },
});

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Quicker than taking long results to words: few words are asked for. */
function occursWhole(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!goesOn(text, at + word.length) && !goesOn(text, at - 1)) return true;
  }
  return false;
}

/** Is there a letter or digit at this place? */
const goesOn = (text: string, at: number): boolean => at >= 0 && at < text.length && /[\p{L}\p{N}]/u.test(text[at]!);
