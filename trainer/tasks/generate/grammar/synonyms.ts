import { ownSynonyms } from './nouns';
import { WORDNET } from './wordnetData';

let table: Map<string, string[]> | null = null;

/**
 * WordNet's synonyms of a word in its frequent senses; [] where there is none. @param part v: verb, n: noun in the
 * singular
 */
export function wordNet(part: 'v' | 'n', word: string): readonly string[] {
  table ??= new Map(
    WORDNET.trim()
      .split('\n')
      .map((line) => {
        const [key, rest] = line.split(': ');
        return [key!, rest!.split(', ')] as const;
      }),
  );
  return table.get(`${part} ${word}`) ?? [];
}

/** What else a thing is called: the list of everyday words first, else WordNet. */
export function nounSynonyms(noun: string): readonly string[] {
  const own = ownSynonyms(noun);
  return own.length > 0 ? own : wordNet('n', noun).slice(0, 3);
}
