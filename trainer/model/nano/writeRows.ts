import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChatTemplate } from '../tokenizer/chatTemplate';
import type { TokenTree } from '../network/packedRows';
import { PieceTokenizer, PretrainStream, type Row } from './batches';
import { intentsFolder } from './intents';
import { trainingSources, unseenNear, unseenPeople, unseenThings, unseenWords } from './sources';
import { loadLexicon } from './words';

/**
 * Rows of pre-training as files, for a trainer on a graphics card (pretrainGpu.py):
 * `node --import tsx trainer/model/nano/writeRows.ts SEED OUT TOKENS [train|people|near|grammar|world]`. Several at
 * once, each with a seed of its own, keep one card busy. A file holds 100 rows:
 * u32 tokens, places, sets, dialogues; u16 ids, positions, enter, leave of each token (a token sees those whose
 * [enter, leave) holds its own enter); u16 place, target, set (65535: any id), dialogue and u8 weight in percent of
 * each choice; the sets of allowed ids, 256 bytes each.
 */
const ROWS_A_FILE = 100;
const ANY = 65_535;

export function rowBytes({ tree, row }: Row): Buffer {
  const { enter, leave } = intervals(tree);
  const columns = { place: [] as number[], target: [] as number[], set: [] as number[], dialogue: [] as number[] };
  const weights: number[] = [];
  const sets = new Map<string, number>();
  row.forEach((dialogue, index) => {
    const places = tree.add(dialogue.ids); // they are all there
    for (let t = 1; t < dialogue.ids.length; t++) {
      if (!(dialogue.weights[t]! > 0)) continue;
      columns.place.push(places[t - 1]!);
      columns.target.push(dialogue.ids[t]!);
      columns.dialogue.push(index);
      weights.push(Math.round(100 * dialogue.weights[t]!));
      const ids = dialogue.allowed[t];
      const key = ids ? bitsOf(ids).toString('latin1') : null;
      if (key !== null && !sets.has(key)) sets.set(key, sets.size);
      columns.set.push(key === null ? ANY : sets.get(key)!);
    }
  });
  const u16 = (numbers: ArrayLike<number>): Buffer => Buffer.from(Uint16Array.from(numbers).buffer);
  return Buffer.concat([
    Buffer.from(Uint32Array.from([tree.size, weights.length, sets.size, row.length]).buffer),
    ...[tree.ids, tree.depths, enter, leave].map(u16),
    ...[columns.place, columns.target, columns.set, columns.dialogue].map(u16),
    Buffer.from(weights),
    ...[...sets.keys()].map((key) => Buffer.from(key, 'latin1')),
  ]);
}

/** Of a vocabulary of 2,048 ids. */
function bitsOf(ids: ArrayLike<number>): Buffer {
  const bits = Buffer.alloc(256);
  for (let i = 0; i < ids.length; i++) bits[ids[i]! >> 3]! |= 1 << (ids[i]! & 7);
  return bits;
}

/** Of each token when a walk through the tree comes to it, and when it has left what stands behind it. */
function intervals({ parents }: TokenTree): { enter: Uint16Array; leave: Uint16Array } {
  const size = new Uint16Array(parents.length).fill(1);
  for (let i = parents.length - 1; i >= 0; i--) if (parents[i]! >= 0) size[parents[i]!]! += size[i]!;
  const enter = new Uint16Array(parents.length);
  const next = new Uint16Array(parents.length);
  let root = 0;
  parents.forEach((parent, i) => {
    enter[i] = parent < 0 ? root : next[parent]!;
    if (parent < 0) root += size[i]!;
    else next[parent]! += size[i]!;
    next[i] = enter[i]! + 1;
  });
  return { enter, leave: enter.map((at, i) => at + size[i]!) };
}

function streamOf(kind: string, seed: string): PretrainStream {
  const tokenizer = PieceTokenizer.load(__dirname);
  const template = ChatTemplate.load(__dirname);
  const folder = intentsFolder();
  if (kind === 'people') return unseenPeople(tokenizer, template, folder);
  if (kind === 'near') return unseenNear(tokenizer, template);
  if (kind === 'grammar') return unseenThings(tokenizer, template);
  if (kind === 'world') return unseenWords(tokenizer, template);
  return new PretrainStream(tokenizer, template, loadLexicon('train'), seed, 2048, 0, trainingSources(folder));
}

if (require.main === module) {
  const [seed = '0', out = 'rows', most = '1e12', kind = 'train'] = process.argv.slice(2);
  const stream = streamOf(kind, `gpu-${seed}`);
  mkdirSync(out, { recursive: true });
  let [files, tokens] = [0, 0];
  let waiting: Buffer[] = [];
  const write = (): void => {
    const file = join(out, `${kind === 'train' ? seed : kind}-${files++}`);
    writeFileSync(`${file}.part`, Buffer.concat(waiting));
    renameSync(`${file}.part`, `${file}.rows`);
    waiting = [];
  };
  while (tokens < Number(most)) {
    const row = stream.row(0.8);
    if (!row) continue;
    waiting.push(rowBytes(row));
    tokens += row.tree.size;
    if (waiting.length === ROWS_A_FILE) write();
  }
  if (waiting.length > 0) write();
}
