import type { Random } from '../../base/random';
import { Associations } from '../../tasks/generate/associations/associations';
import { LOOSE_FORMS, sayElsewhere, sayLoosely, type PickWord } from '../../tasks/generate/associations/looseTalk';
import { wordVectors, type WordKind } from '../../tasks/generate/associations/wordVectors';
import type { Dialogue } from './dialogue';
import { ACTS, makeSet, type Field, type Thing } from './everyday';
import {
  answered,
  called,
  fillArgs,
  grammarDialogue,
  makeWorld,
  outcome,
  several,
  type World,
} from './grammarDialogues';
import { KEPT_OUT } from './intents';
import { excludedLater, excludedStems, isFormOf, loadLexicon, type Lexicon } from './words';

/**
 * Dialogues on tools about any of 12,000 words, asked for in words that only lie near the tool that is meant
 * (tasks/generate/associations). They teach which words go with which: what a sentence encoder knows, in the
 * shape in which a policy needs it.
 */
export interface NearWords {
  nouns: readonly string[];
  verbs: readonly string[];
  fields: readonly Field[];
  /** May a request hold this word? */
  isOpen(word: string): boolean;
}

/** One noun in ten names a thing in no training dialogue, and things in `heldOut` ones alone. */
export function loadNearWords(part: 'train' | 'heldOut', things: readonly Thing[]): NearWords {
  const out = new Set([...excludedStems(), ...excludedLater(), ...loadLexicon('heldOut').words]);
  const isOpen = (word: string): boolean => !isFormOf(out, word) && !KEPT_OUT.test(word);
  const { words, kinds } = wordVectors();
  const ofKind = (kind: WordKind): string[] => words.filter((word, i) => kinds[i]!.includes(kind) && isOpen(word));
  const nouns = ofKind('n').filter((word) => word.length > 2);
  return {
    nouns: nouns.filter((_, i) => (i % 10 === 7) === (part === 'heldOut')),
    verbs: ofKind('v').filter((word) => word.length > 2),
    fields: things.flatMap((thing) => thing.fields),
    isOpen,
  };
}

const VERBS = 24;
const SHARES = { near: 0.6, elsewhere: 0.1 };
const families = LOOSE_FORMS.map(({ name }) => name);

export function nearDialogues(r: Random, l: Lexicon, near: NearWords): Dialogue[] {
  const things = Array.from({ length: 4 }, () => makeThing(r, near));
  const acts = [...ACTS, ...Array.from({ length: VERBS }, () => r.pick(near.verbs))];
  const set = makeSet(r, things, acts);
  if (r.next() < 0.6) set.idOf = () => plainId; // so that an id does not tell its tool
  const world = makeWorld(r, l, set);
  const words = new Associations(world.set.tools.map(({ schema }) => schema));
  const open = (word: string | null): string | null => (word !== null && near.isOpen(word) ? word : null);
  return several(8 + r.int(6), () => {
    const roll = r.next();
    if (roll < SHARES.near) return asked(r, world, (tool) => (kind) => open(words.pick(tool, kind, r)));
    if (roll > SHARES.near + SHARES.elsewhere) return grammarDialogue(r, world);
    const elsewhere = words.elsewhere(r);
    return elsewhere && other(r, world, (kind) => open(elsewhere(kind)));
  });
}

const plainId = (r: Random): string => String(1000 + r.int(9000));

function makeThing(r: Random, { nouns, fields }: NearWords): Thing {
  const word = (): string => nouns[Math.floor(nouns.length * r.next() ** 1.5)]!; // frequent ones more often
  const noun = r.next() < 0.75 ? word() : `${word()} ${word()}`;
  const own = new Map<string, Field>();
  while (own.size < 4) {
    const field = r.pick(fields);
    if (field.name !== noun) own.set(field.name, field);
  }
  return { noun, fields: [...own.values()] };
}

const TRIES = 6;

/** One call, in words that go with its tool. */
function asked(r: Random, world: World, wordsOf: (tool: string) => PickWord): Dialogue | null {
  const { tool, talk } = r.pick(world.tools);
  for (let tries = 0; tries < TRIES; tries++) {
    const args = fillArgs(r, world, tool);
    const text = sayLoosely(talk, args, wordsOf(tool.schema.name), { random: r, families })?.text;
    if (text === undefined) continue;
    return called(r, world, 'near', text, { tool, args }, outcome(r, world, tool, args));
  }
  return null;
}

/** What no tool is for. */
function other(r: Random, world: World, word: PickWord): Dialogue | null {
  const text = sayElsewhere(word, r)?.text;
  return text === undefined ? null : answered(world, 'nearNone', text, 'No tool can do that.');
}
