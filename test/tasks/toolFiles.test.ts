import assert from 'node:assert/strict';
import { leavesOf } from '../../trainer/tools/values/places';
import { tasksToJsonl } from '../../trainer/tasks/readTasks';
import { tasksOf, TOOL_FILES, toolsOf } from './toolFiles';

describe('tool files that nobody prepared', function () {
  this.timeout(300_000);
  const covered: Record<string, boolean> = {};

  for (const name of TOOL_FILES) {
    it(`${name}: its tools have tasks, whose gold calls were run or fit the schema`, async () => {
      const tools = toolsOf(name);
      assert.ok(tools.length >= 6, `${tools.length} tools`);
      const tasks = await tasksOf(tools);
      const said = tasks.flatMap(({ calls = [] }) => calls.flatMap((call) => leavesOf(call.arguments)));
      assert.ok(
        said.every(({ value }) => value !== ''),
        'nobody asks for an empty text',
      );
      for (const tool of tools)
        covered[`${name} ${tool.name}`] = tasks.some(({ calls }) => calls?.some((call) => call.name === tool.name));
    });
  }

  it('covers at least 95 % of the tools', () => {
    const without = Object.entries(covered)
      .filter(([, has]) => !has)
      .map(([tool]) => tool);
    assert.ok(without.length <= 0.05 * Object.keys(covered).length, `without tasks: ${without.join(', ')}`);
    assert.ok(Object.keys(covered).length >= 50);
  });

  it('a look-up leads to what is done with the thing that it finds', async () => {
    for (const [name, chains] of [
      // a trip's number; the plate of "a car"
      ['carClub/fleet.ts', ['tripsOf resendBill', 'carsIn reserveCar']],
      // "open slots" are read, not opened; "an exercise plan" is a plan
      ['physio/practice.mjs', ['openSlots bookSlot', 'planOf prolongPlan']],
    ] as const) {
      const made = new Set(
        (await tasksOf(toolsOf(name))).map(({ calls = [] }) => calls.map((one) => one.name).join(' ')),
      );
      for (const chain of chains) assert.ok(made.has(chain), `${name}: ${[...made].join(', ')}`);
    }
  });

  it('nothing is added under the name of what is there, nor moved to the day that it has', async () => {
    const chains = (await tasksOf(toolsOf('board/cards.ts'))).filter(({ calls = [] }) => calls.length > 1);
    assert.ok(chains.some(({ calls }) => calls![1]!.name === 'moveCard'));
    for (const { prompt, calls } of chains) {
      assert.notEqual(calls![1]!.name, 'addCard', prompt);
      assert.match(String(calls![1]!.arguments['key']), /^(WEB|API)-/, prompt);
      if (calls![1]!.name === 'setDueDate') assert.match(prompt, /\d{4}/, 'the day is said');
    }
  });

  it('makes the same tasks from the same seed', async () => {
    const tools = toolsOf('clinic/clinic.ts');
    assert.equal(tasksToJsonl(await tasksOf(tools)), tasksToJsonl(await tasksOf(tools)));
  });
});
