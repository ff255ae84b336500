import type { RunInfo, RunManifest, RunStatus } from './messages';
import type { RunConfig } from './runConfig';

/** How a run came about: by training, or without. */
export const runMethod = ({ config, stages, candidates, imported, evaluated, distilled }: RunManifest): string =>
  stages
    ? stages.map(({ method }) => method).join(' → ')
    : candidates
      ? 'pipeline (auto)'
      : imported
        ? 'imported'
        : evaluated
          ? 'evaluated'
          : distilled
            ? 'distilled'
            : config.method;

/** Whether the policy writes what it is trained on, turn by turn, and rewards score it. */
export const isSampled = ({ method, pairs }: Pick<RunConfig, 'method' | 'pairs'>): boolean =>
  method === 'grpo' || (method === 'dpo' && pairs === undefined);

/** Traces of another agent, of a policy behind a server, or of a teacher: there are no steps. */
export const isTrained = ({ imported, evaluated, distilled }: RunManifest): boolean =>
  imported === undefined && evaluated === undefined && distilled === undefined;

const WITHOUT_STEPS = ['imported', 'evaluated', 'distilled'] as const;
type WithoutSteps = (typeof WITHOUT_STEPS)[number];
/** How a run stands, in one word. */
export type Standing = RunStatus | WithoutSteps;

/** A run without steps was not stopped: it is over. A measurement that told nothing was. */
export function standingOf({ method, measured }: Pick<RunInfo, 'method' | 'measured'>, status: RunStatus): Standing {
  const made = WITHOUT_STEPS.find((one) => one === method);
  if (made === undefined || status !== 'stopped') return status;
  return made === 'evaluated' && !measured ? 'stopped' : made;
}

/** It came to an end before its time, so it can go on; what has no steps can't. */
export const isResumable = ({ method }: Pick<RunInfo, 'method'>, status: RunStatus): boolean =>
  status !== 'running' && status !== 'finished' && !WITHOUT_STEPS.some((one) => one === method);
