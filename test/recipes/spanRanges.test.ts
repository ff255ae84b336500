import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import type { Message } from '../../trainer/protocol/trace';
import { spanRanges } from '../../trainer/rollout/policy/spanRanges';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';

const nano = resolve(join(__dirname, '../../trainer/model/nano'));
const tokenizer = Tokenizer.load(nano);
const template = ChatTemplate.load(nano);
const tools = [
  {
    name: 'findMail',
    description: 'At most 42 mails',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer' } },
      required: ['query'],
    },
  },
];
const messages: Message[] = [
  { role: 'user', content: 'Find the mail on rent' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'findMail', arguments: { query: 'rent' } } }],
  },
  { role: 'tool', name: 'findMail', tool_call_id: 'c', content: '{"hits":7}' },
  { role: 'assistant', content: 'Done.' },
];

describe('what text that is learnt from may copy', () => {
  const { ids, mask, opening } = template.encodeDialogue(tokenizer, messages, tools);
  const rangesAt = spanRanges(tokenizer, messages, opening, (t) => mask[t] === 1);
  const read = (end: number): string[] =>
    rangesAt(end).map(([from, to]) => tokenizer.decode(ids.slice(from, to), true));

  it("is the user's words and the tools' results, as while sampling; never the tools' own lines", () => {
    assert.match(tokenizer.decode(ids, false), /At most 42 mails/);
    const [said, appended, ...rest] = read(ids.length);
    assert.equal(said!.trim(), 'Find the mail on rent');
    assert.match(appended!, /"hits":7/);
    assert.deepEqual(rest, []);
  });

  it("is at the first answer the user's words alone", () => {
    assert.deepEqual(
      read(mask.indexOf(1)).map((text) => text.trim()),
      ['Find the mail on rent'],
    );
  });
});
