import MiniSearch from 'minisearch';
import { splitWords } from '../../base/words';
import { singular } from '../schema/words';
import type { Part, ToolDocument } from './documents';

/** Of one list: the best first. */
export interface Ranked {
  name: string;
  score: number;
}

/** Words that stand in every request and tell no tool from another. */
const FUNCTION_WORDS = new Set(
  (
    'a an the of to in on at for from by with and or if is are was were be been am do does did have has had can could ' +
    'will would shall should may might must i me my you your he she it its we us our they them their this that these ' +
    'those there here what which who whom whose when where why how please tell give get want ' +
    'need let s t m ve re ll d ' +
    'some any as so not no just about into out up'
  ).split(' '),
);

export const termsOf = (text: string): string[] =>
  splitWords(text)
    .map(singular)
    .filter((word) => !FUNCTION_WORDS.has(word));

/** BM25+ (Lv and Zhai 2011; minisearch) over the parts of documents, each a field; a name's words count double. */
export class KeywordIndex {
  private readonly index: MiniSearch<{ id: string } & ToolDocument['parts']>;

  constructor(parts: readonly Part[]) {
    this.index = new MiniSearch({
      fields: [...parts],
      idField: 'id',
      tokenize: termsOf,
      processTerm: (term) => term,
      searchOptions: { boost: { name: 2 }, tokenize: termsOf },
    });
  }

  add(document: ToolDocument): void {
    this.index.add({ id: document.name, ...document.parts });
  }

  remove(document: ToolDocument): void {
    this.index.remove({ id: document.name, ...document.parts });
  }

  find(query: string, most: number): Ranked[] {
    return this.index
      .search(query)
      .slice(0, most)
      .map(({ id, score }) => ({ name: id as string, score }));
  }
}
