/**
 * What the page asks for about a run when it needs it, and keeps until another run is shown: what its judge said, and
 * what can be tried of it.
 */
import type { TrainerError } from '../../trainer/protocol/result';
import type { LessonPlan } from '../../trainer/protocol/flywheel';
import type { JudgeVerdict } from '../../trainer/protocol/reward';
import type { ToolGraph } from '../../trainer/protocol/toolGraph';
import type { Version } from '../../trainer/protocol/play';
import type { Group } from '../shared/traceIndex';
import type { Correction, MarkedPair, MarkingState, OwnRequests, PanelEvent, PanelRequest, Route } from '../messages';

/** Verdicts of one group; 'asked' while they are on their way. */
export type Verdicts = 'asked' | { verdicts: JudgeVerdict[]; correction: Correction | null };
export interface Judged {
  verdicts: JudgeVerdict[];
  marks: MarkedPair[];
  problems: string[];
  bar: number | null;
}
/** What can be tried of the run; null on its way. */
export interface Tries {
  versions: { version: Version; step: number }[];
  refused: string | null;
}

type Post = (request: PanelRequest) => void;
type Event<Type extends PanelEvent['type']> = Extract<PanelEvent, { type: Type }>;

/** A question about the run shown, asked once for each place that the run has come to. */
class Question {
  private askedAt = '';

  constructor(
    private readonly post: Post,
    private readonly type: 'openJudge' | 'openTry' | 'openRequests' | 'openLessons' | 'openToolGraph',
  ) {}

  reset(): void {
    this.askedAt = '';
  }

  ask(runId: string | null, at: string): void {
    const key = `${runId} ${at}`;
    if (runId === null || key === this.askedAt) return;
    this.askedAt = key;
    this.post({ type: this.type, runId });
  }
}

/** What the judge of the run shown said. */
export class Judging {
  judged: Judged | null = null;
  private readonly question: Question;
  private readonly verdicts = new Map<string, Verdicts>();

  constructor(private readonly post: Post) {
    this.question = new Question(post, 'openJudge');
  }

  reset(): void {
    this.verdicts.clear();
    this.judged = null;
    this.question.reset();
  }

  /** Of the whole run; asked for again as the run goes on. null = on its way. @param at how far the run is */
  overview(runId: string | null, at: string): Judged | null {
    this.question.ask(runId, at);
    return this.judged;
  }

  /** Of a group, whole; asked for once. */
  ofGroup(runId: string | null, { groupId, traces }: Group): Verdicts {
    const known = this.verdicts.get(groupId);
    if (known) return known;
    this.verdicts.set(groupId, 'asked');
    if (runId !== null) this.post({ type: 'openVerdicts', runId, groupId, traceIds: traces.map((t) => t.id) });
    return 'asked';
  }

  takeOverview({ verdicts, marks, problems, bar }: Event<'judge'>): void {
    this.judged = { verdicts, marks, problems, bar };
  }

  takeGroup({ groupId, verdicts, correction }: Event<'verdicts'>): void {
    this.verdicts.set(groupId, { verdicts, correction });
  }

  /** What is on its way does not come. */
  failed(request: PanelRequest['type']): void {
    if (request === 'openVerdicts')
      for (const [id, known] of this.verdicts)
        if (known === 'asked') this.verdicts.set(id, { verdicts: [], correction: null });
    if (request === 'openJudge') this.judged ??= { verdicts: [], marks: [], problems: [], bar: null };
  }
}

/** What would be learnt from the flagged traces of the run shown. */
export class Learning {
  plan: LessonPlan | null = null;
  /** why there is none */
  problem: TrainerError | null = null;
  private readonly question: Question;

  constructor(post: Post) {
    this.question = new Question(post, 'openLessons');
  }

  reset(): void {
    this.plan = this.problem = null;
    this.question.reset();
  }

  /** Asked for again as the run goes on, and when it is opened anew. @param at how far the run is */
  lessons(runId: string | null, at: string): { plan: LessonPlan | null; problem: TrainerError | null } {
    this.question.ask(runId, at);
    return { plan: this.plan, problem: this.problem };
  }

  take({ plan }: Event<'lessons'>): void {
    [this.plan, this.problem] = [plan, null];
  }

