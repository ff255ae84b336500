/** A run's events in words: a bar that is drawn over itself on a terminal, plain lines in a pipe. */
import { basename } from 'node:path';
import { WHOLE_MODEL } from '../../model/weights/exportWhole';
import { metricRows, type AgentMetrics } from '../../protocol/agentMetrics';
import { caveat, headlineOf, SOURCE_WORDS, sourcesText } from '../../protocol/headline';
import { sideOf } from '../../protocol/interval';
import type { StageResult } from '../../protocol/stages';
import type { RunResult, Success, TrainerEvent } from '../../protocol/messages';
import { fewTools, rehearsalRows } from '../../protocol/rehearsal';
import { RECIPES } from '../../protocol/settings/recipes';
import { runMethod } from '../../protocol/runMethod';
import { emptyRun, reduceRun, type RunState } from '../../protocol/runState';
import { SUCCESS_RULE } from '../../protocol/verdicts';
import { verdictWords } from './measured';
import { TASK_SOURCES, type TaskSource } from '../../protocol/task';
import { duration, percent, points, type Output } from './output';

const phaseWords = {
  before: 'Measuring before',
  training: 'Training',
  after: 'Measuring after',
  export: 'Exporting',
} as const;
/** A pipe gets at most about so many lines of steps. */
const maxStepLines = 60;

/**
 * @param before what was recorded of a run that goes on
 * @returns what to call with each event
 */
export function showProgress(
  out: Output,
  now: () => number,
  before: RunState = emptyRun,
): (event: TrainerEvent) => void {
  let state = before;
  let phaseStart = now();
  let drawnAt = 0;
  return (event) => {
    state = reduceRun(state, event);
    if (event.type === 'phaseStarted') phaseStart = now();
    const line = lineOf(event, state);
    if (line !== null) event.type === 'noted' && event.level === 'warning' ? out.warn(line) : out.progress(line);
    if (out.hasBar && state.phase !== null && now() - drawnAt > 100) {
      drawnAt = now();
      out.showBar(bar(state, (now() - phaseStart) / 1000));
    }
    if (state.status !== 'running') out.clearBar();
  };

  function lineOf(event: TrainerEvent, { manifest }: RunState): string | null {
    switch (event.type) {
      case 'runStarted': {
        const { config, toolNames, taskCounts: counts, engine, id } = event.manifest;
        const tasks = `${counts.train} tasks to train on, ${counts.validation} for validation, ${counts.heldOut} held out`;
        return (
          `Run ${id}: ${runMethod(event.manifest)}${config.recipe === undefined ? '' : ` (recipe ${config.recipe}, ${RECIPES[config.recipe].source})`} ` +
          `on ${config.model}, ${toolNames.length} tool${toolNames.length === 1 ? '' : 's'} ` +
          `(${fewTools(toolNames)}), ${tasks}; engine ${engine.name}, ${engine.threads} ` +
          `thread${engine.threads === 1 ? '' : 's'}`
        );
      }
      case 'runResumed':
        return `Resumed from step ${event.fromStep}`;
      case 'noted':
        return event.level === 'warning' ? `Warning: ${event.message}` : event.message;
      case 'rehearsed':
        return `Rehearsal, ${event.report.seconds} s${rehearsalRows(event.report)
          .map(([name, words]) => `\n  ${name}: ${words}`)
          .join('')}`;
      case 'phaseStarted':
        return out.hasBar ? null : `${phaseWords[event.phase]}${event.total > 0 ? ` (${event.total})` : ''}`;
      case 'stagesChosen':
        return `Stages: ${event.stages.map(({ method, steps }) => `${method}:${steps}`).join(',')}${event.reasons
          .map((reason) => `\n  ${reason}`)
          .join('')}`;
      case 'stageStarted':
        return `Stage ${event.index + 1}: ${event.method}, ${stepsWords(event.steps)}`;
      case 'stageFinished':
        return stageWords(event.result, event.index);
      case 'stepFinished': {
        const steps = manifest?.config.steps ?? event.step;
        const isShown = !out.hasBar && (event.step % Math.ceil(steps / maxStepLines) === 0 || event.step === steps);
        return isShown ? `  step ${event.step}/${steps}  ${stepWords(event.metrics)}` : null;
      }
      case 'validated':
        return `  validation after step ${event.step}: ${successWords(event.result)}`;
      case 'evaluated':
        return `${event.which === 'before' ? 'Before' : 'After'}, ${event.name}: ${successWords(event.result)}`;
      default:
        return null;
    }
  }
}

function stepWords(metrics: Record<string, number | null>): string {
  const shown = [
    ['reward', 'reward'],
    ['loss', 'loss'],
    ['kl', 'KL'],
    ['completions/mean_length', 'tokens'],
  ] as const;
  return shown
    .flatMap(([name, word]) =>
      metrics[name] === null || metrics[name] === undefined ? [] : [`${word} ${Number(metrics[name].toPrecision(3))}`],
    )
    .join('  ');
}

function bar(state: RunState, phaseSeconds: number): string {
  const steps = state.manifest?.config.steps ?? 0;
  const isTraining = state.phase === 'training';
  const done = isTraining ? state.step : (state.progress?.done ?? 0);
  const total = isTraining ? steps : (state.progress?.total ?? 0);
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const filled = Math.round(20 * share);
  const left = share > 0.02 ? `  ${duration((phaseSeconds * (1 - share)) / share)} left` : '';
  const reward = state.curve.at(-1)?.metrics['reward'];
  const words = isTraining
    ? `step ${done}/${total}${reward === null || reward === undefined ? '' : `  reward ${reward.toFixed(2)}`}`
    : `${done}/${total}`;
  return `${phaseWords[state.phase!]} [${'█'.repeat(filled)}${'░'.repeat(20 - filled)}] ${words}${left}`;
}

