import { Random } from '../../base/random';
import type { ChatTemplate } from '../tokenizer/chatTemplate';
import { Tokenizer } from '../tokenizer/tokenizer';
import { packRows, TokenTree, type PackedRows } from '../network/packedRows';
import { PIECES } from './bpe';
import { allowedIds, NotSayable } from './constrained';
import { makeDialogues, type Dialogue } from './dialogue';
import type { Lexicon } from './words';

/** One batch of packed rows. Loss places are flat indices into [rows * length] whose next token is the target. */
export interface PretrainBatch {
  packed: PackedRows;
  places: Int32Array;
  targets: Int32Array;
  weights: Float32Array;
  /** for each place: the ids that the constrained sampler would choose from; null = all */
  allowed: (Int32Array | null)[];
  /** what each place chooses */
  zones: Zone[];
  /** index into kinds, of the dialogue of each place; -1 = padding */
  dialogue: Int32Array;
  kinds: Dialogue['kind'][];
  tokens: number;
}

/**
 * Of a place in what the model says: text or a call; the call's function; the rest of the call; words. null: the model
 * does not say it.
 */
export type Zone = 'decide' | 'tool' | 'arguments' | 'text' | null;

const PLACES = 1024;
/** of a row; one in LONG may be as long as a prompt may be */
const LENGTHS = [128, 256, 384, 512, 640, 768, 1024, 2048];
const USUAL = 1024;
const LONG = 12;
/**
 * Loss weights. A choice is what the constrained sampler leaves to the policy, and whether to call at all the one that
 * is lost first; the user's words repeat those of the tool that is meant.
 */
const WEIGHTS = { choice: 1, decide: 2, forced: 0.05, text: 0.6, drill: 1, user: 0.1 };

/** Where dialogues come from besides `world.ts`, each with its share of the rows. */
export interface Source {
  share: number;
  make(r: Random, lexicon: Lexicon): Dialogue[];
}

/**
 * Encodes piece by piece with a cache, which the nano tokenizer's pieces allow; ids equal its own (a test compares).
 */
export class PieceTokenizer extends Tokenizer {
  private readonly cache = new Map<string, number[]>();
  private readonly regex = new RegExp(`<\\|[a-z]+\\|>|${PIECES}`, 'g');

  override encode(text: string): number[] {
    const out: number[] = [];
    for (const piece of text.match(this.regex) ?? []) {
      let ids = this.cache.get(piece);
      if (!ids) {
        ids = super.encode(piece);
        if (this.cache.size < 300_000) this.cache.set(piece, ids);
      }
      for (const id of ids) out.push(id);
    }
    return out;
  }
}

/**
 * An endless, seeded stream of batches: dialogue i depends on (seed, i) alone, so a resumed run goes on with the same
 * data.
 */
export class PretrainStream {
  private readonly pending = new Map<number, Row[]>();
  private readonly written = new WeakMap<Dialogue['tools'], number[]>();
  private readonly ids: Record<'assistant' | 'end' | 'user' | 'tool' | 'call' | 'result', number>;

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly template: ChatTemplate,
    private readonly lexicon: Lexicon,
    private readonly seed: string,
    private readonly tokensPerBatch: number,
    public next = 0,
    private readonly sources: readonly Source[] = [],
  ) {
    this.ids = {
      assistant: tokenizer.idOf('<|assistant|>'),
      end: tokenizer.idOf('<|end|>'),
      user: tokenizer.idOf('<|user|>'),
      tool: tokenizer.idOf('<|tool|>'),
      call: tokenizer.idOf('<|call|>'),
      result: tokenizer.idOf('<|result|>'),
    };
  }

  dialogues(i: number, progress: number): Dialogue[] {
    const r = Random.fromSeed(this.seed).fork(i);
    let roll = this.sources.length > 0 ? r.next() : 1;
    for (const source of this.sources) if ((roll -= source.share) < 0) return source.make(r, this.lexicon);
    return makeDialogues(r, this.lexicon, progress);
  }

  /** The template writes tools first, each by itself, so those of a row are rendered once. */
  private idsOf(d: Dialogue): number[] {
    let tools = this.written.get(d.tools);
    if (!tools) this.written.set(d.tools, (tools = this.tokenizer.encode(this.template.render([], d.tools, false))));
    return [...tools, ...this.tokenizer.encode(this.template.render(d.messages, [], false))];
  }

  encode(d: Dialogue): Encoded {
    const ids = this.idsOf(d);
    const allowed = allowedIds(this.tokenizer, d, ids, this.ids);
    const isDrill = d.kind === 'copy' || d.kind === 'recall';
    let inUser = false;
    const zones = this.zones(ids, allowed);
    const weights = ids.map((id, i) => {
      const a = allowed[i];
      const w = a
        ? a.length === 1
          ? WEIGHTS.forced
          : isDrill
            ? WEIGHTS.drill
            : zones[i] === 'text'
              ? WEIGHTS.text
              : zones[i] === 'decide'
                ? WEIGHTS.decide
                : WEIGHTS.choice
        : inUser && !isDrill
          ? WEIGHTS.user
          : 0;
      if (id === this.ids.user) inUser = true;
      else if (id === this.ids.assistant) inUser = false;
      return w;
    });
    // forced places learn the format under the full softmax; choices under the sampler's
    return { ids, weights, zones, allowed: allowed.map((a) => (a && a.length > 1 ? a : null)), kind: d.kind };
  }

  /**
   * The grammar of requests may word a value so that it can't be copied ("x8"), and people write what no rule
   * foresees: such a dialogue is left out.
   */
  private sayable(d: Dialogue): Encoded[] {
    try {
      return [this.encode(d)];
    } catch (error) {
      if (error instanceof NotSayable && /^(grammar|person|near)/.test(d.kind)) return [];
      throw error;
    }
  }

  private zones(ids: readonly number[], allowed: readonly (Int32Array | null)[]): Zone[] {
    let zone: Zone = null;
    return ids.map((id, i) => {
      if (!allowed[i]) zone = null;
      else if (ids[i - 1] === this.ids.assistant) zone = 'decide';
      else if (zone === 'decide') zone = ids[i - 1] === this.ids.call ? 'tool' : 'text';
      else if (zone === 'tool' && this.tokenizer.tokenText(id).startsWith('{')) zone = 'arguments';
      return zone;
    });
  }

  batch(progress: number): PretrainBatch {
    for (;;) {
      const made = this.row(progress);
      const length = made && LENGTHS.find((n) => n >= made.tree.size);
      if (!length) continue;
      const rows = this.pending.get(length) ?? [];
      this.pending.set(length, rows);
      rows.push(made);
      if (rows.length >= Math.floor(this.tokensPerBatch / length)) {
        this.pending.set(length, []);
        return pack(rows, length);
      }
    }
  }

  /** The next row, of at most 2,048 tokens. null: none of its dialogues can be said, or one alone is longer. */
  row(progress: number): Row | null {
    const row = this.dialogues(this.next++, progress).flatMap((d) => this.sayable(d));
    if (row.length === 0) return null;
    let tree = treeOf(row);
    const longest = this.next % LONG === 0 ? LENGTHS.at(-1)! : USUAL;
    while (tree.size > longest && row.length > 1) {
      row.pop();
      tree = treeOf(row);
    }
    return tree.size > LENGTHS.at(-1)! ? null : { tree, row };
  }
}

