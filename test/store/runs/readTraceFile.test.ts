import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTraceAt } from '../../../trainer/store/runs/readRun';
import { readTraceFile } from '../../../trainer/store/runs/readTraceFile';
import { sampleTrace, tempFolder } from './sample';

describe('any file of traces', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const file = join(dir, 'mixed.trace.jsonl');
  const line = (id: string) => JSON.stringify(sampleTrace(id));
  const start = { fromByte: 0, fromLine: 0 };

  it('gives what is a trace, by its place, and names by number what is torn, foreign or of a newer version', () => {
    writeFileSync(
      file,
      [
        line('a-0'),
        '{"half": ',
        '',
        '{"messages": []}',
        line('a-1').replace('"version":2', '"version":9'),
        'ä'.repeat(10),
        line('b-0'),
      ].join('\n'),
    );
    const { traces, problems, isWhole, nextLine } = readTraceFile(file, start);
    assert.deepEqual(
      traces.map(({ id, line: at }) => [id, at]),
      [
        ['a-0', 1],
        ['b-0', 7],
      ],
    );
    assert.deepEqual([isWhole, nextLine], [true, 7]);
    assert.deepEqual(
      problems.map(({ line: at }) => at),
      [2, 4, 5, 6],
    );
    const [torn, foreign, newer, text] = problems.map(({ message }) => message);
    assert.match(torn!, /^line 2 is torn, or no JSON$/);
    assert.match(foreign!, /^line 4 is no trace: /);
    assert.match(
      newer!,
      /^line 5 is of a newer version \(trace version must be at most 2, got 9\): update Coach to read it$/,
    );
    assert.match(text!, /^line 6 is torn, or no JSON$/);
    for (const { offset, length, id } of traces) assert.equal(readTraceAt(file, { offset, length }).id, id);
  });

  it('reads a large file in pieces, and again what has grown', () => {
    writeFileSync(file, Array.from({ length: 20 }, (_, i) => `${line(`a-${i}`)}\n`).join(''));
    const ids: string[] = [];
    let next = { fromByte: 0, fromLine: 0 };
    let pieces = 0;
    for (let isWhole = false; !isWhole; pieces++) {
      const piece = readTraceFile(file, next, 3 * line('a-0').length);
      ids.push(...piece.traces.map(({ id }) => id));
      next = { fromByte: piece.nextByte, fromLine: piece.nextLine };
      isWhole = piece.isWhole;
    }
    assert.ok(pieces > 5);
    assert.deepEqual(
      ids,
      Array.from({ length: 20 }, (_, i) => `a-${i}`),
    );
    const text = line('late');
    appendFileSync(file, text.slice(0, 40));
    const torn = readTraceFile(file, next);
    assert.deepEqual(
      [torn.traces.length, torn.problems.map(({ message }) => message), torn.nextByte],
      [0, ['line 21 is torn: it ends in the middle of a trace'], next.fromByte],
    );
    appendFileSync(file, `${text.slice(40)}\n`);
    assert.deepEqual(
      readTraceFile(file, next).traces.map(({ id, line: at }) => [id, at]),
      [['late', 21]],
    );
  });

  it('an empty file holds none; a missing one is told', () => {
    writeFileSync(file, '');
    assert.deepEqual(readTraceFile(file, start), { traces: [], problems: [], nextByte: 0, nextLine: 0, isWhole: true });
    assert.throws(() => readTraceFile(join(dir, 'gone.trace.jsonl'), start), /can't be read/);
  });

  it('a line longer than a piece is one line all the same', () => {
    writeFileSync(file, `${line('a-0')}\n${line('a-1')}\n`);
    const piece = readTraceFile(file, start, 100);
    assert.ok(piece.traces.length >= 1 && piece.nextLine >= 1);
  });
});
