import { resolve } from 'node:path';
import { loadBaseModel } from '../../trainer/model/weights/baseModel';
import { openEngine } from '../../trainer/model/engine/engine';
import { Decoder } from '../../trainer/model/decoding/decoder';
import { DecoderGraphs } from '../../trainer/model/decoding/decoderGraphs';
import type { ToolSchema } from '../../trainer/protocol/task';
import { localPolicy } from '../../trainer/rollout/policy/local';
import { scriptedPolicy } from '../../trainer/rollout/policy/scripted';
import { remotePolicy, remoteSettings } from '../../trainer/rollout/policy/remote';
import { sleepFor } from '../../trainer/rewards/judge/judge';
import { judgeServer } from '../rewards/judgeServer';
import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { serveModels } from '../../extension/models/editorModelServer';
import { JsonConstraint } from '../../trainer/model/decoding/constrained/jsonConstraint';
import { EDITOR_MODELS } from '../../trainer/protocol/runConfig';
import type { Message } from '../../trainer/protocol/trace';
import { openOwnPolicy } from '../../trainer/rollout/policy/local';
import { respondOnce } from '../../trainer/rollout/policy/policy';
import { makeFamilyModel } from '../fixtures/tinyModel';
import { policyContract } from './policyContract';

const tool = (name: string, parameter: string): ToolSchema =>
  ({
    name,
    description: `${name} something`,
    parameters: { type: 'object', properties: { [parameter]: { type: 'string' } }, required: [parameter] },
  }) as unknown as ToolSchema;
const TOOLS = [tool('weighCrate', 'label'), tool('dyeCrate', 'colour')];
const PROMPTS = ['Weigh the crate k12 for me, please.', 'Dye the crate green.'] as const;

for (const temperature of [0, 0.9])
  policyContract(`local, temperature ${temperature}`, async () => {
    const engine = await openEngine({ engine: 'onnx', threads: 1 });
    const base = loadBaseModel(resolve(__dirname, '../../trainer/model/nano'), 512);
    return {
      policy: localPolicy(base, new DecoderGraphs(engine, base.model), TOOLS, 'auto', 'nano'),
      tools: TOOLS,
      sampling: { temperature, maxTurnTokens: 64, maxTokens: 512 },
      prompts: PROMPTS,
      close() {
        base.dispose();
        engine.dispose();
      },
    };
  });

policyContract('scripted', async () => ({
  policy: scriptedPolicy('script', (messages) => {
    const last = messages.at(-1)!;
    if (messages[0]!.role === 'system') return { content: JSON.stringify({ name: last.content, mark: 3 }) };
    if (last.role === 'tool') return { content: `It is ${last.content}.` };
    return last.content.startsWith('Weigh')
      ? { calls: [{ name: 'weighCrate', arguments: { label: 'k12' } }] }
      : { content: `${last.content}?` };
  }),
  tools: TOOLS,
  sampling: { temperature: 0, maxTurnTokens: 64, maxTokens: 512 },
  prompts: PROMPTS,
}));

policyContract('remote', async () => {
  // answers the last message, and calls where a crate is to be weighed
  const server = await judgeServer(({ body }) => {
    const last = body.messages.at(-1)!;
    if (body.response_format) return { content: JSON.stringify({ name: last.content, mark: 3 }) };
    if (last.role === 'user' && last.content.startsWith('Weigh'))
      return { content: '', calls: [{ name: 'weighCrate', args: '{"label":"k12"}' }] };
    return { content: `${last.role}: ${last.content}` };
  });
  return {
    policy: await remotePolicy(remoteSettings(server.url, 'm', undefined), { sleep: sleepFor, now: Date.now }),
    tools: TOOLS,
    sampling: { temperature: 0, maxTurnTokens: 64, maxTokens: 512 },
    prompts: PROMPTS,
    close: () => server.close(),
  };
});

policyContract("one of the editor's models", async () => {
  // lent without tools and without a schema: what is asked for in words is replied to in JSON
  const server = await serveModels({
    models: async () => ['gpt-9'],
    async reply(_, messages) {
      const last = messages.at(-1)!.text;
      const isShaped = messages[0]!.text.startsWith('Reply with {');
      return {
        text: isShaped ? JSON.stringify({ name: last, mark: 3 }) : `${last}!`,
        promptTokens: 4,
        completionTokens: 2,
      };
    },
  });
  const settings = { ...remoteSettings(server.url, 'gpt-9', server.key), baseUrl: EDITOR_MODELS };
  return {
    policy: await remotePolicy(settings, { sleep: sleepFor, now: Date.now }),
    tools: [],
    sampling: { temperature: 0, maxTurnTokens: 64, maxTokens: 512 },
    prompts: PROMPTS,
    close: () => server.close(),
  };
});

describe('a local policy that is held to a shape', function () {
  this.timeout(120_000);

  it('writes what a greedy model writes that reads all again for each token, long prompts in pieces, too', async () => {
    const engine = await openEngine({ engine: 'onnx', threads: 1 });
    const folder = makeFamilyModel('qwen2_5', 'shape');
    const [policy, base] = [openOwnPolicy(folder, engine, 'tiny', 1024), loadBaseModel(folder, 1024)];
    const schema = {
      type: 'object',
      properties: { why: { type: 'string' }, mark: { type: 'integer', minimum: 0, maximum: 10 } },
      required: ['why', 'mark'],
    };
    for (const n of [1, 150]) {
      const messages: Message[] = [{ role: 'user', content: 'Which crate is heavier? '.repeat(n) }];
      const turn = await respondOnce(
        policy,
        {
          messages,
          tools: [],
          format: { name: 'mark', schema },
          random: Random.fromSeed(1),
          sampling: { temperature: 0, maxTurnTokens: 40, maxTokens: 1024 },
        },
        new AbortController().signal,
      );
      const prompt = base.tokenizer.encode(base.template.render(messages, [], true));
      assert.equal(prompt.length > 512, n > 1, `${prompt.length}`);
      const constraint = new JsonConstraint(base.tokenizer, schema, Infinity, { decimals: 2 });
      const ids: number[] = [];
      const read = async (): Promise<Float32Array> => {
        const decoder = new Decoder(new DecoderGraphs(engine, base.model));
        const [logits] = await decoder.start([[...prompt, ...ids]]);
        decoder.close();
        return logits!;
      };
      const said = turn.content;
      const own = turn.tokens!.ids.slice(turn.tokens!.start, -1);
      while (!constraint.isDone && ids.length < own.length) {
        const forced = constraint.forced();
        if (forced.length > 0) ids.push(...forced);
        else {
          const [logits, allowed] = [await read(), constraint.allowed()];
          const best = allowed.reduce((top, id) => (logits[id]! > logits[top]! ? id : top));
          // its string is ended for it at its share of the tokens, which is looked at elsewhere
          const isEnded = best !== own[ids.length] && /"$/.test(base.tokenizer.decode([own[ids.length]!]));
          ids.push(isEnded ? own[ids.length]! : best);
        }
        for (const id of ids.slice(-Math.max(1, forced.length))) assert.ok(constraint.advance(id));
      }
      assert.deepEqual(ids, own, said);
    }
    policy.close();
    base.dispose();
    engine.dispose();
  });
});
