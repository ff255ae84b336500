/** What came of the calls that were made: which values of a place told something, were refused, or gave nothing. */
import type { Arguments } from '../../../protocol/arguments';
import type { ToolSchema } from '../../../protocol/task';
import type { Scalar } from '../../../tools/values/facts';
import { leavesOf } from '../../../tools/values/places';
import type { Source } from './sources';

export type Outcome = 'told' | 'empty' | 'failed';

/** Of a place; and of each source how many of its values did. */
export interface Learnt {
  told: Set<Scalar>;
  not: Set<Scalar>;
  empty: Set<Scalar>;
  sources: Map<string, { told: number; not: number }>;
}

/** Argument sets that told something are kept up to so many a tool. */
const MOST_KEPT = 200;

export class Outcomes {
  private readonly learnt = new Map<string, Learnt>();
  /** argument sets that told something, by tool */
  private readonly worked = new Map<string, Arguments[]>();

  /** @param sourcesOf where such a value of a parameter may come from */
  constructor(private readonly sourcesOf: (tool: ToolSchema, path: string) => readonly Source[]) {}

  /** What came of a call. A failure counts against the values that its message names, or against the only one. */
  learn(tool: ToolSchema, args: Arguments, outcome: Outcome, message: string): void {
    const leaves = leavesOf(args);
    if (outcome === 'told') {
      const list = this.workedWith(tool);
      if (list.length < MOST_KEPT) this.worked.set(tool.name, [...list, args]);
    }
    for (const { path, value } of leaves) {
      const isBlamed =
        outcome !== 'told' && (leaves.length === 1 || (outcome === 'failed' && message.includes(String(value))));
      if (outcome === 'told' || isBlamed) this.note(tool, path, value, outcome);
    }
  }

  private note(tool: ToolSchema, path: string, value: Scalar, outcome: Outcome): void {
    // that nothing comes of nothing says nothing of the others
    if (value === '') return;
    const learnt = this.learntOf(tool.name, path);
    const set = outcome === 'told' ? learnt.told : outcome === 'empty' ? learnt.empty : learnt.not;
    if (set.has(value)) return;
    set.add(value);
    if (outcome === 'empty') return;
    for (const { id } of this.sourcesOf(tool, path).filter(({ values }) => values.includes(value))) {
      const counts = learnt.sources.get(id) ?? { told: 0, not: 0 };
      counts[outcome === 'told' ? 'told' : 'not']++;
      learnt.sources.set(id, counts);
    }
  }

  at(tool: string, path: string): Learnt | undefined {
    return this.learnt.get(`${tool} ${path}`);
  }

  /** Were values refused there, or did some give nothing? */
  isPicky(tool: string, path: string): boolean {
    const learnt = this.at(tool, path);
    return learnt !== undefined && learnt.not.size + learnt.empty.size > 0;
  }

  hasWorked(tool: ToolSchema): boolean {
    return this.worked.has(tool.name);
  }

  workedWith(tool: ToolSchema): readonly Arguments[] {
    return this.worked.get(tool.name) ?? [];
  }

  /** Was the value refused, or did it give nothing where others do? */
  isNot(tool: ToolSchema, path: string, value: Scalar): boolean {
    const learnt = this.at(tool.name, path);
    return (
      learnt !== undefined &&
      !learnt.told.has(value) &&
      (learnt.not.has(value) || (learnt.empty.has(value) && this.hasWorked(tool)))
    );
  }

  private learntOf(tool: string, path: string): Learnt {
    let learnt = this.at(tool, path);
    if (!learnt)
      this.learnt.set(
        `${tool} ${path}`,
        (learnt = { told: new Set(), not: new Set(), empty: new Set(), sources: new Map() }),
      );
    return learnt;
  }
}
