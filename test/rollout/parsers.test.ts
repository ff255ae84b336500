import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { hermesParser, llamaParser, nanoParser, parserOf, type ParsedTurn } from '../../trainer/rollout/parser';

type Case = [name: string, text: string, expected: Omit<ParsedTurn, 'error'> & { error?: RegExp }];
const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });

const hermes: Case[] = [
  ['no call', 'All done.<|im_end|>', { content: 'All done.', calls: [] }],
  ['nothing at all', '<|im_end|>', { content: '', calls: [] }],
  [
    'one call',
    '<tool_call>\n{"name": "a", "arguments": {"x": 1}}\n</tool_call><|im_end|>',
    { content: '', calls: [call('a', { x: 1 })] },
  ],
  [
    'another end token',
    '<tool_call>{"name": "a", "arguments": {}}</tool_call><|endoftext|>',
    { content: '', calls: [call('a')] },
  ],
  [
    'several calls, and text beside them',
    'First.\n<tool_call>{"name": "a", "arguments": {}}</tool_call>\n<tool_call>{"name": "b", "arguments": {"y": []}}</tool_call> Then.',
    { content: 'First.\n\n Then.', calls: [call('a'), call('b', { y: [] })] },
  ],
  [
    'nested JSON',
    '<tool_call>{"name":"a","arguments":{"x":{"y":[1,{"z":"}"}]}}}</tool_call>',
    { content: '', calls: [call('a', { x: { y: [1, { z: '}' }] } })] },
  ],
  [
    'a closing mark and quotes inside a string',
    '<tool_call>{"name":"a","arguments":{"x":"say \\"</tool_call>\\" twice"}}</tool_call>',
    { content: '', calls: [call('a', { x: 'say "</tool_call>" twice' })] },
  ],
  [
    'closing mark left out at the end',
    '<tool_call>{"name":"a","arguments":{}}<|im_end|>',
    { content: '', calls: [call('a')] },
  ],
  [
    'an object that is not closed',
    'Hm. <tool_call>{"name":"a","arguments":{"x":1}</tool_call>',
    { content: 'Hm.', calls: [], error: /call 1 is broken/ },
  ],
  [
    'a good call and a broken one',
    '<tool_call>{"name":"a","arguments":{}}</tool_call><tool_call>{"name":</tool_call>',
    { content: '', calls: [call('a')], error: /call 2 is broken/ },
  ],
  [
    'a broken call and a good one',
    '<tool_call>{\'name\'}</tool_call><tool_call>{"name":"b","arguments":{}}</tool_call>',
    { content: '', calls: [call('b')], error: /call 1 is broken/ },
  ],
  ['no arguments', '<tool_call>{"name":"a"}</tool_call>', { content: '', calls: [], error: /"arguments": \{…\}/ }],
  [
    'arguments as a string',
    '<tool_call>{"name":"a","arguments":"{}"}</tool_call>',
    { content: '', calls: [], error: /call 1/ },
  ],
  [
    'a list of calls',
    '<tool_call>[{"name":"a","arguments":{}}]</tool_call>',
    { content: '', calls: [], error: /call 1/ },
  ],
  ['no JSON', '<tool_call>search the inbox</tool_call>', { content: '', calls: [], error: /call 1/ }],
  ['an empty call', '<tool_call></tool_call>', { content: '', calls: [], error: /call 1/ }],
  [
    'two objects in one mark',
    '<tool_call>{"name":"a","arguments":{}} {"name":"b","arguments":{}}</tool_call>',
    { content: '', calls: [], error: /call 1/ },
  ],
  [
    'a call after thinking',
    '<think>\nmaybe <tool_call>{"name":"b","arguments":{}}</tool_call>\n</think>\n\n<tool_call>{"name":"a","arguments":{}}</tool_call>',
    { content: '<think>\nmaybe <tool_call>{"name":"b","arguments":{}}</tool_call>\n</think>', calls: [call('a')] },
  ],
  [
    'thinking without an end',
    '<think> <tool_call>{"name":"b","arguments":{}}</tool_call>',
    { content: '<think> <tool_call>{"name":"b","arguments":{}}</tool_call>', calls: [] },
  ],
];

