/**
 * The judge of a run: what it said goes into judge.jsonl, and each step gets figures and, where something changed,
 * words.
 */
import { join } from 'node:path';
import type { Engine } from '../../model/engine/engine';
import { UserError } from '../../protocol/result';
import type { Metrics } from '../../protocol/messages';
import type { JudgeVerdict } from '../../protocol/reward';
import type { Note } from '../../protocol/note';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { RewardSpec } from '../parseRewards';
import { fileCache } from './cache';
import { agreementOf, type KnownAgreement } from './calibrateJudge';
import { EQUAL, openJudge, type Judge, type JudgeGroup } from './judge';
import type { JudgeTools } from '../../model/question';
import { NO_TOOLS } from './localModel';
import { judgeOfConfig, type JudgeSettings } from './settings';

export interface RunJudge {
  judge: JudgeGroup;
  identity: Judge['identity'];
  /** what a run says of its judge when it begins */
  readonly opening: Note;
  /** figures of the step, and what is new: it is gone, it is back, what it did in all */
  endStep(step: number, isLast: boolean): { metrics: Metrics; notes: Note[] };
  /** frees a model of this disk */
  close(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const needsJudge = (specs: readonly RewardSpec[]): boolean => specs.some(({ rule }) => rule?.per === 'judge');
const callsTools = (specs: readonly RewardSpec[]): boolean =>
  specs.some(({ rule }) => rule?.per === 'judge' && rule.options.mode === 'ranking' && rule.options.mayCallTools);

/**
 * Looks at the judge before there is a run.
 * @returns the config with the server and the model that were named in the environment, so that the run records them
 * and a resume has them
 * @throws UserError in one sentence: none is named, it can't be reached, it refuses the key or does not know the model,
 * it is no model
 */
export async function checkJudge(
  config: RunConfig,
  specs: readonly RewardSpec[],
  environment: Environment,
  signal: AbortSignal,
): Promise<RunConfig> {
  const settings = judgeOfConfig(config, environment);
  if (settings.modelPath !== null && callsTools(specs))
    throw new UserError('judge', `${settings.modelPath}: ${NO_TOOLS}`);
  await (await openJudge({ settings, signal })).check();
  return { ...config, judgeUrl: settings.baseUrl, judgeModel: settings.model };
}

/** A run that asks no judge records none, whatever the editor's settings name. */
export const withoutJudge = (config: RunConfig): RunConfig =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !name.startsWith('judge'))) as RunConfig;

export interface RunJudgeOptions {
  config: RunConfig;
  /** remembers how far judges agreed with people */
  workspace: string;
  environment: Environment;
  /** the run's; replies lie in its judge-cache.jsonl, so that a resumed run hears the same and pays nothing twice */
  dir: string;
  tools: JudgeTools;
  /** the run's, which a judge of this disk shares; null: a server judges */
  engine?: Engine | null;
  signal: AbortSignal;
  record(verdict: JudgeVerdict): void;
}

