/**
 * A model on BFCL's questions: each is asked once, greedily, with its own functions as tools, and what is called is
 * checked and not run.
 */
import type { BaseModel } from '../../../model/weights/baseModel';
import type { DecoderGraphs } from '../../../model/decoding/decoderGraphs';
import { UserError } from '../../../protocol/result';
import type { LimitedConfig } from '../../../protocol/runConfig';
import type { ToolSchema } from '../../../protocol/task';
import type { ToolResult, Trace } from '../../../protocol/trace';
import { Random } from '../../../base/random';
import { localPolicy } from '../../../rollout/policy/local';
import type { Environment } from '../../../rollout/environment/environment';
import type { EpisodeOptions } from '../../../rollout/episode';
import { rollOut } from '../../../rollout/group';
import { parserOf, type ToolCallParser } from '../../../rollout/parser';
import { samplingOf } from '../../../rollout/policy/sampling';
import type { EpisodeRequest, Rollout } from '../../../rollout/record';
import { lanesFor, withModel } from '../../evaluate';
import { summaryOf as summed, type BenchmarkOptions, type BenchmarkSuccess } from '../benchmark';
import { checkCalls } from '../../../rewards/bfcl/checker';
import { CheckError, wrong, type Finding } from '../../../rewards/bfcl/checkValue';
import type { Entry } from './entries';
import { exactCalls } from '../../../rewards/bfcl/exactCalls';
import { toolSchemas } from './toolSchemas';

/** Greedy success on BFCL's questions, one turn each: no tool is run. */
export type EvaluateBfcl = (options: BenchmarkOptions & { entries: readonly Entry[] }) => Promise<BenchmarkSuccess>;

export const evaluateBfcl: EvaluateBfcl = async (options) => {
  const findings = await findingsOf(options);
  return summaryOf(options.entries.slice(0, findings.length), findings);
};

/** What is wrong with each answer, null: nothing; fewer than entries where it was cancelled. */
export const findingsOf = (options: Parameters<EvaluateBfcl>[0]): Promise<(Finding | null)[]> =>
  withModel(options, async (base, graphs) => {
    const { config, entries, signal, onProgress } = options;
    const findings: (Finding | null)[] = [];
    const lanes = lanesFor(base.model.config, config);
    for (let from = 0; from < entries.length && !signal.aborted; from += lanes) {
      findings.push(...(await judge(entries.slice(from, from + lanes), { ...options, base, graphs })));
      onProgress(findings.length, entries.length);
    }
    return findings;
  });

const NO_ROOM = 'no_room';

export interface Asking {
  base: BaseModel;
  graphs: DecoderGraphs;
  config: LimitedConfig;
  signal: AbortSignal;
  now(): number;
}

/**
 * Each question on its own functions, all decoded together. @returns what is wrong with each; none where it was
 * cancelled
 */
async function judge(entries: readonly Entry[], asking: Asking): Promise<(Finding | null)[]> {
  const asked = entries
    .map((entry) => ({ entry, tools: ownTools(entry, asking) }))
    .filter(({ entry, tools }) => hasRoomFor(entry, tools, asking));
  const requests = asked.map(({ entry, tools }) => ({
    id: entry.id,
    task: { id: entry.id, prompt: entry.prompt },
    groupId: entry.id,
    indexInGroup: 0,
    random: Random.fromSeed(asking.config.seed),
    tools,
  }));
  const rollouts =
    requests.length === 0 ? [] : await askOnce(requests, asking, { phase: 'try', step: 0, temperature: 0 });
  if (asking.signal.aborted) return [];
  const parser = parserOf(asking.base.template.format.calls);
  const verdicts = new Map(asked.map(({ entry }, i) => [entry, verdictOf(entry, rollouts[i]!.trace, parser)]));
  return entries.map((entry) =>
    verdicts.has(entry) ? verdicts.get(entry)! : wrong(NO_ROOM, 'the question is longer than maxTokens'),
  );
}

/** The functions of a question as tools. */
export const ownTools = ({ functions }: Entry, { config }: Pick<Asking, 'config'>): ToolSchema[] =>
  toolSchemas(functions, config.toolFile);

const hasRoomFor = ({ prompt }: Entry, tools: readonly ToolSchema[], { base, config }: Asking): boolean =>
  base.tokenizer.encode(base.template.render([{ role: 'user', content: prompt }], tools, true)).length <
  config.maxTokens;

/** Asked with tools of its own. */
export type Question = EpisodeRequest & { tools: readonly ToolSchema[] };

/** One turn each; nothing that is called runs. */
export function askOnce(
  questions: readonly Question[],
  { base, graphs, config, signal, now }: Asking,
  how: Pick<EpisodeOptions, 'phase' | 'step'> & { temperature: number },
): Promise<Rollout[]> {
  const { temperature, ...rest } = how;
  const toolsOf = new Map(questions.map(({ id, tools }) => [id, tools]));
  return rollOut(questions, {
    policy: localPolicy(base, graphs, [], config.constraint, config.model),
    environmentFor: ({ id }) => oneTurn(toolsOf.get(id)!),
    sampling: samplingOf(config, temperature),
    maxTurns: 1,
    runId: 'evaluate',
    seed: config.seed,
    signal,
    now,
    ...rest,
  });
}

/**
 * What is wrong with an answer; null: it is right. Names of functions must be written as the model was shown them.
 * @throws UserError where the entry itself can't be judged
 */
export function verdictOf(entry: Entry, trace: Trace, parser: ToolCallParser): Finding | null {
  const [turn] = trace.turns;
  if (turn === undefined) return wrong('cut_off', 'the turn did not end');
  const { calls, error } = exactCalls(turn.text, parser);
  if (error !== undefined) return wrong('ast_decoder:decoder_failed', error);
  try {
    return checkCalls(entry, calls, { underscores: true });
  } catch (cause) {
    if (cause instanceof CheckError)
      throw new UserError('storage', `${entry.id}: can't be judged: ${cause.message}`, 'Install bfcl-eval anew.');
    throw cause;
  }
}

/** After the one turn nobody reads a result. */
const oneTurn = (tools: readonly ToolSchema[]): Environment => ({
  reset: async ({ prompt }) => ({ messages: [{ role: 'user', content: prompt }], tools }),
  step: async ({ calls }) => ({ messages: [], done: true, info: { results: calls.map(() => NOT_RUN) } }),
  close() {
    // nothing was opened
  },
});

const NOT_RUN: ToolResult = {
  kind: 'refused',
  content: '{"error":"no tool is run in a benchmark"}',
  policy: 'mock',
  startedAt: 0,
  durationMs: 0,
};

/** @param findings of the entries, in their order */
/** cut_off among the reasons: the turn did not end in its tokens. */
export const summaryOf = (entries: readonly Entry[], findings: readonly (Finding | null)[]): BenchmarkSuccess =>
  summed(
    entries.map(({ category }, i) => ({ tag: category, fault: findings[i]?.reason ?? null })),
    NO_ROOM,
  );
