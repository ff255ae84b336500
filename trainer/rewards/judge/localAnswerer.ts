import { Lanes } from '../../base/lanes';
import type { Engine } from '../../model/engine/engine';
import { JudgeFailure } from '../../model/question';
import { openOwnPolicy, type OwnPolicy } from '../../rollout/policy/local';
import { respondOnce, type Opening } from '../../rollout/policy/policy';
import { cacheKey, overBudget, type ClientOptions } from './client';
import { aboutJudge, checkLocalModel, NO_TOOLS } from './localModel';
import type { Answerer } from './policyClient';
import type { JudgeSettings } from './settings';

/** A longer question is refused: keys and values of so many tokens are memory of their own. */
const MOST_POSITIONS = 16_384;

/**
 * A model folder or a GGUF file of this disk, computed by the trainer's own engine in its process: greedy, and held to
 * the question's schema while it writes, so that each reply is one. The same process will do, since an engine's call is
 * synchronous from its inputs to its results and no tidy body is async: a reply and a rollout take turns between
 * tokens, each with weights, graphs and cache of its own. One reply at a time; the same question gets the same reply,
 * so nothing is asked twice.
 * @throws UserError where the model is none, does not fit, or can't be read
 */
export function openLocalAnswerer({ settings, engine }: ClientOptions): Answerer {
  const path = settings.modelPath!;
  let model = engine === null ? null : aboutJudge(() => openModel(path, settings.model, engine));
  const spent: Answerer['spent'] = { promptTokens: 0, completionTokens: 0, usd: 0, requests: 0 };
  const lane = new Lanes(1);

  return {
    spent,
    keyOf: ({ system, user, exactSchema }) => cacheKey(path, system, user, exactSchema, settings.replyTokens),
    async check() {
      if (model === null) checkLocalModel(path);
    },
    respond: (opening, signal) =>
      lane.run(async () => {
        signal.throwIfAborted();
        if (model === null) throw new Error('localAnswerer: asked without an engine, or after it was closed');
        const over = overBudget(spent, settings);
        if (over !== null) throw new JudgeFailure(over, true);
        if (opening.tools.length > 0) throw new JudgeFailure(NO_TOOLS);
        checkRoom(model, opening, settings);
        spent.requests++;
        const limit = AbortSignal.timeout(settings.timeoutMs);
        const turn = await respondOnce(model.policy, opening, AbortSignal.any([signal, limit]));
        const usage = { promptTokens: 0, completionTokens: 0, ...turn.usage, usd: 0 };
        spent.promptTokens += usage.promptTokens;
        spent.completionTokens += usage.completionTokens;
        signal.throwIfAborted();
        if (turn.finishReason !== 'cancelled') return { ...turn, usage };
        const message = `the judge gave no verdict: no reply in ${settings.timeoutMs} ms`;
        throw Object.assign(new JudgeFailure(message), { usage });
      }),
    close() {
      model?.policy.close();
      model = null;
    },
  };
}

interface LocalModel {
  policy: OwnPolicy;
  positions: number;
}

function openModel(path: string, name: string, engine: Engine): LocalModel {
  const { folder, config } = checkLocalModel(path);
  const positions = Math.min(config.maxPositions, MOST_POSITIONS);
  return { policy: openOwnPolicy(folder, engine, name, positions), positions };
}

/**
 * @throws JudgeFailure where a reply of this shape may not be as long as it must, or does not fit behind its question
 */
function checkRoom({ policy, positions }: LocalModel, opening: Opening, { replyTokens }: JudgeSettings): void {
  const { least, strings, most } = policy.replyRoom(opening.format!, opening.sampling.maxTurnTokens);
  if (replyTokens !== null && replyTokens < least)
    throw new JudgeFailure(
      `judgeReplyTokens must be ${least} or more for ${strings} verdicts of this judge, got ${replyTokens}`,
    );
  const length = policy.lengthOf(opening);
  if (length + most > positions)
    throw new JudgeFailure(
      `the question is ${length} tokens and its reply up to ${most}, this judge reads ` +
        `${positions}: judgeMode pairwise and smaller groups make it shorter`,
    );
}
