import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeMailbox } from '../../examples/email-search/mailbox';
import { NOT_FOUND } from '../../examples/email-search/questions';
import { tasksText } from '../../examples/email-search/writeTasks';
import type { Task } from '../../trainer/protocol/task';
import { readTasks } from '../../trainer/tasks/readTasks';
import { answerOccurs } from '../../trainer/tasks/solved';
import { contentKey, NEW_PHRASING, splitTasks } from '../../trainer/tasks/taskset';
import type { ToolHosts, ToolSession } from '../../trainer/tools/hosts/callTool';
import { discover, EXAMPLES, openHosts } from './fixtures';

const FILE = join(EXAMPLES, 'email-search/tools.tasks.jsonl');

interface Hit {
  id: string;
  from: string;
  date: string;
  subject: string;
  snippet: string;
}

describe('examples: email search', function () {
  this.timeout(120_000);
  const tools = discover('email-search/tools.ts');
  const tasks = readTasks(FILE, tools);
  let hosts: ToolHosts;
  let session: ToolSession;
  before(async () => {
    hosts = await openHosts(tools);
    session = hosts.open('questions');
  });
  after(async () => {
    session.close();
    await hosts.close();
  });

  async function call(name: string, args: Record<string, unknown>): Promise<string> {
    const { kind, content } = await session.call(name, args);
    assert.equal(kind, 'ok', `${name} ${JSON.stringify(args)}: ${content}`);
    return content;
  }
  const search = async (args: Record<string, unknown>): Promise<Hit[]> =>
    JSON.parse(await call('searchEmails', args)) as Hit[];

  it('two tools find what is in the mailbox, through the real host: no word of a query is syntax', async () => {
    assert.deepEqual(
      tools.map(({ name, changesWorld }) => [name, changesWorld]),
      [
        ['searchEmails', false],
        ['readEmail', false],
      ],
    );
    const [hit, ...others] = await search({ query: 'printer', from: 'halden' });
    assert.deepEqual([hit!.from, hit!.subject, others.length], ['Halden Supplies', 'Invoice: printer', 0]);
    assert.match(hit!.snippet, /The printer comes to [\d.]+ euros/);
    const { body } = JSON.parse(await call('readEmail', { id: hit!.id })) as { body: string };
    assert.match(body, /The invoice number is R\d{4}\. Please pay by \d+ [A-Z]/);
    for (const query of ['"', 'printer AND', 'NEAR(', 'subject:', '*', "'; DROP TABLE mails", '^x', ''])
      await search({ query });
    assert.equal((await search({ query: 'DROP' })).length, 0);
    assert.equal((await search({ query: 'PRINTERS', from: 'halden' }))[0]!.id, hit!.id);
  });

  it('dates are days from and to, both counted; limit holds', async () => {
    const june = await search({ query: 'statement', after: '2024-06-01', before: '2024-06-30', limit: 10 });
    assert.ok(june.length >= 10 && june.every(({ date }) => date.startsWith('2024-06')));
    const { date, id } = june[0]!;
    assert.ok(
      (await search({ query: 'statement', after: date, before: date, limit: 10 })).some((hit) => hit.id === id),
    );
    assert.equal((await search({ query: 'statement' })).length, 3);
    assert.equal((await session.call('readEmail', { id: 'm0' })).kind, 'threw');
    assert.equal((await session.call('searchEmails', { query: 'x', limit: 0 })).kind, 'invalidArguments');
  });

  it('the mailbox has over 2,000 messages, each named once; the task file is what its generator writes', () => {
    const { mails, facts } = makeMailbox();
    assert.ok(mails.length >= 2000, `${mails.length}`);
    assert.deepEqual(makeMailbox().mails, mails);
    assert.equal(new Set(facts.map((fact) => JSON.stringify(fact.search))).size, facts.length);
    assert.equal(tasksText(), readFileSync(FILE, 'utf8'));
  });

  it('every gold call runs, its results are short and hold the answer; what has none is found nowhere', async () => {
    for (const task of tasks) await check(task);
    const count = (tag: string): number => tasks.filter(({ tags }) => tags!.includes(tag)).length;
    assert.deepEqual([count('search') > 200, count('read') > 400, count('noAnswer')], [true, true, 80]);
  });

  async function check({ id, prompt, calls, answer }: Task): Promise<void> {
    let seen = '';
    for (const { name, arguments: args } of calls!) {
      if (name === 'readEmail')
        assert.ok(seen.includes(`"${String(args.id)}"`), `${id}: ${String(args.id)} was not found`);
      // what to search for can be copied out of the question; days have to be worked out
      for (const key of ['query', 'from'])
        if (args[key] !== undefined && args[key] !== 'statement')
          assert.ok(
            prompt.toLowerCase().includes(String(args[key]).toLowerCase()),
            `${id}: ${String(args[key])} is not in '${prompt}'`,
          );
      const content = await call(name, args);
      assert.ok(content.length <= 700, `${id}: a result of ${content.length} characters`);
      seen += content;
    }
    if (answer === NOT_FOUND) assert.equal(seen, '[]', id);
    else assert.ok(answerOccurs(answer!, seen), `${id}: ${answer}`);
  }

  it('200 questions and more are held out; none of their facts is trained on, and half of the ways to ask are new', () => {
    const { train, validation, heldOut } = splitTasks(tasks, { heldOut: 240, tools });
    assert.ok(heldOut.length >= 200 && train.length >= 400, `${heldOut.length} ${train.length}`);
    const known = [...train, ...validation];
    for (const of of [
      (task: Task) => contentKey(task, tools),
      (task: Task) => task.prompt,
      (task: Task) => task.calls!.find((call) => call.name === 'readEmail')?.arguments.id ?? task.id,
    ]) {
      const learnt = new Set(known.map(of));
      assert.deepEqual(
        heldOut.filter((task) => learnt.has(of(task))),
        [],
      );
    }
    assert.ok(heldOut.filter(({ tags }) => tags!.includes(NEW_PHRASING)).length >= 80);
    assert.deepEqual(
      known.filter(({ tags }) => tags!.includes(NEW_PHRASING)),
      [],
    );
  });
});
