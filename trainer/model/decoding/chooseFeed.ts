import { MANY } from './sharedRows';

/** What a step costs beside its tokens, and a lane's empty slot, in tokens (measured on nano and on SmolLM2). */
const STEP_COST = 100;
const SLOT_COST = 0.5;

/** What a lane has to feed at once, and how much of it costs nothing; null: all. `of` came together. */
export interface Pending {
  ids: number;
  known: number | null;
  of: number;
}

/**
 * What feeds the most for its cost: lanes that have one id to feed should not wait for one that has many.
 * @param isParted those of few and of many ids cannot be computed together (hasThinProducts)
 * @returns which of the lanes
 */
export function chooseFeed(pending: readonly Pending[], isParted = false): readonly number[] {
  const those = (isChosen: (p: Pending) => boolean): number[] => pending.flatMap((p, i) => (isChosen(p) ? [i] : []));
  const many = those(({ of }) => of >= MANY);
  const few = those(({ of }) => of < MANY);
  const isMixed = many.length > 0 && few.length > 0;
  const options = [...(isParted && isMixed ? [] : [those(() => true)]), few, many, those(({ of }) => of === 1)].filter(
    ({ length }) => length > 0,
  );
  const fedPerCost = (chosen: readonly number[]): number => {
    const fed = chosen.reduce((n, i) => n + pending[i]!.ids, 0);
    const computed = chosen.map((i) => pending[i]!).flatMap(({ ids, known }) => (known === null ? [] : [ids - known]));
    return (
      fed / (STEP_COST + computed.reduce((a, b) => a + b, 0) + SLOT_COST * Math.max(1, ...computed) * computed.length)
    );
  };
  return options.reduce((best, option) => (fedPerCost(option) > fedPerCost(best) ? option : best));
}
