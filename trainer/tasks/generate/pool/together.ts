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
  const byRecord = new Map<SeenRecord, Map<string, { value: Scalar; fit: number }>>();
  const fits = new Map<string, number>();
  for (const fact of facts) {
    if (!fact.record) continue;
    for (const place of places) {
      const value = inForm(fact, place);
      const key = `${place.path} ${sourceOf(fact)}`;
      const fit = fits.get(key) ?? fitOf(fact, place);
      fits.set(key, fit);
      if (fit < LIKELY || !suits(value, place.schema)) continue;
      const set = byRecord.get(fact.record) ?? new Map<string, { value: Scalar; fit: number }>();
      if (fit > (set.get(place.path)?.fit ?? 0)) byRecord.set(fact.record, set.set(place.path, { value, fit }));
    }
  }
  return [...byRecord.values()]
    .map((set) => [...set].map(([path, { value }]) => [path, value] as const))
    .filter((set) => set.length > 1 && new Set(set.map(([, value]) => value)).size === set.length)
    .slice(0, most)
    .map((set) => Object.fromEntries(set));
}
