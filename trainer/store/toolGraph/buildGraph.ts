/** The transition graph of past traces: deterministic, in time linear in the traces. */
import { stableJson } from '../../protocol/arguments';
import {
  ANSWER,
  isInertial,
  RECALL_NAME,
  START,
  type ArgumentSource,
  type ToolEdge,
  type ToolGraph,
} from '../../protocol/toolGraph';
import type { Trace } from '../../protocol/trace';
import { Known, resultOf, type PastCall } from './provenance';
import { stateSummary } from './stateSummary';

/** Of one edge or argument: so many are kept, the most frequent. */
const MOST_SUMMARIES = 12;
const MOST_SOURCES = 6;

type GrowingEdge = Omit<ToolEdge, 'arguments' | 'summaries'> & {
  arguments: Map<string, Map<string, ArgumentSource>>;
  summaries: Map<string, number>;
};

/** One call of an episode, or its answer, with what it follows. */
interface Step {
  name: string;
  call: PastCall | null;
  failed: boolean;
  isInertial: boolean;
  /** of its arguments, by name */
  sources: Map<string, Omit<ArgumentSource, 'count'>>;
  summary: string;
}

export class GraphBuilder {
  private traces = 0;
  private readonly nodes = new Map<string, ToolGraph['nodes'][number]>();
  private readonly edges = new Map<string, GrowingEdge>();
  private readonly follows = new Map<string, ToolGraph['follows'][number]>();

  add(trace: Trace): void {
    const steps = stepsOf(trace);
    const { solved } = trace;
    const judged = { judged: solved === null ? 0 : 1, solved: solved === true ? 1 : 0 };
    const calls = steps.filter(({ call }) => call !== null);
    this.traces++;
    for (const { name, failed } of calls) {
      const node = this.nodes.get(name) ?? { tool: name, calls: 0, failed: 0, judged: 0, solved: 0 };
      this.nodes.set(name, { ...node, calls: node.calls + 1, failed: node.failed + (failed ? 1 : 0) });
    }
    for (const name of new Set(calls.map((step) => step.name))) {
      const node = this.nodes.get(name)!;
      node.judged += judged.judged;
      node.solved += judged.solved;
    }
    steps.forEach((step, i) => {
      const from = steps[i - 1]?.name ?? START;
      this.addEdge(from, step, { ...judged, isGood: solved !== false, calls: calls.length });
      for (const length of [1, 2]) {
        const after = steps.slice(Math.max(0, i - length), i).map(({ name }) => name);
        if (after.length === length) this.addFollow(after, step);
      }
    });
  }

  private addEdge(
    from: string,
    { name, failed, sources, summary }: Step,
    of: { judged: number; solved: number; isGood: boolean; calls: number },
  ): void {
    const key = stableJson([from, name]);
    const edge: GrowingEdge = this.edges.get(key) ?? {
      ...{ from, to: name, count: 0, failed: 0, judged: 0, solved: 0, good: { count: 0, bonus: 0 } },
      arguments: new Map(),
      summaries: new Map(),
    };
    this.edges.set(key, edge);
    edge.count++;
    edge.failed += failed ? 1 : 0;
    edge.judged += of.judged;
    edge.solved += of.solved;
    if (of.isGood) {
      edge.good.count++;
      edge.good.bonus += of.calls > 0 ? 1 / of.calls : 0;
      edge.summaries.set(summary, (edge.summaries.get(summary) ?? 0) + 1);
    }
    for (const [argument, source] of sources) {
      const known = edge.arguments.get(argument) ?? new Map<string, ArgumentSource>();
      edge.arguments.set(argument, known);
      const place = stableJson(source);
      known.set(place, { ...source, count: (known.get(place)?.count ?? 0) + 1 });
    }
  }

  private addFollow(after: string[], { name, failed, isInertial: byGraph }: Step): void {
    const key = stableJson([after, name]);
    const follow = this.follows.get(key) ?? { after, next: name, weight: 0 };
    follow.weight += failed ? (byGraph ? -1 : -0.5) : 1;
    this.follows.set(key, follow);
  }

