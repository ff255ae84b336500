/** The tools in the prompt of a long conversation, added and removed on its way: MemTool (arXiv:2507.21428). */
import type { ToolSchema } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';
import { FIND_TOOLS, FOUND, lookUpResult } from './findTools';
import type { Ranked } from './keywordIndex';
import { answerLookUp, type PromptTools } from './promptTools';

/**
 * Who adds and removes: fixed steps around the agent, which removes and adds by retrieval at each request (workflow);
 * the same removal, and the agent adds by `find_tools` (hybrid); the agent alone, by `find_tools` and `remove_tool`
 * (autonomous).
 */
export const MEMORY_MODES = ['workflow', 'hybrid', 'autonomous'] as const;
export type MemoryMode = (typeof MEMORY_MODES)[number];

export interface ToolMemoryOptions {
  tools: readonly ToolSchema[];
  mode: MemoryMode;
  /** so many of the tools stand in the prompt at most, those by which the agent adds and removes aside */
  bar: number;
  find(request: string, most: number): readonly Pick<Ranked, 'name'>[];
}

/** What came of one request. */
export interface MemoryChange {
  added: number;
  removed: number;
  /** of the user's tools, when the request was over */
  held: number;
}

const REMOVE = 'remove_tool';
const removeTool = (held: readonly ToolSchema[]): ToolSchema => ({
  ...FIND_TOOLS,
  name: REMOVE,
  description: 'Remove a tool that is no longer needed.',
  parameters: {
    type: 'object',
    properties: { name: { enum: held.map(({ name }) => name), description: 'of the tool' } },
    required: ['name'],
    additionalProperties: false,
  },
});

/** One conversation's. At each request `ask` comes first. */
export class ToolMemory implements PromptTools {
  /** of each request so far */
  readonly changes: MemoryChange[] = [];
  /** the one that was of use last is the last */
  private held: ToolSchema[] = [];
  private isChanged = true;
  private set: readonly ToolSchema[] = [];
  private readonly byName: ReadonlyMap<string, ToolSchema>;

  constructor(private readonly o: ToolMemoryOptions) {
    this.byName = new Map(o.tools.map((tool) => [tool.name, tool]));
  }

  get shown(): readonly ToolSchema[] {
    if (this.isChanged) this.set = this.asShown();
    this.isChanged = false;
    return this.set;
  }

  /** A request begins: what it is not about is removed and what it is about is added, as far as the mode has it. */
  ask(request: string): void {
    this.changes.push({ added: 0, removed: 0, held: this.held.length });
    if (this.o.mode === 'autonomous') return;
    const found = this.find(request, this.o.bar);
    for (const tool of [...this.held]) if (!found.includes(tool)) this.remove(tool);
    if (this.o.mode === 'workflow') this.add(found.slice(0, FOUND));
  }

  answer(name: string, args: Record<string, unknown>, now: number): ToolResult | null {
    if (this.o.mode === 'workflow') return null;
    if (name === FIND_TOOLS.name) return this.lookUp(args, now);
    return name === REMOVE && this.o.mode === 'autonomous' ? this.removeByName(args['name'], now) : null;
  }

  used(name: string): void {
    const tool = this.held.find((one) => one.name === name);
    if (tool) this.held = [...this.held.filter((one) => one !== tool), tool];
  }

  copy(): ToolMemory {
    const other = new ToolMemory(this.o);
    other.held = [...this.held];
    other.changes.push(...this.changes.map((change) => ({ ...change })));
    return other;
  }

  private lookUp(args: Record<string, unknown>, now: number): ToolResult {
    const { mode, bar } = this.o;
    if (mode === 'autonomous' && this.held.length >= bar) {
      const error = `${bar} tools are loaded, and no more may be: ${REMOVE} first`;
      return lookUpResult('refused', JSON.stringify({ error }), now);
    }
    return answerLookUp(args, now, (query) => {
      const found = this.find(query, bar + FOUND)
        .filter((tool) => !this.held.includes(tool))
        .slice(0, mode === 'autonomous' ? Math.min(FOUND, bar - this.held.length) : FOUND);
      this.add(found);
      return found;
    });
  }

  private removeByName(name: unknown, now: number): ToolResult {
    const tool = this.held.find((one) => one.name === name);
    if (tool) this.remove(tool);
    return tool
      ? lookUpResult('ok', '"removed"', now)
      : lookUpResult('invalidArguments', JSON.stringify({ error: 'name: must be one of the tools shown' }), now);
  }

  private find(request: string, most: number): ToolSchema[] {
    return this.o.find(request, most).flatMap(({ name }) => this.byName.get(name) ?? []);
  }

  /** The best first, which are held longest; where there is no room, those that were of use longest ago go. */
  private add(tools: readonly ToolSchema[]): void {
    for (const tool of tools.slice(0, this.o.bar).reverse()) {
      if (this.held.includes(tool)) {
        this.used(tool.name);
        continue;
      }
      if (this.held.length >= this.o.bar) this.remove(this.held[0]!);
      this.held.push(tool);
      this.change({ added: 1, removed: 0 });
    }
  }

  private remove(tool: ToolSchema): void {
    this.held = this.held.filter((one) => one !== tool);
    this.change({ added: 0, removed: 1 });
  }

  private change({ added, removed }: Omit<MemoryChange, 'held'>): void {
    const now = this.changes.at(-1);
    if (now) [now.added, now.removed, now.held] = [now.added + added, now.removed + removed, this.held.length];
    this.isChanged = true;
  }

  /** In the order of all tools, as a prompt has them elsewhere. */
  private asShown(): readonly ToolSchema[] {
    const held = this.o.tools.filter((tool) => this.held.includes(tool));
    if (this.o.mode === 'workflow') return held;
    return [FIND_TOOLS, ...(this.o.mode === 'autonomous' && held.length > 0 ? [removeTool(held)] : []), ...held];
  }
}

/**
 * Removed of what was added, over windows of three requests, averaged over those in which something was added; null:
 * in none. What MemTool calls its removal ratio; the definition is ours.
 */
export function removalRatio(changes: readonly MemoryChange[]): number | null {
  const WINDOW = 3;
  const ratios = changes.flatMap((_, i) => {
    const window = changes.slice(Math.max(0, i - WINDOW + 1), i + 1);
    const added = window.reduce((sum, one) => sum + one.added, 0);
    return added === 0 ? [] : [Math.min(1, window.reduce((sum, one) => sum + one.removed, 0) / added)];
  });
  return ratios.length === 0 ? null : ratios.reduce((a, b) => a + b, 0) / ratios.length;
}
