/**
 * Judge against people: on pairs that a person marked, how often the judge says the same, and how much of that is more
 * than chance.
 * Cohen's kappa: J. Cohen, Educ. Psychol. Meas. 20 (1960); its standard error: Fleiss, Cohen and Everitt, Psychol.
 * Bull. 72 (1969), eq. 13.
 * The tests hold both equal to scikit-learn and to a numerical delta method.
 */
import type { JudgeVerdict } from '../../trainer/protocol/reward';
import { wilson } from '../../trainer/protocol/interval';

export type Choice = 'first' | 'second' | 'tie';
/** What was said of one pair; judge null = not judged. */
export interface JudgedPair {
  /** by whom or of what, for the list */
  id: string;
  traceIds: readonly [string, string];
  people: Choice;
  judge: Choice | null;
}

export interface Agreement {
  /** pairs that both a person marked and the judge ranked */
  n: number;
  /** pairs that a person marked and the judge did not rank */
  notJudged: number;
  agreed: number;
  /** share of n; null = no pair */
  share: number | null;
  shareCi95: readonly [number, number] | null;
  /** null where it is not defined: no pair, or both say the same one thing always */
  kappa: number | null;
  kappaCi95: readonly [number, number] | null;
  /** how often each said each: rows people, columns judge */
  table: Record<Choice, Record<Choice, number>>;
  /** the traces of the pairs behind each number of the table */
  traceIds: Record<Choice, Record<Choice, string[]>>;
}

export const CHOICES: Choice[] = ['first', 'second', 'tie'];
const Z95 = 1.959964;

export function agreement(pairs: readonly JudgedPair[]): Agreement {
  const table = byChoices(() => 0);
  const traceIds = byChoices((): string[] => []);
  let notJudged = 0;
  for (const { people, judge, traceIds: ids } of pairs) {
    if (judge === null) notJudged++;
    else {
      table[people][judge]++;
      traceIds[people][judge].push(...ids);
    }
  }
  const n = pairs.length - notJudged;
  const agreed = CHOICES.reduce((sum, c) => sum + table[c][c], 0);
  const { kappa, standardError } = cohenKappa(table);
  return {
    n,
    notJudged,
    agreed,
    share: n > 0 ? agreed / n : null,
    shareCi95: wilson(agreed, n),
    kappa,
    kappaCi95:
      kappa === null || standardError === null
        ? null
        : [Math.max(-1, kappa - Z95 * standardError), Math.min(1, kappa + Z95 * standardError)],
    table,
    traceIds,
  };
}

/** @returns null where chance alone would agree always, so that nothing can be said */
export function cohenKappa(table: Record<Choice, Record<Choice, number>>): {
  kappa: number | null;
  standardError: number | null;
} {
  const n = CHOICES.reduce((sum, a) => sum + CHOICES.reduce((row, b) => row + table[a][b], 0), 0);
  if (n === 0) return { kappa: null, standardError: null };
  const p = (a: Choice, b: Choice): number => table[a][b] / n;
  const row = (a: Choice): number => CHOICES.reduce((sum, b) => sum + p(a, b), 0);
  const column = (b: Choice): number => CHOICES.reduce((sum, a) => sum + p(a, b), 0);
  const observed = CHOICES.reduce((sum, c) => sum + p(c, c), 0);
  const expected = CHOICES.reduce((sum, c) => sum + row(c) * column(c), 0);
  if (1 - expected < 1e-12) return { kappa: null, standardError: null };
  const kappa = (observed - expected) / (1 - expected);
  let variance = 0;
  for (const a of CHOICES) {
    variance += p(a, a) * (1 - (row(a) + column(a)) * (1 - kappa)) ** 2;
    for (const b of CHOICES) if (a !== b) variance += (1 - kappa) ** 2 * p(a, b) * (column(a) + row(b)) ** 2;
  }
  variance -= (kappa - expected * (1 - kappa)) ** 2;
  return { kappa, standardError: Math.sqrt(Math.max(0, variance) / n) / (1 - expected) };
}

/** What a ranking says of two of its traces; null = it does not rank them both. */
export function choiceOf(
  verdict: Pick<JudgeVerdict, 'traceIds' | 'ranks'>,
  [first, second]: readonly [string, string],
): Choice | null {
  const a = rankIn(verdict, first);
  const b = rankIn(verdict, second);
  if (a === null || b === null) return null;
  return a < b ? 'first' : b < a ? 'second' : 'tie';
}

function rankIn({ traceIds, ranks }: Pick<JudgeVerdict, 'traceIds' | 'ranks'>, id: string): number | null {
  const at = traceIds.indexOf(id);
  return at < 0 ? null : (ranks?.[at] ?? null);
}

function byChoices<T>(make: () => T): Record<Choice, Record<Choice, T>> {
  const row = (): Record<Choice, T> => ({ first: make(), second: make(), tie: make() });
  return { first: row(), second: row(), tie: row() };
}
