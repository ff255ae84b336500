/** How one of several choices is said, where the parameter's name tells more than that it is one. */

/** "into": a small word that the value follows; "packed into kegs" */
const SMALL_WORD = /^(into|as|via|by|with|for|in|on|per|using)$/;
const REASON = /\b(reason|cause|why)$/;
/** How much it matters. */
export const RANK = /\b(priority|urgency|severity|importance)$/;

const BEHIND_SMALL_WORD: readonly string[] = ['{p} {v}', '{p} {v}', '{p} {v}', '{v}'];
/** Of what is filled or packed there are many. */
const INTO: readonly string[] = ['into {v}', 'into {v}s', 'into {v}s', 'in {v}s', '{v}s', '{v}'];
const FOR_REASON: readonly string[] = [
  'because of {v}',
  'because of {v}',
  'due to {v}',
  '{p}: {v}',
  'the {p} is {v}',
  '{v}',
  'on account of {v}',
  'for the {p} {v}',
];
const OF_RANK: readonly string[] = [
  '{v} {p}',
  '{v} {p}',
  'with {v} {p}',
  "it's {v}",
  "it's {v}",
  '{v}',
  '{p}: {v}',
  'make it {v}',
];

/** {p} the parameter's words, {v} the value; null: said as any other choice */
export const choiceCues = (words: string): readonly string[] | null =>
  words === 'into'
    ? INTO
    : SMALL_WORD.test(words)
      ? BEHIND_SMALL_WORD
      : REASON.test(words)
        ? FOR_REASON
        : RANK.test(words)
          ? OF_RANK
          : null;
