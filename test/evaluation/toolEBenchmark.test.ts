/** `coach evaluate --benchmark toole-…`: MetaTool's questions, read, asked and counted. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChoices, type Choice } from '../../trainer/evaluation/benchmarks/toole/entries';
import { chosenIn, summaryOf } from '../../trainer/evaluation/benchmarks/toole/evaluateToolE';
import { makeMulti } from '../../trainer/evaluation/benchmarks/toole/multi';
import { realDependencies } from '../../trainer/app/dependencies';
import type { Trace } from '../../trainer/protocol/trace';
import { coach } from '../app/cli/coach';
import { tempFolder } from '../store/runs/sample';

const NAMES = [
  'weather',
  'airquality',
  'PDF&URLTool',
  'recipes',
  'cinema',
  'stocks',
  'trains',
  'jokes',
  'maps',
  'mail',
  'songs',
];
const lines = (values: object[]): string => values.map((value) => JSON.stringify(value)).join('\n');
const ask = (i: number, answer: string | null) => ({ id: `q${i}`, query: `Request ${i}?`, query_id: `x${i}`, answer });

describe('MetaTool', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  // no sentence encoder that somebody installed on this machine: tools are found by words
  const home = process.env['XDG_DATA_HOME'];
  before(() => void (process.env['XDG_DATA_HOME'] = dir));
  after(() => {
    if (home === undefined) delete process.env['XDG_DATA_HOME'];
    else process.env['XDG_DATA_HOME'] = home;
  });
  const data = join(dir, 'toole');
  mkdirSync(data);
  const write = (name: string, values: object[]) => writeFileSync(join(data, `${name}.jsonl`), lines(values));
  write(
    'tools',
    NAMES.map((name) => ({ name, description: `About ${name}.` })),
  );
  write('candidates', [
    { subtask: 'similar', key: 'weather', candidates: NAMES.slice(0, 10) },
    { subtask: 'reliable', key: 'weather', candidates: NAMES.slice(1) },
    { subtask: 'scenario', key: 'Cook', candidates: ['recipes', 'weather', 'mail'] },
  ]);
  write(
    'similar',
    Array.from({ length: 8 }, (_, i) => ask(i, 'weather')),
  );
  write('reliable', [{ ...ask(0, null), tool: 'weather' }]);
  write('scenario', [{ ...ask(0, 'recipes'), scenario: 'Cook' }]);
  write(
    'queries',
    NAMES.map((tool, i) => ({ id: `x${i}`, query: `What of ${tool}`, tool, balanced: i < 9, used_in: [] })),
  );

  const called = (...turns: string[][]): Pick<Trace, 'turns'> => ({
    turns: turns.map((names) => ({
      ...{ start: 0, end: 1, text: '', sampleMs: 0 },
      calls: names.map((name, i) => ({ id: `${i}`, name, arguments: {}, result: null })),
    })),
  });

  it('what was called is what was chosen', () => {
    const of = (answer: string[], ...turns: string[][]) => chosenIn({ answer }, called(...turns));
    assert.equal(of(['mail'], ['mail']), 'right');
    assert.equal(of(['mail'], ['maps']), 'anotherTool');
    assert.equal(of(['mail'], ['mail', 'maps']), 'tooMany');
    assert.equal(of(['mail'], []), 'noTool');
    assert.equal(of(['mail']), 'cutOff');
    assert.equal(of([], []), 'right', 'reliable: none fits');
    assert.equal(of([], ['mail']), 'anotherTool');
    assert.equal(of(['mail', 'maps'], ['mail'], ['maps'], []), 'right');
    assert.equal(of(['mail', 'maps'], ['maps', 'mail']), 'right');
    assert.equal(of(['mail', 'maps'], ['mail'], ['mail'], []), 'oneOfTwo');
    assert.equal(of(['PDF&URLTool'], ['PDF_URLTool']), 'right', 'as it can be called');
    const broken = { turns: called([]).turns.map((turn) => ({ ...turn, parseError: 'no JSON' })) };
    assert.equal(chosenIn({ answer: [] }, broken), 'unread', 'not that none was chosen');
  });

  it('shares of right selections, by subtask', () => {
    const choice = (subtask: Choice['subtask'], i: number) => ({ id: `${subtask}${i}`, subtask }) as Choice;
    const choices = [choice('similar', 0), choice('similar', 1), choice('reliable', 0)];
    const { n, success, byTag, reasons, noRoom } = summaryOf(choices, ['right', 'noRoom', 'anotherTool']);
    assert.deepEqual([n, success, noRoom], [3, 1 / 3, 1]);
    assert.deepEqual(byTag, { similar: { n: 2, success: 0.5 }, reliable: { n: 1, success: 0 } });
    assert.deepEqual(reasons, { noRoom: 1, anotherTool: 1 });
  });

  it('lists are shuffled by the seed; questions are spread evenly; the right tool of `reliable` is kept out', () => {
    const read = (subtask: Choice['subtask'], count: number | null = null, seed = 0) =>
      readChoices(data, subtask, count, seed);
    const { choices, total } = read('similar');
    assert.equal(total, 8);
    assert.ok(new Set(choices.map(({ candidates }) => candidates.indexOf('weather'))).size > 2, 'not always the first');
    assert.deepEqual(read('similar').choices, choices);
    assert.notDeepEqual(read('similar', null, 1).choices, choices);
    assert.deepEqual(
      read('similar', 4).choices.map(({ id }) => id),
      ['q0', 'q2', 'q4', 'q6'],
    );
    const [none] = read('reliable').choices;
    assert.deepEqual([none!.answer, none!.hidden, none!.candidates.length], [[], 'weather', 10]);
    assert.deepEqual(new Set(read('scenario').choices[0]!.candidates), new Set(['recipes', 'weather', 'mail']));
  });

  it('two tools: lines of a file, else made of one-tool queries that no subtask asks', () => {
    const { choices, made, total } = readChoices(data, 'multi', 3, 0);
    assert.match(made!, /holds no multi\.jsonl: .* seed 0/);
    assert.equal(total, 500);
    for (const { query, answer, candidates } of choices) {
      assert.equal(new Set(answer).size, 2);
      assert.equal(new Set(candidates).size, 10);
      for (const name of answer) assert.match(query, new RegExp(`[Ww]hat of ${name}`));
    }
    const used = makeMulti(
      NAMES.map((tool, i) => ({ query: tool, tool, used_in: i < 9 ? ['similar'] : [] })),
      NAMES,
      { count: 5, seed: 0 },
    );
    for (const { answer } of used) assert.deepEqual(new Set(answer), new Set(['mail', 'songs']));
    write('multi', [{ id: 'm', query: 'Both.', answer: ['mail', 'maps'], candidates: NAMES.slice(4) }]);
    const own = readChoices(data, 'multi', null, 0);
    assert.deepEqual([own.made, own.choices[0]!.answer], [null, ['mail', 'maps']]);
  });

  it('the real model is asked, with the lists, or with what retrieval finds in all', async function () {
    this.timeout(60_000);
    const run = (...more: string[]) =>
      coach(
        dir,
        [
          'evaluate',
          'nano',
          '--benchmark',
          'toole-similar,toole-reliable,toole-multi',
          '--data',
          'toole',
          '--json',
          ...more,
        ],
        { dependencies: realDependencies, environment: {} },
      );
    const { code, json, stderr } = await run('--count', '2');
    assert.equal(code, 0, stderr);
    assert.equal(json.n, 4);
    assert.deepEqual(json.benchmark, [
      { subtask: 'similar', n: 2, of: 8 },
      { subtask: 'reliable', n: 1, of: 1 },
      { subtask: 'multi', n: 1, of: 1 },
    ]);
    const found = await run('--count', '2', '--set', 'shownTools=3');
    assert.deepEqual(
      found.json.benchmark.map(({ shownTools, found: share }: { shownTools: number; found: unknown }) => [
        shownTools,
        share,
      ]),
      [
        [3, 1],
        [3, null],
        [3, 0],
      ],
    );
  });

  it('one clear message for what is wrong', async () => {
    const refused = async (args: string[], message: RegExp) => {
      const { code, stdout, stderr } = await coach(dir, ['evaluate', 'nano', ...args], { environment: {} });
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, message);
    };
    await refused(
      ['--benchmark', 'toole-similr', '--data', 'toole'],
      /must be one of toole-similar, .*got toole-similr/,
    );
    await refused(['--benchmark', 'toole-similar,bfcl-simple', '--data', 'toole'], /benchmarks of one data set/);
    await refused(['--benchmark', 'toole-similar'], /toole-similar needs --data FOLDER/);
    await refused(['--benchmark', 'toole-similar', '--data', 'nowhere'], /nowhere: there is no such folder/);
    const bad = join(dir, 'bad');
    mkdirSync(bad);
    await refused(['--benchmark', 'toole-similar', '--data', 'bad'], /tools\.jsonl: is missing/);
    writeFileSync(join(bad, 'tools.jsonl'), lines([{ name: 'a', description: 'b' }]));
    writeFileSync(join(bad, 'multi.jsonl'), '{"id": "1", "query": "q", "answer": ["a"], "candidates": ["a", "c"]}');
    await refused(['--benchmark', 'toole-multi', '--data', 'bad'], /multi\.jsonl:1: answer: /);
    writeFileSync(
      join(bad, 'multi.jsonl'),
      '{"id": "1", "query": "q", "answer": ["a", "c"], "candidates": ["a", "c"]}',
    );
    await refused(
      ['--benchmark', 'toole-multi', '--data', 'bad'],
      /multi\.jsonl:1: there is no tool "c" in tools\.jsonl/,
    );
  });
});
