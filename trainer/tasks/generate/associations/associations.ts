import type { ToolSchema } from '../../../protocol/task';
import type { Random } from '../../../base/random';
import { splitWords } from '../../../base/words';
import { nameWordsOf } from '../../../tools/schema/words';
import { wordVectors, type WordKind, type WordVectors } from './wordVectors';

/** Words to draw from, by kind, each with the sum of the weights up to it. */
class WordChoice {
  private readonly byKind = new Map<WordKind, { words: string[]; sums: number[] }>();

  constructor(weighted: readonly { word: string; kinds: string; weight: number }[]) {
    for (const { word, kinds, weight } of weighted)
      for (const kind of kinds as Iterable<WordKind>) {
        const own = this.byKind.get(kind) ?? { words: [], sums: [] };
        own.words.push(word);
        own.sums.push((own.sums.at(-1) ?? 0) + weight);
        this.byKind.set(kind, own);
      }
  }

  /** null: no word of this kind is near. */
  pick(kind: WordKind, random: Random): string | null {
    const own = this.byKind.get(kind);
    if (!own) return null;
    const at = random.next() * own.sums.at(-1)!;
    return own.words[own.sums.findIndex((sum) => sum > at)] ?? own.words.at(-1)!;
  }
}

/** How sharply nearness decides, and what a nearness to the next tool takes off. Found on intents outside the bench. */
const SHARPNESS = 9;
const RIVAL = 0.5;
/** So many words are drawn as if there were no other tool: those of the matter that all tools have in common. */
const COMMON = 0.25;
const MOST_WORDS = 400;
/** Of a value no other tool is a rival, so that its words lie nearer. */
const MOST_VALUES = 250;
const FREQUENCY = 0.1;

/**
 * Which words people may use when they mean a tool, and none of the others: those whose vectors lie near the tool's
 * name and description, less half of how near they lie to the next tool. Of "lend a book to a member": borrower, novel,
 * shelf. Same tools, same words. Of a tool of whose words none is known (another language) there are none.
 */
export class Associations {
  private readonly table: WordVectors;
  private readonly nearness: Float64Array[]; // [tool][word]
  /** How near a word lies to the tool that is nearest to it, at least 0. */
  private readonly nearest: Float64Array; // [word]
  private readonly choices: ({ alone: WordChoice; apart: WordChoice } | null)[];
  private readonly position: Map<string, number>;

  constructor(tools: readonly ToolSchema[]) {
    this.table = wordVectors();
    this.position = new Map(tools.map((tool, i) => [tool.name, i]));
    const centres = tools.map((tool) => meaningOf(textOf(tool), this.table));
    this.nearness = centres.map((centre) => (centre ? nearnessTo(centre, this.table) : new Float64Array(0)));
    this.nearest = highest(this.nearness, this.table);
    this.choices = centres.map((centre, i) => (centre ? this.choicesOf(i) : null));
  }

  /** A word for this tool. null: none of this kind is near. */
  pick(tool: string, kind: WordKind, random: Random): string | null {
    const at = this.position.get(tool);
    const choices = at === undefined ? null : this.choices[at];
    return choices ? (random.next() < COMMON ? choices.alone : choices.apart).pick(kind, random) : null;
  }

  /** Words around another matter, drawn at random, that lies near none of the tools. null: none was found. */
  elsewhere(random: Random): ((kind: WordKind) => string | null) | null {
    const { kinds } = this.table;
    for (let tries = 0; tries < 50; tries++) {
      const at = random.int(EVERYDAY);
      if (!kinds[at]!.includes('n') || this.nearest[at]! > FAR) continue;
      const near = nearnessTo(vectorAt(at, this.table), this.table);
      const choice = this.drawnFrom((word) => Math.min(near[word]!, NEAR_ENOUGH) - RIVAL * this.nearest[word]!);
      return (kind) => choice.pick(kind, random);
    }
    return null;
  }

  private choicesOf(tool: number): { alone: WordChoice; apart: WordChoice } {
    const own = this.nearness[tool]!;
    const rival = highest(
      this.nearness.filter((_, i) => i !== tool),
      this.table,
    );
    return {
      alone: this.drawnFrom((word) => own[word]!),
      apart: this.drawnFrom((word) => own[word]! - RIVAL * rival[word]!),
    };
  }

  private drawnFrom(score: (word: number) => number): WordChoice {
    return choiceBy(score, this.table, MOST_WORDS);
  }
}

/** Words near a text, of whatever tool. null: none of its words is known. */
export function wordsNear(text: readonly string[]): ((kind: WordKind, random: Random) => string | null) | null {
  const table = wordVectors();
  const centre = meaningOf(text, table);
  if (!centre) return null;
  const near = nearnessTo(centre, table);
  const choice = choiceBy((word) => Math.min(near[word]!, NEAR_ENOUGH), table, MOST_VALUES);
  return (kind, random) => choice.pick(kind, random);
}

