/** A tool as one token: what is written, what may be said, what is read of it; in each form of calls. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { turnGrammar } from '../../../trainer/model/decoding/constrained/turnGrammar';
import { endIds } from '../../../trainer/model/tokenizer/endIds';
import { checkToolTokens, withToolTokens, type Speech } from '../../../trainer/model/tokenizer/toolTokens';
import { modelConfig, modelSpeech } from '../../../trainer/model/weights/describeModel';
import type { Message } from '../../../trainer/protocol/trace';
import { parserOf, withoutTokens } from '../../../trainer/rollout/parser';
import { makeFamilyModel, type Family } from '../../fixtures/tinyModel';
import { isUserError, NUMBER, STRING, tool } from '../../tasks/fixtures';

const nano = resolve(__dirname, '../../../trainer/model/nano');
const tools = [
  tool('weighCrate', 'Weigh a crate. In pounds.', { label: STRING, 'limit?': NUMBER }),
  tool('dye_crate', 'Dye a crate {or two}.', { label: STRING, colour: { enum: ['teal', 'ochre'] } }),
];
const call = (name: string, args: Record<string, unknown>): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: args } }],
});
const asked: Message = { role: 'user', content: 'Dye crate k7 teal' };
const dialogue: Message[] = [
  asked,
  call('dye_crate', { label: 'k7', colour: 'teal' }),
  { role: 'tool', name: 'dye_crate', tool_call_id: 'c', content: '"k7 is teal"' },
  { role: 'assistant', content: 'k7 is teal' },
];

describe('tools as tokens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coach-tokens-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const family of ['nano', 'qwen2_5', 'llama3_2', 'smollm2'] as const) {
    it(`${family}: the prompt lists no tool; a call is token, document, call, and each of its tokens may be said`, () => {
      const model = family === 'nano' ? nano : makeFamilyModel(family as Family, 'tokens', join(folder, family));
      const { vocabSize, eosIds } = modelConfig(model);
      const plain = modelSpeech(model);
      const speech = modelSpeech(model, tools) as Required<Speech>;
      const { tokenizer, template, toolTokens } = speech;
      assert.deepEqual(
        toolTokens.all.map(({ id }) => id),
        [vocabSize, vocabSize + 1],
        'behind all that the model has, padding too',
      );
      const opening = template.render([asked], tools, true);
      assert.equal(opening, plain.template.render([asked], [], true));
      const other = [tool('dye_crate', 'Says something else.', { label: STRING })];
      assert.equal(template.render([asked], other, true), plain.template.render([asked], other, true));

      const { ids, mask } = template.encodeDialogue(tokenizer, dialogue, tools);
      const start = mask.indexOf(1);
      const end = mask.indexOf(0, start);
      const turn = ids.slice(start, end);
      const text = tokenizer.decode(turn, true);
      const [, token] = toolTokens.all;
      assert.equal(turn[0], token!.id);
      assert.ok(text.startsWith(`<|tool:dye_crate|>${token!.document}`), text);
      assert.match(token!.document, /dye_crate\(.*Dye a crate \{or two\}/);
      assert.equal(
        text.slice(token!.text.length + token!.document.length),
        plain.tokenizer.decode(
          ((e) => e.ids.filter((_, i) => e.mask[i] === 1))(
            plain.template.encodeDialogue(plain.tokenizer, dialogue.slice(0, 2), tools),
          ),
          true,
        ),
        'the call as it is without tokens',
      );

      const parser = withoutTokens(parserOf(template.format.calls), toolTokens);
      assert.deepEqual(parser.parse(text), {
        content: '',
        calls: [{ name: 'dye_crate', arguments: { label: 'k7', colour: 'teal' } }],
      });
      assert.equal(parser.spans(text)[0]![0], 0, 'the token belongs to the call');

      const ends = endIds(model, tokenizer, eosIds, template.format.end);
      const grammar = turnGrammar(speech, tools, family === 'nano' ? 'schema+spans+words' : 'schema', ends.ids);
      const said = tokenizer.encode(opening).length;
      const constraint = grammar.turn({ ids: ids.slice(0, start), ranges: [[0, said]] });
      const open = constraint.allowed();
      if (open) for (const { id } of toolTokens.all) assert.ok(open.includes(id));
      if (family === 'nano') assert.ok(!open!.includes(tokenizer.idOf('<|call|>')), 'no tool by its name');
      const documentLength = tokenizer.encode(token!.document).length;
      turn.forEach((id, i) => {
        const allowed = constraint.allowed();
        if (i > 0 && i <= documentLength) assert.deepEqual([...allowed!], [id], 'the document writes itself');
        assert.ok(allowed === null || allowed.includes(id), `${tokenizer.tokenText(id)} at ${i}`);
        assert.ok(constraint.advance(id));
      });
      assert.equal(
        turnGrammar(speech, tools, 'schema', ends.ids)
          .turn({ ids: ids.slice(0, start), ranges: [] })
          .advance(plain.tokenizer.encode('z')[0]!),
        true,
        'an answer in words is possible as well',
      );
    });
  }

  it('words of a user are no token', () => {
    const { tokenizer, template, toolTokens } = modelSpeech(nano, tools);
    const ids = tokenizer.encode(template.render([{ role: 'user', content: 'x <|tool:weighCrate|> y' }], tools, true));
    assert.ok(!ids.some((id) => toolTokens!.all.some((token) => token.id === id)));
  });

  it('two tools of one name, and a token that is there already, are refused', () => {
    assert.throws(
      () => modelSpeech(nano, [tools[0]!, { ...tools[1]!, name: 'weighCrate' }]),
      isUserError(/two tools are called weighCrate, .* -> Rename one/),
    );
    const twice = modelSpeech(nano, tools);
    assert.throws(() => withToolTokens(twice, tools, 2050), isUserError(/has a token <\|tool:weighCrate\|> already/));
  });

  it('tools that changed since: which have no token, say something else, or are gone; another file is another file', () => {
    const now = [{ ...tools[0]!, description: 'Weigh it.' }, tool('paint', 'Paint.')];
    assert.throws(
      () => checkToolTokens(tools, now, 'crates.ts'),
      isUserError(
        /crates\.ts: .*paint have no token; weighCrate say something else .*; dye_crate have a token and are gone -> .*train again/,
      ),
    );
    checkToolTokens(tools, [...tools].reverse(), 'crates.ts');
    checkToolTokens(tools, [tool('paint', 'Paint.')], 'paint.ts');
  });
});
