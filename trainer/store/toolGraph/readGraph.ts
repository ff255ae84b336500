/** The graph of a run or a file, by its name. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../protocol/result';
import type { Trace } from '../../protocol/trace';
import { readTextFile } from '../../base/storage';
import { readLog } from '../exchange/otel/importRun';
import { findRun } from '../runs/listRuns';
import { parseTrace } from '../runs/readRun';
import { graphOf, MEASURED, type GraphSource, type ReadGraph } from './graphOf';
import { runTraces } from './runTraces';

/**
 * @param name a run by its id or folder, of which the training traces are taken (all of an imported one), or a file of
 * traces or of other agents' logs
 * @param without requests whose traces are left out, since they are to be measured
 * @throws UserError where no trace is left
 */
export function readGraph(name: string, cwd: string, without: ReadonlySet<string> = new Set()): ReadGraph {
  const path = resolve(cwd, name);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return graphOf(isFile ? fromFile(path) : runTraces(findRun(name, cwd)), without);
}

function fromFile(file: string): GraphSource {
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
