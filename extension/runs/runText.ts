/** Words for one run: its name, its line in the tree, its line in the status bar. Pure, free of `vscode`. */
import path from 'node:path';
import { durationText } from '../../trainer/protocol/duration';
import type { RunInfo, RunResult, RunStatus } from '../../trainer/protocol/messages';
import { caveat, headlineOf, isOwnStyle, sourcesText } from '../../trainer/protocol/headline';
import { sideOf } from '../../trainer/protocol/interval';
import { modelName } from '../../trainer/protocol/modelName';
import { fewTools } from '../../trainer/protocol/rehearsal';
import { standingOf } from '../../trainer/protocol/runMethod';
import { areCountedDone, isRehearsing, type RunState } from '../../trainer/protocol/runState';
import { leftMs } from '../../webview/shared/timeLeft';

type Named = Pick<RunInfo, 'toolFile' | 'model' | 'method' | 'label'>;

/** "email · nano · grpo" */
export const madeOf = ({ toolFile, model, method }: Named): string =>
  [toolFileName(toolFile), modelName(model), method].filter(Boolean).join(' · ');

/** The name that a person gave it, else what it is made of. */
export const runName = (info: Named): string => info.label?.name || madeOf(info);

/** A file's own name without its endings; where that says nothing ("tools.ts", "index.ts"), its folder's. */
export function toolFileName(file: string): string {
  const stem = path.basename(file).replace(/(\.tools)?\.[cm]?[jt]sx?$/, '');
  return /^(tools?|index|main)$/.test(stem) ? path.basename(path.dirname(file)) || stem : stem;
}

export function statusOf(info: RunInfo, state: RunState | null): RunStatus {
  return state && state.seq >= 0 ? state.status : info.status;
}

/** The grey part of a run's line in the tree. */
export function runDescription(info: RunInfo, state: RunState | null): string {
  if (info.problem !== null && !state?.manifest) return info.problem;
  const steps = state?.manifest?.config.steps ?? info.steps;
  const step = state && state.seq >= 0 ? state.step : info.step;
  const result = state?.result ?? info.result;
  const status = statusOf(info, state);
  switch (status) {
    case 'running':
      return [phaseText(state, step, steps), rewardText(state, info)].filter(Boolean).join(' · ');
    case 'finished':
      return result ? resultText(result) : `${step} steps`;
    case 'stopped':
      return endWithoutSteps(info, state) ?? `stopped at ${step}/${steps}`;
    case 'died':
      return `died at ${step}/${steps}: ${state?.error?.message ?? 'its process is gone'}`;
    case 'failed':
      return state?.error ? `failed: ${state.error.message}` : `failed at ${step}/${steps}`;
  }
}

/** What came of a run that was not trained: "measured: 81 % of 240 tasks"; null: it was to be, or was stopped. */
function endWithoutSteps(info: RunInfo, state: RunState | null): string | null {
  const measured = info.measured ?? state?.evaluations[0]?.result;
  const standing = standingOf({ method: info.method, ...(measured && { measured }) }, 'stopped');
  switch (standing) {
    case 'evaluated':
      return `measured: ${percent(measured!.success)} of ${measured!.n} ${measured!.n === 1 ? 'task' : 'tasks'}`;
    case 'distilled':
      return 'what a teacher showed';
    case 'imported':
      return "another agent's traces";
    default:
      return info.method === 'evaluated' ? 'stopped before it was measured' : null;
  }
}

/**
 * "+31 pts · n 240", with the word for a gain that may be chance, and for one that was measured on what Coach made up
 */
export function resultText(result: RunResult): string {
  const { gain, after, sources } = headlineOf(result);
  return [
    `${points(gain.mean)} pts · n ${after.n}`,
    sideOf(gain.ci95) === 0 ? 'could be chance' : null,
    isOwnStyle(sources) ? "on Coach's own requests" : null,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** A finished run in one sentence, or two where what it was measured on has to be said. */
export function endText(info: Named, result: RunResult): string {
  const { before, after, gain, verdict, sources } = headlineOf(result);
  const [low, high] = gain.ci95;
  const what = sources.length > 0 ? `held-out tasks ${sourcesText(sources)}, solved` : 'held-out tasks solved';
  const told =
    `${runName(info)}: ${what} ${percent(before.success)} → ${percent(after.success)}, ` +
    `${points(gain.mean)} points [${points(low)}, ${points(high)}], n ${after.n}: ${verdict}.`;
  const worth = caveat(sources, info.toolFile);
  const missing = result.toolsWithoutTasks ?? [];
  return [
    told,
    worth === null ? null : `${worth[0]!.toUpperCase()}${worth.slice(1)}.`,
    missing.length > 0 ? `No task covered ${fewTools(missing)}.` : null,
  ]
    .filter(Boolean)
    .join(' ');
}

/** One line of the status bar, without its icon: "Coach 38/120 · reward 0.71 · 2 min left" */
export function statusBarText(state: RunState, now: number): string {
  const steps = state.manifest?.config.steps ?? 0;
  if (state.phase !== 'training') return `Coach ${phaseText(state, state.step, steps)}`;
  const reward = lastReward(state);
  const left = leftMs(state, now);
  return [
    `Coach ${state.step}/${steps}`,
    reward === null ? null : `reward ${reward.toFixed(2)}`,
    left === null ? null : `${durationText(left)} left`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** "38/120" while it trains, else what it does: "before 40/240" */
function phaseText(state: RunState | null, step: number, steps: number): string {
  const phase = state?.phase ?? null;
  const progress = state?.progress && state.progress.total > 0 ? progressText(state) : '';
  switch (phase) {
    case 'before':
      return `measuring before${progress}`;
    case 'after':
      return `measuring after${progress}`;
    case 'export':
      return 'exporting';
    case 'training':
      return `${step}/${steps}`;
    case null:
      if (state && isRehearsing(state)) return 'rehearsing';
      return state && state.seq >= 0 ? 'starting' : `${step}/${steps}`;
  }
}

/** " 40/240", and what comes behind the last of them */
const progressText = (state: RunState): string =>
  areCountedDone(state) ? ', further tasks' : ` ${state.progress!.done}/${state.progress!.total}`;

function rewardText(state: RunState | null, info: RunInfo): string {
  const reward = state && state.seq >= 0 ? lastReward(state) : info.reward;
  if (reward === null) return '';
  const before = state ? rewardAt(state, state.curve.length - 6) : null;
  const trend = before === null || Math.abs(reward - before) < 0.005 ? '' : reward > before ? ' ▲' : ' ▼';
  return `${reward.toFixed(2)}${trend}`;
}

function lastReward(state: RunState): number | null {
  for (let i = state.curve.length - 1; i >= 0; i--) {
    const reward = rewardAt(state, i);
    if (reward !== null) return reward;
  }
  return null;
}

const rewardAt = (state: RunState, i: number): number | null => state.curve[i]?.metrics['reward'] ?? null;

export const duration = (seconds: number): string => durationText(1000 * seconds);

/** A difference of fractions in points, signed: +31, -2.4 */
export function points(fraction: number): string {
  const value = fraction * 100;
  const digits = Math.abs(value) < 9.95 && value !== 0 ? 1 : 0;
  return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(digits)}`;
}

export const percent = (fraction: number | null): string =>
  fraction === null ? '–' : `${Math.round(fraction * 100)} %`;
