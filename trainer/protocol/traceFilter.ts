/**
 * What one types to find traces: `rent tool:search reward<0.5 error:timeout step:10-30 is:unmarked`. Words are looked
 * for in the task and in what was done; all
 * conditions must hold for one and the same trace. Pure; the side bar and the panel read the same language.
 */
import type { ToolResultKind, TraceSummary } from './trace';

export const IS = [
  'solved',
  'failed',
  'truncated',
  'scored',
  'unscored',
  'judged',
  'unjudged',
  'marked',
  'unmarked',
] as const;
export type Is = (typeof IS)[number];
export const PHASES = ['train', 'validation', 'before', 'after', 'try'] as const;
/** Written out, since the page has no schemas at run time. */
const KINDS: Record<Exclude<ToolResultKind, 'ok'>, true> = {
  invalidArguments: true,
  unknownTool: true,
  threw: true,
  lateRejection: true,
  timeout: true,
  exited: true,
  hostDied: true,
  outputTooLarge: true,
  notJson: true,
  refused: true,
  unseenValue: true,
};
/** `any`: some call failed, whatever way; `unreadable`: a reply could not be parsed */
export const ERRORS: readonly string[] = ['any', 'unreadable', ...Object.keys(KINDS)];

export interface TraceFilter {
  /** lower case, each must occur */
  words: string[];
  tools: string[];
  errors: string[];
  reward: { operator: '<' | '<=' | '>' | '>=' | '='; value: number }[];
  steps: [from: number, to: number][];
  phases: string[];
  is: Is[];
}

/** What is known of traces beside their summary, by trace id. */
export interface TraceFacts {
  judged: ReadonlySet<string>;
  marked: ReadonlySet<string>;
}
export const noFacts: TraceFacts = { judged: new Set(), marked: new Set() };

export const noFilter: TraceFilter = { words: [], tools: [], errors: [], reward: [], steps: [], phases: [], is: [] };
export const isFiltering = (filter: TraceFilter): boolean =>
  Object.values(filter).some((part: unknown[]) => part.length > 0);
/** Whether more than the words of a group decides. */
export const asksOfTraces = ({ words: _, ...rest }: TraceFilter): boolean =>
  Object.values(rest).some((part: unknown[]) => part.length > 0);

/**
 * Several values of one kind are alternatives (`tool:a tool:b`), but for reward and is. problems: what is not
 * understood, in words; it is looked for as text.
 */
export function parseTraceFilter(text: string): { filter: TraceFilter; problems: string[] } {
  const filter: TraceFilter = { words: [], tools: [], errors: [], reward: [], steps: [], phases: [], is: [] };
  const problems: string[] = [];
  for (const [, quoted, bare] of text.matchAll(/"([^"]*)"?|(\S+)/g)) {
    if (bare === undefined) {
      if (quoted) filter.words.push(quoted.toLowerCase());
      continue;
    }
    const problem = takeTerm(filter, bare);
    if (problem === null) continue;
    problems.push(problem);
    filter.words.push(bare.toLowerCase());
  }
  return { filter, problems };
}

/** @returns what is wrong with it; null: it was taken */
function takeTerm(filter: TraceFilter, term: string): string | null {
  const reward = /^reward(<=|>=|<|>|=|:)(-?\d*\.?\d+)$/i.exec(term);
  if (reward) {
    filter.reward.push({ operator: (reward[1] === ':' ? '=' : reward[1]) as '<', value: Number(reward[2]) });
    return null;
  }
  const [, name = '', value = ''] = /^(tool|error|step|checkpoint|phase|is|reward):(.*)$/i.exec(term) ?? [];
  switch (name.toLowerCase()) {
    case '':
      filter.words.push(term.toLowerCase());
      return null;
    case 'tool':
      if (value === '') return 'tool: needs a name';
      filter.tools.push(value.toLowerCase());
      return null;
    case 'error':
      return oneOf(ERRORS, value, 'error', filter.errors);
    case 'phase':
      return oneOf(PHASES, value, 'phase', filter.phases);
    case 'is':
      return oneOf(IS, value, 'is', filter.is);
    case 'step':
    case 'checkpoint': {
      if (value === 'base') return oneOf(PHASES, 'before', 'phase', filter.phases);
      const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(value) ?? [];
      if (from === undefined) return `${name}: needs a number or a range such as 10-30, got "${value}"`;
      filter.steps.push([Number(from), Number(to ?? from)]);
      return null;
    }
    default:
      return `reward needs a comparison such as reward<0.5, got "${term}"`;
  }
}

function oneOf<T extends string>(known: readonly T[], value: string, name: string, into: string[]): string | null {
  const found = known.find((one) => one.toLowerCase() === value.toLowerCase());
  if (found === undefined) return `${name}: must be one of ${known.join(', ')}, got "${value}"`;
  into.push(found);
  return null;
}

/** All but the words. */
export function matchesTrace(filter: TraceFilter, trace: TraceSummary, { judged, marked }: TraceFacts): boolean {
  if (filter.phases.length > 0 && !filter.phases.includes(trace.phase)) return false;
  if (
    filter.steps.length > 0 &&
    !filter.steps.some(([from, to]) => trace.step >= from && trace.step <= to && trace.phase !== 'before')
  )
    return false;
  if (filter.reward.some(({ operator, value }) => trace.reward === null || !holds(trace.reward, operator, value)))
    return false;
  if (filter.tools.length > 0 && !toolsOf(trace).some((tool) => filter.tools.includes(tool.toLowerCase())))
    return false;
  if (filter.errors.length > 0 && !filter.errors.some((kind) => hasError(trace, kind))) return false;
  return filter.is.every((is) => {
    switch (is) {
      case 'solved':
        return trace.solved === true;
      case 'failed':
        return trace.solved === false;
      case 'truncated':
        return trace.truncated !== 'no';
      case 'scored':
        return trace.reward !== null;
      case 'unscored':
        return trace.reward === null;
      case 'judged':
        return judged.has(trace.id);
      case 'unjudged':
        return !judged.has(trace.id);
      case 'marked':
        return marked.has(trace.id);
      case 'unmarked':
        return !marked.has(trace.id);
    }
  });
}

/** What the words are looked for in. */
export const wordsOf = (trace: TraceSummary): string => `${trace.prompt}\n${trace.taskId}\n${trace.path}`.toLowerCase();

/** The tools that a trace called, as its path tells ("search → read✗ → answer"). */
export const toolsOf = ({ path }: Pick<TraceSummary, 'path'>): string[] =>
  path
    .split(' → ')
    .slice(0, -1)
    .filter((step) => step !== '?')
    .map((step) => step.replace(/✗$/, ''));

/** Runs of before this was recorded know only that a call failed, not how. */
function hasError({ path, errors }: TraceSummary, kind: string): boolean {
  if (kind === 'unreadable') return path.split(' → ').includes('?');
  return kind === 'any'
    ? path.includes('✗') || path.split(' → ').includes('?')
    : (errors ?? []).some((one) => one === kind);
}

function holds(reward: number, operator: TraceFilter['reward'][number]['operator'], value: number): boolean {
  switch (operator) {
    case '<':
      return reward < value;
    case '<=':
      return reward <= value;
    case '>':
      return reward > value;
    case '>=':
      return reward >= value;
    case '=':
      return Math.abs(reward - value) < 0.005; // two digits are shown
  }
}
