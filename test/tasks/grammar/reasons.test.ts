/** A change and its reason go together: what is damaged is less, and is said in one. */
import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';
import { generateTasks } from '../../../trainer/tasks/generate/generateTasks';
import { changedFor, signOf } from '../../../trainer/tasks/generate/grammar/changes';
import { ok, STRING, tool } from '../fixtures';

const change = { type: 'integer', description: 'Pieces to add, or (negative) to remove' };
const reason = { type: 'string', enum: ['damaged', 'found', 'recount'] };
const tools = [
  tool('correctStock', 'Corrects the stock of an article.', { sku: STRING, change, reason }, { changesWorld: true }),
  tool(
    'setReorderPoint',
    'Sets the reorder point.',
    { sku: STRING, minimum: { type: 'integer' } },
    { changesWorld: true },
  ),
  tool('findArticles', 'Lists the articles.', { 'minimum?': { type: 'integer' } }),
];

describe('a change with a reason', () => {
  it('goes the way that the reason says', async () => {
    const tasks = await generateTasks(tools, {
      count: 300,
      seed: 2,
      looseWording: 0,
      call: async () => ok([{ sku: 'AR-2041' }, { sku: 'AR-2207' }]),
    });
    const changes = tasks.flatMap(({ prompt, calls = [] }) =>
      calls.flatMap((call) => (call.name === 'correctStock' ? [{ ...call.arguments, prompt }] : [])),
    ) as { change: number; reason: string; prompt: string }[];
    const signs = (of: string): number[] => [
      ...new Set(changes.filter((one) => one.reason === of).map((one) => Math.sign(one.change))),
    ];
    assert.deepEqual(signs('damaged'), [-1]);
    assert.deepEqual(signs('found'), [1]);
    assert.deepEqual(signs('recount').sort(), [-1, 1], 'a recount goes either way');
    assert.ok(changes.some(({ prompt }) => /\d+ (were |are |got |of them )?damaged/.test(prompt)));
    // a bound is one of a search, and a value of what is set
    const bounds = (name: string): string[] =>
      tasks
        .filter(({ calls = [] }) => calls.length === 1 && calls[0]!.name === name)
        .map(({ prompt }) => prompt)
        .filter((prompt) => /\b(at least|or more|over \d|more than)\b/.test(prompt));
    assert.deepEqual(bounds('setReorderPoint'), []);
    assert.ok(bounds('findArticles').length > 0);
  });

  it('is said in one where the reason is what things are', () => {
    const random = Random.fromSeed(1);
    assert.equal(signOf('reason', 'written_off'), -1);
    assert.equal(signOf('reason', 'recount'), null);
    assert.equal(signOf('condition', 'used'), null, 'what a thing is like is no reason');
    assert.equal(changedFor(3, 'reason', 'damaged', random), null, 'three more are not damaged');
    assert.equal(changedFor(-3, 'reason', 'breakage', random), null, 'three breakage');
    assert.match(
      changedFor(-3, 'reason', 'written_off', random)!,
      /^(3|three) (were |are |got |of them )?written off$/,
    );
  });
});
