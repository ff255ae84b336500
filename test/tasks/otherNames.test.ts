/** A parameter that calls a thing otherwise than its look-up does: a ticket's requester is an employee. */
import assert from 'node:assert/strict';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import { idPrefix, isOwnId, kindOfIds } from '../../trainer/tasks/generate/feeds';
import { has, madeTasks, namesOf, STRING, tool } from './fixtures';

const EMPLOYEES = ['Ruth Abernathy', 'Jonas Weber', 'Henrik Aas', 'Priya Raman'].map((name, i) => ({
  employeeId: `E-20${i + 1}`,
  name,
}));
const TICKETS = EMPLOYEES.map(({ employeeId }, i) => ({
  ticketId: `T-104${i}`,
  requesterId: employeeId,
  subject: ['VPN asks twice', 'Printer jams', 'Screen stays black', 'No sound'][i]!,
}));
const requester = { type: 'string', description: 'Who needs help, e.g. "E-201"' };
const tools: ToolSchema[] = [
  tool('findEmployee', 'Finds employees by name.', { name: STRING }),
  tool('searchTickets', 'Lists tickets.', { 'requesterId?': requester }),
  tool('openTicket', 'Opens a ticket.', { requesterId: requester, subject: STRING }, { changesWorld: true }),
];

const made = (): Promise<Task[]> =>
  madeTasks(tools, 400, {
    findEmployee: ({ name }) => EMPLOYEES.filter((one) => has(one.name, name)),
    searchTickets: ({ requesterId }) =>
      TICKETS.filter((one) => requesterId === undefined || one.requesterId === requesterId),
  });

describe('a thing that a parameter calls otherwise', function () {
  this.timeout(60_000);

  it('is looked up by what its ids begin with', async () => {
    const tasks = await made();
    for (const last of ['searchTickets', 'openTicket']) {
      const chains = tasks.filter((task) => namesOf(task) === `findEmployee ${last}`);
      assert.ok(chains.length > 5, `${last}: ${chains.length}`);
      for (const { calls } of chains) {
        const [employee] = EMPLOYEES.filter(({ name }) => has(name, calls![0]!.arguments.name));
        assert.equal(calls![1]!.arguments.requesterId, employee!.employeeId);
      }
      const owned = chains.filter(({ prompt }) => /'s requester|requester (of|for) [A-Z]/.test(prompt));
      assert.deepEqual(
        owned.map(({ prompt }) => prompt),
        [],
        'the employee is the requester, and has none',
      );
    }
  });

  it('has ids that begin in one way, and is what the look-up is about', () => {
    assert.equal(idPrefix('E-201'), 'E-');
    assert.equal(idPrefix('a1'), null, 'one digit may stand for anything');
    assert.equal(kindOfIds('requesterId', ['E-201', 'E-202']), 'E-');
    assert.equal(kindOfIds('requesterId', ['E-201', 'T-1040']), null);
    assert.equal(kindOfIds('requester', ['E-201']), null, 'no id by its name');
    const [employees, tickets] = tools as [ToolSchema, ToolSchema];
    assert.ok(isOwnId(employees, { property: 'employeeId' }));
    assert.ok(isOwnId(employees, { property: 'id' }));
    assert.ok(!isOwnId(tickets, { property: 'requesterId' }));
  });
});
