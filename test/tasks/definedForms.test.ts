/** Tasks of tools that tell failures in their results, wrap what they give, and stand beside their own schemas. */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import type { Task, TypeScriptTool } from '../../trainer/protocol/task';
import { discoverAndDescribe } from '../../trainer/tools/sources/typescript/discover';
import { leavesOf } from '../../trainer/tools/values/places';
import { isTelling, saysFailed } from '../../trainer/tasks/generate/pool/results';
import { tasksOf } from './toolFiles';

const DESK = join(__dirname, '../fixtures/defined/desk.ts');

describe('what a result tells', () => {
  it('is a failure that is told in it', () => {
    for (const failed of [
      { error: 'no such order' },
      { error: { code: 404 } },
      { success: false, message: 'Order not found' },
      { ok: false },
      { status: 'error' },
      'Error: no restaurant in context',
      'Could not reach the shop',
      'No flights found for "moon"',
      'There is no such user',
    ])
      assert.ok(saysFailed(failed), JSON.stringify(failed));
    for (const fine of [
      { error: '', id: 3 },
      { error: null },
      { success: true },
      'No problem, it is open',
      'Errata',
      3,
      [],
    ])
      assert.ok(!saysFailed(fine), JSON.stringify(fine));
  });

  it('is nothing where the envelope is empty', () => {
    assert.ok(!isTelling({ results: [], total: 0, message: 'No orders found' }));
    assert.ok(!isTelling({ success: true, data: [] }));
    assert.ok(isTelling({ name: 'Ines', loans: [] }));
    assert.ok(isTelling({ message: 'Open until six', total: 0 }));
  });
});

describe('tasks of tools in OpenAI’s form', function () {
  this.timeout(120_000);
  let tasks: Task[];
  const asked = (tool: string) =>
    tasks.flatMap(({ calls = [] }) => calls.filter(({ name }) => name === tool).map((call) => call.arguments));

  before(async () => {
    const { tools } = await discoverAndDescribe([DESK], { workspace: dirname(DESK) });
    tasks = await tasksOf(tools as TypeScriptTool[], { count: 300 });
  });

  it('give values that the tools took, and none of their own schemas and names', () => {
    const ids = new Set(asked('get_repair_details').map(({ repair_id }) => repair_id));
    assert.deepEqual([...ids].sort(), ['RP-2041', 'RP-2042', 'RP-2043']);
    const values = new Set(
      tasks.flatMap(({ calls = [] }) => calls.flatMap((call) => leavesOf(call.arguments).map(({ value }) => value))),
    );
    for (const no of ['repair_id', 'query', 'process_return', 'string', 'object']) assert.ok(!values.has(no), no);
  });

  it('look up what an envelope holds, and give a number as the text that is taken', () => {
    const chains = new Set(tasks.map(({ calls = [] }) => calls.map(({ name }) => name).join(' ')));
    assert.ok(chains.has('search_repairs_tool get_repair_details'), [...chains].join());
    const parts = new Set(asked('process_return').map(({ part_no }) => part_no));
    assert.ok(parts.has('7001') && [...parts].every((part) => typeof part === 'string'), [...parts].join());
  });

  it('show one form of many, and speak of no tool', () => {
    const phones = new Set(asked('process_return').map(({ phone }) => phone));
    assert.ok(phones.size > 3, [...phones].join());
    for (const { prompt } of tasks) assert.doesNotMatch(prompt, /\btool\b/i);
  });
});
