/** Chat templates and tokenizers of strangers: programs and patterns that would never end, or fill memory. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from '@huggingface/jinja';
import { UserError } from '../../trainer/protocol/result';
import { BoundedTemplate } from '../../trainer/model/tokenizer/boundedTemplate';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer, type TokenizerJson } from '../../trainer/model/tokenizer/tokenizer';

/** @returns the one message; fails where there is none, or it takes long, or much */
function refusal(action: () => unknown, seconds = 6): string {
  const started = performance.now();
  const before = process.memoryUsage().rss;
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof UserError, `${String(error)}\n${(error as Error).stack}`);
    const took = (performance.now() - started) / 1000;
    assert.ok(took < seconds, `${took} s`);
    const grown = (process.memoryUsage().rss - before) / 2 ** 20;
    assert.ok(grown < 600, `${grown} MB`);
    return error.message;
  }
  return assert.fail('it was not refused');
}

describe('attacks: chat templates', function () {
  this.timeout(60_000);
  const long = '{% set ns = namespace(s="x", l=[1]) %}{% for i in range(21) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}';
  const cases: Record<string, [string, RegExp]> = {
    'range(1e13)': ['{% for i in range(10000000000000) %}{% endfor %}', /range\(\) of 10000000000000 numbers/],
    'range by a hair': ['{{ range(0, 100, 0.0000001)|length }}', /range\(\) of 1000000000 numbers/],
    'nested loops': [
      '{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}x{% endfor %}{% endfor %}{% endfor %}',
      /takes more than (2500000 steps|3 seconds)/,
    ],
    'names that are not there': [
      '{% for a in range(9999) %}{% for b in range(9999) %}{{ nobody }}{% endfor %}{% endfor %}',
      /takes more than (2500000 steps|3 seconds)/,
    ],
    'a macro that calls itself': [
      '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
      /nested too deep|is not a function/,
    ],
    'a macro that calls itself twice': [
      '{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}',
      /takes more than (2500000 steps|3 seconds)/,
    ],
    'a text that doubles': [long.replace('21', '40'), /makes a value of \d+ parts/],
    'a list that doubles': [
      '{% set ns = namespace(l=[1]) %}{% for i in range(40) %}{% set ns.l = ns.l + ns.l %}{% endfor %}',
      /takes more than 2500000 steps/,
    ],
    'a list in itself, twice and again': [
      '{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|tojson }}',
      /makes a value of \d+ parts/,
    ],
    'a namespace in itself': [
      '{% set ns = namespace(l=1) %}{% set ns.l = [ns] %}{{ ns.l|tojson }}',
      /nested too deep, or calls itself/,
    ],
    'replace that grows': [`${long}{{ ns.s.replace("x", ns.s) }}`, /replace would make a text of about \d+ char/],
    'replace as a filter': [`${long}{{ ns.s|replace("x", ns.s) }}`, /replace would make a text/],
    'replace by another way': [`${long}{% set f = ns.s.replace %}{{ f("x", ns.s) }}`, /is used without being called/],
    'join by a long text': [`${long}{{ range(99999)|join(ns.s) }}`, /join would make a text/],
    'indent by a billion': ['{{ "a\\nb"|indent(1000000000) }}', /indent would make a text/],
    'indented JSON': ['{{ [[1, 2], 3]|tojson(indent=100000000) }}', /tojson would make a text/],
    'indent of a block': ['{% filter indent(1000000000) %}a\nb{% endfilter %}', /indent would make a text/],
    'a million braces': ['{{'.repeat(500_000), /has 1000000 characters; at most 100000/],
    'a long run of blanks': [`{{ x${' '.repeat(90_000)}`, /run of more than 1000 blanks/],
    'braces in braces': [`{{ ${'('.repeat(90_000)}`, /nested too deep/],
  };
  for (const [name, [source, words]] of Object.entries(cases))
    it(`${name}: one message`, () => {
      const message = refusal(() => new ChatTemplate(source).format);
      assert.match(message, words);
      assert.match(message, /^chat template: /);
    });

  for (const source of [
    '{{ [[]|first, 1]|length }}{% set x = []|last %}{{ x is defined }}{% if m.items %}a{% endif %}{{ m.items.type }}',
    '{% for k, v in m.items() %}{{ k ~ "=" ~ v }}{% endfor %}{{ m.get("a", 1) }}{{ m.keys()|list|tojson(indent=2) }}',
    '{% filter indent(2, first=true) %}a\n b{% endfilter %}{{ "a b"|replace("a", "c") }}{{ "aab".replace("a", "b", 1) }}',
    '{% macro f(x, y=2) %}{{ x }}{{ y }}{% endmacro %}{{ f(*[1], **{"y": 3}) }}{{ f(y=1, x=-2) }}{{ [1, 2]|join("-") }}',
    '{% set ns = namespace(a=[]) %}{% for i in range(5, 0, -2) %}{% set ns.a = ns.a + [i] %}{% endfor %}{{ ns.a }}{{ "x,y".split(",")[-1] }}',
    '{% for i in range(4) %}{% if i == 1 %}{% continue %}{% endif %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}',
    '{{ {"a": 1.5, "b": none}|tojson(separators=(",", ":"), sort_keys=true) }}{{ [true, "é"]|tojson(ensure_ascii=true) }}',
  ])
    it(`writes what the library writes: ${source.slice(0, 40)}…`, () => {
      const items = () => ({ m: { a: 'v', b: [1, { c: 2 }] } });
      assert.equal(new BoundedTemplate(source).render(items()), new Template(source).render(items()));
    });

  it('templates in use write what they wrote, with 2,000 tools and 100 turns too', () => {
    const folder = join(__dirname, '../fixtures/templates');
    const tools = Array.from({ length: 2_000 }, (_, i) => ({
      type: 'function',
      function: {
        name: `tool${i}`,
        description: `Finds the thing of kind ${i}, and says where it is.`,
        parameters: {
          type: 'object',
          properties: { a: { type: 'string', enum: ['x', 'y'] }, b: { type: 'array', items: { type: 'number' } } },
          required: ['a'],
        },
      },
    }));
    const turns = Array.from({ length: 100 }, (_, i) => [
      { role: 'user', content: `question ${i} `.repeat(100) },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'tool1', arguments: { a: `v${i}` } } }],
      },
      { role: 'tool', name: 'tool1', tool_call_id: 'c', content: `{"at":${i}}` },
      { role: 'assistant', content: `answer ${i}` },
    ]).flat();
    for (const name of ['qwen2_5', 'qwen3', 'llama3_2', 'smollm2']) {
      const source = readFileSync(join(folder, `${name}.jinja`), 'utf8');
      const items = () => ({
        messages: turns,
        tools,
        add_generation_prompt: true,
        bos_token: '<s>',
        date_string: '26 Jul 2024',
      });
      for (const each of [items(), { ...items(), tools: null, add_generation_prompt: false }])
        assert.equal(new BoundedTemplate(source).render(each), new Template(source).render(each), name);
    }
  });
});

