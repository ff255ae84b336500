/** How far a judge can be trusted, on pairs that people marked. Pure: the verdicts come from outside. */

export interface JudgedPair {
  /** which side people preferred */
  people: 'a' | 'b' | 'tie';
  /** score of a less score of b, with a shown first and with b shown first; null: no verdict */
  aFirst: number | null;
  bFirst: number | null;
  /** characters of each side as the judge read it */
  lengthA: number;
  lengthB: number;
}

/** A fraction with what it was measured on; 95 % interval after Wilson. */
export interface Figure {
  value: number;
  n: number;
  ci95: readonly [number, number];
}

export interface Calibration {
  /** of the pairs that got both verdicts: the judge's side is the people's side; ties are a side of their own */
  accuracy: Figure | null;
  /**
   * agreement beyond chance over a, b and tie (Cohen 1960); interval by its large-sample error. null where one of them
   * never differs
   */
  kappa: { value: number; n: number; ci95: readonly [number, number] } | null;
  /** of the pairs whose two orders contradict each other, how often the side shown first won; 0.5 is no bias */
  firstWins: Figure | null;
  /** share of the pairs whose two orders contradict each other */
  contradictions: Figure | null;
  /** of the pairs with a winner and unequal lengths: how often the longer won for the judge, and for people */
  longerWins: { judge: Figure | null; people: Figure | null };
  notJudged: number;
}

/**
 * Source of the measures: accuracy and kappa as in Zheng et al. 2023 (arXiv:2306.05685, MT-Bench), which names position
 * and length bias, too.
 * @param tieBelow a mean difference of the two orders up to this is a tie
 */
export function calibrate(pairs: readonly JudgedPair[], tieBelow = 1e-9): Calibration {
  const judged = pairs.flatMap((pair) =>
    pair.aFirst === null || pair.bFirst === null
      ? []
      : [
          {
            ...pair,
            aFirst: pair.aFirst,
            bFirst: pair.bFirst,
            side: sideOf((pair.aFirst + pair.bFirst) / 2, tieBelow),
          },
        ],
  );
  const contradicting = judged.filter(
    ({ aFirst, bFirst }) =>
      sideOf(aFirst, tieBelow) !== 'tie' &&
      sideOf(bFirst, tieBelow) !== 'tie' &&
      sideOf(aFirst, tieBelow) !== sideOf(bFirst, tieBelow),
  );
  const unequal = judged.filter(({ lengthA, lengthB }) => lengthA !== lengthB);
  const longer = (side: (pair: (typeof judged)[number]) => Side): Figure | null => {
    const decided = unequal.filter((pair) => side(pair) !== 'tie');
    return figure(
      decided.filter((pair) => side(pair) === (pair.lengthA > pair.lengthB ? 'a' : 'b')).length,
      decided.length,
    );
  };
  return {
    accuracy: figure(judged.filter(({ side, people }) => side === people).length, judged.length),
    kappa: kappa(judged.map(({ side, people }) => [side, people])),
    firstWins: figure(contradicting.filter(({ aFirst }) => aFirst > 0).length, contradicting.length),
    contradictions: figure(contradicting.length, judged.length),
    longerWins: { judge: longer(({ side }) => side), people: longer(({ people }) => people) },
    notJudged: pairs.length - judged.length,
  };
}

type Side = JudgedPair['people'];

const sideOf = (difference: number, tieBelow: number): Side =>
  Math.abs(difference) <= tieBelow ? 'tie' : difference > 0 ? 'a' : 'b';

function kappa(pairs: readonly (readonly [Side, Side])[]): Calibration['kappa'] {
  const n = pairs.length;
  if (n === 0) return null;
  const share = (of: (pair: readonly [Side, Side]) => boolean): number => pairs.filter(of).length / n;
  const observed = share(([x, y]) => x === y);
  const chance = (['a', 'b', 'tie'] as const).reduce(
    (sum, side) => sum + share(([x]) => x === side) * share(([, y]) => y === side),
    0,
  );
  if (chance === 1) return null;
  const value = (observed - chance) / (1 - chance);
  const error = Math.sqrt((observed * (1 - observed)) / n) / (1 - chance);
  return { value, n, ci95: [Math.max(-1, value - Z * error), Math.min(1, value + Z * error)] };
}

const Z = 1.959964;

function figure(count: number, n: number): Figure | null {
  if (n === 0) return null;
  const value = count / n;
  const middle = (value + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
  const half = (Z / (1 + Z ** 2 / n)) * Math.sqrt((value * (1 - value)) / n + Z ** 2 / (4 * n ** 2));
  return { value, n, ci95: [Math.max(0, middle - half), Math.min(1, middle + half)] };
}
