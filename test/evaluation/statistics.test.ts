import assert from 'node:assert/strict';
import { successOf } from '../../trainer/evaluation/success';
import { mcnemar, pairedChange, pairedGain } from '../../trainer/evaluation/statistics';
import { wilson } from '../../trainer/protocol/interval';
import { sampleTrace } from '../store/runs/sample';

describe('statistics of an evaluation', () => {
  it('wilson ends exactly at 0 and 1, and is the textbook value between', () => {
    for (const n of [1, 7, 20, 24, 240]) {
      assert.equal(wilson(0, n)![0], 0, `0 of ${n}`);
      assert.equal(wilson(n, n)![1], 1, `${n} of ${n}`);
      assert.ok(wilson(0, n)![1] > 0 && wilson(n, n)![0] < 1);
    }
    // Newcombe 1998, table I: 15 of 148 gives 0.0624 to 0.1605.
    assert.deepEqual(
      wilson(15, 148)!.map((x) => x.toFixed(4)),
      ['0.0624', '0.1605'],
    );
    assert.equal(wilson(0, 0), null);
  });

  it('counts by the tags that people read, not by phrasing families', () => {
    const tags = [
      ['oneCall', 'search', 'family:couldYou', 'difficulty:easy'],
      ['oneCall', 'search', 'family:terse', 'content:9f', 'newPhrasing'],
    ];
    const result = successOf(
      tags.map((of, i) => ({ id: `${i}`, prompt: 'p', tags: of })),
      tags.map((_, i) => sampleTrace(`${i}`, { solved: i === 0 })),
    );
    assert.deepEqual(result.byTag, {
      oneCall: { n: 2, success: 0.5 },
      search: { n: 2, success: 0.5 },
      'difficulty:easy': { n: 1, success: 1 },
      newPhrasing: { n: 1, success: 0 },
    });
  });

  it('McNemar: exact, two-sided, by hand; 1 where nothing changed, finite where much did', () => {
    const of = (gained: number, lost: number, same: number) =>
      mcnemar(
        [...Array<boolean>(gained).fill(false), ...Array<boolean>(lost + same).fill(true)],
        [...Array<boolean>(gained).fill(true), ...Array<boolean>(lost).fill(false), ...Array<boolean>(same).fill(true)],
      );
    // 2 (C(10, 0) + C(10, 1) + C(10, 2)) / 2^10 = 112 / 1024
    assert.deepEqual({ ...of(8, 2, 5), p: of(8, 2, 5).p.toFixed(6) }, { gained: 8, lost: 2, p: '0.109375' });
    assert.equal(of(2, 8, 0).p.toFixed(6), '0.109375');
    assert.equal(of(5, 0, 1).p.toFixed(6), '0.062500');
    assert.deepEqual([of(0, 0, 9).p, of(4, 4, 0).p], [1, 1]);
    const many = of(3000, 2000, 0).p;
    assert.ok(many > 0 && many < 1e-40);
  });

  it('a change over the same tasks: Newcombe 1998, and Bentur 2009 as in Fagerland, Lydersen and Laake; no change of few tasks is no certainty', () => {
    const of = (both: number, onlyBefore: number, onlyAfter: number, neither: number) => {
      const tasks = [
        [both, true, true],
        [onlyBefore, true, false],
        [onlyAfter, false, true],
        [neither, false, false],
      ] as const;
      const column = (which: 1 | 2): boolean[] => tasks.flatMap((row) => Array<boolean>(row[0]).fill(row[which]));
      const { mean, ci95 } = pairedChange(column(1), column(2));
      return [mean, ...ci95].map((x) => x.toFixed(4));
    };
    assert.deepEqual(of(20, 12, 2, 16), ['-0.2000', '-0.3292', '-0.0562']);
    assert.deepEqual(of(20, 2, 12, 16), ['0.2000', '0.0562', '0.3292']);
    assert.deepEqual(of(1, 1, 7, 12), ['0.2857', '0.0256', '0.5069']);
    assert.deepEqual(of(22, 0, 0, 2), ['0.0000', '-0.1377', '0.1377']);
    assert.deepEqual(of(24, 0, 0, 0), ['0.0000', '-0.1380', '0.1380']); // phi is not defined: as two samples
    assert.throws(() => pairedChange([true], []), { message: 'pairedChange: needs the same tasks twice, got 1 and 0' });
    assert.throws(() => pairedChange([], []), /got 0 and 0/);
  });

  it("a gain's interval is wider where paraphrases of one content go together, and the same where each task is one of its own", () => {
    const [before, after] = [
      [false, false, false, false],
      [true, true, false, false],
    ];
    const rounded = (contents?: string[]): string[] =>
      pairedGain(before, after, contents).ci95.map((x) => x.toFixed(4));
    // differences 1 1 0 0, mean 1/2: alone, variance of the mean 4/3 * 1 / 16; in two pairs, 2/1 * (1 + 1) / 16
    assert.deepEqual(rounded(), ['-0.0658', '1.0658']);
    assert.deepEqual(rounded(['a', 'b', 'c', 'd']), rounded());
    assert.deepEqual(rounded(['a', 'a', 'b', 'b']), ['-0.4800', '1.4800']);
    assert.deepEqual(pairedGain(before, after, ['a', 'a', 'a', 'a']).ci95, [-1, 1]);
    assert.throws(() => pairedGain(before, [true]), /same tasks twice/);
  });
});
