/** Chains in which what a call takes is known by its title, by its kind, or beside another thing's name. */
import assert from 'node:assert/strict';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import { generateTasks } from '../../trainer/tasks/generate/generateTasks';
import { has, madeTasks, namesOf, ok, STRING, tool } from './fixtures';

const MEMBERS = ['Ben Okafor', 'Chloe Zhang', 'Greta Nilsson', 'Dmitri Volkov'].map((name, i) => ({
  id: `m_${i + 1}`,
  name,
}));
const CLASSES = [
  { id: 'c_1', title: 'Sunrise Yoga', category: 'yoga' },
  { id: 'c_2', title: 'Evening Flow', category: 'yoga' },
  { id: 'c_3', title: 'Box & Burn', category: 'boxing' },
];
/** As a join gives it: with the class's title, and an id of its own. */
const BOOKINGS = MEMBERS.map(({ id }, i) => {
  const { id: classId, title } = CLASSES[i % 3]!;
  return { id: `bk_${i + 1}`, memberId: id, classId, title };
});
const category = { type: 'string', enum: ['yoga', 'boxing'] };
const tools: ToolSchema[] = [
  tool('search_members', 'Search members by name.', { query: STRING }),
  tool('list_classes', 'List the group classes.', { 'category?': category }),
  tool('get_bookings', 'Get the bookings of one member.', { memberId: STRING }),
  tool('book_class', 'Book a member into a class.', { memberId: STRING, classId: STRING }, { changesWorld: true }),
  tool('cancel_booking', 'Cancel a booking.', { bookingId: STRING }, { changesWorld: true }),
];

const made = (count: number): Promise<Task[]> =>
  madeTasks(tools, count, {
    search_members: ({ query }) => MEMBERS.filter(({ name }) => has(name, query)),
    list_classes: ({ category }) => CLASSES.filter((one) => category === undefined || one.category === category),
    get_bookings: ({ memberId }) => BOOKINGS.filter((one) => one.memberId === memberId),
  });

describe('things that are known by a name', function () {
  this.timeout(60_000);
  let tasks: Task[] = [];
  before(async () => {
    tasks = await made(700);
  });

  it('one of a list is named by its title, though bookings have an id of their own and that title', () => {
    const named = tasks.filter(
      (task) => namesOf(task) === 'list_classes book_class' && CLASSES.some(({ title }) => has(task.prompt, title)),
    );
    assert.ok(named.length > 5, `${named.length}`);
    for (const { prompt, calls } of named) {
      const { title } = CLASSES.find(({ id }) => id === calls![1]!.arguments.classId)!;
      assert.deepEqual(calls![0]!.arguments, {});
      assert.ok(has(prompt, title), prompt);
    }
  });

  it('the only one of its kind is called by it', () => {
    const ofKind = tasks.filter(({ prompt }) => has(prompt, 'the boxing class'));
    assert.ok(ofKind.some((task) => has(namesOf(task), 'list_classes')));
    for (const { calls } of ofKind) assert.equal(calls!.at(-1)!.arguments.classId ?? 'c_3', 'c_3');
    assert.ok(!tasks.some((task) => namesOf(task).endsWith('book_class') && has(task.prompt, 'the yoga class')));
  });

  it('two things that one call takes are looked up one after the other, in the order in which they are said', () => {
    const both = tasks.filter((task) => task.calls!.length === 3 && has(namesOf(task), 'list_classes'));
    assert.ok(both.length > 5, `${both.length}`);
    for (const task of both) {
      const [search, list] = ['search_members', 'list_classes'].map((name) =>
        task.calls!.find((call) => call.name === name),
      );
      const book = task.calls![2];
      const member = MEMBERS.find(({ id }) => id === book!.arguments.memberId)!;
      assert.ok(has(member.name, search!.arguments.query) && has(task.prompt, search!.arguments.query), task.prompt);
      const { title, category: kind } = CLASSES.find(({ id }) => id === book!.arguments.classId)!;
      const said = list!.arguments.category === undefined ? title : `the ${kind} class`;
      assert.ok(has(task.prompt, said), task.prompt);
      const at = [said, String(search!.arguments.query)].map((name) =>
        task.prompt.toLowerCase().indexOf(name.toLowerCase()),
      );
      assert.equal(at[0]! < at[1]!, task.calls![0] === list, task.prompt);
    }
    assert.ok(both.some(({ calls }) => calls![0]!.name === 'list_classes'));
    assert.ok(both.some(({ calls }) => calls![0]!.name === 'search_members'));
  });

  it('what a look-up is given is looked up itself where people have a name for it', () => {
    const twice = tasks.filter((task) => namesOf(task) === 'search_members get_bookings cancel_booking');
    assert.ok(twice.length > 2, `${twice.length}`);
    for (const { prompt, calls } of twice) {
      const [search, bookings, cancel] = calls!.map((call) => call.arguments);
      const member = MEMBERS.find(({ name }) => has(name, search!.query))!;
      assert.ok(has(prompt, search!.query) && !has(prompt, member.id), prompt);
      assert.equal(bookings!.memberId, member.id);
      assert.equal(cancel!.bookingId, BOOKINGS.find(({ memberId }) => memberId === member.id)!.id);
    }
    // a class is known by its own name, and not by who booked another
    assert.ok(!tasks.some((task) => namesOf(task) === 'search_members get_bookings book_class'));
  });
});

describe('what goes by a name and a number', () => {
  it('is mostly called by the name', async () => {
    const patients = MEMBERS.map(({ name }, i) => ({ patient: `PT-20${i}1`, name, phone: `020 7946 010${i}` }));
    const find = tool('searchPatients', 'Find patients by name or phone number.', { query: STRING });
    const tasks = await generateTasks([find], {
      count: 80,
      seed: 1,
      call: async (_, { query }) =>
        ok(patients.filter(({ name, phone }) => has(name, query) || phone.includes(String(query)))),
    });
    const asked = tasks.flatMap(({ calls }) => calls!.map((call) => String(call.arguments.query)));
    const named = asked.filter((query) => /\p{L}/u.test(query));
    assert.ok(named.length > 0.75 * asked.length, asked.join('; '));
  });

  it('whatever is given for it: a number of hers leads to her loan', async () => {
    const number = { type: 'integer' };
    const loanTools = [
      tool('find_member', 'Find a member by name.', { name: STRING }),
      tool('list_loans', 'List the loans of a member.', { member_id: number }),
      tool('renew_loan', 'Renew a loan.', { loan_id: number }, { changesWorld: true }),
    ];
    const tasks = await generateTasks(loanTools, {
      count: 200,
      seed: 1,
      looseWording: 0,
      call: async (name, args) =>
        name === 'find_member'
          ? ok(MEMBERS.flatMap((one, i) => (has(one.name, args.name) ? [{ id: 7001 + i, name: one.name }] : [])))
          : ok(MEMBERS.flatMap((_, i) => (args.member_id === 7001 + i ? [{ id: 31 + i, title: `Dune ${i}` }] : []))),
    });
    const twice = tasks.filter((task) => namesOf(task) === 'find_member list_loans renew_loan');
    assert.ok(twice.length > 5, `${twice.length}`);
    for (const { prompt, calls } of twice) {
      const [find, , renew] = calls!.map((call) => call.arguments);
      const at = MEMBERS.findIndex(({ name }) => has(name, find!.name));
      assert.ok(has(prompt, find!.name) && renew!.loan_id === 31 + at, prompt);
    }
  });
});
