import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addTask, taskFileFor } from '../../trainer/tasks/addTask';
import { readTasks } from '../../trainer/tasks/readTasks';
import { sampleTasks, sampleTool, tempFolder } from '../store/runs/sample';

const tools = [sampleTool];
const task = (id: string, query = 'rent') => ({
  id,
  prompt: `Find ${query}`,
  calls: [{ name: 'search', arguments: { query } }],
});

describe('make this a task', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const toolFile = join(dir, 'mail.ts');
  const file = join(dir, 'mail.tasks.jsonl');
  before(() => writeFileSync(toolFile, ''));

  it('begins a file with the tasks of the run, so that training does not end with a file of one task', () => {
    assert.deepEqual(taskFileFor(toolFile), { file, exists: false });
    assert.deepEqual(addTask(toolFile, task('from-1'), tools, sampleTasks.train), { file, line: 7, isKnown: false });
    assert.deepEqual(
      readTasks(file, tools).map(({ id }) => id),
      ['a', 'b', 'c', 'd', 'e', 'f', 'from-1'],
    );
    assert.deepEqual(taskFileFor(toolFile), { file, exists: true });
  });

  it('appends, also behind a last line without its end; the same trace twice is one task', () => {
    writeFileSync(file, readFileSync(file, 'utf8').trimEnd());
    assert.deepEqual(addTask(toolFile, task('from-2'), tools), { file, line: 8, isKnown: false });
    assert.deepEqual(addTask(toolFile, task('from-3'), tools), { file, line: 9, isKnown: false });
    const before = readFileSync(file, 'utf8');
    assert.deepEqual(addTask(toolFile, task('from-2'), tools), { file, line: 8, isKnown: true });
    assert.equal(readFileSync(file, 'utf8'), before);
    assert.equal(readTasks(file, tools).length, 9);
  });

  it('refuses what no policy could solve, and writes nothing', () => {
    const before = readFileSync(file, 'utf8');
    assert.throws(
      () => addTask(toolFile, { ...task('x'), calls: [{ name: 'serch', arguments: {} }] }, tools),
      /names a tool that is missing: 'serch'/,
    );
    assert.throws(() => addTask(toolFile, { id: 'x', prompt: 'Hello' }, tools), /neither calls nor answer/);
    assert.equal(readFileSync(file, 'utf8'), before);
    assert.ok(!existsSync(join(dir, 'other.tasks.jsonl')));
  });
});