  graph(): ToolGraph {
    return {
      version: 1,
      traces: this.traces,
      nodes: [...this.nodes.values()].sort((a, b) => order(a.tool, b.tool)),
      edges: [...this.edges.values()]
        .map((edge) => ({ ...edge, arguments: argumentsOf(edge), summaries: summariesOf(edge) }))
        .sort((a, b) => order(a.from, b.from) || order(a.to, b.to)),
      follows: [...this.follows.values()].sort(
        (a, b) => order(a.after.join('\n'), b.after.join('\n')) || order(a.next, b.next),
      ),
    };
  }
}

export function buildGraph(traces: Iterable<Trace>): ToolGraph {
  const builder = new GraphBuilder();
  for (const trace of traces) builder.add(trace);
  return builder.graph();
}

/** By code units, so that it is the same everywhere. */
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Calls in the order in which they were made, those of one turn as it names them, then the answer. */
function stepsOf(trace: Trace): Step[] {
  const steps: Step[] = [];
  const known = new Known();
  const before: PastCall[] = [];
  const said = wordsBeforeTurns(trace);
  const request = said[0] ?? '';
  trace.turns.forEach((turn, n) => {
    const words = said[n] ?? request;
    const summary = stateSummary(request, before);
    const made = turn.calls.map(
      ({ name, arguments: args, result }): PastCall => ({
        name,
        arguments: args,
        result: result === null ? undefined : resultOf(result.content, result.kind === 'ok'),
      }),
    );
    made.forEach((call, i) => {
      const sources = new Map(
        Object.entries(call.arguments).map(([argument, value]) => [argument, known.sourceOf(value, words)]),
      );
      const failed = (turn.calls[i]!.result?.kind ?? 'ok') !== 'ok';
      steps.push({ name: call.name, call, failed, isInertial: isInertial(turn), sources, summary });
    });
    for (const call of made) known.add(call); // what a turn's calls give is read behind all of them
    before.push(...made);
    if (made.length === 0 && turn.parseError === undefined && n === trace.turns.length - 1 && trace.terminated)
      steps.push({ name: ANSWER, call: null, failed: false, isInertial: false, sources: new Map(), summary });
  });
  return steps;
}

/** What users had said before each turn. */
function wordsBeforeTurns({ messages }: Pick<Trace, 'messages'>): string[] {
  const said: string[] = [];
  let words = '';
  for (const { role, content, name } of messages) {
    if (role === 'user' && name !== RECALL_NAME) words = words === '' ? content : `${words}\n${content}`;
    if (role === 'assistant') said.push(words);
  }
  return said.length > 0 ? said : [words];
}

/** Values that came up once are no constants; an argument that was not always given was left out in the rest. */
function argumentsOf({ arguments: all, count }: GrowingEdge): ToolEdge['arguments'] {
  const names = [...all.keys()].sort(order);
  return Object.fromEntries(names.map((name) => [name, sourcesOf([...all.get(name)!.values()], count)]));
}

function sourcesOf(sources: readonly ArgumentSource[], calls: number): ArgumentSource[] {
  const given = total(sources);
  const known = sources.filter(({ kind, count }) => kind !== 'constant' || count > 1);
  const absent = calls > given ? [{ kind: 'absent' as const, count: calls - given }] : [];
  const kept = [...known, ...absent].sort((a, b) => b.count - a.count || order(stableJson(a), stableJson(b)));
  kept.splice(MOST_SOURCES);
  const unknown = calls - total(kept);
  return unknown > 0 ? [...kept, { kind: 'unknown', count: unknown }] : kept;
}

const total = (sources: readonly ArgumentSource[]): number => sources.reduce((sum, { count }) => sum + count, 0);

const summariesOf = ({ summaries }: GrowingEdge): ToolEdge['summaries'] =>
  [...summaries]
    .map(([text, count]) => ({ text, count }))
    .sort((a, b) => b.count - a.count || order(a.text, b.text))
    .slice(0, MOST_SUMMARIES);
