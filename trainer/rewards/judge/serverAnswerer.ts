import { respondOnce } from '../../rollout/policy/policy';
import { remotePolicy } from '../../rollout/policy/remote';
import type { Asker } from '../../rollout/policy/server';
import { cacheKey, type ClientOptions } from './client';
import type { Answerer } from './policyClient';

const JUDGE: Asker = {
  border: 'judge',
  name: 'judge',
  hints: {
    url: 'Start it, or set COACH_JUDGE_URL to where it is.',
    model: 'Set COACH_JUDGE_MODEL to one that it has.',
    key: 'Set COACH_JUDGE_KEY to a key that it takes.',
  },
};

/** An OpenAI-compatible server, or a model that the editor lends. Whoever asks it counts its attempts. */
export async function openServerAnswerer({ settings, sleep, now }: ClientOptions): Promise<Answerer> {
  const policy = await remotePolicy({ ...settings, attempts: 1 }, { sleep, now, asker: JUDGE });
  return {
    respond: (opening, signal) => respondOnce(policy, opening, signal),
    spent: policy.spent,
    keyOf: ({ system, user, schema, tools }) =>
      cacheKey(
        settings.baseUrl,
        settings.model,
        [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        schema,
        tools?.schemas.map(({ name, parameters }) => [name, parameters]) ?? null,
      ),
    check: (signal) => policy.check(signal),
    close: () => undefined,
  };
}