describe('attacks: tokenizers', function () {
  this.timeout(60_000);
  const nano = JSON.parse(
    readFileSync(join(__dirname, '../../trainer/model/nano/tokenizer.json'), 'utf8'),
  ) as TokenizerJson;
  const cutBy = (Regex: string) =>
    ({
      ...nano,
      pre_tokenizer: { type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false },
    }) as TokenizerJson;

  it('a pattern that goes back and forth is ended, in 40 characters too', () => {
    const tokenizer = Tokenizer.from(cutBy('^(a+)+$'));
    const message = refusal(() => tokenizer.encode(`${'a'.repeat(40)}!`));
    assert.match(message, /^tokenizer: it took more than 4.5 seconds over a text of 41 characters$/);
    assert.ok(tokenizer.encode('a').length > 0, 'it can still be used');
  });

  it('one of its own, that ends, cuts as ever', () => {
    const own = Tokenizer.from(cutBy('a+|[^a]+'));
    assert.equal(own.decode(own.encode('baab ab')).replace(/\s/g, ''), 'baabab');
  });

  it('steps that double what the step before wrote are refused before one runs', () => {
    const step = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
    const withSteps = (steps: object[]) =>
      ({ ...nano, pre_tokenizer: { type: 'Sequence', pretokenizers: steps } }) as TokenizerJson;
    const pairs = Array.from({ length: 30 }, () => ({ type: 'Sequence', pretokenizers: [step, step] }));
    assert.match(
      refusal(() => Tokenizer.from(withSteps(pairs)), 1),
      /it has 60 ByteLevel steps one after the other; one makes letters of bytes/,
    );
    const longer = { type: 'Replace', pattern: { String: 'a' }, content: 'aa' };
    const normalizer = { type: 'Sequence', normalizers: Array.from({ length: 60 }, () => longer) };
    assert.match(
      refusal(() => Tokenizer.from({ ...nano, normalizer }), 1),
      /it has 60 steps one after the other; at most 32/,
    );
    assert.ok(Tokenizer.from(withSteps([step])).encode('½ a').length > 0);
  });

  it('a text of 100 MB is refused at once', () => {
    const text = 'a'.repeat(100e6);
    assert.match(
      refusal(() => Tokenizer.from(nano).encode(text), 1),
      /a text of 100000000 characters is to be read by the model; at most 1000000 are/,
    );
  });

  it('ids that no token can have are refused, and a decoder leaves them out', () => {
    for (const id of [-1, 1e9, 0.5, null as never]) {
      const added = [{ id, content: '<x>' }];
      assert.match(
        refusal(() => Tokenizer.from({ ...nano, added_tokens: added })),
        /the id of a token must be a whole number from 0 to 4000000, got/,
      );
      assert.match(
        refusal(() => Tokenizer.from({ ...nano, model: { ...nano.model, vocab: { a: id } } })),
        /the id of a token must be/,
      );
    }
    const tokenizer = Tokenizer.from(nano);
    assert.equal(tokenizer.decode([-1, ...tokenizer.encode('hello'), 1e9]), 'hello');
  });

  it('what is no tokenizer at all is refused in words', () => {
    for (const json of [
      null,
      1,
      [],
      {},
      { model: 1 },
      { ...nano, added_tokens: {} },
      { ...nano, model: { type: 'BPE' } },
    ])
      assert.match(
        refusal(() => Tokenizer.from(json as TokenizerJson)),
        /^tokenizer: can't be used: /,
      );
  });
});
