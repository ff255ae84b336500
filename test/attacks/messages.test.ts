/** Inputs that once were "a fault of ours": each has its own message, with where, what and the way out. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realDependencies } from '../../trainer/app/dependencies';
import { listRuns } from '../../trainer/store/runs/listRuns';
import { coach, makeWorkspace, quick } from '../app/cli/coach';
import { makeTinyModel } from '../fixtures/tinyModel';
import { tempFolder } from '../store/runs/sample';

describe('attacks: messages', () => {
  const { dir, remove } = tempFolder('coach-attack-messages-');
  let run: string;
  before(async () => {
    makeWorkspace(dir);
    writeFileSync(join(dir, 'tools.ts'), '/** Search.\n * @tool */\nexport const search = (query: string) => query;\n');
    await coach(dir, ['train', 'tools.ts', ...quick], { stopAt: /step 2\// });
    run = listRuns(dir)[0]!.dir;
  });
  after(remove);

  async function refused(args: string[], message: RegExp, cwd = dir, dependencies = {}): Promise<void> {
    const { code, stderr } = await coach(cwd, args, { dependencies });
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /fault of/);
  }
  /** The run with something else in a file's place. */
  function damaged(name: string, put: (path: string) => void): string {
    const copy = join(dir, `damaged-${name}`);
    cpSync(run, copy, { recursive: true });
    rmSync(join(copy, name), { recursive: true });
    put(join(copy, name));
    return copy;
  }

  it('a folder in place of events.jsonl', async () => {
    const copy = damaged('events.jsonl', (path) => mkdirSync(path));
    for (const args of [
      ['train', '--resume', copy],
      ['trace', copy, 't'],
      ['export', copy, '--to', 'trl', '--out', join(dir, 'out')],
    ])
      await refused(args, /events\.jsonl: is not a file, but a folder, a pipe or a device\nGive a plain file/);
  });
  it('a file in place of .coach/runs', async () => {
    const other = join(dir, 'other');
    mkdirSync(join(other, '.coach'), { recursive: true });
    writeFileSync(join(other, '.coach', 'runs'), '');
    for (const args of [['runs'], ['train', '--resume', 'x'], ['trace', 'x', 't']])
      await refused(args, /runs: a file stands where the folder of runs must be\nMove that file away/, other);
  });
  it('a file where merged weights are to go', async () => {
    for (const to of ['merged', 'peft', 'ollama'])
      await refused(
        ['export', run, '--to', to, '--out', 'tools.ts'],
        /tools\.ts: --out must be a folder, and a file stands there\nGive another/,
      );
  });
  it('a folder for tasks that is not there is named, and not a temporary file', async () => {
    await refused(
      ['tasks', 'tools.ts', '--out', 'nowhere/tasks.jsonl'],
      /^coach: .*nowhere\/tasks\.jsonl: ENOENT: no such file or directory, open .*\nCheck that the folder is there/m,
    );
  });
  it('a temporary folder that is not there', async () => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = join(dir, 'gone');
    try {
      const { openHosts } = realDependencies;
      await refused(
        ['train', 'tools.ts'],
        /gone: the temporary folder can't be used: ENOENT.*\nSet TMPDIR to a folder/,
        dir,
        { openHosts },
      );
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  describe('a model folder whose', () => {
    const model = join(dir, 'model');
    const { planBudget, modelFolder } = realDependencies;
    beforeEach(() => {
      rmSync(model, { recursive: true, force: true });
      makeTinyModel('messages', model);
    });
    const CASES: [string, string, string | null, RegExp][] = [
      ['tokenizer.json is a list', 'tokenizer.json', '[]', /must hold a JSON object, got a list\nFetch the file/],
      ['tokenizer.json is null', 'tokenizer.json', 'null', /must hold a JSON object, got null/],
      ['tokenizer.json is cut off', 'tokenizer.json', '{"a"', /not JSON \(/],
      [
        'tokenizer.json is a folder',
        'tokenizer.json',
        null,
        /tokenizer\w*\.json: is not a file, but a folder, a pipe or a device\nGive a plain file/,
      ],
      [
        'tokenizer is none',
        'tokenizer.json',
        '{"model": {"type": "BPE"}}',
        /tokenizer\.json: can't be used: .*\ntake the tokenizer\.json that belongs to the model/,
      ],
      [
        'tokenizer_config.json is a folder',
        'tokenizer_config.json',
        null,
        /tokenizer\w*\.json: is not a file, but a folder, a pipe or a device\nGive a plain file/,
      ],
      ['tokenizer_config.json is a number', 'tokenizer_config.json', '7', /must hold a JSON object, got 7/],
    ];
    for (const [what, name, text, message] of CASES)
      it(what, async () => {
        rmSync(join(model, name), { force: true });
        if (text === null) mkdirSync(join(model, name));
        else writeFileSync(join(model, name), text);
        await refused(['train', 'tools.ts', '--model', model], message, dir, { planBudget, modelFolder });
      });
  });
});
