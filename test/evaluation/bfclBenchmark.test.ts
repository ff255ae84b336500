import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEntries } from '../../trainer/evaluation/benchmarks/bfcl/entries';
import { verdictOf } from '../../trainer/evaluation/benchmarks/bfcl/evaluateBfcl';
import { toolSchemas } from '../../trainer/evaluation/benchmarks/bfcl/toolSchemas';
import { realDependencies } from '../../trainer/app/dependencies';
import { nanoParser } from '../../trainer/rollout/parser';
import { coach } from '../app/cli/coach';
import { sampleTrace, tempFolder } from '../store/runs/sample';
import { isUserError } from '../tasks/fixtures';

const factorial = (
  id: string,
  number: number,
  said = `Calculate the factorial of ${number} using math functions.`,
) => ({
  question: {
    id,
    question: [[{ role: 'user', content: said }]],
    function: [
      {
        name: 'math.factorial',
        description: 'Calculate the factorial of a given number.',
        parameters: {
          type: 'dict',
          properties: { number: { type: 'integer', description: 'The number.' } },
          required: ['number'],
        },
      },
    ],
  },
  answer: { id, ground_truth: [{ 'math.factorial': { number: [number] } }] },
});
const lines = (values: object[]) => values.map((value) => JSON.stringify(value)).join('\n');

