/** Ids fed to each lane at once, at most; and to those alone that have many. */
const WIDTHS = [1, 2, 4, 8, 16, 64, 256];
const WIDE = [64, 256];
const MANY = 16;
/** What a step costs beside its tokens, and a lane's empty slot, in tokens (measured on nano and on SmolLM2). */
const STEP_COST = 100;
const SLOT_COST = 0.5;

/** What a lane has to feed, and how much of it costs nothing; null: all. */
export interface Pending {
  ids: number;
  known: number | null;
}

/** What feeds the most for its cost: lanes that have one id to feed should not wait for one that has many. @returns which of the lanes, and how many ids at most */
export function chooseFeed(pending: readonly Pending[]): { chosen: readonly number[]; width: number } {
  const all = pending.map((_, i) => i);
  const many = all.filter((i) => pending[i]!.ids >= MANY);
  const options = [...WIDTHS.map((width) => ({ chosen: all, width })), ...(many.length > 0 && many.length < all.length ? WIDE.map((width) => ({ chosen: many, width })) : [])];
  const fedPerCost = ({ chosen, width }: (typeof options)[number]): number => {
    const fed = chosen.reduce((n, i) => n + Math.min(pending[i]!.ids, width), 0);
    const computed = chosen.flatMap((i) => (pending[i]!.known === null ? [] : [Math.max(1, Math.min(pending[i]!.ids, width) - pending[i]!.known)]));
    return fed / (STEP_COST + computed.reduce((a, b) => a + b, 0) + SLOT_COST * Math.max(1, ...computed) * computed.length);
  };
  return options.reduce((best, option) => (fedPerCost(option) > fedPerCost(best) ? option : best));
}
