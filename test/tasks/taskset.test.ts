import assert from 'node:assert/strict';
import type { Task } from '../../trainer/protocol/task';
import { NO_TOOL_FAMILIES, TOPICS } from '../../trainer/tasks/generate/noTool';
import {
  contentKey,
  HELD_OUT_ZONE,
  hashOf,
  NEW_PHRASING,
  splitTasks,
  withMoreValidation,
} from '../../trainer/tasks/taskset';
import { isUserError, NUMBER, STRING, tool } from './fixtures';

const tools = [tool('search', 'Search.', { query: STRING, 'limit?': { ...NUMBER, default: 5 } })];
/** `paraphrases` tasks for each of `contents` searches. */
const make = (contents: number, paraphrases = 1): Task[] =>
  Array.from({ length: contents * paraphrases }, (_, i) => ({
    id: `t${i}`,
    prompt: `way ${i} of asking`,
    calls: [{ name: 'search', arguments: { query: `q${i % contents}` } }],
  }));
const ids = (tasks: Task[]): string[] => tasks.map(({ id }) => id).sort();

describe('splitTasks', () => {
  it('never lets paraphrases straddle, and loses nothing', () => {
    const tasks = make(120, 4);
    const split = splitTasks(tasks, { heldOut: 150, validation: 40, tools });
    const home = new Map<string, string>();
    for (const [name, members] of Object.entries(split)) {
      for (const member of members) {
        const key = contentKey(member, tools);
        assert.equal(home.get(key) ?? name, name);
        home.set(key, name);
      }
    }
    assert.deepEqual(ids(Object.values(split).flat()), ids(tasks));
    // contents of 4: the first multiple of 4 that reaches the target
    assert.deepEqual([split.heldOut.length, split.validation.length], [152, 40]);
  });

  it('depends on the content alone: not on order, words or ids, and little on what else there is', () => {
    const tasks = make(200);
    const first = ids(splitTasks(tasks, { heldOut: 60, tools }).heldOut);
    const renamed = tasks.map((one) => ({ ...one, prompt: `${one.prompt}, please` })).reverse();
    assert.deepEqual(ids(splitTasks(renamed, { heldOut: 60, tools }).heldOut), first);
    const more = splitTasks(
      [
        ...tasks,
        ...make(210)
          .slice(200)
          .map((one) => ({ ...one, id: `more ${one.id}` })),
      ],
      { heldOut: 60, tools },
    );
    const moved = first.filter((id) => !more.heldOut.some((one) => one.id === id));
    assert.ok(moved.length <= 10, `${moved.length} of 60 left held-out when 10 tasks came`);
  });

  it('takes counts and shares, at most 40 % and 20 %', () => {
    const sizes = (heldOut: number, validation?: number) =>
      Object.values(splitTasks(make(100), { heldOut, validation, tools })).map((members) => members.length);
    assert.deepEqual(sizes(30, 10), [60, 10, 30]); // train, validation, held-out
    assert.deepEqual(sizes(0.25, 0.1), [65, 10, 25]);
    assert.deepEqual(sizes(500), [40, 20, 40]);
    assert.deepEqual(sizes(500, 500), [40, 20, 40]);
    const split = splitTasks(make(700), { heldOut: 200, validation: 200, mostValidation: 0.3, tools });
    assert.deepEqual([split.validation.length, split.heldOut.length], [200, 200], 'as a gate between stages needs');
  });

  it('keeps new phrasings out of training and validation', () => {
    const tasks = make(100).map((one, i) => (i % 7 === 0 ? { ...one, tags: [NEW_PHRASING] } : one));
    const split = splitTasks(tasks, { heldOut: 5, tools });
    assert.equal(split.heldOut.filter((one) => one.tags).length, 15); // ceil(100 / 7), though only 5 were asked for
    assert.equal([...split.train, ...split.validation].filter((one) => one.tags).length, 0);
  });

  it('holds out what people asked before what was made, and trains on half of it or more; sets of one kind are split as ever', () => {
    const own = make(20).map((one) => ({
      ...one,
      id: `p${one.id}`,
      calls: [{ name: 'search', arguments: { query: `mine ${one.id}` } }],
    }));
    const made = make(200).map((one, i) => ({
      ...one,
      source: 'schema' as const,
      ...(i % 9 === 0 ? { tags: [NEW_PHRASING] } : {}),
    }));
    const { train, validation, heldOut } = splitTasks([...own, ...made], { heldOut: 60, validation: 20, tools });
    const peoples = (tasks: Task[]): number => tasks.filter((one) => one.source === undefined).length;
    assert.deepEqual([peoples(heldOut), peoples(validation), peoples(train)], [8, 2, 10]);
    assert.deepEqual([heldOut.length, validation.length], [60, 20]);
    assert.ok(![...train, ...validation].some((one) => one.tags?.includes(NEW_PHRASING)));
    const few = splitTasks([...own.slice(0, 3), ...made], { heldOut: 60, tools });
    assert.deepEqual([peoples(few.heldOut), peoples(few.train)], [1, 2]);
    const bare = made.map(({ source: _source, ...one }) => one);
    assert.deepEqual(
      ids(splitTasks(made, { heldOut: 60, tools }).heldOut),
      ids(splitTasks(bare, { heldOut: 60, tools }).heldOut),
    );
  });

  it('says why a split would be empty, and what an option must be', () => {
    assert.throws(
      () => splitTasks(make(2, 50), { heldOut: 10, tools }),
      isUserError(/100 tasks hold 2 different contents/, /Add tasks/),
    );
    assert.throws(() => splitTasks(make(4).slice(0, 2), { heldOut: 10, tools }), isUserError(/2 tasks/));
    // one content holds nearly all: it may not be held out, nor validate
    assert.doesNotThrow(() =>
      splitTasks(
        [
          ...make(1, 90),
          ...make(6)
            .slice(1)
            .map((one) => ({ ...one, id: `x${one.id}` })),
        ],
        { heldOut: 10, tools },
      ),
    );
    assert.throws(
      () =>
        splitTasks(
          make(50).map((one) => ({ ...one, tags: [NEW_PHRASING] })),
          { heldOut: 10, tools },
        ),
      isUserError(/validation set would be empty/),
    );
    for (const bad of [0, -1, NaN, Infinity])
      assert.throws(() => splitTasks(make(50), { heldOut: bad, tools }), isUserError(/heldOut must be/));
  });
});

