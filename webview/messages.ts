/**
 * What the panel and the extension host say to each other. Types only; built on trainer/protocol.
 *
 * Order of a life: the page posts `ready` once it listens -> the host answers with one `snapshot` -> from then on
 * `events` (live), `runs`
 * (when the list changes) and `navigate` (a click in a tree). Of a run that it knows the host posts the snapshot before
 * it is asked, and VS Code keeps
 * it until the page has loaded; the first `ready` needs no answer then. A page that got nothing posts `ready` again, as
 * does one that was
 * hidden or reloaded, and gets a fresh snapshot; it never relies on what it was sent before.
 * Each request is answered by the event named beside it, or by `failed` with the same `request` (and `traceId`, where
 * there is one).
 */
import type { LessonPlan } from '../trainer/protocol/flywheel';
import type { RunInfo, RunLabel, RunManifest, TrainerEvent } from '../trainer/protocol/messages';
import type { TrainerError } from '../trainer/protocol/result';
import type { Version } from '../trainer/protocol/play';
import type { ToolPolicy } from '../trainer/protocol/runConfig';
import type { RunState } from '../trainer/protocol/runState';
import type { JudgeVerdict } from '../trainer/protocol/reward';
import type { GoldCall, Task } from '../trainer/protocol/task';
import type { ToolGraph } from '../trainer/protocol/toolGraph';
import type { Trace, TraceSummary } from '../trainer/protocol/trace';
import type { TaskFacts } from './shared/taskFacts';

/** Where the page stands. Small and free of data: it is what getState/setState keep, and what the host may send. */
export type Route =
  | { page: 'run' }
  /** the stages of a run of several methods */
  | { page: 'pipeline' }
  | { page: 'evaluation' }
  | { page: 'tools' }
  /** all runs of the workspace beside each other */
  | { page: 'runs' }
  /**
   * phase, step, taskId: filters, all of them optional; without step and phase: the newest training step; all: every
   * step. The host may send them when a tree item is clicked.
   */
  | {
      page: 'traces';
      phase?: TraceSummary['phase'];
      step?: number;
      taskId?: string;
      all?: boolean;
      /** only those behind a cell of a picture, wherever they are */
      behind?: { title: string; traceIds: string[]; all: number };
    }
  | { page: 'trace'; traceId: string }
  /** the rollouts of one group side by side */
  | { page: 'group'; groupId: string }
  /** any traces side by side, for example one task before and after */
  | { page: 'compare'; traceIds: string[] }
  /** the model, by hand; groupId: the try that is shown */
  | { page: 'try'; groupId?: string }
  /** what the judge said: of one group, or (without) of the whole run, held against people */
  | { page: 'judge'; groupId?: string }
  /** pairs of answers that wait for a person's mark */
  | { page: 'marking' }
  /** what would be learnt from the run's flagged traces */
  | { page: 'lessons' };

/** What is said of the pair shown. */
export type MarkAnswer = 'a' | 'b' | 'tie' | 'bothBad' | 'skip';
export type Letter = 'a' | 'b';

/** A block of a trace: a heading, and the lines below it. turn: index of the policy's turn; null = none of its own */
export interface MarkingStep {
  kind: 'task' | 'system' | 'call' | 'result' | 'answer' | 'unreadable' | 'end' | 'about';
  title: string;
  lines: string[];
  turn: number | null;
}

export interface MarkingTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments */
  parameters: Record<string, unknown>;
}

/** An answer as a person edits it: no ids. */
export interface AnswerDraft {
  content: string;
  calls: { name: string; arguments: Record<string, unknown> }[];
}

/** A pair as the page may know it: nothing of which model, checkpoint or reward stands behind a side. */
export interface MarkingPair {
  id: string;
  prompt: string;
  /** what both have in common before they part, the task left out */
  before: MarkingStep[];
  sides: Record<Letter, { steps: MarkingStep[]; draft: AnswerDraft }>;
  isBlind: boolean;
  tools: MarkingTool[];
}

export interface MarkingState {
  pair: MarkingPair | null;
  /** of this sitting: pairs that wait, the one shown among them, and all of them */
  left: number;
  total: number;
  /** what was said in this window and can be undone, the last one first */
  done: { lineId: string; answer: MarkAnswer | 'rewrite'; prompt: string }[];
  /** reasons that were written about the pair shown */
  reasons: { letter: Letter; turn: number | null; text: string; thumb: 'up' | 'down' | null }[];
  /** why there is no pair, in words */
  none: string | null;
  /** preferences that training would take */
  trainable: number;
}

/** Of one field of a rewritten call, of a call, or (call null) of the whole answer. */
export interface RewriteProblem {
  call: number | null;
  field: string | null;
  message: string;
}

/** A request as a person accepts it; calls: [] = none may be made. */
export type Accepted = Pick<Task, 'prompt' | 'answer'> & { calls: GoldCall[] };

