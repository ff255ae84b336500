/** A pipe or a device by the name of an input: reading it would wait for ever, or never end. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lastPid, readSocketFile, trainedIn } from '../../extension/runs/runFiles';
import { readTextFile } from '../../trainer/base/storage';
import { parseJson } from '../../trainer/base/json';
import { readEntries } from '../../trainer/evaluation/benchmarks/bfcl/entries';
import { readModelConfig } from '../../trainer/model/network/config';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { Gguf } from '../../trainer/model/weights/gguf';
import { readSafetensors } from '../../trainer/model/weights/safetensors';
import { UserError } from '../../trainer/protocol/result';
import { importPreferences } from '../../trainer/store/exchange/preferences';
import { readEpisodes } from '../../trainer/store/exchange/otel/importRun';
import { preferenceState } from '../../trainer/store/preferences/store';
import { hashModel } from '../../trainer/store/runs/hashes';
import { listRuns } from '../../trainer/store/runs/listRuns';
import { readEvents, readManifest, readTaskSplits } from '../../trainer/store/runs/readRun';
import { readTraceFile } from '../../trainer/store/runs/readTraceFile';
import { readTasks } from '../../trainer/tasks/readTasks';
import { tempFolder } from '../store/runs/sample';

describe('attacks: inputs that are no plain files', () => {
  let base: string;
  before(function () {
    if (process.platform === 'win32') this.skip(); // there are no such pipes
  });
  beforeEach(() => (base = tempFolder('coach-attack-pipe-').dir));
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function pipe(name: string): string {
    const path = join(base, name);
    mkdirSync(dirname(path), { recursive: true });
    execFileSync('mkfifo', [path]);
    return path;
  }
  const refused = (action: () => unknown): void =>
    assert.throws(action, (error: unknown) => {
      assert.ok(error instanceof UserError, String(error));
      assert.match(error.message, /is not a file, but a folder, a pipe or a device/);
      assert.equal(error.message.match(/is not a file/g)!.length, 1);
      return true;
    });

  const readers: [string, (path: string) => unknown][] = [
    ['tasks.jsonl', (path) => readTasks(path, [])],
    ['traces.jsonl', (path) => readTraceFile(path, { fromByte: 0, fromLine: 1 })],
    ['otlp.json', (path) => readEpisodes(path)],
    ['pairs.jsonl', (path) => importPreferences(base, path)],
    ['.coach/preferences.jsonl', () => preferenceState(base)],
    ['events.jsonl', () => readEvents(base, 0)],
    ['tasks.json', () => readTaskSplits(base)],
    ['config.json', () => readModelConfig(base)],
    ['tokenizer.json', () => Tokenizer.load(base)],
    ['tokenizer_config.json', () => ChatTemplate.load(base)],
    ['chat_template.jinja', () => ChatTemplate.load(base)],
    ['model.safetensors', (path) => readSafetensors(path)],
    ['model.gguf', (path) => Gguf.open(path)],
    ['config.json', () => hashModel(base)],
    ['BFCL_v4_simple_python.json', () => readEntries(base, 'simple_python', null)],
  ];
  for (const [name, read] of readers)
    it(`a pipe in place of ${name} is refused`, () => {
      const path = pipe(name);
      refused(() => read(path));
    });

  it('a device is refused, too, and a link to one', () => {
    refused(() => readTasks('/dev/zero', []));
    symlinkSync('/dev/zero', join(base, 'run.json'));
    refused(() => readTextFile(join(base, 'run.json')));
    refused(() => readTextFile(base));
  });

  it('a run whose run.json is a pipe is listed with what is wrong with it, beside the others', () => {
    const dir = join(base, '.coach', 'runs', 'evil');
    pipe(join('.coach', 'runs', 'evil', 'run.json'));
    assert.match(readManifest(dir).problem!, /run\.json: is not a file, but a folder, a pipe or a device/);
    assert.deepEqual(
      listRuns(base).map(({ problem }) => /pipe/.test(problem ?? '')),
      [true],
    );
  });

  it("the editor's side is not stopped by pipes in a run folder", () => {
    for (const name of ['run.json', 'socket.json', 'lock']) pipe(name);
    assert.deepEqual([readSocketFile(base), trainedIn(base), lastPid(base)], [null, null, null]);
  });

  it('a file of text that is too long to be read whole is refused by its size', () => {
    const path = join(base, 'tasks.jsonl');
    writeFileSync(path, '');
    execFileSync('truncate', ['-s', '3G', path]); // takes no room
    assert.throws(() => readTasks(path, []), /has 3221225472 bytes; at most 268435456 are read as text/);
  });

  it('JSON of a million levels is refused before anything walks through it', () => {
    for (const text of ['['.repeat(1e6) + ']'.repeat(1e6), '{"a":'.repeat(1e6)])
      assert.throws(() => parseJson(text), /nested deeper than 500 levels/);
    assert.deepEqual(parseJson('{"a":"[[\\"[","b":[[1]]}'), { a: '[["[', b: [[1]] });
  });
});
