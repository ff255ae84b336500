import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Task } from '../../trainer/protocol/task';
import { goldDialogue, sequenceOf } from '../../trainer/recipes/steps/gold';
import { inventedFirst, isInVain, wrongCall } from '../../trainer/recipes/steps/recovery';
import type { Session } from '../../trainer/recipes/steps/session';
import { Random } from '../../trainer/base/random';
import { CallGrammar } from '../../trainer/model/decoding/constrained/callGrammar';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';

const nano = resolve(__dirname, '../../trainer/model/nano');
const tokenizer = Tokenizer.load(nano);
const template = ChatTemplate.load(nano);
const tools = [
  {
    name: 'findMail',
    description: 'Find mails',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, sender: { type: 'string' } },
      required: ['query'],
    },
  },
];
const task = (i: number, query: string, sender: string): Task => ({
  id: `t${i}`,
  prompt: `Find the mail on ${query} by ${sender}`,
  calls: [{ name: 'findMail', arguments: { query, sender } }],
  answer: `mail ${i}`,
});
const tasks = [
  task(0, 'rent', 'Ada'),
  task(1, 'tents', 'Ada'),
  task(2, 'lamps', 'Bo'),
  { id: 't3', prompt: 'Hello', calls: [], answer: 'Hello' },
];

/** The mailbox knows rent by Ada, and nothing else; `opened` counts the episodes. */
function session(
  found: (query: unknown, sender: unknown) => string,
  grammar: CallGrammar | null = null,
): { s: Session; opened: () => number } {
  let opened = 0;
  const hosts = {
    open: () => ({
      call: async (_: string, { query, sender }: Record<string, unknown>) => ({
        kind: 'ok',
        content: found(query, sender),
        policy: 'real',
        startedAt: 0,
        durationMs: 0,
      }),
      close: () => void opened++,
    }),
  };
  return {
    s: {
      base: { tokenizer, template },
      policy: { grammar, model: { grammarOn: () => grammar } },
      context: { hosts, tools: [], signal: new AbortController().signal },
    } as unknown as Session,
    opened: () => opened,
  };
}
const knowsRent = (query: unknown, sender: unknown): string =>
  query === 'rent' && sender === 'Ada' ? '["mail 0"]' : '[]';

describe('demonstrations of recovery', () => {
  it('take a value of the wrong call from another task that calls the same tool', () => {
    const seen = new Set(
      Array.from({ length: 40 }, (_, seed) =>
        JSON.stringify(wrongCall(tasks[0]!, tasks, Random.fromSeed(seed))?.arguments),
      ),
    );
    assert.deepEqual([...seen].sort(), [
      '{"query":"lamps","sender":"Ada"}',
      '{"query":"rent","sender":"Bo"}',
      '{"query":"tents","sender":"Ada"}',
    ]);
    assert.equal(wrongCall(tasks[3]!, tasks, Random.fromSeed(1)), null);
    assert.equal(wrongCall(tasks[0]!, [tasks[0]!], Random.fromSeed(1)), null);
  });

  it('count what fails or finds nothing as in vain', () => {
    for (const content of ['[]', ' {} ', 'null', '""', '']) assert.ok(isInVain({ kind: 'ok', content }), content);
    for (const content of ['0', 'false', '[0]', '"none"']) assert.ok(!isInVain({ kind: 'ok', content }), content);
    assert.ok(isInVain({ kind: 'threw', content: '{"error":"no such mail"}' }));
  });

  it('put the wrong call first, with what the tool says to it, and learn what comes behind', async () => {
    const { s } = session(knowsRent);
    const wrong = { name: 'findMail', arguments: { query: 'rent', sender: 'Bo' } };
    const gold = (await goldDialogue(s, tasks[0]!, wrong))!;
    assert.deepEqual(
      gold.messages.map((m) =>
        m.role === 'assistant' && m.tool_calls ? m.tool_calls[0]!.function.arguments : m.content,
      ),
      [tasks[0]!.prompt, wrong.arguments, '[]', { query: 'rent', sender: 'Ada' }, '["mail 0"]', 'mail 0'],
    );
    assert.equal(gold.trainFrom, 3);
    const learnt = (grammar: CallGrammar | null): string => {
      const {
        trace: { tokens },
      } = sequenceOf(session(knowsRent, grammar).s, gold.messages, tools, gold.trainFrom)!;
      return tokenizer.decode(
        tokens.ids.filter((_, t) => tokens.completionMask[t] === 1),
        true,
      );
    };
    assert.match(learnt(null), /rent.*Ada.*mail 0/s);
    assert.doesNotMatch(learnt(null), /Bo/);
    // "Bo" stands nowhere in the prompt: the constraint could not say it, and need not
    assert.doesNotMatch(learnt(new CallGrammar(tokenizer, tools, true)), /Bo/);
  });

  it('leave a call out that was not in vain, and what it may have done to the tools', async () => {
    const { s, opened } = session(() => '["mail 9"]');
    const gold = (await goldDialogue(s, tasks[0]!, {
      name: 'findMail',
      arguments: { query: 'lamps', sender: 'Ada' },
    }))!;
    assert.deepEqual([gold.trainFrom, gold.messages.length, opened()], [0, 4, 2]);
  });

  it('put an invented name of the tool first, with the names that there are, and learn the right call', async () => {
    const { s } = session(knowsRent);
    const gold = (await goldDialogue(s, tasks[0]!))!;
    const schemas = tools.map((tool) => ({ ...tool, binding: { kind: 'memory' as const }, changesWorld: false }));
    const names = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const shown = inventedFirst(gold, schemas, Random.fromSeed(seed))!;
      const [asked, mistake, refused, right, ...rest] = shown.messages;
      assert.deepEqual([asked, right, ...rest], gold.messages);
      const [wrong] = mistake!.tool_calls!;
      assert.deepEqual(wrong!.function.arguments, right!.tool_calls![0]!.function.arguments);
      assert.notEqual(wrong!.function.name, 'findMail');
      assert.deepEqual(refused, {
        role: 'tool',
        name: wrong!.function.name,
        tool_call_id: wrong!.id,
        content: '{"error":"unknown_tool","valid_tools":["findMail"]}',
      });
      names.add(wrong!.function.name);
      const learnt = (grammar: CallGrammar | null): string => {
        const { s: policy } = session(knowsRent, grammar);
        const { tokens } = sequenceOf(policy, shown.messages, tools, shown.trainFrom)!.trace;
        return tokenizer.decode(
          tokens.ids.filter((_, t) => tokens.completionMask[t] === 1),
          true,
        );
      };
      assert.match(learnt(null), /findMail.*rent.*Ada.*mail 0/s);
      for (const grammar of [null, new CallGrammar(tokenizer, tools, true)])
        assert.ok(!learnt(grammar).includes(wrong!.function.name), 'the invented name is not learnt');
    }
    assert.ok(names.size > 3, [...names].join());
    assert.equal(inventedFirst({ messages: [gold.messages[0]!], trainFrom: 0 }, schemas, Random.fromSeed(0)), null);
    assert.equal(inventedFirst({ ...gold, trainFrom: 3 }, schemas, Random.fromSeed(0)), null, 'one mistake is enough');
  });
});
