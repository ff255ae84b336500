/** The first of some words, and how many more there are: a list of hundreds tells nobody anything. */
export declare const few: (words: readonly string[], most: number, between?: string) => string;
