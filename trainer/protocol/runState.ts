import type { RunManifest, RunResult, RunStatus, Metrics, Success, TrainerEvent } from './messages';
import { assertNever, type TrainerError } from './result';
import type { NoteCode, NoteLevel } from './note';
import type { Rehearsal } from './rehearsal';
import type { StageState } from './stages';
import type { TraceSummary } from './trace';

/** Everything a view needs to know of one run: the fold of its events. */
export interface RunState {
  manifest: RunManifest | null;
  status: RunStatus;
  phase: 'before' | 'training' | 'after' | 'export' | null;
  progress: { done: number; total: number } | null;
  step: number;
  /** one entry per finished step, in order; a resume drops the steps that are repeated */
  curve: { step: number; t: number; metrics: Metrics }[];
  validation: { step: number; result: Success }[];
  evaluations: { which: 'before' | 'after'; name: string; result: Success; solved?: boolean[] | undefined }[];
  traces: TraceSummary[];
  /** code: absent where an earlier Coach told it */
  notes: { level: NoteLevel; code?: NoteCode | undefined; message: string }[];
  /** what a few tasks showed before step 1; null: there was none */
  rehearsal: Rehearsal | null;
  /** of a pipeline, why the rehearsal chose its stages; empty: it did not */
  stageReasons: string[];
  /** of a pipeline, those that were begun */
  stages: StageState[];
  checkpointStep: number | null;
  result: RunResult | null;
  error: TrainerError | null;
  startedAt: number | null;
  lastEventAt: number | null;
  seq: number;
}

export const emptyRun: RunState = {
  manifest: null,
  status: 'running',
  phase: null,
  progress: null,
  step: 0,
  curve: [],
  validation: [],
  evaluations: [],
  traces: [],
  notes: [],
  rehearsal: null,
  stageReasons: [],
  stages: [],
  checkpointStep: null,
  result: null,
  error: null,
  startedAt: null,
  lastEventAt: null,
  seq: -1,
};

/** The one fold, for status bar, trees, panel and replay. Pure; an event already folded (seq) changes nothing. */
export function reduceRun(state: RunState, event: TrainerEvent): RunState {
  if (event.seq <= state.seq) return state;
  const s = { ...state, seq: event.seq, lastEventAt: event.t };
  switch (event.type) {
    case 'runStarted':
      return { ...s, manifest: event.manifest, startedAt: event.t, status: 'running' };
    case 'runResumed':
      return {
        ...s,
        status: 'running',
        error: null,
        result: null,
        progress: null,
        step: event.fromStep,
        curve: s.curve.filter((p) => p.step <= event.fromStep),
        validation: s.validation.filter((p) => p.step <= event.fromStep),
        evaluations: s.evaluations.filter((e) => e.which === 'before' && event.fromStep > 0),
        traces: s.traces.map((t) => (isRepeated(t, event.fromStep) ? { ...t, superseded: true } : t)),
      };
    case 'noted':
      return { ...s, notes: [...s.notes, { level: event.level, code: event.code, message: event.message }] };
    case 'phaseStarted':
      return { ...s, phase: event.phase, progress: { done: 0, total: event.total } };
    case 'stagesChosen': {
      const { stages, reasons } = event;
      return { ...s, manifest: s.manifest && { ...s.manifest, stages }, stageReasons: reasons };
    }
    case 'stageStarted': {
      const { method, steps, fromStep } = event;
      return { ...s, stages: [...s.stages.slice(0, event.index), { method, steps, fromStep, result: null }] };
    }
    case 'stageFinished':
      return { ...s, stages: s.stages.map((one, i) => (i === event.index ? { ...one, result: event.result } : one)) };
    case 'rehearsed':
      return { ...s, rehearsal: event.report };
    case 'progressed':
      return { ...s, progress: { done: event.done, total: event.total } };
    case 'traceRecorded':
      return { ...s, traces: [...s.traces, event.trace] };
    case 'stepFinished':
      return { ...s, step: event.step, curve: [...s.curve, { step: event.step, t: event.t, metrics: event.metrics }] };
    case 'validated':
      return { ...s, validation: [...s.validation, { step: event.step, result: event.result }] };
    case 'evaluated':
      return {
        ...s,
        evaluations: [
          ...s.evaluations.filter((e) => e.which !== event.which || e.name !== event.name),
          { which: event.which, name: event.name, result: event.result, ...(event.solved && { solved: event.solved }) },
        ],
      };
    case 'checkpointSaved':
      return { ...s, checkpointStep: event.step };
    case 'runFinished':
      return { ...s, status: 'finished', phase: null, progress: null, result: event.result };
    case 'runStopped':
      return { ...s, status: 'stopped', phase: null, progress: null };
    case 'runFailed':
      return { ...s, status: 'failed', phase: null, progress: null, error: event.error };
    default:
      return assertNever(event);
  }
}

/**
 * Whether a resume records the trace again: the measurement after always, the one before only where no checkpoint came
 * after it.
 */
function isRepeated({ phase, step }: TraceSummary, fromStep: number): boolean {
  if (phase === 'try') return false; // by hand, of a checkpoint that is still what it was
  if (phase === 'after' || fromStep === 0) return true;
  return phase !== 'before' && step > fromStep;
}

/** Before step 1 a few tasks show what the run can learn: nothing is counted yet, and it takes seconds. */
export const isRehearsing = ({ manifest, status, phase, rehearsal, seq }: RunState): boolean =>
  status === 'running' &&
  phase === null &&
  rehearsal === null &&
  seq >= 0 &&
  manifest !== null &&
  manifest.config.rehearsal !== false;

/** The tasks that are counted are done; those that may be forgotten are still measured. */
export const areCountedDone = ({ progress }: Pick<RunState, 'progress'>): boolean =>
  progress !== null && progress.total > 0 && progress.done >= progress.total;