describe('withMoreValidation', () => {
  const splits = splitTasks(make(100), { heldOut: 20, validation: 10, tools });
  it('takes contents of training that are free, whole, up to its share of all', () => {
    const blocked = splits.train[0]!;
    const more = withMoreValidation(
      splits,
      { validation: 200, mostValidation: 0.3, tools },
      (task) => task !== blocked,
    );
    assert.equal(more.validation.length, 30);
    assert.deepEqual(more.validation.slice(0, 10), splits.validation);
    assert.deepEqual(more.heldOut, splits.heldOut);
    assert.ok(more.train.includes(blocked));
    assert.deepEqual(ids([...more.train, ...more.validation]), ids([...splits.train, ...splits.validation]));
    const contents = new Set(more.train.map((task) => contentKey(task, tools)));
    assert.deepEqual(
      more.validation.filter((task) => contents.has(contentKey(task, tools))),
      [],
    );
  });
  it('takes none where there are enough, or none is free', () => {
    const wanted = { validation: 10, mostValidation: 0.3, tools };
    assert.deepEqual(
      withMoreValidation(splits, wanted, () => true),
      splits,
    );
    assert.deepEqual(
      withMoreValidation(splits, { ...wanted, validation: 50 }, () => false),
      splits,
    );
  });
});

describe('contentKey', () => {
  const search = (args: Record<string, unknown>): Task => ({
    id: 'a',
    prompt: 'x',
    calls: [{ name: 'search', arguments: args }],
  });
  it('is the gold calls, without what equals a default', () => {
    assert.equal(contentKey(search({ query: 'a', limit: 5 }), tools), contentKey(search({ query: 'a' }), tools));
    assert.notEqual(contentKey(search({ query: 'a', limit: 4 }), tools), contentKey(search({ query: 'a' }), tools));
    assert.equal(
      contentKey({ ...search({ query: 'a' }), prompt: 'other words', answer: '7' }, tools),
      contentKey(search({ query: 'a' }), tools),
    );
  });
  it('is the content words where no call is to be made, and the answer where calls are not given', () => {
    const bare = (prompt: string): string =>
      contentKey({ id: 'a', prompt, calls: [{ name: 'listLights', arguments: {} }] });
    assert.notEqual(bare('show me the lamps'), bare('which lights are there'), 'a tool that takes nothing');
    assert.equal(bare('show me the lamps'), bare('show me the lamps, please'));
    const none = (prompt: string): string => contentKey({ id: 'a', prompt, calls: [] });
    assert.equal(none('Could you please tell me a joke?'), none('tell a joke!'));
    assert.notEqual(none('tell a joke'), none('tell a story'));
    for (const topic of TOPICS)
      for (const family of NO_TOOL_FAMILIES) assert.equal(none(family.say(topic)), none(topic), family.say(topic));
    assert.equal(new Set(TOPICS.map((topic) => none(topic))).size, TOPICS.length);
    assert.equal(
      contentKey({ id: 'a', prompt: 'x', answer: 'Seven' }),
      contentKey({ id: 'b', prompt: 'y', answer: 'seven ' }),
    );
  });
  it('spreads evenly', () => {
    const share = make(2000).filter((one) => hashOf(contentKey(one)) < HELD_OUT_ZONE).length / 2000;
    // 4 standard deviations: sqrt(0.25 * 0.75 / 2000) = 0.0097
    assert.ok(Math.abs(share - HELD_OUT_ZONE) < 0.04, `${share}`);
  });
});
