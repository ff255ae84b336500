import type { ToolSchema } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';
import { FIND_TOOLS, foundResult, lookUpResult, queryOf } from './findTools';

/** The tools in the prompt of one episode, where it can change them. */
export interface PromptTools {
  /** as they are now: another array where they are others */
  readonly shown: readonly ToolSchema[];
  /** What Coach itself answers to a call, which may change what is shown; null: it is for the user's tools. */
  answer(name: string, args: Record<string, unknown>, now: number): ToolResult | null;
  /** A tool that is shown was called. */
  used(name: string): void;
  copy(): PromptTools;
}

/**
 * @param before what was shown, the dearest first, and names of those that were called
 * @returns what was found, the best first, and what is shown from then on
 */
export type LookUp = (
  query: string,
  before: { shown: readonly ToolSchema[]; called: ReadonlySet<string> },
) => { found: readonly ToolSchema[]; shown: readonly ToolSchema[] };

/** Of one request: what is looked up takes the place of what was not called. */
export class LookedUp implements PromptTools {
  constructor(
    public shown: readonly ToolSchema[],
    private readonly lookUp: LookUp,
    private readonly called = new Set<string>(),
    /** those that are shown, what was found last first */
    private recent = shown,
  ) {}

  answer(name: string, args: Record<string, unknown>, now: number): ToolResult | null {
    return name === FIND_TOOLS.name ? answerLookUp(args, now, (query) => this.find(query)) : null;
  }

  private find(query: string): readonly ToolSchema[] {
    const { found, shown } = this.lookUp(query, { shown: this.recent, called: this.called });
    this.shown = shown;
    this.recent = [...found, ...this.recent.filter((tool) => shown.includes(tool))];
    return found;
  }

  used(name: string): void {
    this.called.add(name);
  }

  copy(): LookedUp {
    return new LookedUp(this.shown, this.lookUp, new Set(this.called), this.recent);
  }
}

/** A call of `find_tools`, checked, answered with what is found. */
export function answerLookUp(
  args: Record<string, unknown>,
  now: number,
  find: (query: string) => readonly ToolSchema[],
): ToolResult {
  const query = queryOf(args);
  if (query !== null) return lookUpResult('ok', foundResult(find(query)), now);
  const error = 'query: must be a text that says what has to be done';
  return lookUpResult('invalidArguments', JSON.stringify({ error }), now);
}