/** The requests that a person keeps to measure the run's tool file on. */
export interface OwnRequests {
  requests: Task[];
  /** requests that the run's tools can't do, in words: they are not measured */
  problems: string[];
  /** what is compared, as traces name it; after: null where nothing is trained yet */
  before: string;
  after: string | null;
  /** to correct an answer by */
  tools: MarkingTool[];
  /** of the last measurement: what the person should know */
  notes: string[];
}

/** How a task ended, for comparing runs. */
export interface Outcome {
  taskId: string;
  prompt: string;
  solved: boolean;
}

/** A pair that people marked; verdict as far as they agree. */
export interface MarkedPair {
  id: string;
  traceIds: [string, string];
  verdict: 'first' | 'second' | 'tie';
}

/** A ranking as a person put it, best = 1. */
export interface Correction {
  traceIds: string[];
  ranks: number[];
  author: string;
  /** ms since epoch */
  t: number;
}

/** A trace file that was opened by itself: there are its traces, and nothing of a run. */
export interface OpenedFile {
  name: string;
  /** lines that are no trace of this version, in words, with their number */
  problems: string[];
  /** more of it is on its way */
  isReading: boolean;
}

/** Panel -> host: imperative. */
export type PanelRequest =
  /**
   * -> snapshot. `runId` = the run that was open when the page was last shown; the host prefers a run that the user
   * just asked for.
   */
  | { type: 'ready'; runId: string | null }
  /** -> snapshot of that run */
  | { type: 'selectRun'; runId: string }
  /** -> traces: all of them. Asked for when the newest are painted. */
  | { type: 'allTraces'; runId: string }
  /** -> comparison; null ends it (no answer) */
  | { type: 'compareWith'; runId: string | null }
  /** -> trace. The summary says where the trace lies. The page asks once per trace, also for each member of a group. */
  | { type: 'openTrace'; runId: string; summary: TraceSummary }
  /** -> judge: every verdict of the run without its words, and the pairs that people marked */
  | { type: 'openJudge'; runId: string }
  /** -> verdicts of that group, whole */
  | { type: 'openVerdicts'; runId: string; groupId: string; traceIds: string[] }
  /** -> verdicts of that group, with the correction; it is appended to .coach/preferences.jsonl with who and when */
  | {
      type: 'correctRanking';
      runId: string;
      taskId: string;
      groupId: string;
      traceIds: string[];
      ranks: number[];
      judge: { model: string; ranks: number[] | null } | null;
    }
  /** -> runs */
  | { type: 'labelRun'; runId: string; label: RunLabel }
  /** Out of the list, with a way back for as long as the message stands. -> runs */
  | { type: 'deleteRun'; runId: string }
  /** -> tasks */
  | { type: 'openTasks'; runId: string }
  /** -> versions */
  | { type: 'openTry'; runId: string }
  /** -> toolGraph */
  | { type: 'openToolGraph'; runId: string }
  /** -> lessons */
  | { type: 'openLessons'; runId: string }
  /** Writes them into the run's folder, and starts a run on them. */
  | { type: 'trainOnLessons'; runId: string }
  /** -> tried; its traces come among the run's events */
  | {
      type: 'try';
      runId: string;
      prompt: string;
      versions: Version[];
      samples: number;
      temperature: number;
      toolPolicy: ToolPolicy | null;
    }
  | { type: 'cancelTry'; runId: string }
  /** -> requests */
  | { type: 'openRequests'; runId: string }
  /** What a person typed, with what they accept as right; it is kept to measure on. -> requests */
  | { type: 'keepRequest'; runId: string; request: Accepted }
  /** Those requests before and after training -> requests; their traces come among the run's events. */
  | { type: 'measureRequests'; runId: string; ids: string[] }
  /** The file of the kept requests, in an editor. */
  | { type: 'openRequestsFile'; runId: string }
  /** The task of a trace once more, with a version that the host asks for -> tried, beside that trace. */
  | { type: 'tryAgain'; runId: string; traceId: string; taskId: string; prompt: string }
  /** The task of a trace before and after training, in the editor's diff. */
  | { type: 'diffTask'; runId: string; traceId: string }
  /** Opens two traces of a task as a pair to be marked. */
  | { type: 'markPair'; runId: string; traceIds: [string, string] }
  /** -> marking, now and whenever it changes; a first pair is opened where there is one */
  | { type: 'openMarking' }
  /** whether the page of marking is there, and whether the keys go to it */
  | { type: 'markingShown'; isShown: boolean; hasFocus: boolean }
  /** -> marking with the next pair; what is not the pair shown any more is not marked */
  | { type: 'mark'; pairId: string; answer: MarkAnswer }
  /** -> marking, with the pair of that line as it was shown */
  | { type: 'undoMark'; lineId: string }
  /** -> rewriteChecked with the same number. isSave: recorded where there is no problem, -> marking with the next pair */
  | { type: 'rewrite'; pairId: string; of: Letter; draft: AnswerDraft; isSave: boolean; number: number }
  /** -> marking */
  | { type: 'addReason'; pairId: string; of: Letter; turn: number; text: string; thumb: 'up' | 'down' | null }
  | { type: 'trainOnPreferences' }
  /** A line of the tool file's *.tasks.jsonl; runId null = of a trace file. */
  | { type: 'makeTask'; runId: string | null; task: Task }
  /** Opens the tool's definition in the editor. */
  | { type: 'revealTool'; runId: string; tool: string }
  /** Graceful: the trainer saves a checkpoint; runStopped follows among the events. */
  | { type: 'stop'; runId: string }
  | { type: 'resume'; runId: string }
  /** Starts the command "Train Agent on These Tools" (from an empty state). */
  | { type: 'train' }
  | { type: 'openAdapterFolder'; runId: string }
  | { type: 'openRunFolder'; runId: string }
  /** Opens the quick pick of export formats. */
  | { type: 'export'; runId: string }
  | { type: 'showLog' }
  /** To the clipboard. `what` names it for the confirmation ("trace id"). */
  | { type: 'copy'; text: string; what: string }
  /** Asks where, then writes. */
  | { type: 'saveFile'; text: string; name: string }
  /** Untitled document in an editor beside the panel: a trace as JSON, a table as CSV. */
  | { type: 'openDocument'; text: string; language: 'json' | 'csv' | 'plaintext' };

