import { Lanes } from '../base/lanes';
import { runEpisode, type EpisodeOptions } from './episode';
import type { EpisodeRequest, Rollout } from './record';

/**
 * Episodes side by side, such as the rollouts of a group. A policy that decodes them together does so as they ask.
 * @param atOnce how many at most; default: all
 * @returns in the order of the requests
 * @throws what keeps the policy from answering, when all have ended
 */
export async function rollOut(
  requests: readonly EpisodeRequest[],
  o: EpisodeOptions,
  atOnce = Infinity,
): Promise<Rollout[]> {
  const lanes = new Lanes(atOnce);
  const ended = await Promise.allSettled(requests.map((request) => lanes.run(() => runEpisode(request, o))));
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
