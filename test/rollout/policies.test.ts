import { resolve } from 'node:path';
import { loadBaseModel } from '../../trainer/model/weights/baseModel';
import { openEngine } from '../../trainer/model/engine/engine';
import { DecoderGraphs } from '../../trainer/model/decoding/decoder';
import type { ToolSchema } from '../../trainer/protocol/task';
import { localPolicy } from '../../trainer/rollout/policy/local';
import { scriptedPolicy } from '../../trainer/rollout/policy/scripted';
import { remotePolicy, remoteSettings } from '../../trainer/rollout/policy/remote';
import { sleepFor } from '../../trainer/rewards/judge/judge';
import { judgeServer } from '../rewards/judgeServer';
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
