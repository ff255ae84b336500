/** The next lessons out of a run's traces, or out of a log: what would be taken, and what is written of it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { evenly } from '../../base/evenly';
import type { FlaggedTrace, LessonPlan } from '../../protocol/flywheel';
import type { JudgeVerdict, PreferencePair } from '../../protocol/reward';
import { UserError } from '../../protocol/result';
import type { Split, Task, ToolSchema } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { readLog } from '../../store/exchange/otel/importRun';
import type { Dialogue } from '../../store/dialogues';
import { judgeVerdicts } from '../../store/preferences/openPairs';
import { preferenceState } from '../../store/preferences/store';
import { readTrainingPairs } from '../../store/preferences/trainingPairs';
import { keptRequests } from '../../store/requests';
import { requireManifest, readTaskSplits, readTools, readTrace, traceSummaries } from '../../store/runs/readRun';
import { markedBad, markedGood } from '../useTasks';
import { lowRewardOf, withToldErrors, type Signs } from './flags';
import { lessonsOf } from './lessons';
import { Placing } from './placing';

export interface Taken {
  plan: LessonPlan;
  tasks: Task[];
  pairs: PreferencePair[];
  dialogues: Dialogue[];
}

interface Log {
  from: string;
  isRun: boolean;
  /** absolute; null: nothing says it */
  toolFile: string | null;
  traces: number;
  aside: number;
  rewards: number[];
  /** the traces of one task at a time */
  groups: Iterable<Trace[]>;
  known: Record<Split, Task[]>;
  knownPairs: ReadonlySet<string>;
  tools: ToolSchema[];
  judged: JudgeVerdict[];
}

/** What is to be trained on, where a log does not say it. */
export interface GivenTools {
  /** absolute */
  toolFile: string;
  /** that the right calls of new requests have to fit */
  tools: readonly ToolSchema[];
}

/** The service answers others meanwhile: after so long, they get their turn. */
const SLICE_MS = 20;

/**
 * A run's traces are read a task at a time, and let others go on in between.
 * @param source folder of a run, or a file of traces (OTLP, or messages)
 * @param given absent: the tools that the run was started with
 * @throws UserError where there is no trace in it, none that may be learnt from, or none that is flagged
 */
export async function takeLessons(workspace: string, source: string, given?: GivenTools): Promise<Taken> {
  const log = existsSync(join(source, 'run.json')) ? logOfRun(source) : logOfFile(source);
  if (log.traces === 0)
    throw new UserError(
      'task',
      log.aside > 0
        ? `${source}: all ${log.aside} traces are of evaluations, which are never trained on`
        : `${source}: there is no trace in it`,
      'Give a run that has trained, tries of it, or a log of an agent at work.',
    );
  const { state } = preferenceState(workspace);
  const signs: Signs = {
    judgeVerdicts: log.judged,
    lowReward: lowRewardOf(log.rewards),
    up: markedGood(state),
    down: markedBad(state),
  };
  const toolFile = given?.toolFile ?? log.toolFile;
  const isKept = toolFile === null ? () => false : keptRequests(workspace, toolFile);
  const taken = await sort(
    log,
    new Placing(log.known, log.knownPairs, given?.tools ?? log.tools, signs, isKept),
    signs,
  );
  if (taken.plan.flagged.length > 0) return taken;
  throw new UserError(
    'task',
    `${source}: none of its ${log.traces} traces is flagged: no reward is low, no verdict failed, no call failed, ` +
      'nobody marked one as bad',
    'Mark traces (thumbs, pairs), or name a judge, and try again.',
  );
}

function logOfRun(dir: string): Log {
  const { config, imported } = requireManifest(dir, { readOnly: true });
  const mine = traceSummaries(dir).filter(({ superseded }) => superseded !== true);
  const learnt = mine.filter(({ phase }) => phase === 'train' || phase === 'try');
  const pairs = join(dir, 'pairs.jsonl');
  const told = imported === undefined ? (trace: Trace) => trace : withToldErrors;
  return {
    from: dir,
    isRun: imported === undefined,
    toolFile: imported === undefined ? config.toolFile : null,
    traces: learnt.length,
    aside: mine.length - learnt.length,
    rewards: learnt.flatMap(({ reward }) => reward ?? []),
    groups: mapped(groupsOf(learnt), (group) => group.map((summary) => told(readTrace(dir, summary)))),
    known: readTaskSplits(dir),
    knownPairs: new Set(existsSync(pairs) ? readTrainingPairs(pairs, null).pairs.map(({ pair }) => pair.id) : []),
    tools: readTools(dir),
    judged: judgeVerdicts(dir),
  };
}

function logOfFile(file: string): Log {
  const { traces, tools } = readLog(file);
  return {
    from: file,
    isRun: false,
    toolFile: null,
    traces: traces.length,
    aside: 0,
    rewards: [],
    groups: groupsOf(traces.map(withToldErrors)),
    known: { train: [], validation: [], heldOut: [] },
    knownPairs: new Set(),
    tools,
    judged: [],
  };
}

/** By task, in the order of their first. */
function groupsOf<T extends { taskId: string }>(all: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(each.taskId);
    if (group) group.push(each);
    else groups.set(each.taskId, [each]);
  }
  return [...groups.values()];
}

function* mapped<A, B>(all: Iterable<A>, to: (each: A) => B): Generator<B> {
  for (const each of all) yield to(each);
}

/** Each flagged trace becomes lessons, or is dropped with its reason. */
async function sort(log: Log, placing: Placing, signs: Signs): Promise<Taken> {
  const flagged: FlaggedTrace[] = [];
  let since = performance.now();
  for (const traces of log.groups) {
    if (performance.now() - since > SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
    const lessons = lessonsOf(traces, placing.ownTask(traces[0]!)?.calls ?? null, signs, log.tools);
    flagged.push(...placing.place(lessons));
  }
  const { tasks, pairs } = placing;
  const { demonstration, recovery } = placing.dialogues;
  const lessons = [...demonstration, ...recovery];
  const replay = evenly(placing.replay, Math.min(lessons.length, Math.ceil(placing.replay.length / 2)));
  const plan = {
    from: log.from,
    isRun: log.isRun,
    traces: log.traces,
    aside: log.aside,
    lowReward: signs.lowReward,
    flagged,
    taken: {
      task: tasks.length,
      demonstration: demonstration.length,
      recovery: recovery.length,
      pair: pairs.length,
    },
    replay: replay.length,
  };
  return { plan, tasks, pairs, dialogues: [...lessons, ...replay] };
}