/** A sibling lies at least so near (cosine) to the middle of the words. */
const SIBLING = 0.36;
const MOST_SIBLINGS = 12;

/** Words of the same kind that lie nearest to the middle of some words, but none of the same stem. */
export function siblingsOf(text: readonly string[]): string[] {
  const table = wordVectors();
  const known = text.filter((word) => table.indexOf(word) !== undefined);
  const centre = meaningOf(known, table);
  if (!centre) return [];
  const kindsOf = (word: string): Set<string> => new Set(table.kinds[table.indexOf(word)!]!);
  const kinds = [...kindsOf(known[0]!)].filter((kind) => known.every((word) => kindsOf(word).has(kind)));
  const near = nearnessTo(centre, table);
  const isAkin = (word: string): boolean =>
    known.some((one) => one.startsWith(word.slice(0, 4)) || word.startsWith(one.slice(0, 4)));
  return table.words
    .map((word, i) => ({ word, cosine: near[i]!, isSame: kinds.includes(table.kinds[i]![0]!) }))
    .filter(({ word, cosine, isSame }) => isSame && cosine >= SIBLING && !isAkin(word))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, MOST_SIBLINGS)
    .map(({ word }) => word);
}

function choiceBy(score: (word: number) => number, { words, kinds }: WordVectors, most: number): WordChoice {
  const weights = new Float64Array(words.length); // as logarithms
  for (let word = 0; word < weights.length; word++)
    weights[word] = SHARPNESS * score(word) - FREQUENCY * Math.log(word + 50);
  const least = boundOf(weights, most);
  const weighted = words
    .flatMap((word, i) => (weights[i]! < least ? [] : [{ word, kinds: kinds[i]!, weight: Math.exp(weights[i]!) }]))
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  return new WordChoice(weighted.slice(0, most));
}

const BINS = 1024;

/** At least `most` of the values are not less than this, and few more. */
function boundOf(values: Float64Array, most: number): number {
  let [low, high] = [Infinity, -Infinity];
  for (const x of values) [low, high] = [Math.min(low, x), Math.max(high, x)];
  const bins = new Uint32Array(BINS + 1);
  const scale = BINS / (high - low || 1);
  for (const x of values) bins[Math.floor((x - low) * scale)]!++;
  let bin = BINS;
  for (let n = bins[bin]!; bin > 0 && n < most; n += bins[--bin]!);
  return low + (bin - 0.5) / scale; // half a bin less, for rounding
}

/** A matter is another one where no tool is nearer to it than this cosine. */
const FAR = 0.25;
/** Another matter is one of the more frequent words. */
const EVERYDAY = 6000;
/** Nearer than this no word goes before another: a matter is more than one word. */
const NEAR_ENOUGH = 0.5;

const textOf = (tool: ToolSchema): string[] => [
  ...nameWordsOf(tool),
  ...splitWords(tool.description.split('\n')[0] ?? ''),
];

/** The mean of the words' vectors, rare ones counting more (log of the rank, as Zipf's law has it), with length 1. */
function meaningOf(text: readonly string[], table: WordVectors): Float64Array | null {
  const sum = new Float64Array(table.dimensions);
  for (const word of text) {
    const at = table.indexOf(word);
    if (at === undefined) continue;
    const vector = vectorAt(at, table);
    for (let i = 0; i < sum.length; i++) sum[i]! += Math.log(at + 2) * vector[i]!;
  }
  return unit(sum);
}

function vectorAt(word: number, { vectors, dimensions }: WordVectors): Float64Array {
  return unit(Float64Array.from(vectors.subarray(word * dimensions, (word + 1) * dimensions)))!;
}

function unit(vector: Float64Array): Float64Array | null {
  const length = Math.hypot(...vector);
  return length === 0 ? null : vector.map((x) => x / length);
}

/** Of each word the largest of the cosines, at least 0, [word]. */
function highest(lists: readonly Float64Array[], { words }: WordVectors): Float64Array {
  const out = new Float64Array(words.length);
  for (const near of lists)
    for (let word = 0; word < near.length; word++) out[word] = Math.max(out[word]!, near[word]!);
  return out;
}

/** Cosines of all words with a direction of length 1, [word]. */
function nearnessTo(direction: Float64Array, { words, vectors, dimensions, lengths }: WordVectors): Float64Array {
  const out = new Float64Array(words.length);
  for (let word = 0, at = 0; word < out.length; word++) {
    let product = 0;
    for (let i = 0; i < dimensions; i++) product += vectors[at++]! * direction[i]!;
    out[word] = product / lengths[word]!;
  }
  return out;
}