  failed(request: PanelRequest['type'], error: TrainerError): void {
    if (request === 'openLessons') [this.plan, this.problem] = [null, error];
  }
}

/** Which tool followed which in the training traces of the run shown. */
export class GraphAsked {
  graph: ToolGraph | null = null;
  /** why there is none */
  problem: TrainerError | null = null;
  private readonly question: Question;

  constructor(post: Post) {
    this.question = new Question(post, 'openToolGraph');
  }

  reset(): void {
    this.graph = this.problem = null;
    this.question.reset();
  }

  /** Asked for again when the run has ended: reading all of its traces takes a while. @param status of the run */
  ask(runId: string | null, status: string): Pick<GraphAsked, 'graph' | 'problem'> {
    this.question.ask(runId, status);
    return this;
  }

  take({ graph }: Event<'toolGraph'>): void {
    [this.graph, this.problem] = [graph, null];
  }

  failed(request: PanelRequest['type'], error: TrainerError): void {
    if (request === 'openToolGraph') [this.graph, this.problem] = [null, error];
  }
}

/** What can be tried of the run shown, and the try that is under way. */
export class Trying {
  /** asked for when the page Try is opened */
  tries: Tries | null = null;
  isTrying = false;
  notes: string[] = [];
  private readonly question: Question;

  constructor(private readonly post: Post) {
    this.question = new Question(post, 'openTry');
  }

  reset(): void {
    this.tries = null;
    this.question.reset();
    this.isTrying = false;
    this.notes = [];
  }

  /** Asked for again when the run goes on or ends. null = on its way. @param at how far the run is */
  versions(runId: string | null, at: string): Tries | null {
    this.question.ask(runId, at);
    return this.tries;
  }

  start(request: Extract<PanelRequest, { type: 'try' }>): void {
    this.isTrying = true;
    this.notes = [];
    this.post(request);
  }

  takeVersions({ versions, refused }: Event<'versions'>): void {
    this.tries = { versions, refused };
  }

  /** @returns the page that shows what was tried; null: there is nothing to show */
  taken({ notes, beside, traceIds, groupId }: Event<'tried'>): Route | null {
    this.isTrying = false;
    this.notes = notes;
    if (traceIds.length === 0) return null;
    return beside === undefined ? { page: 'try', groupId } : { page: 'compare', traceIds: [beside, ...traceIds] };
  }

  failed(request: PanelRequest['type'], error: TrainerError): void {
    if (request === 'try') this.isTrying = false;
    if (request === 'openTry') this.tries ??= { versions: [], refused: error.message };
  }
}

/** The requests that a person keeps to measure the run shown on. */
export class RequestsAsked {
  /** null = on its way, or not to be had */
  known: OwnRequests | null = null;
  isMeasuring = false;
  private readonly question: Question;

  constructor(private readonly post: Post) {
    this.question = new Question(post, 'openRequests');
  }

  reset(): void {
    this.known = null;
    this.isMeasuring = false;
    this.question.reset();
  }

  /** Asked for again when the run goes on or ends: another checkpoint is compared then. @param at how far the run is */
  ask(runId: string | null, at: string): OwnRequests | null {
    this.question.ask(runId, at);
    return this.known;
  }

  measure(runId: string, ids: string[]): void {
    this.isMeasuring = true;
    this.post({ type: 'measureRequests', runId, ids });
  }

  take({ type: _, runId: __, ...known }: Event<'requests'>): void {
    this.known = known;
    this.isMeasuring = false;
  }

  failed(request: PanelRequest['type']): void {
    if (request === 'measureRequests') this.isMeasuring = false;
  }
}

/** The pair that waits for a mark, as the host has it. */
export class MarkingAsked {
  /** null = on its way */
  state: MarkingState | null = null;
  /** how often the host had the page ask which of the two is to be rewritten */
  asked = 0;
  checked: Event<'rewriteChecked'> | null = null;

  take(event: Event<'marking' | 'chooseOriginal' | 'rewriteChecked'>): void {
    if (event.type === 'marking') this.state = event.marking;
    else if (event.type === 'chooseOriginal') this.asked++;
    else this.checked = event;
  }
}
