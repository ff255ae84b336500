import assert from 'node:assert/strict';
import type { ToolSchema } from '../../trainer/protocol/task';
import type { Message } from '../../trainer/protocol/trace';
import { Random } from '../../trainer/base/random';
import {
  respondOnce,
  type Conversation,
  type Policy,
  type Opening,
  type PolicyTurn,
  type ReplyFormat,
} from '../../trainer/rollout/policy/policy';
import type { Sampling } from '../../trainer/rollout/policy/sampling';

export interface PolicyUnderTest {
  policy: Policy;
  tools: readonly ToolSchema[];
  sampling: Sampling;
  /** two prompts that are answered in different words */
  prompts: readonly [string, string];
  close?(): Promise<void> | void;
}

const never = new AbortController().signal;

/** The name is free, the mark is this question's own. */
const FORMAT: ReplyFormat = {
  name: 'mark',
  schema: object({ name: { type: 'string' }, mark: { type: 'integer' } }),
  exactSchema: object({ name: { type: 'string' }, mark: { const: 3 } }),
};

function object(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** What every policy keeps to. @param open once for all tests */
export function policyContract(name: string, openPolicy: () => Promise<PolicyUnderTest>): void {
  describe(`policy contract: ${name}`, function () {
    this.timeout(120_000);
    let its: PolicyUnderTest;
    before(async () => {
      its = await openPolicy();
    });
    after(() => its?.close?.());

    const open = (prompt = its.prompts[0], seed = 1): Conversation =>
      its.policy.open({
        messages: [{ role: 'user', content: prompt }],
        tools: its.tools,
        random: Random.fromSeed(seed),
        sampling: its.sampling,
      });
    /** What an environment would say to a turn. */
    const next = ({ calls }: PolicyTurn): Message[] =>
      calls.length > 0
        ? calls.map(({ name, id }, i) => ({ role: 'tool', name, tool_call_id: id ?? `made-${i}`, content: '{"kg":7}' }))
        : [{ role: 'user', content: 'And now?' }];
    /** Two turns, and all that is said of them but names of calls. */
    const twoTurns = async (conversation: Conversation): Promise<unknown[]> => {
      const first = await conversation.respond(never);
      conversation.append(next(first));
      return [first, await conversation.respond(never)].map(said);
    };
    const said = ({ calls, ...turn }: PolicyTurn): unknown => ({
      ...turn,
      calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
    });

    it('a turn has words or calls, and says how it ended; two prompts are two answers', async () => {
      const [a, b] = [open(), open(its.prompts[1])];
      const turns = [await a.respond(never), await b.respond(never)];
      for (const turn of turns) {
        assert.equal(turn.finishReason, 'stop', JSON.stringify(turn));
        assert.ok(turn.content !== '' || turn.calls.length > 0);
      }
      assert.notDeepEqual(said(turns[0]!), said(turns[1]!));
      a.close();
      b.close();
    });

    it('the same opening and stream say the same, whoever else is asked at the same time or joins later', async () => {
      const alone = open();
      const expected = await twoTurns(alone);
      alone.close();
      const beside = [open(its.prompts[1], 2), open(), open(its.prompts[1], 3)];
      const together = beside.map(twoTurns);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const late = open();
      const [, among] = await Promise.all(together);
      assert.deepEqual(among, expected);
      assert.deepEqual(await twoTurns(late), expected);
      for (const one of [...beside, late]) one.close();
    });

    it('one turn at a time, and only when there is something to reply to', async () => {
      const conversation = open();
      const first = conversation.respond(never);
      assert.throws(() => conversation.fork(), /under way/);
      await assert.rejects(conversation.respond(never), /under way/);
      await first;
      await assert.rejects(conversation.respond(never), /nothing was appended/);
      conversation.close();
    });

    it('a fork has read the same; both go on, and neither hears the other', async () => {
      const conversation = open();
      const first = await conversation.respond(never);
      const fork = conversation.fork();
      conversation.append(next(first));
      const expected = await conversation.respond(never);
      conversation.close();
      fork.append(next(first));
      const turn = await fork.respond(never);
      assert.equal(turn.finishReason, 'stop');
      if (its.sampling.temperature === 0) assert.deepEqual(said(turn), said(expected));
      fork.append(next(turn));
      assert.equal((await fork.respond(never)).finishReason, 'stop');
      fork.close();
    });

    it('a conversation that is forked before its first turn is one more of the same opening', async () => {
      const conversation = open();
      const fork = conversation.fork();
      const [a, b] = await Promise.all([conversation.respond(never), fork.respond(never)]);
      if (its.sampling.temperature === 0) assert.deepEqual(said(b!), said(a!));
      conversation.close();
      fork.close();
    });

    it('a cancel is a turn that did not end, and ends the conversation', async () => {
      const conversation = open();
      const stop = new AbortController();
      stop.abort();
      assert.equal((await conversation.respond(stop.signal)).finishReason, 'cancelled');
      conversation.append([{ role: 'user', content: 'And now?' }]);
      await assert.rejects(conversation.respond(never), /over/);
      conversation.close();
    });

    it('closed while it is asked, it is cancelled; twice is harmless, and others go on', async () => {
      const [conversation, other] = [open(), open(its.prompts[1])];
      const turns = [conversation.respond(never), other.respond(never)];
      conversation.close();
      conversation.close();
      assert.deepEqual(
        (await Promise.all(turns)).map(({ finishReason }) => finishReason),
        ['cancelled', 'stop'],
      );
      await assert.rejects(conversation.respond(never), /over/);
      other.close();
    });

    it('a turn of a shape is one JSON object of it, alone or beside others, and is followed by another one', async () => {
      const opening = (prompt: string): Opening => ({
        messages: [
          { role: 'system', content: 'Reply with {"name", "mark"}.' },
          { role: 'user', content: prompt },
        ],
        tools: [],
        format: FORMAT,
        random: Random.fromSeed(1),
        sampling: { ...its.sampling, maxTurnTokens: 128 },
      });
      const check = ({ content, calls, finishReason, usage }: PolicyTurn): void => {
        const reply = JSON.parse(content) as { name: unknown; mark: unknown };
        assert.deepEqual([typeof reply.name, reply.mark, Object.keys(reply).length], ['string', 3, 2], content);
        assert.deepEqual([calls, finishReason], [[], 'stop']);
        assert.ok(usage === null || (usage.completionTokens > 0 && usage.promptTokens > 0));
      };
      const conversation = its.policy.open(opening(its.prompts[0]));
      const [first, other, words] = await Promise.all([
        conversation.respond(never),
        respondOnce(its.policy, opening(its.prompts[1]), never),
        open().respond(never),
      ]);
      check(first);
      check(other);
      assert.throws(() => JSON.parse(words.content), 'others say what they say');
      conversation.append([{ role: 'user', content: 'Again.' }]);
      check(await conversation.respond(never));
      conversation.close();
    });

    it('tokens, where it knows them, are all that was read and written, each once', async () => {
      const conversation = open();
      const first = await conversation.respond(never);
      conversation.append(next(first));
      const second = await conversation.respond(never);
      conversation.close();
      if (first.tokens === undefined) return assert.equal(second.tokens, undefined);
      for (const { tokens, usage } of [first, second]) {
        const { ids, start, logprobs, plainLogprobs, completionMask, writer, kind, allowed } = tokens!;
        assert.ok(start > 0 && start < ids.length, 'something was read, and something written');
        for (const list of [logprobs, plainLogprobs, completionMask, [...writer]])
          assert.equal(list.length, ids.length);
        assert.match(kind!, new RegExp(`^[ru.]{${start}}[ct]*\\.$`));
        assert.equal(kind!.length, ids.length);
        assert.match(writer, new RegExp(`^[pt]{${start}}[sf]+$`));
        completionMask.forEach((mask, i) => {
          assert.equal(mask === 1, writer[i] === 's');
          assert.equal(logprobs[i] !== null, mask === 1);
          const from = allowed.get(i);
          assert.ok(from === undefined || (mask === 1 && from.includes(ids[i]!) && from.length > 1));
        });
        assert.equal(usage!.completionTokens, ids.length - start);
      }
      assert.equal(second.usage!.promptTokens, first.tokens.ids.length + second.tokens!.start);
    });
  });
}