export async function openRunJudge({
  config,
  workspace,
  environment,
  dir,
  tools,
  engine = null,
  signal,
  record,
}: RunJudgeOptions): Promise<RunJudge> {
  const settings = judgeOfConfig(config, environment);
  let verdicts: JudgeVerdict[] = []; // of the step under way
  const judge = await openJudge({
    settings,
    tools,
    engine,
    signal,
    cache: fileCache(join(dir, 'judge-cache.jsonl')),
    onVerdict(verdict) {
      verdicts.push(verdict);
      record(verdict);
    },
  });
  const { identity } = judge;
  let before = { ...judge.counts };
  let lost: { step: number; groups: number } | null = null;
  return {
    judge: judge.judge,
    identity,
    close: () => judge.close(),
    opening: openingOf(
      `Judge ${identity.model} at ${identity.baseUrl}: ${wordsOf(settings)}; prompts ` +
        `${identity.prompt} (${identity.promptHash})`,
      agreementOf(workspace, { ...identity, mode: settings.mode }),
      config.judgeAgreementBar ?? DEFAULTS.judgeAgreementBar,
    ),
    endStep(step, isLast) {
      const counts = { ...judge.counts };
      const notes: Note[] = [];
      const failed = verdicts.filter(({ ranks, error }) => ranks === null && error !== EQUAL);
      const [first] = failed;
      if (first) {
        if (lost === null)
          notes.push({
            level: 'warning',
            code: 'judgeLost',
            message:
              `step ${step}: ${failed.length} of ${verdicts.length} groups were not judged: ` +
              `${first.error}. The judge teaches nothing there; the run goes on`,
          });
        lost = { step: lost?.step ?? step, groups: (lost?.groups ?? 0) + failed.length };
      } else if (lost !== null && verdicts.some(({ ranks }) => ranks !== null)) {
        notes.push({
          level: 'info',
          code: 'judgeBack',
          message: `step ${step}: the judge gives verdicts again; since step ${lost.step} ${lost.groups} groups were not judged`,
        });
        lost = null;
      }
      if (isLast) notes.push({ level: 'info', code: 'judgeCounts', message: countsText(counts) });
      const metrics = metricsOf(counts, before, verdicts);
      before = counts;
      verdicts = [];
      return { metrics, notes };
    },
  };
}

/** In words: judged, not judged, and what it took. */
function countsText({
  judged,
  notJudged,
  equal,
  requests,
  retries,
  cacheHits,
  promptTokens,
  completionTokens,
  usd,
}: Judge['counts']): string {
  return (
    `Judge: ${judged} traces judged, ${notJudged} not judged, ${equal} in groups without a ` +
    `difference; ${requests} requests (${retries} repeated, ${cacheHits} known), ${promptTokens} ` +
    `+ ${completionTokens} tokens${usd === null ? '' : `, ${usd.toFixed(4)} USD`}`
  );
}

/** Which judge, and how far people may trust it. */
function openingOf(judge: string, known: KnownAgreement | null, bar: number): Note {
  if (!known)
    return {
      level: 'info',
      code: 'judge',
      message: `${judge}. How far it agrees with people was not measured: coach judge --calibrate FILE`,
    };
  const [agreed, lo, hi] = [known.accuracy, ...known.ci95].map((share) => `${(100 * share).toFixed(0)} %`);
  const isLow = 100 * known.accuracy < bar;
  return {
    level: isLow ? 'warning' : 'info',
    code: 'judge',
    message:
      `${judge}. It agreed with people on ${agreed} of ${known.n} pairs (95 % interval ${lo} to ` +
      `${hi})${isLow ? `, which is below ${bar} %: what it teaches may not be what you want` : ''}`,
  };
}

function wordsOf({ mode, votes, budgetTokens, budgetUsd }: JudgeSettings): string {
  const budget = [
    ...(budgetTokens === null ? [] : [`${budgetTokens} tokens`]),
    ...(budgetUsd === null ? [] : [`${budgetUsd} USD`]),
  ];
  return (
    `${mode}, ${votes} vote${votes === 1 ? '' : 's'} in both ` +
    `orders${budget.length > 0 ? `, budget ${budget.join(' or ')}` : ''}`
  );
}

/** Of one step; null: nothing to measure. */
function metricsOf(now: Judge['counts'], before: Judge['counts'], verdicts: readonly JudgeVerdict[]): Metrics {
  const durations = verdicts.flatMap(({ votes }) =>
    (votes ?? []).flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs])),
  );
  return {
    'judge/judged': now.judged - before.judged,
    'judge/not_judged': now.notJudged - before.notJudged,
    'judge/equal': now.equal - before.equal,
    'judge/requests': now.requests - before.requests,
    'judge/prompt_tokens': now.promptTokens - before.promptTokens,
    'judge/completion_tokens': now.completionTokens - before.completionTokens,
    'judge/usd': now.usd === null ? null : now.usd - (before.usd ?? 0),
    'judge/reply_seconds':
      durations.length === 0 ? null : durations.reduce((sum, ms) => sum + ms, 0) / durations.length / 1000,
  };
}
