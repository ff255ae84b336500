/** A person's own requests before and after training, from the tries that a run keeps. Pure. */
import { pairedChange, wilson } from '../../trainer/protocol/interval';
import type { Success } from '../../trainer/protocol/messages';
import type { Task } from '../../trainer/protocol/task';
import type { TraceSummary } from '../../trainer/protocol/trace';
import type { TraceIndex } from '../shared/traceIndex';
import { gainChange, type Change } from './noise';

/** Which of a run's checkpoints are compared, as traces name them. after: null where nothing is trained yet. */
export interface Compared {
  before: string;
  after: string | null;
}

/** null: not measured with that checkpoint */
export interface MeasuredRequest {
  request: Task;
  before: TraceSummary | null;
  after: TraceSummary | null;
}

/** The newest try of each request with each of the two. */
export function measuredRequests(
  index: Pick<TraceIndex, 'ofTask'>,
  requests: readonly Task[],
  { before, after }: Compared,
): MeasuredRequest[] {
  return requests.map((request) => {
    const tries = index.ofTask(request.id).filter(({ phase, solved }) => phase === 'try' && solved !== null);
    const by = (checkpoint: string) => tries.filter((trace) => trace.checkpoint === checkpoint).at(-1) ?? null;
    return { request, before: by(before), after: after === null ? null : by(after) };
  });
}

export const isMeasured = ({ before, after }: MeasuredRequest): boolean => before !== null && after !== null;

export interface RequestsGain {
  before: Success;
  after: Success;
  change: Change;
}

/** Over the requests that were measured with both; null: there is none. */
export function requestsGain(measured: readonly MeasuredRequest[]): RequestsGain | null {
  const both = measured.filter(isMeasured);
  if (both.length === 0) return null;
  const [before, after] = [both.map((one) => one.before!.solved!), both.map((one) => one.after!.solved!)];
  return { before: share(before), after: share(after), change: gainChange(pairedChange(before, after), both.length) };
}

function share(solved: readonly boolean[]): Success {
  const k = solved.filter(Boolean).length;
  return { n: solved.length, success: k / solved.length, ci95: wilson(k, solved.length) };
}
