import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coach } from '../app/cli/coach';
import { tempFolder } from '../store/runs/sample';

const functions = [
  {
    name: 'f',
    description: 'F.',
    parameters: { type: 'dict', properties: { n: { type: 'integer' } }, required: ['n'] },
  },
];
const question = { functions, ground_truth: [{ f: { n: [5] } }], category: 'simple_python' };

describe('coach score --reward bfcl-ast', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const score = (lines: (object | string)[], reward = 'bfcl-ast') => {
    writeFileSync(
      join(dir, 'in.jsonl'),
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );
    return coach(dir, ['score', 'in.jsonl', '--reward', reward]);
  };
  const scored = async (lines: (object | string)[], reward?: string) => {
    const { code, stdout, stderr } = await score(lines, reward);
    assert.equal(code, 0, stderr);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { rewards: Record<string, number | null>; error?: string });
  };

  it('1 right, 0 wrong; 5.0 in the file stays 5.0', async () => {
    const lines = await scored([
      { ...question, calls: [{ f: { n: 5 } }] },
      { ...question, text: 'f(n=5)' },
      { ...question, functions: functions[0], calls: [{ name: 'f', arguments: { n: 5 } }] },
      JSON.stringify({ ...question, calls: [{ f: { n: 5 } }] }).replace('"n":5}', '"n":5.0}'),
      { ...question, text: 'No.' },
      { ...question, calls: [] },
    ]);
    assert.deepEqual(
      lines.map((line) => line.rewards['bfcl-ast']),
      [1, 1, 1, 0, 0, 0],
    );
  });

  it('null with the error where it can not be judged, beside other rewards', async () => {
    const [java, other, trace] = await scored(
      [
        { ...question, category: 'simple_java', calls: [] },
        { ...question, category: 'multiple', ground_truth: [{ g: {} }], calls: [{ g: {} }] },
        {
          messages: [
            { role: 'user', content: 'Hi' },
            { role: 'assistant', content: 'Hello' },
          ],
          gold: 'Hello',
        },
      ],
      'bfcl-ast,answer',
    );
    assert.deepEqual(
      [java.rewards, other.rewards, trace.rewards],
      [
        { 'bfcl-ast': null, answer: null },
        { 'bfcl-ast': null, answer: null },
        { 'bfcl-ast': null, answer: 1 },
      ],
    );
    assert.match(java.error!, /^bfcl-ast: category simple_java is not supported/);
    assert.match(other.error!, /^bfcl-ast: ground_truth names g/);
    assert.match(trace.error!, /^bfcl-ast: a line must be \{functions, ground_truth, category, calls \| text\}/);
  });

  it('one message for a line of another shape, with file and line', async () => {
    const bad = async (line: object | string, message: RegExp) => {
      const { code, stdout, stderr } = await score([{ ...question, text: '' }, line]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 2, stderr);
    };
    await bad(
      { ...question, category: 'simple_pyton', text: '' },
      /in\.jsonl:2: category must be one of simple_python, .*, got simple_pyton\nDid you mean simple_python\?/,
    );
    await bad(JSON.stringify(question).slice(0, 60), /in\.jsonl:2: is not JSON/);
    await bad({ ...question }, /in\.jsonl:2: must have either calls or text, got neither/);
    await bad({ ...question, text: '', calls: [] }, /got both/);
    await bad({ ...question, calls: [{ f: 5 }] }, /a call must be \{"f": \{"a": 1\}\} or .*, got \{"f":5\}/);
    await bad({ ...question, functions: [{ name: 'f' }], text: '' }, /functions\.0\.parameters: /);
    await bad({ ...question, functions: undefined, text: '' }, /functions/);
    await bad({ ...question, ground_truth: { f: {} }, text: '' }, /ground_truth must be \[\{"function"/);
  });

  it('--list names it', async () => {
    const { stdout } = await coach(dir, ['score', '--list']);
    assert.match(
      stdout,
      /^bfcl-ast {2}\[0, 1\]\n {2}BFCL's AST check of .*\n {2}bfcl-eval 2026\.3\.23 .*\n {2}:underscores=false /m,
    );
  });
});