describe('coach evaluate --benchmark', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const data = join(dir, 'bfcl_eval/data');
  mkdirSync(join(data, 'possible_answer'), { recursive: true });
  const write = (category: string, entries: { question: object; answer: object }[]): void => {
    writeFileSync(join(data, `BFCL_v4_${category}.json`), lines(entries.map((entry) => entry.question)));
    writeFileSync(
      join(data, 'possible_answer', `BFCL_v4_${category}.json`),
      lines(entries.map((entry) => entry.answer)),
    );
  };
  write('simple_python', [factorial('s0', 5), factorial('s1', 7), factorial('s2', 9)]);
  write('multiple', [factorial('m0', 5)]);
  const refused = async (args: string[], message: RegExp) => {
    const { code, stdout, stderr } = await coach(dir, ['evaluate', 'nano', ...args], { environment: {} });
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 2, `one message and one hint: ${stderr}`);
  };

  it('prints n, success, interval, categories and reasons; the first N of each', async () => {
    const { code, stdout, stderr } = await coach(dir, [
      'evaluate',
      'nano',
      '--benchmark',
      'bfcl-simple,bfcl-multiple',
      '--data',
      '.',
      '--count',
      '2',
    ]);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^BFCL_v4 simple_python: the first 2 of 3 questions, BFCL_v4 multiple: all 1 questions\n0\.0 % of 3 right \(95 % interval 0\.0 % to 80\.0 %\)$/m,
    );
    assert.match(
      stderr,
      /1 of 3 questions were not asked, and count as wrong: .* maxTokens 512\. Raise it by --max-tokens\./,
    );
    const { json } = await coach(
      dir,
      ['evaluate', 'nano', '--benchmark', 'bfcl-simple', '--max-tokens', '300', '--json'],
      { environment: { COACH_BFCL_DATA: data } },
    );
    assert.deepEqual(Object.keys(json), ['n', 'success', 'ci95', 'byTag', 'benchmark', 'reasons', 'noRoom']);
    assert.deepEqual(json.benchmark, [{ category: 'simple_python', release: 'BFCL_v4', n: 3, of: 3 }]);
  });

  it('one clear message for what is wrong', async () => {
    const on = ['--data', data];
    await refused(
      ['--benchmark', 'bfcl-simpel', ...on],
      /--benchmark must be one of bfcl-simple, .*, got bfcl-simpel\nDid you mean bfcl-simple\?/,
    );
    await refused(
      ['--benchmark', 'bfcl-simple-java', ...on],
      /bfcl-simple-java is not supported: its values are written in another language than Python\nSupported: bfcl-simple, /,
    );
    await refused(['--benchmark', 'bfcl-multi-turn-base', ...on], /is not supported: it runs tools over several turns/);
    await refused(['--benchmark', 'bfcl-simple'], /needs --data FOLDER\npip install bfcl-eval/);
    await refused(
      ['--benchmark', 'bfcl-simple', '--data', 'nowhere'],
      /nowhere: there is no such folder with BFCL's data\nInstall it/,
    );
    await refused(['--benchmark', 'bfcl-simple', '--data', join(data, 'possible_answer')], /holds no BFCL data/);
    await refused(
      ['--benchmark', 'bfcl-parallel', ...on],
      /BFCL_v\*_parallel\.json is missing\nThere are bfcl-simple, bfcl-multiple\./,
    );
    await refused(
      ['--benchmark', 'bfcl-simple', ...on, '--count', '1.5'],
      /--count must be a whole number of at least 1, got 1\.5/,
    );
    await refused(['--benchmark', 'bfcl-simple', ...on, '--tools', 'tools.ts'], /takes no --tools/);
    await refused(['--tools', 'tools.ts', '--count', '3'], /--count belongs to --benchmark/);
    await refused(
      ['--benchmark', 'bfcl-simple', ...on, '--max-tokens', 'many'],
      /maxTokens must be a number, got "?many/,
    );
  });

  it('a torn line, a line without an answer: file, line, and the way out', () => {
    const whole = factorial('p0', 5);
    const broken = (question: string, answer: string, ...parts: RegExp[]) => {
      writeFileSync(join(data, 'BFCL_v4_live_simple.json'), question);
      writeFileSync(join(data, 'possible_answer/BFCL_v4_live_simple.json'), answer);
      assert.throws(() => readEntries(data, 'live_simple', null), isUserError(...parts, /install bfcl-eval anew/));
    };
    const [question, answer] = [JSON.stringify(whole.question), JSON.stringify(whole.answer)];
    broken(`${question}\n${question.slice(0, 40)}`, answer, /BFCL_v4_live_simple\.json:2: is not JSON/);
    broken(question, answer.slice(0, 20), /possible_answer.BFCL_v4_live_simple\.json:1: is not JSON/);
    broken(question, JSON.stringify({ ...whole.answer, id: 'other' }), /:1: p0 has no answer in /);
    broken(question, JSON.stringify({ ...whole.answer, ground_truth: [] }), /:1: ground_truth must be /);
    broken(JSON.stringify({ ...whole.question, function: [] }), answer, /:1: functions: /);
    broken(JSON.stringify({ ...whole.question, question: [] }), answer, /:1: question must be one turn/);
  });

  it("a system's words go before the user's", () => {
    const { question, answer } = factorial('q', 5);
    write('live_multiple', [
      {
        question: {
          ...question,
          question: [
            [
              { role: 'system', content: 'Be brief.' },
              { role: 'user', content: 'Hello' },
            ],
          ],
        },
        answer,
      },
    ]);
    assert.equal(readEntries(data, 'live_multiple', null).entries[0].prompt, 'Be brief.\n\nHello');
  });

  it("BFCL's types as JSON Schema, dots as underscores", () => {
    const properties = {
      x: { type: 'float', description: 'X.', default: 1, optional: true },
      any: { type: 'any' },
      pair: { type: 'tuple', items: { type: 'float' } },
      kinds: { type: 'array', items: { type: 'string' }, enum: ['a', 'b'] },
      kind: { type: 'string', enum: ['a'] },
      d: { type: 'dict', properties: { type: { type: 'dict', additionalProperties: { type: 'any' } } } },
    };
    const [tool] = toolSchemas(
      [{ name: 'a.b.c', description: 'D.', parameters: { type: 'dict', properties, required: ['x'] } }],
      '/data',
    );
    assert.deepEqual([tool.name, tool.description], ['a_b_c', 'D.']);
    assert.deepEqual(tool.parameters, {
      type: 'object',
      required: ['x'],
      properties: {
        x: { type: 'number', description: 'X.', default: 1 },
        any: {},
        pair: { type: 'array', items: { type: 'number' } },
        kinds: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        kind: { type: 'string', enum: ['a'] },
        d: { type: 'object', properties: { type: { type: 'object', additionalProperties: {} } } },
      },
    });
  });

  it('judges what was written and not what JavaScript made of it', () => {
    const [entry] = readEntries(data, 'simple_python', 1).entries;
    const judged = (...texts: string[]) =>
      verdictOf(
        entry,
        { ...sampleTrace('t'), turns: texts.map((text) => ({ start: 0, end: 0, text, calls: [], sampleMs: 0 })) },
        nanoParser,
      )?.reason ?? 'right';
    assert.equal(judged('<|call|>math_factorial{"number":5}<|end|>'), 'right');
    assert.equal(judged('<|call|>math_factorial{"number":5.0}<|end|>'), 'type_error:simple');
    assert.equal(judged('<|call|>math.factorial{"number":5}<|end|>'), 'simple_function_checker:wrong_func_name');
    assert.equal(judged('<|call|>math_factorial{"number":'), 'ast_decoder:decoder_failed');
    assert.equal(judged('It is 120.<|end|>'), 'simple_function_checker:wrong_count');
    assert.equal(judged(), 'cut_off');
  });

  it('the embedded model, really: it calls the one function with the one number; a question without room is not asked', async () => {
    const { modelFolder, openEngine, evaluateBfcl } = realDependencies;
    write('live_parallel', [
      factorial('r0', 5),
      factorial('r1', 12),
      factorial('r2', 3, `Calculate ${'very '.repeat(400)}carefully the factorial of 3.`),
    ]);
    const { json, stderr } = await coach(
      dir,
      ['evaluate', 'nano', '--benchmark', 'bfcl-live-parallel', '--data', data, '--json'],
      { dependencies: { modelFolder, openEngine, evaluateBfcl } },
    );
    assert.ok(json, stderr);
    assert.deepEqual(
      [json.n, json.success?.toFixed(3), json.byTag, json.reasons, json.noRoom],
      [3, '0.667', { live_parallel: { n: 3, success: 2 / 3 } }, { no_room: 1 }, 1],
    );
  });
});
