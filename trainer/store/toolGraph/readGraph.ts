/** The graph of a run's training traces, or of a file of traces. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../protocol/result';
import type { ToolGraph } from '../../protocol/toolGraph';
import type { Trace } from '../../protocol/trace';
import { readTextFile } from '../../base/storage';
import { readLog } from '../exchange/otel/importRun';
import { findRun } from '../runs/listRuns';
import { parseTrace, readTrace, requireManifest, traceSummaries } from '../runs/readRun';
import { GraphBuilder } from './buildGraph';

export interface ReadGraph {
  graph: ToolGraph;
  /** run folder or file */
  from: string;
  /** traces that were not taken: of a measurement, or of a request that is measured now */
  leftOut: { measured: number; sameRequest: number };
}

/** Traces of these are what is measured, never what is learnt from. */
const MEASURED: readonly Trace['phase'][] = ['validation', 'before', 'after'];

/**
 * @param name a run by its id or folder, of which the training traces are taken (all of an imported one), or a file of
 * traces or of other agents' logs
 * @param without requests whose traces are left out, since they are to be measured
 * @throws UserError where no trace is left
 */
export function readGraph(name: string, cwd: string, without: ReadonlySet<string> = new Set()): ReadGraph {
  const path = resolve(cwd, name);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const { from, traces, measured } = isFile ? fromFile(path) : fromRun(findRun(name, cwd));
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

interface Source {
  from: string;
  traces(): Iterable<Trace>;
  measured: number;
}

/** Tries are a person's own requests, which may be measured on: of a run of ours they are left out as well. */
function fromRun(dir: string): Source {
  const isImported = requireManifest(dir, { readOnly: true }).imported !== undefined;
  const all = traceSummaries(dir).filter(({ superseded }) => !superseded);
  const taken = all.filter(({ phase }) => isImported || phase === 'train');
  return {
    from: dir,
    measured: all.length - taken.length,
    *traces() {
      for (const summary of taken) yield readTrace(dir, summary);
    },
  };
}

function fromFile(file: string): Source {
  const lines = readTextFile(file)
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const isTraces = lines.length > 0 && parseTrace(lines[0]!).ok;
  const all = isTraces ? lines.map((line, i) => traceIn(line, `${file}:${i + 1}`)) : readLog(file).traces;
  const taken = all.filter(({ phase }) => !MEASURED.includes(phase));
  return { from: file, traces: () => taken, measured: all.length - taken.length };
}

function traceIn(line: string, where: string): Trace {
  const parsed = parseTrace(line);
  if (!parsed.ok)
    throw new UserError('storage', `${where}: ${parsed.why}`, parsed.isNewer ? 'Update Coach.' : 'Remove the line.');
  return parsed.trace;
}

const requestOf = ({ messages }: Trace): string => messages.find(({ role }) => role === 'user')?.content ?? '';
const requestKey = (request: string): string => request.toLowerCase().replace(/\s+/g, ' ').trim();
