import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { foldPreferences, trainingPairs } from '../../../trainer/protocol/preferenceState';
import {
  gitAuthor,
  preferencesFile,
  preferenceState,
  readPreferences,
  recordPreferences,
} from '../../../trainer/store/preferences/store';
import { onFullDisk } from '../runs/fullDisk';
import { tempFolder } from '../runs/sample';
import { line, mark, pair, says } from './fixture';

describe('preferences: the file', () => {
  let dir: string;
  let remove: () => void;
  beforeEach(() => {
    ({ dir, remove } = tempFolder());
    mkdirSync(join(dir, '.git'));
  });
  afterEach(() => remove());

  it('keeps each line as it was written, with author, time and id; is not ignored by git', () => {
    const [written] = recordPreferences(dir, [mark('p1', 'first')], {
      now: () => 42,
      author: { name: 'Ada', email: 'ada@example.org' },
    });
    assert.deepEqual(readPreferences(preferencesFile(dir)), { lines: [written], problems: [] });
    assert.deepEqual([written!.version, written!.t, written!.author.name], [1, 42, 'Ada']);
    assert.match(readFileSync(join(dir, '.coach/.gitignore'), 'utf8'), /!preferences\.jsonl/);
  });

  it('says torn, foreign and newer lines by number, uses the rest, and cuts nothing off', () => {
    const file = preferencesFile(dir);
    recordPreferences(dir, [mark('p1', 'first')]);
    appendFileSync(file, '{"version":1,"id":"ha');
    recordPreferences(dir, [mark('p2', 'second')]);
    appendFileSync(
      file,
      '{"hello":"world"}\n{"version":9,"type":"mark"}\n\n{"prompt":[{"role":"user","content":"x"}],"chosen":[{"role":"assistant","content":"a"}],"rejected":[{"role":"assistant","content":"b"}]}',
    );
    const { state, problems } = preferenceState(dir);
    assert.deepEqual(
      problems.map(({ line: n, message }) => [n, message.replace(/[;:(].*/, '').trim()]),
      [
        [2, 'line 2 is torn or no JSON'],
        [4, 'line 4 is no preference'],
        [5, 'line 5 is of version 9, this is version 1'],
      ],
    );
    assert.deepEqual(
      state.pairs.map(({ pair: { id }, verdict }) => [id, verdict]),
      [
        ['p1', 'first'],
        ['p2', 'second'],
      ],
    );
    assert.deepEqual(
      state.imported.map(({ source, chosen }) => [source, chosen[0]!.content]),
      [['by hand', 'a']],
    );
    assert.equal(readFileSync(file, 'utf8').split('\n')[1], '{"version":1,"id":"ha');
  });

  it('two windows that append at once lose nothing', async function () {
    this.timeout(120_000);
    const run = promisify(execFile);
    const child = (name: string) =>
      run(process.execPath, ['--import', 'tsx', resolve(__dirname, 'appendChild.ts'), dir, name, '60'], {
        cwd: resolve(__dirname, '../../..'),
      });
    await Promise.all(['x', 'y', 'z'].map(child));
    const { lines, problems } = readPreferences(preferencesFile(dir));
    assert.deepEqual(problems, []);
    for (const name of ['x', 'y', 'z'])
      assert.deepEqual(
        lines.filter((l) => l.author.name === name).map((l) => l.type === 'note' && l.traceId),
        Array.from({ length: 60 }, (_, i) => `${name}-${i}`),
      );
  });

  it('a full disk is said, and the line is not taken for written', () => {
    assert.throws(() => onFullDisk(() => recordPreferences(dir, [mark('p1', 'first')])), /disk is full/);
    assert.deepEqual(readPreferences(preferencesFile(dir)).lines, []);
  });

  it("author: git config of the folder, else the machine's user", () => {
    const { dir: repository, remove: removeIt } = tempFolder();
    execFileSync('git', ['init', '-q'], { cwd: repository });
    writeFileSync(join(repository, '.git/config'), '[user]\n\tname = Grace H\n\temail = grace@example.org\n');
    assert.deepEqual(gitAuthor(repository), { name: 'Grace H', email: 'grace@example.org' });
    assert.ok(gitAuthor(dir).name.length > 0);
    removeIt();
  });
});

describe('preferences: the fold', () => {
  const states = (...lines: ReturnType<typeof line>[]) =>
    foldPreferences(lines).pairs.map((p) => [p.pair.id, p.verdict]);

  it('a later mark of the same person replaces the earlier one; an undo takes it back, wherever it stands', () => {
    const [first, second] = [line(mark('p', 'first')), line(mark('p', 'second'))];
    assert.deepEqual(states(first, second), [['p', 'second']]);
    const undo = line({ type: 'undo', of: second.id });
    assert.deepEqual(states(undo, second, first), [['p', 'first']]);
    assert.deepEqual(states(first, line({ type: 'undo', of: first.id })), []);
    assert.deepEqual(states(first, first), [['p', 'first']], 'a line merged twice counts once');
  });

  it('two people who disagree: disputed, and not trained on; a skip is no opinion', () => {
    const bob = { author: { name: 'Bob' } };
    assert.deepEqual(states(line(mark('p', 'first')), line(mark('p', 'second'), bob)), [['p', 'disputed']]);
    assert.deepEqual(states(line(mark('p', 'first')), line(mark('p', 'skip'), bob)), [['p', 'first']]);
    assert.deepEqual(trainingPairs(foldPreferences([line(mark('p', 'first')), line(mark('p', 'second'), bob)])), []);
  });

  it('the same words met with the sides the other way round are the same opinion', () => {
    const { sides } = pair('p');
    const turned = mark('p', 'second', { sides: [sides[1], sides[0]] });
    assert.deepEqual(states(line(mark('p', 'first')), line(turned, { author: { name: 'Bob' } })), [['p', 'first']]);
  });

  it('training takes marks, rewrites and imported pairs, with the ids that were sampled; no tie, no skip', () => {
    const tools = [{ type: 'function', function: { name: 'search' } }];
    const state = foldPreferences([
      line({ type: 'tools', tools }, { id: 'tools-1' }),
      line(mark('p1', 'second', { toolsId: 'tools-1' })),
      line(mark('p2', 'tie')),
      line(mark('p3', 'skip')),
      line({ type: 'rewrite', pair: pair('p4'), of: 0, messages: [says('mine')] }, { id: 'w' }),
      line({ type: 'pair', prompt: [], chosen: [says('a')], rejected: [says('b')], source: 'x.jsonl' }, { id: 'i' }),
    ]);
    const pairs = trainingPairs(state);
    assert.deepEqual(
      pairs.map((p) => [p.id, p.source, p.chosen[0]!['content']]),
      [
        ['p1', 'marked', ''],
        ['w', 'rewritten', 'mine'],
        ['i', 'imported: x.jsonl', 'a'],
      ],
    );
    assert.deepEqual(
      [pairs[0]!.tools, pairs[0]!.tokens],
      [tools, { rejected: { ids: [1, 2, 3], start: 2, writer: 'pps' } }],
    );
    assert.deepEqual(pairs[1]!.tokens, { rejected: { ids: [1, 2, 3], start: 2, writer: 'pps' } });
    assert.deepEqual(
      trainingPairs(state, (file) => file === 'other.ts'),
      [],
    );
  });

  it('a corrected ranking replaces the earlier one of the same group; notes stand side by side', () => {
    const correction = (ranks: number[]) =>
      line({ type: 'correction', runId: 'r', taskId: 't', groupId: 'g', traceIds: ['a', 'b'], ranks });
    const note = (text: string) => line({ type: 'note', runId: 'r', traceId: 'a', turn: 0, text });
    const state = foldPreferences([correction([1, 2]), note('x'), correction([2, 1]), note('y')]);
    assert.deepEqual([state.corrections.map((c) => c.ranks), state.notes.map((n) => n.text)], [[[2, 1]], ['x', 'y']]);
  });
});
