import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportPreferences, importPreferences } from '../../../trainer/store/exchange/preferences';
import { exportRows, formatRows, toBodies, type Row } from '../../../trainer/store/exchange/formats';
import { readRows } from '../../../trainer/store/exchange/readRows';
import { preferenceState, recordPreferences, toolsId } from '../../../trainer/store/preferences/store';
import type { PreferenceFormat } from '../../../trainer/protocol/preferences';
import { foldPreferences } from '../../../trainer/protocol/preferenceState';
import { tempFolder } from '../runs/sample';
import { answers, calls, line, mark, pair, says, user } from './fixture';

const tools = [
  {
    type: 'function',
    function: {
      name: 'search',
      description: 'Finds “it” 🙂',
      parameters: { type: 'object', properties: { query: { type: 'string' }, limit: { type: 'integer' } } },
    },
  },
];
const history = [
  { role: 'system' as const, content: 'Use tools.' },
  user('Find\n"it" \u2028 <|x|>'),
  calls('old-7', 'search', { query: 'it' }),
  answers('old-7', '["a"]'),
];
const rows: Row[] = [
  {
    kind: 'pair',
    prompt: history,
    chosen: [calls('z', 'search', { query: 'it', limit: 5 })],
    rejected: [says('No.')],
    tools,
  },
  { kind: 'pair', prompt: [user('Hi')], chosen: [says('Hello')], rejected: [says('Ho')] },
];
const single: Row = { kind: 'single', prompt: [user('Hi')], completion: [says('Hello')], label: false };

describe('preferences: forms of other programs', () => {
  for (const format of ['trl', 'openai', 'kto'] as PreferenceFormat[]) {
    it(`${format}: out, in and out again is byte-equal, through the store as well`, () => {
      const given = format === 'kto' ? [...rows, single] : rows;
      const first = formatRows(given, format);
      const read = readRows(first.join('\n'));
      assert.deepEqual(read.problems, []);
      assert.deepEqual(formatRows(read.rows, format), first);
      const stored = foldPreferences(
        toBodies(read.rows, 'x.jsonl', toolsId).map((body) =>
          line(body, body.type === 'tools' ? { id: toolsId(body.tools) } : {}),
        ),
      );
      assert.deepEqual(formatRows(exportRows(stored), format), first);
    });
  }

  it('writes what TRL and OpenAI define: arguments as object and as text, tools as text and as list, ids by order', () => {
    const [trl] = formatRows(rows, 'trl').map((text) => JSON.parse(text));
    assert.deepEqual(trl.chosen, [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ type: 'function', function: { name: 'search', arguments: { query: 'it', limit: 5 } } }],
      },
    ]);
    assert.deepEqual(
      [JSON.parse(trl.tools), trl.prompt[3]],
      [tools, { role: 'tool', content: '["a"]', name: 'search' }],
    );
    const [openai, plain] = formatRows(rows, 'openai').map((text) => JSON.parse(text));
    assert.deepEqual(openai.input.messages.slice(2), [
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'search', arguments: '{"query":"it"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_0', content: '["a"]' },
    ]);
    assert.deepEqual(
      [openai.preferred_output[0].tool_calls[0].id, openai.input.tools, 'tools' in plain.input],
      ['call_1', tools, false],
    );
    assert.deepEqual(
      formatRows([rows[1]!], 'kto').map((text) => JSON.parse(text)),
      [
        { prompt: [user('Hi')], completion: [says('Hello')], label: true },
        { prompt: [user('Hi')], completion: [says('Ho')], label: false },
      ],
    );
  });

  it('reads what others write: plain texts, implicit prompts, content in parts, null content, developer messages', () => {
    const { rows: read, problems } = readRows(
      [
        '{"prompt":"Hi","chosen":"Hello","rejected":"Ho"}',
        '{"chosen":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}],"rejected":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}]}',
        '{"input":{"messages":[{"role":"developer","content":"Be kind"},{"role":"user","content":[{"type":"text","text":"Hi"}]}]},"preferred_output":[{"role":"assistant","content":null,"tool_calls":[{"id":"q","type":"function","function":{"name":"f","arguments":"{}"}}]}],"non_preferred_output":[{"role":"assistant","content":"Ho"}]}',
        '{"prompt":"Hi","completion":"Hello","label":1}',
      ].join('\r\n'),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      read.slice(0, 2).map((r) => ({ ...r, kind: undefined })),
      Array(2).fill({ kind: undefined, prompt: [user('Hi')], chosen: [says('Hello')], rejected: [says('Ho')] }),
    );
    assert.deepEqual(read[2]!.prompt, [{ role: 'system', content: 'Be kind' }, user('Hi')]);
    assert.deepEqual(read[3], { kind: 'single', prompt: [user('Hi')], completion: [says('Hello')], label: true });
  });

  it('says lines that hold no preference by number, and why', () => {
    const { rows: read, problems } = readRows(
      '{"prompt":"x","chosen":"a","rejected":"a"}\n{oops\n{"messages":[]}\n\n{"prompt":"x","chosen":"a","rejected":""}',
    );
    assert.equal(read.length, 0);
    assert.deepEqual(
      problems.map(({ line: n, message }) => [n, message.slice(0, 40)]),
      [
        [1, 'line 1: both answers are the same'],
        [2, `line 2: no JSON: ${problems[1]!.message.slice(17, 40)}`],
        [3, 'line 3: is no preference: it needs promp'],
        [5, 'line 5: one of its answers is empty'],
      ],
    );
  });

  describe('as files', () => {
    const { dir, remove } = tempFolder();
    before(() => mkdirSync(join(dir, '.git')));
    after(() => remove());
    const author = { name: 'Ada' };

    it('an import with no usable pair says so, and writes nothing', () => {
      const file = join(dir, 'bad.jsonl');
      writeFileSync(file, '{"messages":[]}\n');
      assert.throws(() => importPreferences(dir, file), /no usable preference in it; line 1: is no preference/);
      writeFileSync(file, '\n');
      assert.throws(() => importPreferences(dir, file), /it is empty/);
      assert.throws(() => importPreferences(dir, join(dir, 'none.jsonl')), /can't be read/);
      assert.deepEqual(preferenceState(dir).state.imported, []);
      assert.throws(() => exportPreferences(dir, join(dir, 'out.jsonl'), 'trl'), /no preference to export/);
    });

    it('imports once, exports what was marked and imported', () => {
      const file = join(dir, 'in.jsonl');
      writeFileSync(
        file,
        `${formatRows([...rows, single], 'kto').join('\n')}\n${formatRows(rows, 'trl').join('\n')}\nnonsense\n`,
      );
      const { problems, ...counts } = importPreferences(dir, file, { author });
      assert.deepEqual([counts, problems.length], [{ pairs: 2, unpaired: 5, known: 0 }, 1]);
      assert.deepEqual(importPreferences(dir, file, { author }), { pairs: 0, unpaired: 0, known: 7, problems });
      recordPreferences(dir, [mark('m', 'second')], { author });
      const out = join(dir, 'out.jsonl');
      assert.deepEqual(exportPreferences(dir, out, 'trl'), { rows: 3 });
      assert.deepEqual(readFileSync(out, 'utf8').trim().split('\n').slice(1), formatRows(rows, 'trl'));
      assert.deepEqual(
        JSON.parse(readFileSync(out, 'utf8').split('\n')[0]!).chosen[0].tool_calls[0].function,
        pair('m').sides[1].messages[0]!.tool_calls![0]!.function,
      );
    });
  });
});
