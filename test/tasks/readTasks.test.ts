import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceOf } from '../../trainer/protocol/task';
import { readTasks, tasksFileBeside, tasksToJsonl } from '../../trainer/tasks/readTasks';
import { isUserError, NUMBER, STRING, tool } from './fixtures';

const tools = [
  tool('searchEmails', 'Search.', { query: STRING, 'limit?': { ...NUMBER, default: 5 } }),
  tool('readEmail', 'Open.', { id: STRING }),
];

describe('readTasks', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'coach-tasks-'))));
  after(() => rmSync(folder, { recursive: true }));
  const read = (text: string) => {
    const file = join(folder, 'tools.tasks.jsonl');
    writeFileSync(file, text);
    return readTasks(file, tools);
  };
  const good =
    '{"id":"a","prompt":"find rent","calls":[{"name":"searchEmails","arguments":{"query":"rent"}}],"tags":["x"]}';

  it('reads lines, skips blank ones, takes a byte order mark and CRLF, and writes back the same tasks', () => {
    const tasks = read(
      `\ufeff${good}\r\n\r\n{"id":"b","prompt":"hello","calls":[]}\r\n{"id":"c","prompt":"how many","answer":"3"}`,
    );
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(read(tasksToJsonl(tasks)), tasks);
  });

  it('names file, line, rule, value and the way out', () => {
    assert.throws(() => read(`${good}\n{"id":"b",`), isUserError(/tools\.tasks\.jsonl:2/, /not JSON/, /\{"id":"b",/));
    assert.throws(() => read(`${good}\n[1]`), isUserError(/:2/, /must be a JSON object, got \[1\]/));
    assert.throws(() => read(`${good}\n\n${good}`), isUserError(/:3/, /the id 'a' is already used on line 1/));
    assert.throws(
      () => read('{"id":"a","promt":"x","calls":[]}'),
      isUserError(/:1/, /unknown field 'promt'/, /prompt\?/),
    );
    assert.throws(() => read('{"id":"a","prompt":7,"calls":[]}'), isUserError(/:1: prompt/, /got 7/));
    assert.throws(() => read('{"id":"a","calls":[]}'), isUserError(/:1: prompt/, /got nothing/));
    assert.throws(() => read('{"id":"","prompt":"x","calls":[]}'), isUserError(/:1: id/));
    assert.throws(
      () => read('{"id":"a","prompt":"x","calls":[{"name":"readEmail"}]}'),
      isUserError(/:1: calls\.0\.arguments/),
    );
    assert.throws(() => read('{"id":"a","prompt":"x"}'), isUserError(/neither calls nor answer/, /Add "calls"/));
    assert.throws(() => read('\n\n'), isUserError(/no task in it/, /A line looks like/));
    assert.throws(
      () => readTasks(join(folder, 'absent.jsonl'), tools),
      isUserError(/absent\.jsonl/, /ENOENT/, /Check the path/),
    );
  });

  it('reads who wrote a task, and refuses who is none', () => {
    const by = (source: unknown) => read(JSON.stringify({ id: 'a', prompt: 'hello', calls: [], source }));
    assert.equal(by('model')[0]!.source, 'model');
    assert.deepEqual(read(good).map(sourceOf), ['person'], 'a line that does not say it');
    assert.throws(
      () => by('persn'),
      isUserError(
        /:1: source must be one of person, use, model, grammar, schema, got "persn"/,
        /Did you mean person\?/,
      ),
    );
    assert.throws(() => by(7), isUserError(/:1: source must be one of/, /got 7/, /without it was written by a person/));
  });

  it('refuses gold calls that nobody could make', () => {
    const call = (name: string, args: object) =>
      read(JSON.stringify({ id: 'a', prompt: 'x', calls: [{ name, arguments: args }] }));
    assert.throws(
      () => call('searchEmail', { query: 'a' }),
      isUserError(/:1/, /missing: 'searchEmail'/, /searchEmails\?/),
    );
    assert.throws(() => call('readEmail', { idd: 'm1' }), isUserError(/no parameter 'idd'/, /'id'/));
    assert.throws(() => call('readEmail', {}), isUserError(/required property 'id'/));
    assert.throws(() => call('searchEmails', { query: 'a', limit: '3' }), isUserError(/limit: must be number/));
    assert.equal(call('searchEmails', { query: 'a', limit: 3 }).length, 1);
  });

  it('finds the task file that belongs to a tool file', () => {
    const at = (name: string) => join(folder, 'beside', name);
    mkdirSync(at(''), { recursive: true });
    writeFileSync(at('mail.ts'), '');
    writeFileSync(at('orders.ts'), '');
    assert.equal(tasksFileBeside(at('mail.ts')), null);
    writeFileSync(at('orders.tasks.jsonl'), good);
    assert.equal(tasksFileBeside(at('orders.ts')), at('orders.tasks.jsonl'));
    assert.equal(tasksFileBeside(at('mail.ts')), null, "another tool file's tasks");
    assert.equal(tasksFileBeside(at('')), at('orders.tasks.jsonl'));
    writeFileSync(at('mine.tasks.jsonl'), good);
    assert.equal(tasksFileBeside(at('mail.ts')), at('mine.tasks.jsonl'));
    assert.throws(
      () => tasksFileBeside(at('')),
      isUserError(/several task files \(mine\.tasks\.jsonl, orders\.tasks\.jsonl\)/, /--tasks/),
    );
  });
});
