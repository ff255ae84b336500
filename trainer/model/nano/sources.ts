import type { ChatTemplate } from '../tokenizer/chatTemplate';
import type { Tokenizer } from '../tokenizer/tokenizer';
import { PretrainStream, type Source } from './batches';
import { loadPeople } from './intents';
import { loadThings } from './everyday';
import { grammarDialogues } from './grammarDialogues';
import { loadNearWords, nearDialogues } from './nearDialogues';
import { peopleDialogues } from './peopleDialogues';
import { loadLexicon } from './words';

/** Shares of the rows; what is left comes from `world.ts`. */
const SHARES = { people: 0.15, grammar: 0.25, near: 0.35 };

/** @param folder of people's requests */
export function trainingSources(folder: string): Source[] {
  const people = loadPeople('train', folder);
  const things = loadThings();
  const near = loadNearWords('train', things);
  return [
    { share: SHARES.people, make: (r, l) => peopleDialogues(r, l, people) },
    { share: SHARES.grammar, make: (r, l) => grammarDialogues(r, l, things) },
    { share: SHARES.near, make: (r, l) => nearDialogues(r, l, near) },
  ];
}

/** People's test lines of functions that are never trained on, in sets of eight. */
export function unseenPeople(tokenizer: Tokenizer, template: ChatTemplate, folder: string): PretrainStream {
  const people = loadPeople('heldOut', folder);
  return unseen(tokenizer, template, 'people-eval', (r, l) => peopleDialogues(r, l, people, 8, true));
}

/** Tools of words that training never saw. */
export const unseenWords = (tokenizer: Tokenizer, template: ChatTemplate): PretrainStream =>
  unseen(tokenizer, template, 'nano-eval');

/** Everyday things in words that training never saw. */
export function unseenThings(tokenizer: Tokenizer, template: ChatTemplate): PretrainStream {
  const things = loadThings();
  return unseen(tokenizer, template, 'grammar-eval', (r, l) => grammarDialogues(r, l, things));
}

/** Tools about nouns that no tool of the training is about. */
export function unseenNear(tokenizer: Tokenizer, template: ChatTemplate): PretrainStream {
  const near = loadNearWords('heldOut', loadThings());
  const own = loadLexicon('train');
  return unseen(tokenizer, template, 'near-eval', (r) => nearDialogues(r, own, near));
}

/** @param make not given: dialogues of `world.ts` */
const unseen = (tokenizer: Tokenizer, template: ChatTemplate, seed: string, make?: Source['make']): PretrainStream =>
  new PretrainStream(tokenizer, template, loadLexicon('heldOut'), seed, 2048, 0, make ? [{ share: 1, make }] : []);
