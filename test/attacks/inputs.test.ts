/** Numbers, names and sizes in files of strangers that would be made into lists, loops or prototypes. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../trainer/base/json';
import { readModelConfig } from '../../trainer/model/network/config';
import { UserError } from '../../trainer/protocol/result';
import { readEpisodes } from '../../trainer/store/exchange/otel/importRun';
import { readTasks } from '../../trainer/tasks/readTasks';
import { argumentValidator } from '../../trainer/tools/schema/validateArguments';
import { sampleTool, tempFolder } from '../store/runs/sample';
import { discover } from '../tools/discoverySupport';

describe('attacks: sizes, numbers and names', function () {
  this.timeout(60_000);
  let base: string;
  beforeEach(() => (base = tempFolder('coach-attack-inputs-').dir));
  afterEach(() => rmSync(base, { recursive: true, force: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(base, name), text);
    return join(base, name);
  };
  const refused = (action: () => unknown, words: RegExp): void => {
    const started = performance.now();
    assert.throws(action, (error: unknown) => {
      assert.ok(error instanceof UserError, String(error));
      assert.match(error.message, words);
      return true;
    });
    assert.ok(performance.now() - started < 3_000);
  };

  const config = {
    model_type: 'llama',
    vocab_size: 100,
    hidden_size: 32,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    intermediate_size: 48,
  };
  for (const [name, value] of [
    ['num_hidden_layers', '1e9'],
    ['vocab_size', '1e12'],
    ['hidden_size', '1e9'],
    ['num_attention_heads', '1e9'],
    ['num_key_value_heads', '1e15'],
    ['head_dim', '1e9'],
    ['intermediate_size', '1e15'],
    ['max_position_embeddings', '1e15'],
    ['num_hidden_layers', '1e999'],
    ['num_hidden_layers', '-1'],
    ['eos_token_id', '-1'],
    ['eos_token_id', '[2, -7]'],
    ['pad_token_id', '-2'],
    ['vocab_size', 'null'],
    ['__proto__', '{"vocab_size": 1e12}'],
  ] as const)
    it(`config.json with ${name} ${value} is refused, or means nothing`, () => {
      const json = JSON.stringify({ ...config, [name]: 'VALUE' }).replace('"VALUE"', value);
      write('config.json', json);
      if (name === '__proto__') assert.equal(readModelConfig(base).vocabSize, 100);
      else refused(() => readModelConfig(base), new RegExp(`config\\.json: (not JSON \\()?${name}`));
    });
  it('pad_token_id -1, as the first Llamas have it, says that there is none', () => {
    write('config.json', JSON.stringify({ ...config, pad_token_id: -1 }));
    assert.equal(readModelConfig(base).padId, 0);
  });

  it('1e999 in a gold call is no Infinity', () => {
    const file = write('t.jsonl', '{"id":"a","prompt":"p","calls":[{"name":"search","arguments":{"n":1e999}}]}\n');
    refused(
      () => readTasks(file, [sampleTool]),
      /t\.jsonl:1: the line is not JSON \(calls\.0\.arguments\.n is a number/,
    );
    assert.throws(() => parseJson(`[${'9'.repeat(400)}]`), /0 is a number that is too large/);
    assert.deepEqual(parseJson('[1e308, 1E-999, "1e999", 2e5]'), [1e308, 0, '1e999', 2e5]);
  });

  it('a prompt of 100 MB is refused', () => {
    const file = write('t.jsonl', `{"id":"a","prompt":"${'x'.repeat(100e6)}","answer":"x"}\n`);
    refused(() => readTasks(file, []), /t\.jsonl:1: the task has 100000035 characters; at most 2000000 are read/);
  });

  it('a parameter or property by the name of __proto__ is told where it stands', () => {
    const { tools, diagnostics } = discover(`
      /** Finds. @tool */
      export function find(__proto__: string, name: string): string { return name; }
      /** Adds. @tool */
      export function add(options: { __proto__: string; a: number }, b: number): string { return ''; }
      /** Other. @tool */
      export function other(a: number): number { return a; }`);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['other'],
    );
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    assert.deepEqual(
      errors.map(({ line, message }) => [line, /by the name of __proto__: give it another name/.test(message)]),
      [
        [3, true],
        [5, true],
      ],
    );
  });

  it("a schema that can't be compiled is the tool's fault, not ours", () => {
    const parameters = { type: 'object', required: ['a', 'a'], properties: { a: { type: 'what' } } };
    refused(
      () => argumentValidator({ ...sampleTool, parameters }),
      /^search: the schema of its parameters can't be used/,
    );
  });

  describe('OTLP', () => {
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const chat = [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.input.messages', JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }])),
      attribute(
        'gen_ai.output.messages',
        JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'a' }] }]),
      ),
    ];
    const file = (spans: object[]) =>
      write('otlp.json', JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
    const timed = (path: string) => {
      const started = performance.now();
      const read = readEpisodes(path);
      const ms = performance.now() - started;
      assert.ok(ms < 8_000, `${ms} ms`);
      return read;
    };
    const span = (i: number, parent: number | null, attributes: object[] = []) => ({
      traceId: 't',
      spanId: `s${i}`,
      ...(parent === null ? {} : { parentSpanId: `s${parent}` }),
      name: 'x',
      startTimeUnixNano: `${i + 1}000000`,
      endTimeUnixNano: `${i + 2}000000`,
      attributes,
    });

    it('a chain of 100,000 spans below an agent is one episode', () => {
      const spans = Array.from({ length: 100_000 }, (_, i) =>
        i === 0
          ? span(0, null, [attribute('gen_ai.operation.name', 'invoke_agent')])
          : span(i, i - 1, i === 99_999 ? chat : []),
      );
      const { episodes } = timed(file(spans));
      assert.deepEqual(
        episodes.map(({ id, startedAt, durationMs }) => [id, startedAt, durationMs]),
        [['t-s0', 1, 100_000]],
      );
    });

    it('a ring of spans, and one that leads into a ring, have no agent', () => {
      const { episodes } = timed(
        file([span(0, 2, chat), span(1, 0), span(2, 1), span(3, 2, chat), span(4, 4, chat), span(5, 99)]),
      );
      assert.equal(episodes.length, 1);
    });

    it('an agent in an agent, from any end of the list', () => {
      const agent = [attribute('gen_ai.operation.name', 'invoke_agent')];
      const spans = [
        span(0, null, agent),
        span(1, 0),
        span(2, 1, chat),
        span(3, 2, agent),
        span(4, 3),
        span(5, 4, chat),
      ];
      for (const order of [spans, [...spans].reverse()])
        assert.deepEqual(
          readEpisodes(file(order)).episodes.map(({ id }) => id),
          ['t-s0', 't-s3'],
        );
    });

    it('100,000 calls and results without ids, and times that are none', () => {
      const calls = Array.from({ length: 100_000 }, (_, i) => ({
        id: `c${i}`,
        function: { name: 'f', arguments: '{}' },
      }));
      const messages = [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, tool_calls: calls },
        ...calls.map(({ id }, i) => ({ role: 'tool', content: `${i}`, ...(i % 2 ? { tool_call_id: id } : {}) })),
      ];
      const { episodes } = timed(write('log.json', JSON.stringify({ messages })));
      assert.equal(episodes[0]!.messages[2]!.tool_call_id, 'c0');
      const bad = { ...span(0, null, chat), startTimeUnixNano: 'soon', endTimeUnixNano: '1e999' };
      const [episode] = timed(file([bad])).episodes;
      assert.deepEqual([episode!.startedAt, episode!.durationMs], [null, null]);
    });
  });
});
