/**
 * Values of several parameters that stood in one record: they are more often right together than two by chance.
 */
import type { Arguments } from '../../../protocol/arguments';
import type { Fact, Scalar, SeenRecord } from '../../../tools/values/facts';
import { fitOf, inForm, LIKELY } from '../../../tools/values/fit';
import { suits, type ParameterPlace } from '../../../tools/values/places';
import { sourceOf } from './sources';

/** @returns sets of two values or more, each parameter with the member of the record that fits it best */
export function seenTogether(facts: readonly Fact[], places: readonly ParameterPlace[], most: number): Arguments[] {
  if (places.length < 2) return [];
  const byRecord = new Map<SeenRecord, Map<string, Scalar>>();
  const fits = new Map<string, number>();
  const fitsBy = (fact: Fact, place: ParameterPlace): number => {
    const key = `${place.path} ${sourceOf(fact)}`;
    const fit = fits.get(key) ?? fitOf(fact, place);
    fits.set(key, fit);
    return fit;
  };
  for (const fact of facts) {
    const { record } = fact;
    if (!record) continue;
    for (const place of places) {
      const value = inForm(fact, place);
      const fit = fitsBy(fact, place);
      if (fit < LIKELY || !suits(value, place.schema)) continue;
      // a record's key is no fact of a call that was asked by it, and still its key
      const isBest = Object.entries(record.members).every(
        ([key, other]) => !isScalar(other) || fitsBy({ ...fact, key, value: other }, place) <= fit,
      );
      const set = byRecord.get(record) ?? new Map<string, Scalar>();
      if (isBest && !set.has(place.path)) byRecord.set(record, set.set(place.path, value));
    }
  }
  return [...byRecord.values()]
    .filter((set) => set.size > 1 && new Set(set.values()).size === set.size)
    .slice(0, most)
    .map((set) => Object.fromEntries(set));
}

const isScalar = (value: unknown): value is Scalar => typeof value === 'string' || typeof value === 'number';
