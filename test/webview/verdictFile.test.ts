import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { VerdictFile, withoutWords } from '../../extension/panel/verdictFile';

const verdict = (i: number, more: object = {}) => ({
  taskId: `t${i}`,
  groupId: `g${i}`,
  step: i,
  traceIds: [`g${i}-0`, `g${i}-1`],
  ranks: [1, 2],
  reasons: ['good', 'bäd'],
  model: 'judge',
  rawReply: `reply ${i}`,
  ...more,
});
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

describe('panel: the judge’s verdicts of a run', () => {
  let dir: string;
  let file: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'coach-verdicts-'));
    file = path.join(dir, 'judge.jsonl');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('has none where there was no judge', async () => {
    const verdicts = new VerdictFile(dir);
    assert.deepEqual([await verdicts.all(), await verdicts.ofGroup('g1', ['g1-0'])], [[], []]);
  });

  it('keeps an overview without the words, and gives one group whole', async () => {
    writeFileSync(file, line(verdict(1)) + line(verdict(2)));
    const verdicts = new VerdictFile(dir);
    assert.deepEqual(
      (await verdicts.all()).map((v) => [v.groupId, v.rawReply, v.reasons]),
      [
        ['g1', '', []],
        ['g2', '', []],
      ],
    );
    assert.deepEqual(await verdicts.ofGroup('g2', ['g2-0', 'g2-1']), [verdict(2)]);
    assert.deepEqual(await verdicts.ofGroup('g2', ['other']), []);
  });

  it('reads what comes later, a half written line once it is whole', async () => {
    writeFileSync(file, line(verdict(1)));
    const verdicts = new VerdictFile(dir);
    assert.equal((await verdicts.all()).length, 1);
    const next = line(verdict(2));
    appendFileSync(file, next.slice(0, 40));
    assert.equal((await verdicts.all()).length, 1);
    appendFileSync(file, next.slice(40) + line(verdict(3)));
    assert.deepEqual(
      (await verdicts.all()).map((v) => v.groupId),
      ['g1', 'g2', 'g3'],
    );
    assert.deepEqual(await verdicts.ofGroup('g3', ['g3-1']), [verdict(3)]);
    assert.deepEqual(verdicts.problems, []);
  });

  it('names what is torn, foreign or does not fit by its line, and shows the rest', async () => {
    writeFileSync(file, `{"torn":\n${line({ some: 'thing' })}${line(verdict(3))}${line(verdict(4, { ranks: [1] }))}`);
    const verdicts = new VerdictFile(dir);
    const all = await verdicts.all();
    assert.deepEqual(
      all.map((v) => [v.groupId, v.ranks]),
      [
        ['g3', [1, 2]],
        ['g4', null],
      ],
    );
    assert.match(all[1]!.error!, /do not fit/);
    assert.deepEqual(
      verdicts.problems.map((p) => /line (\d)/.exec(p)![1]),
      ['1', '2'],
    );
  });

  it('reads a long file in pieces', async () => {
    writeFileSync(
      file,
      Array.from({ length: 3_000 }, (_, i) => line(verdict(i, { rawReply: 'ü'.repeat(100) }))).join(''),
    );
    const verdicts = new VerdictFile(dir);
    assert.equal((await verdicts.all()).length, 3_000);
    assert.equal((await verdicts.ofGroup('g2999', ['g2999-0']))[0]!.rawReply, 'ü'.repeat(100));
  });

  it('drops the words of an overview, votes included', () => {
    const bare = withoutWords({
      ...verdict(1),
      votes: [{ order: ['g1-0'], ranks: null, reasons: ['x'], rawReply: 'long', error: 'why' }],
    });
    assert.deepEqual(
      [bare.reasons, bare.rawReply, bare.votes],
      [[], '', [{ order: ['g1-0'], ranks: null, rawReply: '', error: 'why' }]],
    );
    assert.deepEqual(bare.ranks, [1, 2]);
  });
});
