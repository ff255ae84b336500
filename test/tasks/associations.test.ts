import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import type { ToolSchema } from '../../trainer/protocol/task';
import { Associations } from '../../trainer/tasks/generate/associations/associations';
import { associatedValue } from '../../trainer/tasks/generate/associations/associatedValue';
import { LOOSE_FORMS, sayElsewhere, sayLoosely } from '../../trainer/tasks/generate/associations/looseTalk';
import { wordVectors, type WordKind } from '../../trainer/tasks/generate/associations/wordVectors';
import { toolTalk } from '../../trainer/tasks/generate/grammar/toolTalk';

const tool = (name: string, description: string): ToolSchema => ({
  name,
  description,
  parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  source: { file: 'tools.ts', line: 1 },
  binding: { exportName: name, positional: 'object' },
  changesWorld: true,
});
const TOOLS = [
  tool('cookDish', 'Cook a dish from a recipe.'),
  tool('plantTree', 'Plant a tree in the garden.'),
  tool('tuneGuitar', 'Tune a guitar for a song.'),
];
const draw = (pick: (kind: WordKind, random: Random) => string | null, kind: WordKind, n = 200): string[] => {
  const random = Random.fromSeed('words');
  return Array.from({ length: n }, () => pick(kind, random) ?? '');
};
/** [-1, 1] of two words' vectors, the slow way. */
function cosine(a: string, b: string): number {
  const { vectors, dimensions, indexOf } = wordVectors();
  const of = (word: string): number[] => [
    ...vectors.subarray(indexOf(word)! * dimensions, (indexOf(word)! + 1) * dimensions),
  ];
  const [x, y] = [of(a), of(b)];
  const product = (p: number[], q: number[]): number => p.reduce((sum, value, i) => sum + value * q[i]!, 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

describe('word vectors', () => {
  it('hold 12,000 words of 128 numbers, and what is alike lies near', () => {
    const { words, kinds, vectors, dimensions } = wordVectors();
    assert.equal(words.length, 12_000);
    assert.equal(dimensions, 128);
    assert.equal(vectors.length, words.length * dimensions);
    assert.ok(kinds.every((kind) => /^[nsvdga]+$/.test(kind)));
    assert.ok(cosine('bus', 'train') > cosine('bus', 'soup') + 0.2);
    assert.ok(cosine('borrow', 'loan') > cosine('borrow', 'piano') + 0.2);
  });
});

describe('words that go with a tool', () => {
  const associations = new Associations(TOOLS);

  it('lie nearer to it than to the others, in nine of ten draws', () => {
    const names = ['dish', 'tree', 'guitar'];
    for (const [i, { name }] of TOOLS.entries()) {
      const drawn = draw((kind, random) => associations.pick(name, kind, random), 'n');
      const nearest = drawn.filter((word) => {
        const near = names.map((each) => cosine(word, each));
        return near[i] === Math.max(...near);
      });
      assert.ok(nearest.length >= 0.75 * drawn.length, `${name}: ${nearest.length} of ${drawn.length}`);
      assert.ok(new Set(drawn).size > 40, `${name}: ${new Set(drawn).size} different words`);
    }
  });

  it('are none for a tool in words that nobody knows, and the others keep theirs', () => {
    const odd = new Associations([...TOOLS, tool('qqx', 'Ünbekänntes Dîng.')]);
    assert.equal(odd.pick('qqx', 'n', Random.fromSeed(1)), null);
    assert.notEqual(odd.pick('cookDish', 'n', Random.fromSeed(1)), null);
    assert.equal(odd.pick('none of them', 'n', Random.fromSeed(1)), null);
  });

  it('of another matter are near no tool', () => {
    const random = Random.fromSeed('elsewhere');
    for (let i = 0; i < 20; i++) {
      const word = associations.elsewhere(random)!('n')!;
      assert.ok(!/^(dish|recipe|tree|garden|guitar|song)s?$/.test(word), word);
    }
  });

  it('same seed, same words', () => {
    const words = (): string[] =>
      draw((kind, random) => new Associations(TOOLS).pick('plantTree', kind, random), 'v', 3);
    assert.deepEqual(words(), words());
  });
});

describe('a request in such words', () => {
  const word = (kind: WordKind): string =>
    ({ n: 'orchard', s: 'roots', v: 'dig', d: 'grew', g: 'growing', a: 'green' })[kind];

  it('says every value, in a family that was asked for, and never the tool by its name', () => {
    const families = LOOSE_FORMS.map(({ name }) => name);
    const random = Random.fromSeed('loose');
    const seen = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const said = sayLoosely(toolTalk(TOOLS[1]!), { title: 'Bramley 7' }, word, { random, families });
      if (said === null) continue;
      seen.add(said.form);
      assert.ok(said.text.includes('Bramley 7'), said.text);
      assert.ok(!/plant|\{|\}/i.test(said.text), said.text);
    }
    assert.deepEqual([...seen].sort(), [...families].sort());
    const one = sayLoosely(toolTalk(TOOLS[1]!), { title: 'x y' }, word, { random, families: ['looseBare'] });
    assert.equal(one?.form, 'looseBare');
  });

  it('is none where no word is near, and needs no value where none was given', () => {
    const random = Random.fromSeed('none');
    const families = ['looseOrder'];
    assert.equal(
      sayLoosely(toolTalk(TOOLS[1]!), { title: 'x' }, () => null, { random, families }),
      null,
    );
    assert.ok(sayLoosely(toolTalk(TOOLS[1]!), {}, word, { random, families })!.text.length > 0);
    assert.equal(sayLoosely(toolTalk(TOOLS[1]!), {}, word, { random, families: ['looseBare'] }), null);
  });

  it('of another matter is a whole sentence', () => {
    const said = sayElsewhere(word, Random.fromSeed('other'))!;
    assert.ok(/orchard|roots|dig|grew|growing|green/i.test(said.text) && !said.text.includes('{'), said.text);
  });
});

describe('a text of which nothing is known but its parameter', () => {
  it('takes words near name and description', () => {
    const random = Random.fromSeed('values');
    const values = Array.from({ length: 100 }, () => associatedValue(['vehicle', 'train'], random));
    const words = values.flatMap((value) => value?.split(' ') ?? []);
    const near = words.filter((each) => cosine(each, 'vehicle') + cosine(each, 'train') > 0.4);
    assert.ok(near.length > 0.5 * words.length, `${near.length} of ${words.length}: ${words.slice(0, 20).join(' ')}`);
    assert.ok(values.some((value) => value?.includes(' ')));
    assert.equal(associatedValue(['xyzzyq'], random), null);
  });
});
