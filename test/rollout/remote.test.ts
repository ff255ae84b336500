import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Random } from '../../trainer/base/random';
import type { ToolSchema } from '../../trainer/protocol/task';
import { remotePolicy, remoteSettings, type RemoteSettings } from '../../trainer/rollout/policy/remote';
import type { PolicyTurn } from '../../trainer/rollout/policy/policy';
import type { Sampling } from '../../trainer/rollout/policy/sampling';
import { judgeServer, type Answer, type Asked, type JudgeServer } from '../rewards/judgeServer';

const TOOL = { name: 'weigh', description: 'Weigh.', parameters: { type: 'object' } } as unknown as ToolSchema;
const never = new AbortController().signal;

describe('a policy behind a server', function () {
  this.timeout(30_000);
  const opened: JudgeServer[] = [];
  after(() => Promise.all(opened.map((server) => server.close())));

  /** What it says to one prompt, what it was asked, and how long it was waited in between. */
  async function respond(
    script: (asked: Asked, n: number) => Answer,
    {
      settings = {},
      sampling = {},
      key,
    }: { settings?: Partial<RemoteSettings>; sampling?: Partial<Sampling>; key?: string } = {},
  ): Promise<{ turn: () => Promise<PolicyTurn>; asked: Asked[]; waits: number[] }> {
    const server = await judgeServer(script);
    opened.push(server);
    const waits: number[] = [];
    const policy = await remotePolicy(
      { ...remoteSettings(server.url, 'm', key), ...settings },
      { sleep: async (ms) => void waits.push(ms), now: () => 0 },
    );
    const conversation = policy.open({
      messages: [{ role: 'user', content: 'Weigh k1.' }],
      tools: [TOOL],
      random: Random.fromSeed(1),
      sampling: { temperature: 0, maxTurnTokens: Infinity, maxTokens: Infinity, ...sampling },
    });
    return { turn: () => conversation.respond(never), asked: server.asked, waits };
  }

  it('asks with tools, greedily and without a limit unless there is one; what it is sampled by goes along', async () => {
    const said = { content: 'Two.' };
    const greedy = await respond(() => said);
    assert.deepEqual(await greedy.turn(), {
      text: 'Two.',
      content: 'Two.',
      calls: [],
      finishReason: 'stop',
      usage: { promptTokens: 100, completionTokens: 10 },
    });
    assert.deepEqual(greedy.asked[0]!.body, {
      model: 'm',
      messages: [{ role: 'user', content: 'Weigh k1.' }],
      temperature: 0,
      tools: [{ type: 'function', function: { name: 'weigh', description: 'Weigh.', parameters: { type: 'object' } } }],
    });
    const drawn = await respond(() => said, { sampling: { temperature: 0.5, topP: 0.9, maxTurnTokens: 7 } });
    await drawn.turn();
    const { temperature, top_p, max_tokens, seed } = drawn.asked[0]!.body as unknown as Record<string, number>;
    assert.deepEqual([temperature, top_p, max_tokens, Number.isInteger(seed)], [0.5, 0.9, 7, true]);
  });

  it('calls that can be read are calls, the first that cannot is named; none is an exception', async () => {
    const calls = [
      { name: 'weigh', args: '{"label":"k1"}' },
      { name: 'weigh', args: '{"label":' },
      { name: 'weigh', args: '[1]' },
    ];
    const turn = await (await respond(() => ({ content: 'So.', calls }))).turn();
    assert.deepEqual(turn.calls, [{ id: 'call-0', name: 'weigh', arguments: { label: 'k1' } }]);
    assert.match(turn.error!, /^call 2 is broken: it has arguments that are no JSON/);
    assert.equal(turn.content, 'So.');
  });

  it('a reply that its length cut off, and a dialogue that is too long, are no turns', async () => {
    assert.equal((await (await respond(() => ({ content: 'It', finish: 'length' }))).turn()).finishReason, 'length');
    const tooLong = { status: 400, body: { error: { code: 'context_length_exceeded', message: 'too many tokens' } } };
    assert.equal((await (await respond(() => tooLong)).turn()).finishReason, 'length');
  });

  it('what may pass is asked again, after as long as the server says; what does not pass is one sentence', async () => {
    const busy = await respond((_, n) =>
      n === 0 ? { status: 429, headers: { 'retry-after': '3' } } : n === 1 ? { status: 500 } : { content: 'Two.' },
    );
    assert.equal((await busy.turn()).content, 'Two.');
    assert.deepEqual(busy.waits, [3000, 1000]);
    const broken = await respond(() => ({ status: 500 }), { settings: { attempts: 2 } });
    await assert.rejects(broken.turn(), /^Error: the policy gave no answer in 2 tries: status 500/);
    const refused = await respond(() => ({ status: 400 }));
    await assert.rejects(refused.turn(), /^Error: the policy refused the request, status 400/);
    assert.equal(refused.asked.length, 1);
    const page = await respond(() => ({ raw: (response) => void response.end('<html>') }), {
      settings: { attempts: 1 },
    });
    await assert.rejects(page.turn(), /its answer can't be read/);
  });

  it('a wrong key is final, and in no message', async () => {
    const wrong = await respond(() => ({ status: 401, body: { error: { message: 'bad key sk-secret' } } }), {
      key: 'sk-secret',
    });
    await assert.rejects(wrong.turn(), (error: Error & { isFinal?: boolean }) => {
      assert.match(error.message, /refused the key \(status 401\)$/);
      assert.equal(error.isFinal, true);
      return !error.message.includes('sk-secret');
    });
    assert.equal(wrong.asked[0]!.headers.authorization, 'Bearer sk-secret');
  });

  it('the key goes to the origin that it was given for, and not where that one sends us', async () => {
    const other = await judgeServer(() => ({ content: 'Two.' }));
    opened.push(other);
    const seen: (string | undefined)[] = [];
    const first = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(307, { location: `${other.url}/chat/completions` }).end();
    });
    await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(first.address() as AddressInfo).port}/v1`;
    const policy = await remotePolicy(remoteSettings(url, 'm', 'sk-secret'), { sleep: async () => {}, now: () => 0 });
    const turn = await policy
      .open({
        messages: [{ role: 'user', content: 'Weigh k1.' }],
        tools: [],
        random: Random.fromSeed(1),
        sampling: { temperature: 0, maxTurnTokens: 9, maxTokens: 99 },
      })
      .respond(never);
    assert.equal(turn.content, 'Two.');
    assert.deepEqual(seen, ['Bearer sk-secret']);
    assert.deepEqual(
      other.asked.map(({ headers }) => headers.authorization),
      [undefined],
    );
    first.close();
    first.closeAllConnections();
  });

  it('an address that is none, or that would be a secret in a run folder, is refused', () => {
    assert.throws(() => remoteSettings('ftp://x', 'm', undefined), /http or https address, got 'ftp:\/\/x'/);
    assert.throws(
      () => remoteSettings('http://me:word@x/v1', 'm', undefined),
      (error: Error) => /no name, password or query/.test(error.message) && !error.message.includes('word@'),
    );
  });
});
