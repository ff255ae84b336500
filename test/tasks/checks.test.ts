import assert from 'node:assert/strict';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import type { ToolResult } from '../../trainer/protocol/trace';
import { runGold } from '../../trainer/tasks/check/goldRun';
import { distinct, grams, jaccard } from '../../trainer/tasks/check/nearDuplicates';
import { keepRanked } from '../../trainer/tasks/check/rank';
import { unrecoverable } from '../../trainer/tasks/check/recoverable';
import { roundTrips, type Solver } from '../../trainer/tasks/check/roundTrip';
import { NUMBER, ok, STRING, threw, tool } from './fixtures';

const tools: ToolSchema[] = [
  tool('findMember', 'Find a member.', { name: STRING }),
  tool('listLoans', 'Loans of a member.', {
    memberId: STRING,
    'state?': { enum: ['open', 'late'] },
    'limit?': { ...NUMBER, default: 5 },
  }),
  tool('remind', 'Remind a member.', { memberId: STRING, text: STRING, 'days?': NUMBER }, { changesWorld: true }),
];
const of = (prompt: string, ...calls: [string, Record<string, unknown>][]): Task => ({
  id: 't',
  prompt,
  calls: calls.map(([name, args]) => ({ name, arguments: args })),
});
/** Jonas Weber is m-2. */
const call = async (name: string, args: Record<string, unknown>): Promise<ToolResult> =>
  name === 'findMember'
    ? args['name'] === 'Jonas Weber'
      ? ok({ id: 'm-2' })
      : ok([])
    : name === 'listLoans' && args['memberId'] !== 'm-2'
      ? threw('no such member')
      : ok({ loans: ['Emma'] });

