/** What a tool graph says of the next call: pure functions of the graph and of what an episode did so far. */
import type { Arguments } from '../../protocol/arguments';
import { ANSWER, type ArgumentSource, type ToolEdge, type ToolGraph } from '../../protocol/toolGraph';
import type { Known } from '../../store/toolGraph/provenance';
import type { Nearness } from '../../tools/retrieval/nearness';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';

/** A tool that may come next. */
export interface Candidate {
  tool: string;
  score: number;
}

/** An argument is known where at least so many of its calls had it from one and the same source (ours). */
const KNOWN_SHARE = 0.5;

export interface AutoToolOptions {
  /** weight of the frequency beside nearness (paper: 0.5) */
  alpha: number;
  nearness: Nearness;
}

/**
 * AutoTool's score (arXiv:2511.14650; constants as in its code): alpha x freq + (1 - alpha) x cos, with freq = weight
 * of
 * t / W x (1 - 1.1^-W), W the weight of all that followed the last one or two tools, and cos between "name:
 * description"
 * and the last 50 characters of the last thought, or the request where nothing was thought.
 * Ours: the answer is a candidate as well, which is near to nothing, so that what is done is not gone on with.
 * @returns the best first
 */
export function autoToolCandidates(
  { follows }: Pick<ToolGraph, 'follows'>,
  { last, thought, tools }: { last: readonly string[]; thought: string; tools: readonly PromptTool[] },
  { alpha, nearness }: AutoToolOptions,
): Candidate[] {
  const after = last.slice(-2);
  const matches = follows.filter(
    (follow) => follow.after.length === after.length && follow.after.every((tool, i) => tool === after[i]),
  );
  const all = matches.reduce((sum, { weight }) => sum + weight, 0);
  if (all <= 0) return [];
  return matches
    .filter(({ weight }) => weight > 0)
    .map(({ next, weight }) => {
      const frequency = (weight / all) * (1 - 1.1 ** -all);
      const tool = tools.find(({ name }) => name === next);
      const near = tool ? nearness(`${tool.name}: ${tool.description}`, thought) : 0;
      return { tool: next, score: alpha * frequency + (1 - alpha) * near };
    })
    .sort(bestFirst);
}

/** SIT-Graph's bonus for short episodes; the paper's c is not known (ours). */
const EFFICIENCY = 1;

/**
 * SIT-Graph's weights (arXiv:2512.07287): N + c x sum of 1 / calls of the episode, of episodes not known to fail,
 * normalised over what leads away from the last tool.
 * @returns the best first
 */
export function sitCandidates({ edges }: Pick<ToolGraph, 'edges'>, last: string): Candidate[] {
  const leading = edges.filter(({ from, good }) => from === last && good.count > 0);
  const raw = leading.map(({ to, good }) => ({ tool: to, score: good.count + EFFICIENCY * good.bonus }));
  const all = raw.reduce((sum, { score }) => sum + score, 0);
  return raw.map(({ tool, score }) => ({ tool, score: score / all })).sort(bestFirst);
}

/** The summaries of states in which an edge was taken from here that are nearest to this state, with what came next. */
export function nearestSummaries(
  { edges }: Pick<ToolGraph, 'edges'>,
  { last, summary }: { last: string; summary: string },
  nearness: Nearness,
  most: number,
): { edge: ToolEdge; text: string; near: number }[] {
  return edges
    .filter(({ from }) => from === last)
    .flatMap((edge) => edge.summaries.map(({ text }) => ({ edge, text, near: nearness(text, summary) })))
    .sort((a, b) => b.near - a.near || order(a.edge.to + a.text, b.edge.to + b.text))
    .slice(0, most);
}

/**
 * The arguments of a call, each from where it mostly came from on this edge.
 * @returns null where one is not known: it mostly came from the user's words or from nowhere, or its source is silent
 */
export function knownArguments(edge: ToolEdge, tool: PromptTool, known: Known): Arguments | null {
  const { properties = {}, required = [] } = tool.parameters as { properties?: object; required?: string[] };
  const args: Arguments = {};
  for (const name of Object.keys(properties)) {
    const source = mainSource(edge.arguments[name]);
    if (source === 'none' || (source !== null && source.kind === 'absent')) {
      if (required.includes(name)) return null;
      continue;
    }
    const value = source === null ? undefined : known.valueOf(source);
    if (value === undefined) return null;
    args[name] = value;
  }
  return args;
}

/** 'none': it was never given; null: nothing gives it in most calls. */
function mainSource(sources: readonly ArgumentSource[] | undefined): ArgumentSource | 'none' | null {
  if (!sources?.[0]) return 'none';
  const all = sources.reduce((sum, { count }) => sum + count, 0);
  return sources[0].count >= KNOWN_SHARE * all ? sources[0] : null;
}

export const isAnswer = ({ tool }: Candidate): boolean => tool === ANSWER;

const bestFirst = (a: Candidate, b: Candidate): number => b.score - a.score || order(a.tool, b.tool);
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
