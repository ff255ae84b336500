/** Which lessons are taken, beside what was trained on, what is measured on, and what is taken already. */
import type { Dropped, FlaggedTrace, LessonKind } from '../../protocol/flywheel';
import type { PreferencePair } from '../../protocol/reward';
import type { Split, Task, ToolSchema } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import type { Dialogue } from '../../store/dialogues';
import { areLike, grams } from '../check/nearDuplicates';
import { taskOfUse } from '../useTasks';
import type { Signs } from './flags';
import { cameRight, dialogueKey, promptOf, type Flagged, type Lessons } from './lessons';

/** Of a request so many of a kind: the eighth failure at it teaches less than the first at another. */
const PER_REQUEST = 2;

type Outcome = { taken: true } | { taken: false; why: Dropped };
const TAKEN: Outcome = { taken: true };
const not = (why: Dropped): Outcome => ({ taken: false, why });

/** Of one request. */
interface Request {
  /** the task that it is learnt as: one of the run's, or a new one; null: there is none */
  task: Task | null;
  isNew: boolean;
  /** why it does not become a task of its own */
  whyNot: Dropped;
  counts: Record<Exclude<LessonKind, 'task'>, number>;
}

export class Placing {
  readonly tasks: Task[] = [];
  readonly pairs: PreferencePair[] = [];
  readonly dialogues: Record<'demonstration' | 'recovery', Dialogue[]> = { demonstration: [], recovery: [] };
  /** A right trace of each other training task: half of them are learnt beside the lessons, half can judge gates. */
  readonly replay: Dialogue[] = [];
  private readonly own: ReadonlyMap<string, Task>;
  private readonly trained: Requests;
  private readonly measured: Requests;
  private readonly fresh = new Requests([]);
  private readonly seen = new Set<string>();

  /**
   * @param known tasks of the run that the traces are of. @param knownPairs ids of pairs that it was trained on
   * @param isKept whether a person keeps a request to measure on
   */
  constructor(
    known: Readonly<Record<Split, readonly Task[]>>,
    private readonly knownPairs: ReadonlySet<string>,
    private readonly tools: readonly ToolSchema[],
    private readonly signs: Signs,
    private readonly isKept: (prompt: string) => boolean,
  ) {
    this.own = new Map(known.train.map((task) => [task.id, task]));
    this.trained = new Requests(known.train);
    this.measured = new Requests([...known.validation, ...known.heldOut]);
  }

  /** The training task that a trace is of; an id may mean another one elsewhere. */
  ownTask(trace: Trace): Task | undefined {
    const task = this.own.get(trace.taskId);
    return task?.prompt === promptOf(trace) ? task : undefined;
  }

  /** @param lessons of the traces of one task */
  place({ flagged, right }: Lessons): FlaggedTrace[] {
    if (flagged.length === 0) {
      this.takeReplay(right);
      return [];
    }
    const request = this.requestOf(flagged, right);
    const placed = flagged.map((one) => this.placeOne(one, request));
    if (request.counts.demonstration + request.counts.recovery === 0) this.takeReplay(right);
    return placed;
  }

  private takeReplay(right: Trace | null): void {
    const task = right && this.ownTask(right);
    if (!task || this.isKept(task.prompt)) return;
    this.replay.push({ taskId: task.id, prompt: task.prompt, messages: right.messages });
  }

  private requestOf(flagged: readonly Flagged[], right: Trace | null): Request {
    const counts = { demonstration: 0, pair: 0, recovery: 0 };
    const [{ trace }] = flagged as [Flagged];
    const none = (whyNot: Dropped): Request => ({ task: null, isNew: false, whyNot, counts });
    const prompt = promptOf(trace);
    if (this.isKept(prompt)) return none('measuredOn');
    const own = this.ownTask(trace);
    if (own) return { task: own, isNew: false, whyNot: 'trainedOn', counts };
    if (this.measured.has(prompt)) return none('measuredOn');
    if (this.trained.has(prompt)) return none('trainedOn');
    const shown = right ?? flagged.find((one) => cameRight(one.trace, this.signs))?.trace;
    if (shown === undefined) return none('notKnownRight');
    const task = taskOfUse(shown, this.tools, { mayRecover: true });
    if (task === null || prompt.trim() === '') return none('doesNotFit');
    return this.fresh.has(prompt) ? none('double') : { task, isNew: true, whyNot: 'double', counts };
  }

  private placeOne({ trace, flags, pair, demonstration, recovery }: Flagged, request: Request): FlaggedTrace {
    const outcomes: Partial<Record<LessonKind, Outcome>> = {};
    if (request.whyNot !== 'measuredOn') {
      if (demonstration) outcomes.demonstration = this.takeDialogue('demonstration', demonstration, request);
      if (recovery) outcomes.recovery = this.takeDialogue('recovery', recovery, request);
      // where what is right is shown, a pair adds what a person said of it and nothing else (test/bench/flywheel.ts)
      const isShown = request.counts.demonstration > 0 && !flags.includes('thumbsDown');
      if (pair && !isShown) outcomes.pair = this.takePair(pair, request);
    }
    const kinds = (Object.keys(outcomes) as LessonKind[]).filter((kind) => outcomes[kind]!.taken);
    if (this.takeTask(request)) kinds.unshift('task');
    const why = Object.values(outcomes).flatMap((outcome) => (outcome.taken ? [] : [outcome.why]))[0];
    return {
      traceId: trace.id,
      taskId: trace.taskId,
      prompt: promptOf(trace),
      flags,
      kinds,
      dropped: kinds.length > 0 ? null : (why ?? this.whyNone(trace, request)),
    };
  }

  /** A new request becomes a task with its first flagged trace. */
  private takeTask(request: Request): boolean {
    if (!request.isNew || this.fresh.has(request.task!.prompt)) return false;
    this.fresh.add(request.task!.prompt);
    this.tasks.push(request.task!);
    return true;
  }

  private takePair(pair: PreferencePair, { counts }: Request): Outcome {
    if (this.knownPairs.has(pair.id)) return not('trainedOn');
    if (this.seen.has(pair.id)) return not('double');
    if (counts.pair++ >= PER_REQUEST) return not('enough');
    this.seen.add(pair.id);
    this.pairs.push(pair);
    return TAKEN;
  }

  /** Only what its request stands among the tasks for can be learnt from (givenDialogues). */
  private takeDialogue(
    kind: 'demonstration' | 'recovery',
    dialogue: Dialogue,
    { task, whyNot, counts }: Request,
  ): Outcome {
    if (task === null) return not(whyNot);
    const key = `${kind}\n${dialogueKey(dialogue)}`;
    if (this.seen.has(key)) return not('double');
    if (counts[kind]++ >= PER_REQUEST) return not('enough');
    this.seen.add(key);
    this.dialogues[kind].push({ ...dialogue, taskId: task.id });
    return TAKEN;
  }

  private whyNone(trace: Trace, { task, isNew, whyNot }: Request): Dropped {
    if (isNew || task === null) return whyNot;
    return trace.solved === true ? 'trainedOn' : 'noDecision';
  }
}

/** Requests, and whether one is like any of them. */
class Requests {
  private readonly sets: ReadonlySet<string>[] = [];

  constructor(tasks: readonly Task[]) {
    for (const { prompt } of tasks) this.add(prompt);
  }

  add(prompt: string): void {
    this.sets.push(grams(prompt));
  }

  has(prompt: string): boolean {
    const set = grams(prompt);
    return this.sets.some((other) => areLike(set, other));
  }
}
