import { UserError } from '../../protocol/result';
import type { ToolGraph } from '../../protocol/toolGraph';
import type { Trace } from '../../protocol/trace';
import { GraphBuilder } from './buildGraph';

export interface ReadGraph {
  graph: ToolGraph;
  /** run folder or file */
  from: string;
  /** traces that were not taken: of a measurement, or of a request that is measured now */
  leftOut: { measured: number; sameRequest: number };
}

/** Traces of these are what is measured, never what is learnt from. */
export const MEASURED: readonly Trace['phase'][] = ['validation', 'before', 'after'];

export interface GraphSource {
  from: string;
  traces(): Iterable<Trace>;
  /** traces of it that are none to learn from */
  measured: number;
}

/**
 * @param without requests whose traces are left out, since they are to be measured
 * @throws UserError where no trace is left
 */
export function graphOf({ from, traces, measured }: GraphSource, without: ReadonlySet<string> = new Set()): ReadGraph {
  const builder = new GraphBuilder();
  const keys = new Set([...without].map(requestKey));
  let [taken, sameRequest] = [0, 0];
  for (const trace of traces()) {
    if (keys.has(requestKey(requestOf(trace)))) sameRequest++;
    else {
      builder.add(trace);
      taken++;
    }
  }
  if (taken === 0)
    throw new UserError(
      'config',
      `${from}: no training trace to make a tool graph of` +
        (sameRequest > 0 ? ` (${sameRequest} are of the requests that are measured)` : '') +
        (measured > 0 ? ` (${measured} were recorded while measuring)` : ''),
      'Give a run that was trained by GRPO, an imported run, or a file of traces.',
    );
  return { graph: builder.graph(), from, leftOut: { measured, sameRequest } };
}

const requestOf = ({ messages }: Trace): string => messages.find(({ role }) => role === 'user')?.content ?? '';
const requestKey = (request: string): string => request.toLowerCase().replace(/\s+/g, ' ').trim();
