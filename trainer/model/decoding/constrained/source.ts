/** What a call's values may be taken from, and what is left of it once one was said. */
import type { TimeUnit } from '../../../base/durations';
import type { SpanSource } from './grammar';
import type { SaidValues } from './saidValues';
import type { IdKind } from './shownIds';
import type { Copied, Taken } from './spans';

/** What may be copied from, and what of it schemas take; said: null where strings are free. */
export type Source = SpanSource & {
  said: SaidValues | null;
  /** spans that other arguments of the object took: an optional one takes none of them */
  taken: Taken;
  /** of the argument that is to be filled, if it is a span of time */
  unit: TimeUnit | null;
  /** of the argument that is to be filled: "3 fewer" are -3 */
  isSigned: boolean;
  /** of the argument that is to be filled, where descriptions show its ids and others' */
  kind: IdKind | null;
};
/** A number, a span of the text, or a day or time in the form that was asked for. */
export type Said = string | Copied | { when: string };

export const NOTHING: Taken = { spans: [], isLong: false };

/** What an argument said, whatever place it was copied from. */
export const textOf = (said: Said | undefined, { ids }: Source): string =>
  said === undefined ? '' : typeof said === 'string' ? said : 'when' in said ? said.when : ids.slice(...said).join();

/** Of a list: what it holds is said again only where it stands again. */
export const withoutItem = (source: Source, said: string | Copied | { when: string }): Source =>
  typeof said === 'string'
    ? source
    : 'when' in said
      ? { ...source, said: source.said?.notAgain(said.when) ?? null }
      : withoutSaid(source, said);

/** Of an object: what one argument took is not another's. */
export const withoutSaid = (source: Source, said: string | Copied): Source =>
  typeof said === 'string'
    ? { ...source, said: source.said?.without(said) ?? null }
    : { ...source, taken: { ...source.taken, spans: [...source.taken.spans, said] } };
