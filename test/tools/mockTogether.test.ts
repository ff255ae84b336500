import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import type { ToolSchema } from '../../trainer/protocol/task';
import { MadeThings } from '../../trainer/tools/mocks/madeThings';
import { realIdsOf } from '../../trainer/tools/mocks/realIds';
import { mockAnswers } from '../../trainer/tools/mocks/mockAnswer';
import { STRING, tool } from '../tasks/fixtures';
import { toolsOf } from '../tasks/toolFiles';

const returns = (properties: Record<string, object>): Pick<ToolSchema, 'returns'> => ({
  returns: { type: 'object', properties, required: Object.keys(properties) },
});
const TODO = { id: { type: 'number' }, title: STRING, done: { type: 'boolean' }, dueDate: STRING };
const addTodo = tool('addTodo', 'Adds a todo.', { title: STRING }, { changesWorld: true, ...returns(TODO) });
const listTodos = tool(
  'listTodos',
  'Lists the todos.',
  {},
  { returns: { type: 'array', items: { type: 'object', properties: TODO, required: ['id', 'title'] } } },
);
const getTodo = tool('getTodo', 'Gets a todo.', { todoId: { type: 'number' } }, returns(TODO));
const removeTodo = tool(
  'removeTodo',
  'Removes a todo.',
  { todoId: { type: 'number' } },
  { changesWorld: true, ...returns({ removed: { type: 'boolean' } }) },
);
const read = (answer: { content: string }): Record<string, unknown> =>
  JSON.parse(answer.content) as Record<string, unknown>;

describe('mock answers hang together', () => {
  it('what was sent comes back under the same name, an id is a whole number, a date a date', () => {
    const made = read(mockAnswers(0).answer(addTodo, { title: 'Review pull' }));
    assert.equal(made.title, 'Review pull');
    assert.ok(Number.isInteger(made.id) && Number(made.id) > 0, `${made.id}`);
    assert.match(String(made.dueDate), /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(
      read(mockAnswers(0).answer(addTodo, { title: 'Review pull' })),
      made,
      'the same seed, the same answer',
    );
  });

  it('what the rollout has made is found again, by id and in the list, and is gone once it is removed', () => {
    const mocks = mockAnswers(3);
    const made = new MadeThings();
    const todo = read(mocks.answer(addTodo, { title: 'Buy milk' }, made));
    assert.deepEqual(
      [
        read(mocks.answer(getTodo, { todoId: todo.id }, made)).title,
        read(mocks.answer(getTodo, { todoId: todo.id }, made)).id,
      ],
      ['Buy milk', todo.id],
    );
    const list = JSON.parse(mocks.answer(listTodos, {}, made).content) as Record<string, unknown>[];
    assert.deepEqual([list[0]?.title, list[0]?.id], ['Buy milk', todo.id]);
    assert.notEqual(
      read(mocks.answer(getTodo, { todoId: todo.id }, new MadeThings())).title,
      'Buy milk',
      'another rollout has not made it',
    );
    assert.equal(read(mocks.answer(removeTodo, { todoId: todo.id }, made)).removed, true);
    assert.notEqual(
      (JSON.parse(mocks.answer(listTodos, {}, made).content) as Record<string, unknown>[])[0]?.title,
      'Buy milk',
    );
  });

  it('ids keep the form of those in the tool file, and are new', () => {
    const tools = toolsOf('warehouse/orders.ts');
    const placeOrder = { ...tools.find(({ name }) => name === 'placeOrder')!, changesWorld: true };
    const mocks = mockAnswers(1, realIdsOf(tools, dirname(tools[0]!.source.file)));
    const { order } = read(mocks.answer(placeOrder, { customer: 'Atelier Vert', lines: [], address: {} }));
    assert.match(String(order), /^ORD\d{4}$/);
    assert.ok(!['ORD8099', 'ORD8100', 'ORD8101'].includes(String(order)));
  });
});
