import { cpus } from 'node:os';

/** The middle value; the upper one of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

export const round = (value: number, digits = 3): number => Number(value.toFixed(digits));

/** Least squares: how much y grows per x. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  return (
    points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) /
    points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  );
}

/** A timing says little without the processor. */
export const processor = (): string => `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}`;
