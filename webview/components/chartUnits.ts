import { decimal, duration, metric, percent } from '../shared/format';
import type { Unit } from '../derive/chartCatalogue';

export function formatUnit(unit: Unit, value: number | null): string {
  if (unit === 'fraction') return percent(value, value !== null && Math.abs(value) < 0.0995 && value !== 0 ? 1 : 0);
  if (unit === 'seconds') return duration(value === null ? null : value * 1000);
  if (unit === 'tokens') return value !== null && Math.abs(value) >= 1000 ? metric(value) : decimal(value, 1);
  return metric(value);
}

/**
 * As many decimals as two neighbouring ticks need to differ; on a log axis, where there is no one distance, as for any
 * value.
 */
export function tickLabel(unit: Unit, value: number, step: number): string {
  if (!(step > 0) || Math.abs(value) >= 1e6) return formatUnit(unit, value);
  if (step < 1e-4) return metric(value);
  const scale = unit === 'fraction' ? 100 : 1;
  const text = decimal(value * scale, Math.max(0, -Math.floor(Math.log10(step * scale) + 1e-9)));
  return unit === 'fraction' ? `${text}\u202f%` : text;
}
