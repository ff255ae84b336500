import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { Random } from '../../../trainer/base/random';
import { packRows } from '../../../trainer/model/network/packedRows';
import { PieceTokenizer, PretrainStream } from '../../../trainer/model/nano/batches';
import { loadThings } from '../../../trainer/model/nano/everyday';
import { KEPT_OUT } from '../../../trainer/model/nano/intents';
import { loadNearWords, nearDialogues } from '../../../trainer/model/nano/nearDialogues';
import { excludedLater, excludedStems, loadLexicon } from '../../../trainer/model/nano/words';
import { rowBytes } from '../../../trainer/model/nano/writeRows';
import { ChatTemplate } from '../../../trainer/model/tokenizer/chatTemplate';
import { splitWords } from '../../../trainer/base/words';

const nano = resolve(__dirname, '../../../trainer/model/nano');
const tokenizer = PieceTokenizer.load(nano);
const template = ChatTemplate.load(nano);
const near = loadNearWords('train', loadThings());
const lexicon = loadLexicon('train');
const sets = Array.from({ length: 40 }, (_, i) => nearDialogues(Random.fromSeed('near').fork(i), lexicon, near));
const all = sets.flat();

describe('dialogues in words that only lie near a tool', () => {
  it('are calls of what was meant, refusals of what no tool is for, and some of the grammar', () => {
    const share = (kind: RegExp): number => all.filter((d) => kind.test(d.kind)).length / all.length;
    assert.ok(share(/^near$/) > 0.4 && share(/^nearNone$/) > 0.03 && share(/^grammar/) > 0.15);
    for (const { kind, gold, tools } of all) {
      assert.equal(gold.length === 0, /None$|Ask$/.test(kind));
      for (const { name } of gold) assert.ok(tools.some((tool) => tool.name === name));
    }
  });

  it('hold nothing that the examples or the benchmarks are about, in requests or in names of things', () => {
    const out = new Set([...excludedStems(), ...excludedLater()]);
    for (const { messages } of all) assert.doesNotMatch(messages[0]!.content, KEPT_OUT);
    for (const noun of near.nouns) assert.ok(!out.has(noun) && !KEPT_OUT.test(noun), noun);
  });

  it('are about other things where they measure', () => {
    const own = new Set(near.nouns);
    const heldOut = loadNearWords('heldOut', loadThings()).nouns;
    assert.ok(heldOut.length > 300);
    for (const noun of heldOut) assert.ok(!own.has(noun), noun);
  });

  it('are the same for the same seed, and another set for another', () => {
    const told = (dialogues: typeof all): unknown[] =>
      dialogues.map(({ messages, gold }) => [messages[0]!.content, gold]);
    const again = (i: number): unknown[] => told(nearDialogues(Random.fromSeed('near').fork(i), lexicon, near));
    assert.deepEqual(again(3), told(sets[3]!));
    assert.notDeepEqual(again(4), told(sets[3]!));
  });

  it('do not name the thing that they are about, more often than not', () => {
    const named = all
      .filter(({ kind }) => kind === 'near')
      .map(({ messages, gold }) => {
        const words = new Set(splitWords(messages[0]!.content));
        return splitWords(gold[0]!.name).some((word) => words.has(word) || words.has(word.replace(/s$/, '')));
      });
    assert.ok(named.filter(Boolean).length < named.length / 2, `${named.filter(Boolean).length} of ${named.length}`);
  });
});

describe('rows of pre-training in files', () => {
  const stream = new PretrainStream(tokenizer, template, lexicon, 'rows', 2048, 0, [
    { share: 1, make: (r, l) => nearDialogues(r, l, near) },
  ]);
  const row = stream.row(0.8)!;
  const bytes = rowBytes(row);
  const [tokens, choices, sets] = [0, 4, 8].map((at) => bytes.readUInt32LE(at)) as [number, number, number];
  const column = (index: number): number[] => {
    const [from, n] = index < 4 ? [2 * index * tokens, tokens] : [8 * tokens + 2 * (index - 4) * choices, choices];
    return Array.from({ length: n }, (_, i) => bytes.readUInt16LE(16 + from + 2 * i));
  };

  it('hold ids, positions, choices and their sets, and nothing further', () => {
    assert.equal(bytes.length, 16 + 8 * tokens + 9 * choices + 256 * sets);
    assert.deepEqual(column(0), row.tree.ids);
    assert.deepEqual(column(1), row.tree.depths);
    const ids = column(0);
    const bits = bytes.subarray(bytes.length - 256 * sets);
    const [places, targets, chosen] = [column(4), column(5), column(6)];
    for (const [i, place] of places.entries()) {
      assert.ok(row.tree.parents.some((parent, t) => parent === place && ids[t] === targets[i]));
      const at = 256 * chosen[i]! + (targets[i]! >> 3);
      if (chosen[i] !== 65_535) assert.ok(bits[at]! & (1 << (targets[i]! & 7)), 'what was said is allowed');
    }
  });

  it('let each token see what the mask of packed rows lets it see', () => {
    const { mask, length } = packRows([row.tree], tokens);
    const [enter, leave] = [column(2), column(3)];
    for (let t = 0; t < length; t++)
      for (let s = 0; s < length; s++)
        assert.equal(enter[s]! <= enter[t]! && enter[t]! < leave[s]!, mask[t * length + s] === 0, `${t} ${s}`);
  });
});
