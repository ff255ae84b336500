/**
 * Does *Train on These Preferences* teach a taste and nothing else? 40 pairs that prefer one of two equally correct
 * styles of calling: a search with its
 * limit spelled out (the schema's default) over the same search without. DPO on them; then, on held-out tasks whose
 * gold search names no limit, how many
 * searches spell it out, and how many tasks of the whole held-out set are solved, before and after, paired, with 95 %
 * intervals. One line of JSON.
 *
 * Run: npm run bench style, or node --import tsx test/bench/style.ts [arguments of coach train, such as --seed 1 or
 * --start-from RUN]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pairedGain } from '../../trainer/evaluation/statistics';
import { contentKey } from '../../trainer/tasks/taskset';
import type { Task } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { readTaskSplits, readTrace, traceSummaries } from '../../trainer/store/runs/readRun';
import { processor, round } from './measured';

const ROOT = resolve(__dirname, '../..');
const TOOLS = join(ROOT, 'examples/email/tools.ts');
const PAIRS = 40;

/** A task whose gold is one search that leaves its limit to the schema. */
const isPlainSearch = (task: Task): boolean =>
  task.calls?.length === 1 && task.calls[0]!.name === 'searchEmails' && !('limit' in task.calls[0]!.arguments);

function pairOf({ id, prompt, calls }: Task): object {
  const answer = (args: object): object[] => [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call', type: 'function', function: { name: 'searchEmails', arguments: args } }],
    },
  ];
  const args = calls![0]!.arguments;
  return {
    id,
    prompt: [{ role: 'user', content: prompt }],
    chosen: answer({ ...args, limit: 5 }),
    rejected: answer(args),
    source: 'style',
  };
}

/** A coach command; its last line as JSON. */
function coach(args: string[]): unknown {
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'trainer/cli.ts', ...args, '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`style: coach ${args.join(' ')} ended with ${status}`);
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

/** The traces of an evaluation by task. */
function tracesOf(run: string, phase: 'before' | 'after'): Map<string, Trace> {
  return new Map(
    traceSummaries(run)
      .filter((trace) => trace.phase === phase)
      .map((summary) => [summary.taskId, readTrace(run, summary)]),
  );
}

function spellsItOut(trace: Trace): boolean {
  const searches = trace.turns.flatMap(({ calls }) => calls).filter(({ name }) => name === 'searchEmails');
  return searches.length > 0 && searches.every(({ arguments: args }) => 'limit' in args);
}

/** @param holds what a trace shows, on each of the tasks before and after */
function rate(
  tasks: readonly Task[],
  evaluations: readonly Map<string, Trace>[],
  holds: (trace: Trace) => boolean,
): object {
  const [before, after] = evaluations.map((traces) => tasks.map(({ id }) => holds(traces.get(id)!)));
  const share = (list: boolean[]): number => round(list.filter(Boolean).length / list.length);
  const { mean, ci95 } = pairedGain(
    before!,
    after!,
    tasks.map((task) => contentKey(task)),
  );
  return {
    n: tasks.length,
    before: share(before!),
    after: share(after!),
    gain: round(mean),
    ci95: ci95.map((x) => round(x)),
  };
}

function main(args: string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'coach-style-'));
  try {
    const { tasks, splits } = coach(['tasks', TOOLS]) as { tasks: Task[]; splits: { train: string[] } };
    const train = new Set(splits.train);
    const run = join(folder, 'run');
    const pairs = join(folder, 'pairs.jsonl');
    writeFileSync(
      pairs,
      tasks
        .filter((task) => train.has(task.id) && isPlainSearch(task))
        .slice(0, PAIRS)
        .map((task) => `${JSON.stringify(pairOf(task))}\n`)
        .join(''),
    );
    coach(['train', TOOLS, '--method', 'dpo', '--pairs', pairs, '--steps', '24', '--run-dir', run, ...args]);
    const { heldOut } = readTaskSplits(run);
    const plain = heldOut.filter(isPlainSearch);
    const evaluations = [tracesOf(run, 'before'), tracesOf(run, 'after')];
    const isSolved = (trace: Trace): boolean => trace.solved === true;
    console.log(
      JSON.stringify({
        bench: 'style',
        pairs: PAIRS,
        spellsItOut: rate(plain, evaluations, spellsItOut),
        solved: rate(heldOut, evaluations, isSolved),
        solvedPlainSearches: rate(plain, evaluations, isSolved),
        arguments: args,
        processor: processor(),
        node: process.version,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main(process.argv.slice(2));
