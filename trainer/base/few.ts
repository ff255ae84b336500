/** The first of some words, and how many more there are: a list of hundreds tells nobody anything. */
export const few = (words: readonly string[], most: number, between = '; '): string =>
  [...words.slice(0, most), ...(words.length > most ? [`and ${words.length - most} more`] : [])].join(between);
