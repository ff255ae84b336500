import type { Trace } from '../protocol/trace';
import type { Environment, Observation } from './environment/environment';
import type { Conversation, Policy } from './policy/policy';
import type { Inertia } from './inertia/inertia';
import type { Sampling } from './policy/sampling';
import { EpisodeRecord, turnMessage, type EpisodeRequest, type Rollout } from './record';

export interface EpisodeOptions {
  policy: Policy;
  /** a fresh one */
  environmentFor(request: EpisodeRequest): Environment;
  sampling: Sampling;
  /**
   * makes calls without the policy where past traces say what comes next; absent or null: the policy is always asked
   */
  inertia?: Inertia | null | undefined;
  maxTurns: number;
  runId: string;
  phase: Trace['phase'];
  step: number;
  seed: number;
  signal: AbortSignal;
  now(): number;
  /** an episode is over, by itself or by a limit: its trace is whole; not told of those that a cancel ends */
  onEnded?(trace: Trace): void;
}

/**
 * One episode: policy and environment take turns (ReAct, arXiv:2210.03629), until the environment is done, a limit, or
 * a cancel.
 * @throws what keeps the policy from answering
 */
export async function runEpisode(request: EpisodeRequest, o: EpisodeOptions): Promise<Rollout> {
  const record = new EpisodeRecord(request, o);
  const environment = o.environmentFor(request);
  let conversation: Conversation | null = null;
  try {
    const opening = await environment.reset(request.task, request.random.fork('environment'));
    record.opening(opening);
    const sampling = { ...o.sampling, callTemperature: request.callTemperature };
    const open = ({ messages, tools, goesOn = false }: Observation): Conversation =>
      o.policy.open({ messages, tools, goesOn, random: request.random, sampling });
    conversation = open(opening);
    const graph = o.inertia?.begin(opening) ?? null;
    for (;;) {
      const written = graph?.turn() ?? (await conversation.respond(o.signal));
      const turn = record.turn(written);
      if (written.finishReason === 'cancelled') return record.end('cancelled');
      if (written.finishReason === 'length') return record.end('tokenLimit');
      const stepped = await environment.step(turn, o.signal);
      if (o.signal.aborted) return record.end('cancelled');
      const outcome = graph?.read(turn, stepped) ?? stepped;
      record.outcome(outcome);
      if (outcome.done) return record.end('no');
      if (record.turns >= o.maxTurns) return record.end('turnLimit');
      if (!outcome.anew) {
        conversation.append(written.policy === undefined ? outcome.messages : [turnMessage(turn), ...outcome.messages]);
        continue;
      }
      conversation.close();
      conversation = open(record.anew(outcome.anew));
    }
  } finally {
    conversation?.close();
    environment.close();
  }
}
