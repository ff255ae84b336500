/** Sort words by the alphabet.
 *  @param words the words, in the order in which they are given
 *  @pure
 *  @tool */
export function sortWords(words: string[]): string {
  return [...words].sort().join(' ');
}
