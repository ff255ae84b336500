import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { agreement, choiceOf, cohenKappa, type Choice, type JudgedPair } from '../../webview/derive/agreement';

/** Made by kappa.py with scikit-learn. */
const { cases } = JSON.parse(readFileSync(new URL('kappa.cases.json', import.meta.url), 'utf8')) as {
  cases: { name: string; people: Choice[]; judge: Choice[]; kappa: number; standardError: number }[];
};
const pairs = (people: readonly Choice[], judge: readonly (Choice | null)[]): JudgedPair[] =>
  people.map((said, i) => ({ id: String(i), traceIds: ['a', 'b'], people: said, judge: judge[i] ?? null }));
const close = (actual: number | null, expected: number, within: number, what: string): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= within, `${what}: ${actual} is not ${expected}`);

describe('webview: judge against people', () => {
  for (const { name, people, judge, kappa, standardError } of cases) {
    it(`gives scikit-learn's kappa and the delta method's error: ${name}`, () => {
      const found = agreement(pairs(people, judge));
      close(found.kappa, kappa, 1e-12, 'kappa');
      close(cohenKappa(found.table).standardError, standardError, 1e-6, 'standard error');
      assert.equal(found.n, people.length);
      assert.equal(found.agreed, people.filter((said, i) => said === judge[i]).length);
    });
  }

  it('gives the worked example: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no', () => {
    // po = 35/50 = 0.7; pe = 0.5·0.6 + 0.5·0.4 = 0.5; kappa = 0.2/0.5 = 0.4
    const table = {
      first: { first: 20, second: 5, tie: 0 },
      second: { first: 10, second: 15, tie: 0 },
      tie: { first: 0, second: 0, tie: 0 },
    };
    close(cohenKappa(table).kappa, 0.4, 1e-12, 'kappa');
  });

  it('leaves out what was not judged, and says how many', () => {
    const found = agreement(pairs(['first', 'second', 'tie'], ['first', null, 'tie']));
    assert.deepEqual([found.n, found.notJudged, found.agreed, found.share], [2, 1, 2, 1]);
  });

  it('says nothing where nothing can be said', () => {
    assert.deepEqual([agreement([]).share, agreement([]).kappa, agreement([]).kappaCi95], [null, null, null]);
    assert.equal(
      agreement(pairs(['first', 'first'], ['first', 'first'])).kappa,
      null,
      'both always the same: chance would agree as often',
    );
    assert.equal(agreement(pairs(['first'], [null])).share, null);
  });

  it('reads a choice out of a ranking: best first, ties, not judged', () => {
    const verdict = { traceIds: ['a', 'b', 'c'], ranks: [2, 1, 2] };
    assert.deepEqual(
      [
        choiceOf(verdict, ['a', 'b']),
        choiceOf(verdict, ['b', 'c']),
        choiceOf(verdict, ['a', 'c']),
        choiceOf(verdict, ['a', 'x']),
      ],
      ['second', 'first', 'tie', null],
    );
    assert.equal(choiceOf({ traceIds: ['a', 'b'], ranks: null }, ['a', 'b']), null);
  });
});
