import { fillRows, TokenTree, type Place } from '../model/network/packedRows';
import { bucket } from '../model/decoding/decoderGraphs';
import type { TrainedTrace } from './batch';

/** Sizes are rounded up to these, so that few graphs are compiled. */
const ROW_LENGTHS = [64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 2048, 3072, 4096];
export const COLUMNS = [32, 128, 512];
export const TRAINED = [32, 128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096];
const ROWS = [1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32];
/** Rows are this long where no sequence is longer: attention costs their square, padding their number. */
const USUAL_ROW = 256;
/** Longer ones by what they cost: as much as a token does so much seen by tokens. */
const SEEN_PER_TOKEN = 1000;
/** The common prefix is rounded up to a multiple of this, for the same reason; below it there is none. */
const PREFIX_STEP = 32;

/** How many ids the lists have in common at their start. */
function commonStart(lists: readonly (readonly number[])[]): number {
  const [first = []] = lists;
  const shortest = Math.min(...lists.map((ids) => ids.length));
  let n = 0;
  while (n < shortest && lists.every((ids) => ids[n] === first[n])) n++;
  return n;
}

/**
 * Of a step's sequences: how many tokens all of them begin with, as far as these can be computed apart from what is
 * trained; 0 where it is not worth it.
 */
export function sharedStart(sequences: readonly TrainedTrace[]): number {
  const fed = sequences.map(fedOf);
  const alike = Math.min(commonStart(fed), ...sequences.map(promptOf), ...fed.map((ids) => ids.length - 1));
  return alike < PREFIX_STEP ? 0 : alike;
}

export interface Layout {
  /** what all sequences begin with, and how many places it takes with its padding */
  prefix: readonly number[];
  start: number;
  rows: TokenTree[];
  /** by sequence, in the order of the groups */
  places: Place[];
  length: number;
}

/** What is fed of a sequence: the tokens before its last trained one. Nothing looks at what comes behind. */
const fedOf = ({ trace: { tokens } }: TrainedTrace): number[] =>
  tokens.ids.slice(0, Math.max(1, tokens.completionMask.lastIndexOf(1)));
/** How much of it comes before all that is trained, without the token that the first trained one is predicted from. */
const promptOf = ({ trace: { tokens } }: TrainedTrace): number =>
  Math.max(0, (tokens.completionMask.includes(1) ? tokens.completionMask.indexOf(1) : tokens.ids.length) - 1);

/** @param shared of the step (sharedStart); 0: what these begin with */
export function layOut(groups: readonly (readonly TrainedTrace[])[], shared: number): Layout {
  const sequences = groups.flat();
  const fed = sequences.map(fedOf);
  const common = shared || sharedStart(sequences);
  const start = Math.ceil(common / PREFIX_STEP) * PREFIX_STEP;
  const own = fed.map((ids) => ids.slice(common));
  const { rows, places, length } = shortestRows(own, start, shared > 0 ? 0 : USUAL_ROW);
  const padding = Array.from({ length: bucket(ROWS, rows.length) - rows.length }, () => new TokenTree());
  return { prefix: fed[0]!.slice(0, common), start, rows: [...rows, ...padding], places, length };
}

/**
 * Rows of the length that costs least.
 * @param usual where no sequence is longer, other lengths than this are not tried
 */
function shortestRows(
  own: readonly (readonly number[])[],
  start: number,
  usual: number,
): Pick<Layout, 'rows' | 'places' | 'length'> {
  const whole = new TokenTree();
  for (const ids of own) whole.add(ids);
  const longest = Math.max(...own.map((ids) => ids.length));
  // the longest first: the short ones fill what these leave of their rows
  const order = own.map((_, i) => i).sort((a, b) => own[b]!.length - own[a]!.length);
  const filled = (length: number): ReturnType<typeof fillRows> & { length: number; cost: number } => {
    const { rows, places: inOrder } = fillRows(
      order.map((i) => own[i]!),
      length,
    );
    const places: Place[] = [];
    order.forEach((i, at) => (places[i] = inOrder[at]!));
    return { rows, places, length, cost: bucket(ROWS, rows.length) * length * (SEEN_PER_TOKEN + start + length) };
  };
  const least = bucket(ROW_LENGTHS, Math.max(longest, Math.min(usual, whole.size)));
  if (least <= usual) return filled(least);
  const most = bucket(ROW_LENGTHS, whole.size);
  return [least, ...ROW_LENGTHS.filter((length) => length > least && length <= most)]
    .map(filled)
    .reduce((best, next) => (next.cost < best.cost ? next : best));
}