const llama: Case[] = [
  ['no call', 'Paris.<|eot_id|>', { content: 'Paris.', calls: [] }],
  ['one call', '{"name": "a", "parameters": {"x": 1}}<|eot_id|>', { content: '', calls: [call('a', { x: 1 })] }],
  ['arguments for parameters', '{"name": "a", "arguments": {}}', { content: '', calls: [call('a')] }],
  [
    'behind the tag, ended as a message',
    '<|python_tag|>{"name": "a", "parameters": {}}<|eom_id|>',
    { content: '', calls: [call('a')] },
  ],
  [
    "Llama 3.1's type first",
    '{"type": "function", "name": "a", "parameters": {"x": null}}',
    { content: '', calls: [call('a', { x: null })] },
  ],
  [
    'several, with semicolons',
    '<|python_tag|>{"name": "a", "parameters": {}}; {"name": "b", "parameters": {"x": "; "}};',
    { content: '', calls: [call('a'), call('b', { x: '; ' })] },
  ],
  [
    'several, line by line, each with a tag',
    '<|python_tag|>{"name": "a", "parameters": {}}\n<|python_tag|>{"name": "b", "parameters": {}}',
    { content: '', calls: [call('a'), call('b')] },
  ],
  [
    'nested JSON',
    '{"name": "a", "parameters": {"x": {"name": "b", "parameters": {}}}}',
    { content: '', calls: [call('a', { x: { name: 'b', parameters: {} } })] },
  ],
  ['text before it', 'I will look. {"name": "a", "parameters": {}}', { content: 'I will look.', calls: [call('a')] }],
  [
    'other JSON is an answer',
    'The settings: {"colour": "teal"}',
    { content: 'The settings: {"colour": "teal"}', calls: [] },
  ],
  [
    'not closed',
    '{"name": "a", "parameters": {"x": 1}',
    { content: '{"name": "a", "parameters": {"x": 1}', calls: [], error: /call 1 is broken/ },
  ],
  [
    'parameters that are no object',
    '{"name": "a", "parameters": [1]}',
    { content: '{"name": "a", "parameters": [1]}', calls: [], error: /"parameters": \{…\}/ },
  ],
  [
    'a good one and a broken one',
    '{"name": "a", "parameters": {}}; {"name": "b"}',
    { content: '{"name": "b"}', calls: [call('a')], error: /call 2 is broken/ },
  ],
  [
    'Python behind the tag',
    '<|python_tag|>brave_search.call(query="x")<|eom_id|>',
    { content: 'brave_search.call(query="x")', calls: [], error: /python_tag/ },
  ],
];

const nano: Case[] = [
  ['no call', 'All done.<|end|>', { content: 'All done.', calls: [] }],
  ['several', '<|call|>a{"x":1}<|call|>b{}<|end|>', { content: '', calls: [call('a', { x: 1 }), call('b')] }],
  ['broken', '<|call|>a{"x":1<|end|>', { content: '', calls: [], error: /call 1 is broken/ }],
];

describe('tool call parsers', () => {
  for (const [form, cases] of [
    ['hermes', hermes],
    ['llama', llama],
    ['nano', nano],
  ] as const) {
    for (const [name, text, { error, ...rest }] of cases) {
      it(`${form}: ${name}`, () => {
        const { error: got, ...parsed } = parserOf(form).parse(text);
        if (error) assert.match(got ?? 'no error', error);
        else assert.equal(got, undefined);
        assert.deepEqual(parsed, rest);
      });
    }
  }

  it('never throw, whatever a model writes', () => {
    const random = Random.fromSeed('noise');
    const pieces = [
      '<tool_call>',
      '</tool_call>',
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      '"name"',
      ':',
      '"a"',
      '"arguments"',
      '"parameters"',
      ',',
      '<think>',
      '</think>',
      '<|python_tag|>',
      '<|call|>',
      ' ',
      '\n',
      '1',
      ';',
      '<|im_end|>',
      'é',
      '\u0000',
    ];
    for (let i = 0; i < 3000; i++) {
      const text = Array.from({ length: 1 + Math.floor(random.next() * 20) }, () => random.pick(pieces)).join('');
      for (const parser of [hermesParser, llamaParser, nanoParser])
        for (const c of parser.parse(text).calls) assert.equal(typeof c.name, 'string', text);
    }
  });
});
