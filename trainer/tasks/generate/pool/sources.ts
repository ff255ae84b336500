/** Where values of a pool come from. */
import type { Fact, Scalar } from '../../../tools/values/facts';
import { isPointer } from '../../../tools/values/fit';
import type { ParameterPlace } from '../../../tools/values/places';
import { isPathKey } from '../../../tools/values/textData';

/** Values of one origin: the same member of the same kind of thing. */
export interface Source {
  id: string;
  values: Scalar[];
  fit: number;
  where: string;
  from: Fact['from'];
}

/**
 * Facts of one source go by one name, belong to one thing, and stand in one place (a tool's results, a file). A path is
 * the same whichever tool tells it.
 */
export const sourceOf = ({ from, where, key, nouns }: Fact): string =>
  from === 'result' && isPathKey(key)
    ? `${from} ${key}`
    : `${from} ${where.replace(/:\d+$/, '')} ${key} ${nouns.join(',')}`;

export function inWords({ from, where }: Source): string {
  if (from === 'result') return `the results of ${where}`;
  if (from === 'example') return '@example';
  return from === 'description' ? 'the description' : `literals of ${where}`;
}

/** What a tool worked out is no number that it is asked for; the number of a thing is. */
export const isOwnNumber = ({ from, where, key, value }: Fact, { tool }: ParameterPlace): boolean =>
  from === 'result' && where === tool.name && typeof value === 'number' && !isPointer(key);

/** 13.915000000000001: nobody asks for that. Places on earth have six decimals at most. */
export const isWorkedOut = (value: number): boolean => (String(value).split('.')[1]?.length ?? 0) > 6;
