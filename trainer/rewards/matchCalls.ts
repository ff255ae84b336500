import type { GoldCall } from '../protocol/task';
import { equalJson } from '../protocol/arguments';

/** How far a gold call was made: which call made it, and which share of its values is right. */
export interface Match {
  index: number;
  share: number;
}

/**
 * For each gold call, in order, the unused made call of the same tool with the highest share of right values; the first
 * among equals. null:
 * that tool was not called (again). A parameter that nobody asked for counts as one wrong value. byName false: of any
 * tool.
 */
export function matchCalls(
  gold: readonly GoldCall[],
  made: readonly GoldCall[],
  { byName = true }: { byName?: boolean } = {},
): (Match | null)[] {
  const used = new Set<number>();
  return gold.map((wanted) => {
    let best: Match | null = null;
    for (const [index, call] of made.entries()) {
      if (used.has(index) || (byName && call.name !== wanted.name)) continue;
      const share = valueShare(wanted, call);
      if (best === null || share > best.share) best = { index, share };
    }
    if (best !== null) used.add(best.index);
    return best;
  });
}

/** Equal values over all parameters that either side names; 1 where there are none. */
function valueShare(gold: GoldCall, made: GoldCall): number {
  const keys = Object.keys(gold.arguments);
  const further = Object.keys(made.arguments).filter((key) => !(key in gold.arguments)).length;
  if (keys.length + further === 0) return 1;
  return (
    keys.filter((key) => key in made.arguments && equalJson(gold.arguments[key], made.arguments[key])).length /
    (keys.length + further)
  );
}
