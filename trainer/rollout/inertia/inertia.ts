/**
 * Calls without the model, where past traces say what comes next: AutoTool (arXiv:2511.14650) and SIT-Graph
 * (arXiv:2512.07287). The graph learns nothing while episodes run, so that what is measured does not feed it.
 */
import { equalJson, type Arguments } from '../../protocol/arguments';
import {
  RECALL_NAME,
  sourceWords,
  START,
  type Inertial,
  type ToolEdge,
  type ToolGraph,
} from '../../protocol/toolGraph';
import type { Message } from '../../protocol/trace';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import { Known, resultOf, type PastCall } from '../../store/toolGraph/provenance';
import { stateSummary } from '../../store/toolGraph/stateSummary';
import type { Nearness } from '../../tools/retrieval/nearness';
import { argumentValidator } from '../../tools/schema/validateArguments';
import type { AssistantTurn, Outcome } from '../environment/environment';
import type { PolicyTurn } from '../policy/policy';
import {
  autoToolCandidates,
  isAnswer,
  knownArguments,
  nearestSummaries,
  sitCandidates,
  type Candidate,
} from './choices';

export interface InertiaOptions {
  method: Inertial;
  graph: ToolGraph;
  nearness: Nearness;
  /** above it, AutoTool's score (paper's agent: 0.2); from it on, SIT-Graph's normalised weight (ours: 0.8) */
  threshold: number;
  /** AutoTool: weight of the frequency beside nearness; default 0.5 as in the paper, 1 is the control without words */
  alpha?: number | undefined;
}

/** Of AutoTool's thoughts so much at the end is looked at. */
const THOUGHT_CHARACTERS = 50;
/** AutoTool makes no call where of the steps so far, and this one, more than this share are its own. */
const MOST_SHARE = 0.3;
const SUMMARIES = 3;

export class Inertia {
  private readonly validators = new WeakMap<PromptTool, ReturnType<typeof argumentValidator>>();

  constructor(readonly o: InertiaOptions) {}

  /** What goes along with one episode. */
  begin(opening: { messages: readonly Message[]; tools: readonly PromptTool[] }): InertialEpisode {
    return new InertialEpisode(this, opening);
  }

  takes(tool: PromptTool, args: Arguments): boolean {
    const validate = this.validators.get(tool) ?? argumentValidator(tool);
    this.validators.set(tool, validate);
    return validate(args).ok;
  }
}

/** A call that the graph makes. */
interface Step {
  name: string;
  arguments: Arguments;
  score: number;
}

export class InertialEpisode {
  private readonly request: string;
  private readonly calls: PastCall[] = [];
  private readonly known = new Known();
  private thought = '';
  private hasFailed = false;
  /** one entry a turn: whether the graph made it */
  private readonly turns: boolean[] = [];
  /** of the turn under way, where the graph made it */
  private step: Step | null = null;

  constructor(
    private readonly inertia: Inertia,
    private readonly opening: { messages: readonly Message[]; tools: readonly PromptTool[] },
  ) {
    this.request = opening.messages.find(({ role }) => role === 'user')?.content ?? '';
  }

  /** The next turn, where no model is needed for it; null: the policy is asked, as it always is for the first. */
  turn(): PolicyTurn | null {
    if (this.turns.length === 0) return null;
    const { method } = this.inertia.o;
    this.step = method === 'autotool' ? this.autoTool() : this.sitGraph();
    if (!this.step) return null;
    const { name, arguments: args } = this.step;
    return {
      text: '',
      content: '',
      calls: [{ name, arguments: args, id: `${method}-${this.turns.length}` }],
      finishReason: 'stop',
      usage: null,
      policy: method,
    };
  }

  /** What a turn led to, and what the graph adds to it. */
  read(turn: AssistantTurn, outcome: Outcome): Outcome {
    const { results } = outcome.info;
    const made = turn.calls.map(
      ({ name, arguments: args }, i): PastCall => ({
        name,
        arguments: args,
        result: resultOf(results[i]?.content ?? '', results[i]?.kind === 'ok'),
      }),
    );
    for (const call of made) this.known.add(call);
    this.calls.push(...made);
    this.hasFailed = turn.error !== undefined || results.some(({ kind }) => kind !== 'ok');
    if (turn.content.trim() !== '') this.thought = turn.content.trim();
    const { step } = this;
    this.turns.push(step !== null);
    const said = step ? { inertia: { method: this.inertia.o.method, score: step.score } } : {};
    const recalled = outcome.done ? null : this.recalled();
    return {
      ...outcome,
      messages: recalled ? [...outcome.messages, recalled] : outcome.messages,
      info: { ...outcome.info, ...said },
    };
  }

  private get last(): string {
    return this.calls.at(-1)?.name ?? START;
  }

  /** At most one call in a row, a share of all steps, none behind a failure. */
  private autoTool(): Step | null {
    const { turns } = this;
    const share = turns.filter(Boolean).length / (turns.length + 1);
    if (this.calls.length === 0 || turns.at(-1) || share > MOST_SHARE) return null;
    const { graph, nearness, alpha = 0.5, threshold } = this.inertia.o;
    const thought = this.thought.slice(-THOUGHT_CHARACTERS) || this.request;
    const last = this.calls.map(({ name }) => name);
    const [best] = autoToolCandidates(graph, { last, thought, tools: this.opening.tools }, { alpha, nearness });
    return best && best.score > threshold ? this.stepTo(best) : null;
  }

  private sitGraph(): Step | null {
    const { graph, threshold } = this.inertia.o;
    const [best] = sitCandidates(graph, this.last);
    return best && best.score >= threshold ? this.stepTo(best) : null;
  }

  /** Null where the call can't be made: an argument is not known or does not fit, or it was made before (ours). */
  private stepTo(candidate: Candidate): Step | null {
    if (this.hasFailed || isAnswer(candidate)) return null;
    const { graph } = this.inertia.o;
    const tool = this.opening.tools.find(({ name }) => name === candidate.tool);
    const edge = graph.edges.find(({ from, to }) => from === this.last && to === candidate.tool);
    const args = tool && edge ? knownArguments(edge, tool, this.known) : null;
    if (!tool || args === null || !this.inertia.takes(tool, args)) return null;
    const isAgain = this.calls.some((call) => call.name === tool.name && equalJson(call.arguments, args));
    return isAgain ? null : { name: tool.name, arguments: args, score: candidate.score };
  }

  /** SIT-Graph, where no edge is followed: what was done in the nearest states, for the policy to read. */
  private recalled(): Message | null {
    const { method, graph, nearness, threshold } = this.inertia.o;
    if (method !== 'sitgraph' || (sitCandidates(graph, this.last)[0]?.score ?? 1) >= threshold) return null;
    const state = { last: this.last, summary: stateSummary(this.request, this.calls) };
    const found = nearestSummaries(graph, state, nearness, SUMMARIES);
    if (found.length === 0) return null;
    return { role: 'user', name: RECALL_NAME, content: recallText(found) };
  }
}

const recallText = (found: readonly { edge: ToolEdge; text: string }[]): string =>
  ['Earlier episodes went on like this.', ...found.map(({ edge, text }) => `${text}: then ${nextWords(edge)}.`)].join(
    '\n',
  );

/** "trackOrder with order from [0].order of findOrders's result" */
function nextWords({ to, arguments: all }: ToolEdge): string {
  const given = Object.entries(all).map(([name, [source]]) => `${name} from ${source ? sourceWords(source) : '-'}`);
  return given.length > 0 ? `${to} with ${given.join(', ')}` : to;
}
