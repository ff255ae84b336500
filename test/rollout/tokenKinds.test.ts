import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Message } from '../../trainer/protocol/trace';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { endIds } from '../../trainer/model/tokenizer/endIds';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { parserOf } from '../../trainer/rollout/parser';
import { TokenKinds, tokenKinds } from '../../trainer/rollout/policy/tokenKinds';
import { FAMILIES, makeFamilyModel, type Family } from '../fixtures/tinyModel';

const TOOLS = [
  {
    name: 'weigh',
    description: 'Weigh the crate.',
    parameters: { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] },
  },
];

describe('what tokens belong to', () => {
  for (const family of ['nano', ...Object.keys(FAMILIES)]) {
    it(`${family}: words of users, results, calls and text, and nothing of the template's`, () => {
      const isNano = family === 'nano';
      const folder = isNano
        ? resolve(__dirname, '../../trainer/model/nano')
        : makeFamilyModel(family as Family, 'kinds');
      try {
        const tokenizer = Tokenizer.load(folder);
        const template = ChatTemplate.load(folder);
        const parser = parserOf(template.format.calls);
        const kinds = new TokenKinds({
          tokenizer,
          template,
          parser,
          endIds: endIds(folder, tokenizer, [], template.format.end).ids,
        });
        /** The text of all tokens of a kind. */
        const textOf = (ids: readonly number[], letters: string, kind: string): string =>
          tokenizer.decode(
            ids.filter((_, i) => letters[i] === kind),
            true,
          );
        const opening: Message[] = [
          { role: 'user', content: 'Weigh a crate, k12 – please: <tool_call>' },
          { role: 'assistant', content: 'Which one?' },
          { role: 'user', content: 'a' },
        ];
        for (let twice = 0; twice < 2; twice++) {
          const text = template.render(opening, TOOLS, true);
          const ids = tokenizer.encode(text);
          const letters = kinds.opening(ids, text, opening, TOOLS);
          assert.equal(letters.length, ids.length);
          assert.match(textOf(ids, letters, 'u'), /^\W*Weigh a crate, k12 – please: <( ?)tool_call>\W*a\W*$/);
          assert.equal(textOf(ids, letters, 'r') + textOf(ids, letters, 'c') + textOf(ids, letters, 't'), '');
        }
        const results: Message[] = [
          { role: 'tool', name: 'weigh', tool_call_id: 'call-0', content: '{"kg":7}' },
          { role: 'tool', name: 'weigh', tool_call_id: 'call-1', content: '"m"' },
        ];
        for (const appended of [results, results.map((one) => ({ ...one, tool_call_id: `${one.tool_call_id}-b` }))]) {
          const text = template.continuation(appended, TOOLS);
          const ids = tokenizer.encode(text);
          const letters = kinds.appended(ids, text, appended, TOOLS);
          assert.match(textOf(ids, letters, 'r'), /^\W*kg\W*7\W*m\W*$/);
          assert.ok(letters.startsWith('.') && letters.endsWith('.'));
        }
        const { calls, end } = template.format;
        const call = {
          nano: '<|call|>weigh{"label":"é12"}',
          hermes: '<tool_call>\n{"name": "weigh", "arguments": {"label": "é12"}}\n</tool_call>',
          llama: '{"name": "weigh", "parameters": {"label": "é12"}}',
        }[calls];
        const said = calls === 'llama' ? '' : 'I look. ';
        const turn = tokenizer.encode(`${said}${call}${end}`);
        const letters = kinds.turn(turn, tokenizer.decode(turn, true), true);
        assert.match(letters, /^t*c+\.$/);
        assert.equal(textOf(turn, letters, 'c').trim(), call);
        assert.equal(textOf(turn, letters, 't').trim(), said.trim());
        assert.match(kinds.turn(turn, tokenizer.decode(turn, true), false), /^t+\.$/, 'a shape has no calls');
      } finally {
        if (!isNano) rmSync(folder, { recursive: true });
      }
    });
  }

  it('a token of two ranges is the later one; ids that are no text of the tokenizer are placed by asking it', () => {
    const pieces = ['ab', 'cd', 'ef'];
    const by = (lengths: number[]) => ({
      encode: (text: string) => pieces.slice(0, Math.ceil(text.length / 2)).map((_, i) => i),
      decode: () => '',
      tokenBytes: (id: number) => new Uint8Array(lengths[id]!),
    });
    const ranges = [
      { start: 0, end: 3, kind: 'u' },
      { start: 3, end: 4, kind: 'r' },
    ] as const;
    assert.equal(tokenKinds(by([2, 2, 2]), [0, 1, 2], 'abcdef', ranges), 'ur.');
    assert.equal(tokenKinds(by([9, 9, 9]), [0, 1, 2], 'abcdef', [ranges[0]], 't'), 'uut');
    assert.equal(tokenKinds(by([]), [], '', [{ start: 0, end: 0, kind: 'u' }]), '');
  });
});