describe('the checks of a task', () => {
  it('a value can be known from the request, restated, listed, a default, or from a result before it', () => {
    const chain = of(
      'what has jonas weber at home, the late ones',
      ['findMember', { name: 'Jonas Weber' }],
      ['listLoans', { memberId: 'm-2', state: 'late', limit: 5 }],
    );
    assert.deepEqual(unrecoverable(chain, tools, ['{"id":"m-2"}']), []);
    assert.deepEqual(unrecoverable(chain, tools), ['listLoans.memberId'], 'without the result nobody could');
    assert.deepEqual(
      unrecoverable(of('their loans, eighteen at most', ['listLoans', { memberId: 'm-2', limit: 18 }]), tools),
      ['listLoans.memberId'],
    );
    const note = 'remind m-2 that the books of spring are due in three days';
    assert.deepEqual(
      unrecoverable(of(note, ['remind', { memberId: 'm-2', text: 'spring books due', days: 3 }]), tools),
      [],
    );
    assert.deepEqual(
      unrecoverable(of(note, ['remind', { memberId: 'm-2', text: 'Please pay 5 EUR', days: 4 }]), tools),
      ['remind.text', 'remind.days'],
    );
  });

  it('a result that comes after a call tells nothing of it', () => {
    assert.deepEqual(
      unrecoverable(of('look', ['listLoans', { memberId: 'm-2' }], ['findMember', { name: 'Jonas' }]), tools, [
        '{}',
        '{"id":"m-2"}',
      ]),
      ['listLoans.memberId', 'findMember.name'],
    );
  });

  it('gold is run, and has to give something', async () => {
    assert.deepEqual(await runGold([{ name: 'findMember', arguments: { name: 'Jonas Weber' } }], tools, call), {
      results: ['{"id":"m-2"}'],
    });
    assert.deepEqual(await runGold([{ name: 'findMember', arguments: { name: 'Nobody' } }], tools, call), {
      problem: 'findMember: it found nothing',
    });
    assert.deepEqual(await runGold([{ name: 'listLoans', arguments: { memberId: 'x' } }], tools, call), {
      problem: 'listLoans: threw',
    });
    assert.deepEqual(await runGold([], tools, call), { results: [] });
  });

  it('near-duplicates are those with as many 3-grams in common, as comparing all pairs finds them', () => {
    assert.deepEqual(
      distinct(['What is due today?', 'what is due, today', 'Remind Jonas of his books', 'Who has Emma at home?']),
      [true, false, true, true],
    );
    assert.deepEqual(distinct(['What is due today?'], { known: ['what is due today'] }), [false]);
    const words = ['loans', 'of', 'jonas', 'late', 'books', 'today', 'emma', 'show', 'me', 'the', 'please', 'all'];
    let state = 7;
    const next = (n: number): number => (state = (state * 48271) % 2147483647) % n;
    const texts = Array.from({ length: 300 }, () =>
      Array.from({ length: 4 + next(3) }, () => words[next(words.length)]).join(' '),
    );
    const kept: Set<string>[] = [];
    const naive = texts.map((text) => {
      const set = grams(text);
      const isNew = kept.every((other) => jaccard(other, set) < 0.8);
      if (isNew) kept.push(set);
      return isNew;
    });
    assert.deepEqual(distinct(texts), naive);
    assert.ok(naive.includes(false));
  });

  it('grows with the work: four times the texts take far less than sixteen times as long', () => {
    const word = (n: number): string =>
      Array.from({ length: 5 }, (_, i) => String.fromCharCode(97 + (Math.floor(n / 26 ** i) % 26))).join('');
    const texts = (n: number): string[] =>
      Array.from(
        { length: n },
        (_, i) => `please find ${word(i * 7_919_017)} and ${word(i * 104_729_041)} for ${word(i * 15_485_863)}`,
      );
    /** The processor's time, not the clock's: other work beside it does not count. */
    const cost = (n: number): number => {
      const start = process.cpuUsage();
      distinct(texts(n));
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    cost(500);
    const best = (n: number): number => Math.min(...[1, 2, 3].map(() => cost(n)));
    const [few, many] = [best(1000), best(4000)];
    assert.ok(many < 12 * few + 50, `${few.toFixed(0)} ms, then ${many.toFixed(0)} ms`);
  });

  it('a round trip comes to the same calls at least once in k, each time in a world of its own', async () => {
    const chain = of(
      'what has Jonas Weber at home',
      ['findMember', { name: 'Jonas Weber' }],
      ['listLoans', { memberId: 'm-2' }],
    );
    let [opened, closed] = [0, 0];
    const open = () => ({ call: (++opened, call), close: () => void closed++ });
    const knows: Solver = async (_, before) =>
      before.length === 0
        ? chain.calls![0]!
        : before.length === 1
          ? { name: 'listLoans', arguments: { memberId: 'm-2', limit: 5 } }
          : null;
    assert.equal(await roundTrips(chain, tools, { solve: knows, open, k: 3 }), true);
    assert.deepEqual([opened, closed], [1, 1]);
    const second: Solver = async (prompt, before, attempt) => (attempt === 0 ? null : knows(prompt, before, attempt));
    assert.equal(await roundTrips(chain, tools, { solve: second, open, k: 2 }), true);
    assert.equal(await roundTrips(chain, tools, { solve: second, open, k: 1 }), false);
    const reminds: Solver = async (_, before) =>
      before.length < 2 ? chain.calls![before.length]! : { name: 'remind', arguments: { memberId: 'm-2', text: 'x' } };
    assert.equal(
      await roundTrips(chain, tools, { solve: reminds, open, k: 1 }),
      false,
      'a further change of the world',
    );
    assert.equal(await roundTrips(of('hello'), tools, { solve: async () => null, open, k: 1 }), true);
    assert.equal(await roundTrips(of('hello'), tools, { solve: knows, open, k: 1 }), false, 'nothing may be called');
  });

  it('drops the lowest fifth of those that were ranked', () => {
    assert.deepEqual(keepRanked([9, 2, null, 8, 7, 6]), [true, false, true, true, true, true]);
    assert.deepEqual(keepRanked([5, 5, 5, 5, 5]), [true, true, true, true, false]);
    assert.deepEqual(keepRanked([1, null]), [true, true]);
  });
});
