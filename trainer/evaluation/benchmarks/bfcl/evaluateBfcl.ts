/**
 * A model on BFCL's questions: each is asked once, greedily, with its own functions as tools, and what is called is
 * checked and not run.
 */
import type { BaseModel } from '../../../model/weights/baseModel';
import type { DecoderGraphs } from '../../../model/decoding/decoder';
import { wilson } from '../../../protocol/interval';
import type { Success } from '../../../protocol/messages';
import { UserError } from '../../../protocol/result';
import type { LimitedConfig } from '../../../protocol/runConfig';
import type { ToolSchema } from '../../../protocol/task';
import type { ToolResult, Trace } from '../../../protocol/trace';
import { Random } from '../../../base/random';
import { localPolicy } from '../../../rollout/policy/local';
import { samplingOf } from '../../../rollout/policy/policy';
import { rollout, type EpisodeRequest, type RolloutOptions } from '../../../rollout/rollout';
import type { ToolCallParser } from '../../../rollout/parser';
import type { ToolHosts } from '../../../tools/hosts/callTool';
import { lanesFor, withModel, type EvaluateModel, type MeasuredModel } from '../../evaluate';
import { checkCalls } from '../../../rewards/bfcl/checker';
import { CheckError, wrong, type Finding } from '../../../rewards/bfcl/checkValue';
import type { Entry } from './entries';
import { exactCalls } from '../../../rewards/bfcl/exactCalls';
import { toolSchemas } from './toolSchemas';

export interface BfclSuccess extends Success {
  /** what was wrong first, by BFCL's name for it, the commonest first; cut_off: the turn did not end in its tokens */
  reasons: Record<string, number>;
  /** questions that were too long to be asked; they count as wrong */
  noRoom: number;
}

/** Greedy success on BFCL's questions, one turn each: no tool is run. */
export type EvaluateBfcl = (
  options: MeasuredModel &
    Pick<Parameters<EvaluateModel>[0], 'signal' | 'now' | 'onProgress'> & { entries: readonly Entry[] },
) => Promise<BfclSuccess>;

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
    .map((entry) => ({ entry, own: ownTools(entry, asking) }))
    .filter(({ entry, own }) => hasRoomFor(entry, own, asking));
  const requests = asked.map(({ entry, own }) => ({
    id: entry.id,
    task: { id: entry.id, prompt: entry.prompt },
    groupId: entry.id,
    indexInGroup: 0,
    random: Random.fromSeed(asking.config.seed),
    own,
  }));
  const traces =
    requests.length === 0 ? [] : await askOnce(requests, asking, { phase: 'try', step: 0, temperature: 0 });
  if (asking.signal.aborted) return [];
  const verdicts = new Map(asked.map(({ entry, own }, i) => [entry, verdictOf(entry, traces[i]!, own.policy.parser)]));
  return entries.map((entry) =>
    verdicts.has(entry) ? verdicts.get(entry)! : wrong(NO_ROOM, 'the question is longer than maxTokens'),
  );
}

/** The functions of a question as tools, and the model's policy on them. */
export function ownTools(
  entry: Entry,
  { base, graphs, config }: Pick<Asking, 'base' | 'graphs' | 'config'>,
): NonNullable<EpisodeRequest['own']> {
  const tools = toolSchemas(entry.functions, config.toolFile);
  return { tools, policy: localPolicy(base, graphs, tools, config.constraint, config.model) };
}

const hasRoomFor = (
  { prompt }: Entry,
  { tools }: { tools: readonly ToolSchema[] },
  { base, config }: Asking,
): boolean =>
  base.tokenizer.encode(base.template.render([{ role: 'user', content: prompt }], tools, true)).length <
  config.maxTokens;

/** One turn each; nothing that is called runs. */
export function askOnce(
  requests: readonly EpisodeRequest[],
  { base, graphs, config, signal, now }: Asking,
  how: Pick<RolloutOptions, 'phase' | 'step' | 'onAllowed'> & { temperature: number },
): Promise<Trace[]> {
  const { temperature, ...rest } = how;
  return rollout(requests, {
    policy: localPolicy(base, graphs, [], config.constraint, config.model),
    tokenizer: base.tokenizer,
    template: base.template,
    tools: [],
    hosts: NOTHING_RUNS,
    sampling: { ...samplingOf(config, temperature), maxTurns: 1 },
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
  if (trace.turns.length === 0) return wrong('cut_off', 'the turn did not end');
  const { calls, error } = exactCalls(trace.turns[0].text, parser);
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
const NOTHING_RUNS: Pick<ToolHosts, 'open'> = {
  open: () => ({
    async call(): Promise<ToolResult> {
      return {
        kind: 'refused',
        content: '{"error":"no tool is run in a benchmark"}',
        policy: 'mock',
        startedAt: 0,
        durationMs: 0,
      };
    },
    close() {
      // nothing was opened
    },
  }),
};

/** @param findings of the entries, in their order */
export function summaryOf(entries: readonly Entry[], findings: readonly (Finding | null)[]): BfclSuccess {
  const byCategory = new Map<string, { n: number; right: number }>();
  const reasons = new Map<string, number>();
  entries.forEach(({ category }, i) => {
    const part = byCategory.get(category) ?? { n: 0, right: 0 };
    const finding = findings[i];
    byCategory.set(category, { n: part.n + 1, right: part.right + (finding === null ? 1 : 0) });
    if (finding) reasons.set(finding.reason, (reasons.get(finding.reason) ?? 0) + 1);
  });
  const n = entries.length;
  const right = findings.filter((finding) => finding === null).length;
  return {
    n,
    success: n > 0 ? right / n : null,
    ci95: wilson(right, n),
    byTag: Object.fromEntries(
      [...byCategory].map(([category, part]) => [category, { n: part.n, success: part.right / part.n }]),
    ),
    reasons: Object.fromEntries([...reasons].sort((a, b) => b[1] - a[1])),
    noRoom: reasons.get(NO_ROOM) ?? 0,
  };
}
