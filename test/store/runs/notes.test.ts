/** Notes carry codes; what an earlier or a newer Coach wrote is read all the same. */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOTE_CODES } from '../../../trainer/protocol/note';
import { foldRun } from '../../../trainer/store/runs/readRun';
import { newRun, tempFolder } from './sample';

describe('notes of a run', () => {
  const { dir, remove } = tempFolder();
  after(remove);

  it('keep their code; without one, or with one that is not known yet, they are still shown', () => {
    const run = newRun(dir);
    run.append({ type: 'noted', level: 'warning', code: 'judgeLost', message: 'step 3: gone' });
    run.close();
    const line = (seq: number, code: object) =>
      `${JSON.stringify({ seq, t: 1, type: 'noted', level: 'info', message: 'said', ...code })}\n`;
    appendFileSync(join(run.dir, 'events.jsonl'), line(2, {}) + line(3, { code: 'ofTomorrow' }));
    const { notes } = foldRun(run.dir);
    assert.deepEqual(
      notes.map(({ code, message }) => [code, message]),
      [
        ['judgeLost', 'step 3: gone'],
        [undefined, 'said'],
        [undefined, 'said'],
      ],
    );
  });

  it('are said once by code and words', () => {
    const run = newRun(dir, { label: 'once' });
    assert.deepEqual(
      [
        run.firstTime({ code: 'lateToolError', message: 'a threw' }),
        run.firstTime({ code: 'lateToolError', message: 'b threw' }),
        run.firstTime({ code: 'lateToolError', message: 'a threw' }),
      ],
      [true, true, false],
    );
    run.close();
  });

  it('have each code once', () => assert.equal(new Set(NOTE_CODES).size, NOTE_CODES.length));
});
