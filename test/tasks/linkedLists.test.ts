/** Chains whose last call takes several things, or a part of the thing that was looked up. */
import assert from 'node:assert/strict';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import { feeds } from '../../trainer/tasks/generate/feeds';
import { isPartOf, partOf } from '../../trainer/tasks/generate/found';
import { has, madeTasks, namesOf, STRING, tool } from './fixtures';

const PUPILS = ['Ravi Menon', 'Hana Sato', 'Noah Asante', 'Lily Whitlock', 'Theo Lindqvist'].map((name, i) => ({
  id: `P100${i}`,
  name,
}));
const ACTS = ['Brass Nettle', 'Goat Parade', 'Octavia Bloom', 'Sunday Ghosts'].map((name, i) => ({
  id: `act_0${i}`,
  name,
  sets: [{ id: `SET20${i}`, stage: 'barn' }],
}));
const DAYS = { type: 'string', enum: ['fri', 'sat'] };
const STAGES = { type: 'string', enum: ['dune', 'cove'] };
const SETS = ['fri dune', 'fri cove', 'sat dune', 'sat cove'].map((at, i) => {
  const [day, stage] = at.split(' ');
  return { id: `SET30${i}`, day, stage };
});
const ids = { type: 'array', items: { type: 'string', pattern: String.raw`^P\d{4}$` }, minItems: 1 };
const findPupils = tool('find-pupils', 'Find pupils by name.', { name: STRING });
const findAct = tool('find_act', 'Find a band by name.', { name: STRING });
const tools: ToolSchema[] = [
  findPupils,
  tool(
    'mark-absent',
    'Mark one or several pupils absent on a day.',
    { pupilIds: ids, date: { type: 'string', format: 'date' } },
    { changesWorld: true },
  ),
  tool('list_sets', 'List the sets of a day on a stage.', { day: DAYS, stage: STAGES }),
  findAct,
  tool(
    'move_set',
    'Move a set.',
    { set_id: STRING, 'stage?': { type: 'string', enum: ['dune', 'cove'] } },
    { changesWorld: true },
  ),
];

describe('what a look-up gives to a list, or from within a thing', function () {
  this.timeout(60_000);
  let tasks: Task[] = [];
  before(async () => {
    tasks = await madeTasks(tools, 500, {
      'find-pupils': ({ name }) => PUPILS.filter((one) => has(one.name, name)),
      find_act: ({ name }) => ACTS.filter((one) => has(one.name, name)),
      list_sets: (args) => SETS.filter(({ day, stage }) => day === args.day && stage === args.stage),
    });
  });

  it('one pupil is looked up by name for a list of ids, or two, each by itself', () => {
    const one = tasks.filter((task) => namesOf(task) === 'find-pupils mark-absent');
    const two = tasks.filter((task) => namesOf(task) === 'find-pupils find-pupils mark-absent');
    assert.ok(one.length > 10 && two.length > 2, `${one.length} ${two.length}`);
    for (const task of [...one, ...two]) {
      const looks = task.calls!.slice(0, -1).map(({ arguments: { name } }) => String(name));
      const wanted = looks.map((name) => PUPILS.find((pupil) => has(pupil.name, name))!.id);
      assert.deepEqual(task.calls!.at(-1)!.arguments.pupilIds, wanted, task.prompt);
      assert.ok(
        looks.every((name) => has(task.prompt, name)),
        task.prompt,
      );
    }
  });

  it('pupils stand where the description speaks of one or several, and the day where it speaks of one', () => {
    const described = tasks.filter(({ prompt }) => /\bmark .* absent\b/i.test(prompt));
    assert.ok(described.length > 5, `${described.length}`);
    const asItStands = described.filter(
      ({ prompt, tags }) => /one or several/.test(prompt) && tags?.some((tag) => tag.startsWith('family:said-')),
    );
    assert.deepEqual(
      asItStands.map(({ prompt }) => prompt),
      [],
    );
    assert.ok(described.some(({ prompt }) => !/on a day/.test(prompt)));
  });

  it("the set of an act is looked up by the act's name, and is what is moved", () => {
    const moved = tasks.filter((task) => namesOf(task) === 'find_act move_set');
    assert.ok(moved.length > 5, `${moved.length}`);
    for (const { prompt, calls } of moved) {
      const act = ACTS.find(({ name }) => has(name, calls![0]!.arguments.name))!;
      assert.equal(calls![1]!.arguments.set_id, act.sets[0]!.id, prompt);
    }
    assert.ok(
      moved.some(({ prompt }) =>
        ACTS.some(({ name }) => new RegExp(`${name}'s set|set (of|for) ${name}`, 'i').test(prompt)),
      ),
    );
  });

  it('a set is known by its day and its stage together', () => {
    const known = tasks.filter(
      (task) => namesOf(task) === 'list_sets move_set' && !/list|show|get|see|bring up|tell|read/i.test(task.prompt),
    );
    assert.ok(known.length > 3, `${known.length}`);
    for (const { prompt, calls } of known) {
      const { day, stage } = calls![0]!.arguments as Record<'day' | 'stage', string>;
      assert.ok(has(prompt, day) && has(prompt, stage), prompt);
      assert.equal(calls![1]!.arguments.set_id, SETS.find((one) => one.day === day && one.stage === stage)!.id);
    }
  });

  it('a set is mostly moved somewhere', () => {
    const calls = tasks.flatMap((task) => task.calls!.filter(({ name }) => name === 'move_set'));
    assert.ok(calls.filter(({ arguments: { stage } }) => stage !== undefined).length > 0.6 * calls.length);
  });

  it('a part is of a thing that has an id or a name, and is found where one thing is given', () => {
    assert.ok(isPartOf(ACTS[0]!, 'sets'));
    assert.ok(!isPartOf({ success: true, orders: [{ id: 1 }] }, 'orders'), 'the list is all that it says');
    assert.ok(!isPartOf({ id: 7, data: { id: 8 } }, 'data'), 'a holder is no part');
    assert.deepEqual(partOf([ACTS[1]], 'sets'), ACTS[1]!.sets);
    assert.deepEqual(partOf({ ok: true, acts: [ACTS[1]] }, 'sets'), ACTS[1]!.sets);
    assert.equal(partOf(ACTS, 'sets'), undefined, 'of several acts nobody knows which');
    const inSets = { tool: findAct, property: 'id', part: 'sets', value: 'SET201' };
    assert.ok(feeds(inSets, tools.at(-1)!, 'set_id'));
    assert.ok(!feeds(inSets, tool('add_rider', 'Adds to a rider.', { act_id: STRING }), 'act_id'));
  });
});