/** All of a row begin with the same tools. */
function treeOf(row: readonly Encoded[]): TokenTree {
  const tree = new TokenTree();
  for (const { ids } of row) tree.add(ids);
  return tree;
}

interface Encoded {
  ids: number[];
  weights: number[];
  zones: Zone[];
  allowed: (Int32Array | null)[];
  kind: Dialogue['kind'];
}
export interface Row {
  tree: TokenTree;
  row: Encoded[];
}

/** Places beyond PLACES are left out, those of the user's words first. */
function pack(rows: Row[], length: number): PretrainBatch {
  const packed = packRows(
    rows.map((r) => r.tree),
    length,
  );
  const found: { e: Encoded; t: number; place: number; dialogue: number }[] = [];
  const kinds: Dialogue['kind'][] = [];
  rows.forEach(({ tree, row }, i) =>
    row.forEach((e) => {
      kinds.push(e.kind);
      const places = tree.add(e.ids); // they are all there
      for (let t = 1; t < e.ids.length; t++)
        if (e.weights[t]! > 0) found.push({ e, t, place: i * length + places[t - 1]!, dialogue: kinds.length - 1 });
    }),
  );
  const heavy = found.filter((f) => f.e.weights[f.t]! > WEIGHTS.user);
  const light = found.filter((f) => f.e.weights[f.t]! <= WEIGHTS.user);
  const kept = [...heavy, ...light].slice(0, PLACES);
  const out: PretrainBatch = {
    packed,
    kinds,
    places: new Int32Array(PLACES),
    targets: new Int32Array(PLACES),
    weights: new Float32Array(PLACES),
    allowed: Array<Int32Array | null>(PLACES).fill(null),
    zones: Array<Zone>(PLACES).fill(null),
    dialogue: new Int32Array(PLACES).fill(-1),
    tokens: rows.reduce((n, r) => n + r.tree.size, 0),
  };
  kept.forEach(({ e, t, place, dialogue }, i) => {
    out.places[i] = place;
    out.targets[i] = e.ids[t]!;
    out.weights[i] = e.weights[t]!;
    out.allowed[i] = e.allowed[t] ?? null;
    out.zones[i] = e.zones[t] ?? null;
    out.dialogue[i] = dialogue;
  });
  return out;
}

/** [places, vocab]: 0 where the sampler may choose, -1e9 elsewhere; rows without a choice are 0 throughout. */
export function choiceBias(allowed: readonly (ArrayLike<number> | null)[], vocabSize: number): Float32Array {
  const bias = new Float32Array(allowed.length * vocabSize);
  allowed.forEach((ids, i) => {
    if (!ids) return;
    bias.fill(-1e9, i * vocabSize, (i + 1) * vocabSize);
    for (let j = 0; j < ids.length; j++) bias[i * vocabSize + ids[j]!] = 0;
  });
  return bias;
}
