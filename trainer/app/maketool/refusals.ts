/** Why a tool that a maker wrote is not taken. */

/** In words, behind a count: "2 gave a wrong answer". In the order in which they are looked for. */
export const REFUSALS = {
  cut: 'was cut off by its length',
  noCode: 'held no code',
  unseen: 'held characters that are not seen',
  notTypeScript: 'was no TypeScript',
  outside: 'reached for something outside of its arguments',
  notOneTool: 'was not exactly one tool',
  undescribed: 'left a parameter undescribed',
  changesWorld: 'read as if it changed the world',
  nameTaken: 'took a name that is there already',
  notLoaded: 'could not be loaded',
  noCalls: 'came without calls that can be made',
  threw: 'threw an error',
  timedOut: 'did not end in time',
  tooMuch: 'took more memory or output than there is',
  wrongAnswer: 'gave a wrong answer',
} as const;
export type Refusal = keyof typeof REFUSALS;

/** A tool is refused; the message is for the maker, which may mend it. */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    message: string,
  ) {
    super(message);
  }
}

/** The most frequent first: "2 gave a wrong answer, 1 held no code". */
export const refusalWords = (counts: Readonly<Partial<Record<Refusal, number>>>): string =>
  (Object.entries(counts) as [Refusal, number][])
    .sort(([, a], [, b]) => b - a)
    .map(([refusal, n]) => `${n} ${REFUSALS[refusal]}`)
    .join(', ');