export function successWords({ n, success, ci95 }: Pick<Success, 'n' | 'success' | 'ci95'>): string {
  if (success === null) return 'no task';
  return (
    `${percent(success)} of ${n} ` +
    `solved${ci95 ? ` (95 % interval ${percent(ci95[0])} to ${percent(ci95[1])})` : ''}`
  );
}

const stepsWords = (n: number): string => `${n} step${n === 1 ? '' : 's'}`;

/** A stage's before -> after, and whether its gate passed it on. */
const stageWords = ({ method, steps, before, after, gain, passed, gate }: StageResult, index: number): string =>
  `Stage ${index + 1}: ${method}, ${stepsWords(steps)}: ${percent(before.success)} -> ` +
  `${percent(after.success)} on validation tasks, ${points(gain.mean)} points ` +
  `${intervalWords(gain)}: ${passed ? 'passed on' : 'not passed on; what it began with is'}, since ${gate}`;

const chance = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

export const changedWords = ({ gained, lost, p }: NonNullable<RunResult['gain']['changed']>): string =>
  `Changed ${gained} tasks gained, ${lost} lost (exact McNemar test, ${chance(p)})`;

export const intervalWords = ({ ci95: [low, high] }: Pick<RunResult['gain'], 'ci95'>): string =>
  `(95 % interval ${points(low)} to ${points(high)}, paired)`;

function forgottenWords({ name, before: b, after: a, gain }: RunResult['forgotten'][number]): string {
  const shares =
    `Forgotten? ${name}: ${b.success === null ? '-' : percent(b.success)} -> ` +
    `${a.success === null ? '-' : percent(a.success)} (n ${b.n})`;
  if (!gain) return shares;
  const side = sideOf(gain.ci95);
  return (
    `${shares}, ${points(gain.mean)} points ${intervalWords(gain)}: ` +
    `${side > 0 ? 'better' : side < 0 ? 'worse: something was forgotten' : 'no clear change'}`
  );
}

/** Held-out tasks of writers that the headline is not about, each with n and interval. */
function otherSources({ before, after, gain }: RunResult, told: readonly TaskSource[]): string[] {
  return TASK_SOURCES.filter((source) => !told.includes(source)).flatMap((source) => {
    const [was, is, change] = [before.bySource?.[source], after.bySource?.[source], gain.bySource?.[source]];
    return was && is && change
      ? [
          `Also    ${SOURCE_WORDS[source]}: ${percent(was.success)} -> ${percent(is.success)} (n ` +
            `${is.n}), ${points(change.mean)} points ${intervalWords(change)}`,
        ]
      : [];
  });
}

/** Before and after by verdict, of all held-out tasks; an older run says by which rule it was counted. */
function solvedBy({ before, after }: Pick<RunResult, 'before' | 'after'>): string[] {
  const told = before.verdicts && after.verdicts;
  return told
    ? [`Solved  before: ${verdictWords(before.verdicts!)}; after: ${verdictWords(after.verdicts!)}`]
    : [`Note    ${RULE_1}`];
}
const RULE_1 =
  'solved by rule 1, the gold calls (and a gold answer) alone; runs of now go by rule ' +
  `${SUCCESS_RULE}: calls right, answer right, finished`;

/** Of all held-out tasks; nothing in a run of before. */
const metricLines = (before?: AgentMetrics, after?: AgentMetrics): string[] =>
  before && after ? metricRows([before, after]).map(([words, was, is]) => `Metric  ${words}: ${was} -> ${is}`) : [];

/** Before -> after in words that call noise noise, by the tasks that are nearest to what people ask. */
export function resultWords(result: RunResult, dir: string, toolFile: string): string {
  const { sources, before, after, gain, verdict } = headlineOf(result);
  const { forgotten, toolsWithoutTasks = [] } = result;
  const worth = caveat(sources, toolFile);
  return [
    '',
    ...(result.stages ?? []).map(stageWords),
    `Before  ${successWords(before)}`,
    `After   ${successWords(after)}`,
    ...solvedBy(result),
    `Gain    ${points(gain.mean)} points on held-out tasks ` +
      `${sources.length > 0 ? `${sourcesText(sources)} ` : ''}${intervalWords(gain)}: ${verdict}`,
    ...(worth === null ? [] : [`Note    ${worth}`]),
    ...(toolsWithoutTasks.length > 0
      ? [
          `Note    no task covered ${fewTools(toolsWithoutTasks)}: nothing is known of how well the ` +
            `model calls ${toolsWithoutTasks.length === 1 ? 'it' : 'them'}`,
        ]
      : []),
    ...otherSources(result, sources),
    ...(gain.changed ? [changedWords(gain.changed)] : []),
    ...forgotten.map(forgottenWords),
    ...metricLines(result.before.metrics, result.after.metrics),
    `${result.steps} steps on ${result.engine} in ${duration(result.seconds)}. ` +
      `${basename(result.adapter) === WHOLE_MODEL ? 'Model' : 'Adapter'}: ${result.adapter}`,
    `Everything of the run: ${dir}`,
  ].join('\n');
}
