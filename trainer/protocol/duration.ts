/** How long something took or will take: said in one way by terminal, editor and panel. */

const plain = (value: number, digits: number): string => value.toFixed(digits);

/**
 * 41 ms · 1.2 s · 5 s · 48 s · 2 min · 1 h 05 min
 * @param decimal a number with so many digits, in the reader's language
 */
export function durationText(ms: number, decimal: (value: number, digits: number) => string = plain): string {
  if (ms < 0.95) return `${decimal(ms, 1)} ms`;
  if (ms < 995) return `${decimal(ms, 0)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${decimal(seconds, Number.isInteger(seconds) ? 0 : 1)} s`;
  if (seconds < 90) return `${decimal(seconds, 0)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
