import { propertiesOf } from '../../../protocol/arguments';
import type { PromptTool } from '../../tokenizer/chatTemplate';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import type { SpanSource, State, Then } from './grammar';
import { PART } from './spans';

/**
 * The words that an answer may hold whatever was said before: what holds a sentence together, and the few things that
 * an assistant says of itself. Every
 * other word is one of the request, of a result, or of the tools' and parameters' names; so an answer cannot invent a
 * name, a number or a thing.
 */
export const FUNCTION_WORDS =
  `a an the this that these those it its it's they them their he him his she her you your i i'm my me we us our what which who whose when where why how
 is are was were be been am isn't aren't wasn't do does did done don't doesn't didn't has have had hasn't haven't can can't cannot could couldn't will won't would may might must should shall
 not no none nothing never yes all any some each every both one ones other another more most less least many much few several enough only also too very just still already yet again now then here there
 and or but nor so if because since while until as than of in on at by for from to into with without within about over under between before after up down out off per through during against toward
 zero two three four five six seven eight nine ten first second third last next today tomorrow yesterday
 hello hi goodbye welcome thanks thank please sorry well right good fine okay ok let's that's there's
 found find called call set made make got get gave give given added add changed change removed remove sent send saved save started start stopped stop shown show see say says told tell need needs needed know ask asked want wants use used uses using try tried help helps helper small tool tools calls gives shows finds
 result results value values item items list name number total time date day id thing things place amount answer request
 worked work works failed error missing unknown available possible able left new same different empty full open closed true false on off`
    .split(/\s+/)
    .filter(Boolean);

interface Node {
  next: Map<number, Node>;
  isWord: boolean;
}
const newNode = (): Node => ({ next: new Map(), isWord: false });

/** A word: letters and digits, and the signs between two of them (2026-03-14, ann@mail.org, 2.5). */
const WORD = /[\p{L}\p{N}]+(?:[-._@/:'’&+][\p{L}\p{N}]+)*/gu;
const RUN = /[\p{L}\p{N}]+/gu;
/** createdAt -> created, At */
const CAMEL = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;
const ESCAPE = /\\(?:u([0-9a-f]{4})|.)/gi;

/** Words of a text, whole and by their parts, each as it stands and with its first letter small or large. */
export function wordsOf(text: string): Set<string> {
  const out = new Set<string>();
  const add = (word: string): void => {
    const [first = ''] = word;
    out
      .add(word)
      .add(first.toUpperCase() + word.slice(first.length))
      .add(first.toLowerCase() + word.slice(first.length));
  };
  const plain = text.replace(ESCAPE, (_, code: string | undefined) =>
    code ? String.fromCharCode(parseInt(code, 16)) : ' ',
  );
  for (const word of plain.match(WORD) ?? []) {
    add(word);
    for (const run of word.match(RUN) ?? []) {
      add(run);
      for (const part of run.match(CAMEL) ?? []) add(part);
    }
  }
  return out;
}

/** What an answer may say, token by token. One for each set of tools. */
export class AnswerWords {
  private readonly known: Known;
  private readonly names: Node;

  constructor(
    private readonly tokenizer: Tokenizer,
    tools: readonly PromptTool[],
  ) {
    this.known = knownOf(tokenizer);
    this.names = treeOf(
      tokenizer,
      this.known.encoded,
      wordsOf(tools.flatMap((t) => [t.name, ...Object.keys(propertiesOf(t.parameters))]).join(' ')),
    );
  }

  /**
   * @param source whose words may be said, too @param end leads out of the answer; an answer has at least one word or
   * sign
   */
  states(source: SpanSource, end: Then): readonly State[] {
    const said = source.ranges.map(([from, to]) => this.tokenizer.decode(source.ids.slice(from, to), true)).join(' ');
    const own = treeOf(this.tokenizer, this.known.encoded, wordsOf(said));
    // every place has one state: a word that stands in two trees leads to the same states twice, and the constraint
    // keeps each once
    const ends = end();
    const signs: State = { edges: this.known.separators.map((id) => ({ id, to: () => between })) };
    const afterWord = [signs, ...ends];
    const places = new Map<Node, State>();
    const start = [
      ...[this.known.functionWords, this.names, own].map((root) => placeOf(root, afterWord, places)),
      signs,
    ];
    const between = [...start, ...ends];
    return start;
  }
}

/** @param places states of the nodes met so far; filled as the words are walked */
function placeOf(node: Node, done: readonly State[], places: Map<Node, State>): State {
  let state = places.get(node);
  if (!state) {
    const after = (next: Node): readonly State[] => [
      ...(next.next.size > 0 ? [placeOf(next, done, places)] : []),
      ...(next.isWord ? done : []),
    ];
    places.set(node, (state = { edges: [...node.next].map(([id, next]) => ({ id, to: () => after(next) })) }));
  }
  return state;
}

/** The words as a tree of their tokens. @param encoded is filled as it goes */
function treeOf(tokenizer: Tokenizer, encoded: Known['encoded'], words: Iterable<string>): Node {
  const root = newNode();
  for (const word of words) {
    let ids = encoded.get(word);
    if (!ids) {
      ids = tokenizer.encode(word);
      if (encoded.size < MAX_KNOWN) encoded.set(word, ids);
    }
    let at = root;
    for (const id of ids) {
      let next = at.next.get(id);
      if (!next) at.next.set(id, (next = newNode()));
      at = next;
    }
    at.isWord = true;
  }
  return root;
}

const MAX_KNOWN = 50_000;
interface Known {
  encoded: Map<string, readonly number[]>;
  separators: readonly number[];
  functionWords: Node;
}
const known = new WeakMap<Tokenizer, Known>();

/** Separators: ids without a letter, a digit or a control character, marks aside. Made once for each tokenizer. */
function knownOf(tokenizer: Tokenizer): Known {
  let found = known.get(tokenizer);
  if (!found) {
    const isSign = (text: string): boolean =>
      text !== '' && !/^<\|.*\|>$/.test(text) && !/[\p{L}\p{N}\u0000-\u001f]/u.test(text) && text.search(PART) < 0;
    const separators = Array.from({ length: tokenizer.vocabSize }, (_, id) => id).filter((id) =>
      isSign(tokenizer.tokenText(id)),
    );
    const encoded: Known['encoded'] = new Map();
    known.set(
      tokenizer,
      (found = { encoded, separators, functionWords: treeOf(tokenizer, encoded, wordsOf(FUNCTION_WORDS.join(' '))) }),
    );
  }
  return found;
}
