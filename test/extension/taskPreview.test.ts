import assert from 'node:assert/strict';
import { parsePreview } from '../../extension/tools/taskPreview';
import { plainError } from '../../extension/window/plainError';
import { StartRefused } from '../../extension/processes/trainerProcess';

const task = (id: string, source?: string) => ({ id, prompt: `do ${id}`, calls: [], ...(source && { source }) });

describe('a preview of tasks', () => {
  it('counts them by who wrote them and shows five, of every source where there are so many', () => {
    const tasks = [...'abcdefg'].map((id) => task(id, 'grammar')).concat(task('p'), task('s', 'schema'));
    const preview = parsePreview(JSON.stringify({ source: 'generated', tasks, splits: {} }));
    assert.deepEqual(preview.bySource, [
      { source: 'person', count: 1 },
      { source: 'grammar', count: 7 },
      { source: 'schema', count: 1 },
    ]);
    assert.deepEqual(
      preview.shown.map(({ id }) => id),
      ['p', 'a', 's', 'b', 'c'],
    );
    assert.equal(preview.jsonl.trim().split('\n').length, preview.taskCount);
  });
});

describe('errors as they are told', () => {
  it('no words of ours in them, and the button that helps', () => {
    assert.deepEqual(plainError(new Error("the trainer can't be started: spawn /opt/node22 ENOENT")), {
      message: '/opt/node22: there is no such program',
      help: 'node',
    });
    const refused = (border: 'task' | 'config') =>
      new StartRefused({ border, message: 'no task could be made', hint: 'Write some' });
    assert.deepEqual(plainError(refused('task')), { message: 'no task could be made. Write some', help: 'tasks' });
    assert.equal(plainError(refused('config')).help, 'setting');
    assert.equal(plainError(new Error('x')).help, null);
  });
});
