import type { ChatTemplate } from '../tokenizer/chatTemplate';
import type { Tokenizer } from '../tokenizer/tokenizer';
import { PretrainStream, type Source } from './batches';
import { loadPeople } from './intents';
import { loadThings } from './everyday';
import { grammarDialogues } from './grammarDialogues';
import { peopleDialogues } from './peopleDialogues';
import { loadLexicon } from './words';

/** Shares of the rows; what is left comes from `world.ts`. */
const SHARES = { people: 0.32, grammar: 0.38 };

/** @param folder of people's requests */
export function trainingSources(folder: string): Source[] {
  const people = loadPeople('train', folder);
  const things = loadThings();
  return [
    { share: SHARES.people, make: (r, l) => peopleDialogues(r, l, people) },
    { share: SHARES.grammar, make: (r, l) => grammarDialogues(r, l, things) },
  ];
}

/** People's test lines of functions that are never trained on, in sets of eight. */
export function unseenPeople(tokenizer: Tokenizer, template: ChatTemplate, folder: string): PretrainStream {
  const people = loadPeople('heldOut', folder);
  return new PretrainStream(tokenizer, template, loadLexicon('heldOut'), 'people-eval', 2048, 0, [
    { share: 1, make: (r, l) => peopleDialogues(r, l, people, 8, true) },
  ]);
}
