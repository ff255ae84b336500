/** What a run's traces say of each tool. Pure, free of `vscode`. */
import type { QueuedPair } from '../../trainer/protocol/preferenceState';
import type { Task } from '../../trainer/protocol/task';
import type { TraceSummary } from '../../trainer/protocol/trace';

export interface ToolUse {
  /** of the newest measurement: tasks that want this tool, and those of them that were solved */
  tasks: number;
  solved: number;
  calls: number;
  /** calls that ran without an error, whether they were the right ones or not */
  ok: number;
  openPairs: number;
}

/** Names of the tools that a task wants, by the task's id. */
export type Wanted = ReadonlyMap<string, readonly string[]>;

export const wantedBy = (tasks: readonly Task[]): Wanted =>
  new Map(tasks.map(({ id, calls = [] }) => [id, [...new Set(calls.map(({ name }) => name))]]));

/** Calls from the path of each trace ("search → read✗ → answer"), where ✗ marks a call that did not end well. */
export function toolUse(
  traces: readonly TraceSummary[],
  open: readonly QueuedPair[],
  wanted: Wanted,
): Map<string, ToolUse> {
  const uses = new Map<string, ToolUse>();
  const use = (name: string): ToolUse => {
    const known = uses.get(name) ?? { tasks: 0, solved: 0, calls: 0, ok: 0, openPairs: 0 };
    uses.set(name, known);
    return known;
  };
  const all = traces.filter(({ superseded }) => !superseded);
  for (const { path } of all) {
    for (const step of path.split(' → ').slice(0, -1)) {
      // the last one says how it ended
      if (step === '?') continue;
      const known = use(step.replace(/✗$/, ''));
      known.calls++;
      if (!step.endsWith('✗')) known.ok++;
    }
  }
  for (const { taskId, solved } of newestMeasured(all)) {
    if (solved === null) continue;
    for (const name of wanted.get(taskId) ?? []) {
      const known = use(name);
      known.tasks++;
      if (solved) known.solved++;
    }
  }
  for (const { tools } of open) for (const name of tools) use(name).openPairs++;
  return uses;
}

/** After training, else the newest validation, else before training; never what was sampled to learn from. */
function newestMeasured(traces: readonly TraceSummary[]): TraceSummary[] {
  const of = (phase: TraceSummary['phase']): TraceSummary[] => traces.filter((trace) => trace.phase === phase);
  const validation = of('validation');
  const newest = validation.at(-1)?.step;
  return (
    [of('after'), validation.filter(({ step }) => step === newest), of('before')].find((some) => some.length > 0) ?? []
  );
}

/** "41 % of its 94 tasks solved · 128 calls, 94 % ok · 3 pairs to mark": that a call ran is not that it was right */
export function toolUseText({ tasks, solved, calls, ok, openPairs }: ToolUse): string {
  const share = (part: number, of: number): string => `${Math.round((100 * part) / of)} %`;
  return [
    tasks === 0
      ? ''
      : tasks === 1
        ? `its one task ${solved ? 'solved' : 'not solved'}`
        : `${share(solved, tasks)} of its ${tasks} tasks solved`,
    `${calls} ${calls === 1 ? 'call' : 'calls'}${calls === 0 ? '' : `, ${share(ok, calls)} ok`}`,
    openPairs > 0 ? `${openPairs} ${openPairs === 1 ? 'pair' : 'pairs'} to mark` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
