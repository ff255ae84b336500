/** Shares and paired gains of held-out tasks in percent, as benches print them. */
import { pairedGain } from '../../trainer/evaluation/statistics';
import { round } from './measured';
import type { HeldOut } from './trainRun';

export const percent = (value: number): number => round(100 * value, 1);

export const shareOf = (solved: readonly boolean[]): number => percent(solved.filter(Boolean).length / solved.length);

/** The mean and its 95 % interval, in points; tasks of one content count as one. */
export function gained({ before, after, contents }: HeldOut): number[] {
  const { mean, ci95 } = pairedGain(before, after, contents);
  return [mean, ...ci95].map(percent);
}

export const gainWords = ([mean, low, high]: readonly number[]): string => `${mean} [${low}, ${high}]`;