/** Host -> panel: past or present. */
export type PanelEvent =
  | {
      type: 'snapshot';
      /** The run shown: null = there is none (yet). `state` is reduceRun over all of its events so far. */
      runId: string | null;
      state: RunState | null;
      /** Newest first. */
      runs: RunInfo[];
      /** Translations by key of webview/shared/strings.ts; a missing key falls back to English. */
      strings: Record<string, string>;
      /** BCP 47, for numbers and dates; vscode.env.language. */
      locale: string;
      /** Why training and resuming are refused (Restricted Mode), in words; null = they are allowed. */
      trainingRefused: string | null;
      /** Where to go now; absent = where the page was. */
      route?: Route;
      /**
       * `state.traces` holds the newest of each phase only: the page asks for `allTraces`, and gets them before any
       * `events`.
       */
      tracesFollow?: true;
      /** Present = the page shows a trace file; runId is its own then, `state` holds nothing but its traces. */
      file?: OpenedFile;
    }
  /** All traces of the snapshot's state, in pieces, in order. */
  | { type: 'traces'; runId: string; traces: TraceSummary[]; isLast: boolean }
  /** More of the file was read. */
  | { type: 'file'; runId: string; file: OpenedFile }
  /** Events of the run shown, in order; others are ignored. Batches are welcome (one message per 50 ms is plenty). */
  | { type: 'events'; runId: string; events: TrainerEvent[] }
  | { type: 'runs'; runs: RunInfo[] }
  | { type: 'navigate'; runId: string; route: Route }
  /**
   * tokenTexts[i] = what token i adds to the text, as decoded by the run's tokenizer; same length as trace.tokens.ids.
   * tokensProblem: why they are ids only
   */
  | { type: 'trace'; runId: string; trace: Trace; tokenTexts: string[]; tokensProblem?: string }
  /** manifest: what that run was made of, for the settings that differ */
  | {
      type: 'comparison';
      runId: string;
      curve: RunState['curve'];
      validation: RunState['validation'];
      manifest?: RunManifest | null;
      /** how its held-out tasks ended at the end; absent: not measured */
      after?: Outcome[];
    }
  /** problems: lines that can't be used, in words. bar: agreement below which to warn, fraction; null = no warning */
  | {
      type: 'judge';
      runId: string;
      verdicts: JudgeVerdict[];
      marks: MarkedPair[];
      problems: string[];
      bar: number | null;
    }
  | { type: 'verdicts'; runId: string; groupId: string; verdicts: JudgeVerdict[]; correction: Correction | null }
  /** what the run's tasks want, without their words; none where the run kept no tasks */
  | { type: 'tasks'; runId: string; tasks: TaskFacts[] }
  /** what can be tried, oldest first; refused: why nothing can at present, in words */
  | { type: 'versions'; runId: string; versions: { version: Version; step: number }[]; refused: string | null }
  /** beside: the trace that was tried again */
  | { type: 'tried'; runId: string; groupId: string; traceIds: string[]; notes: string[]; beside?: string }
  | ({ type: 'requests'; runId: string } & OwnRequests)
  | { type: 'toolGraph'; runId: string; graph: ToolGraph }
  | { type: 'lessons'; runId: string; plan: LessonPlan }
  | { type: 'marking'; marking: MarkingState }
  /** the person asked to rewrite, by the command: the page asks which of the two */
  | { type: 'chooseOriginal' }
  | { type: 'rewriteChecked'; pairId: string; number: number; problems: RewriteProblem[] }
  | { type: 'failed'; request: PanelRequest['type']; traceId?: string; error: TrainerError };
