/** At most so many of a list, evenly spread over it, in its order; the first is among them. */
export function evenly<T>(all: readonly T[], most: number): T[] {
  const n = Math.min(all.length, most);
  return Array.from({ length: n }, (_, i) => all[Math.floor((i * all.length) / n)]!);
}
