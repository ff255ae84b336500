import type { ToolSchema } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';
import type { Random } from '../../base/random';
import { stableJson, type Arguments } from '../../protocol/arguments';
import type { Fact } from '../../tools/values/facts';
import { parseExample } from './exampleCalls';
import { FoundValues, type Found } from './found';
import { Pool } from './pool/pool';
import { exampleFacts } from './pool/describedFacts';
import { HERE } from '../../base/here';
import { isNotShown } from '../../base/notShown';
import { isPath } from '../../tools/values/fit';
import { leavesOf } from '../../tools/values/places';
import { namedIdLists } from '../../tools/values/namedIds';
import { pathsNamed, textData, wholeText } from '../../tools/values/textData';
import { isTelling, resultFacts, saysFailed } from './pool/results';
import { WrittenDays, type DescribedForm } from './describedForm';
import { aboutWords, type KnownValues } from './drawing';

/** Calls a tool as the run would; the result says whether it was real. */
export type Call = (name: string, args: Arguments) => Promise<ToolResult>;

/** A call that worked, and what it gave. */
export interface Seen {
  args: Arguments;
  value: unknown;
  /** what stands in its text, where it is one; things by their names as a list */
  data?: readonly unknown[];
  isReal: boolean;
}

export interface HarvestOptions {
  /** Values that stand in the user's own files (`literalFacts`). */
  facts?: readonly Fact[];
  /** Whose values other calls are given: also those of results (default), or the schemas' alone. */
  values?: 'found' | 'schema';
  /** Once aborted, every call rejects with its reason. */
  signal?: AbortSignal;
  /** Told once of each tool that used up its time. */
  note?: (message: string, tool: ToolSchema) => void;
  /** What the calls of one tool may take together; then it answers only what it was asked before. Milliseconds. */
  msPerTool?: number;
}

const MS_PER_TOOL = 15_000;
const keyOf = (tool: ToolSchema, args: Arguments): string => `${tool.name} ${stableJson(args)}`;

/**
 * What is known of the tools by calling the read-only ones: results by call (each call is made once), and the values
 * in them.
 */
export class Harvest {
  private readonly results = new Map<string, Promise<Seen | null>>();
  private readonly found = new FoundValues();
  private readonly days = new WrittenDays();
  private readonly searches = new Set<string>();
  private readonly spentMs = new Map<string, number>();
  /** by tool: how many of its calls worked, and how many did not */
  private readonly counts = new Map<string, { worked: number; failed: number }>();
  /** texts that were made up for calls that failed */
  private readonly madeUp = new Set<string>();
  private readonly toolNames: ReadonlySet<string>;
  /** the last failure of each tool, for the note that it has no tasks */
  readonly failures = new Map<string, string>();
  readonly pool: Pool;

  constructor(
    tools: readonly ToolSchema[],
    private readonly call: Call,
    private readonly options: HarvestOptions = {},
  ) {
    this.toolNames = new Set(tools.map(({ name }) => name));
    this.pool = new Pool(tools, [
      ...tools.flatMap((tool) =>
        exampleFacts(
          tool,
          (tool.examples ?? []).flatMap((text) => parseExample(text, tool)),
        ),
      ),
      ...(options.facts ?? []),
    ]);
  }

  private get takesResults(): boolean {
    return this.options.values !== 'schema';
  }

  /**
   * The call's result; null where it failed, or its tool has used up its time. A tool that changes the world is never
   * called: then the value is undefined.
   * @throws the signal's reason once it is aborted
   */
  async run(tool: ToolSchema, args: Arguments): Promise<Seen | null> {
    this.options.signal?.throwIfAborted();
    if (tool.changesWorld) return { args, value: undefined, isReal: false };
    const key = keyOf(tool, args);
    let result = this.results.get(key);
    if (!result && this.isSpent(tool)) return null;
    if (!result) this.results.set(key, (result = this.runOnce(tool, args)));
    return result;
  }

  /**
   * A call of a tool that has used up its time, as if it had been made: where most of its calls worked, this one will.
   * null: it may be made, was made, or might well fail.
   */
  unmade(tool: ToolSchema, args: Arguments): Seen | null {
    const { worked, failed } = this.countOf(tool);
    const isLikely = this.isSpent(tool) && worked > 1 && worked >= 4 * failed;
    return isLikely && !this.results.has(keyOf(tool, args)) ? { args, value: undefined, isReal: false } : null;
  }

  private countOf(tool: ToolSchema): { worked: number; failed: number } {
    const count = this.counts.get(tool.name) ?? { worked: 0, failed: 0 };
    this.counts.set(tool.name, count);
    return count;
  }

  /** Has the tool had as much time as it may have? */
  isSpent(tool: ToolSchema): boolean {
    return (this.spentMs.get(tool.name) ?? 0) > (this.options.msPerTool ?? MS_PER_TOOL);
  }

  /** Did the call give what one would ask for? Something, or, of a tool that never says anything, just no failure. */
  tells(tool: ToolSchema, seen: Seen): boolean {
    return tool.changesWorld || isTelling(seen.value) || (this.countOf(tool).worked > 0 && !this.pool.hasWorked(tool));
  }

  /**
   * Real values for a parameter ('room', 'address.city'): of sources that the tool was seen to take, else of likely
   * ones (@example, literals, results);
   * for a search, words of the tool's own results. `known.together`: values of several parameters that were seen
   * together.
   */
  readonly known: KnownValues = Object.assign(
    (tool: ToolSchema, parameter: string, type: 'string' | 'number'): readonly unknown[] => {
      const values = this.pool.known(tool, parameter, type);
      return values.length === 0 && type === 'string' && this.searches.has(`${tool.name}.${parameter}`)
        ? this.wordsOf(tool)
        : values;
    },
    {
      together: (tool: ToolSchema, random: Random): Arguments | null => this.together(tool, random),
      called: (noun: string): readonly string[] => this.pool.called(noun),
      records: (names: readonly string[]): readonly Arguments[] => this.pool.recordsWith(names),
      areShown: (tool: ToolSchema, parameter: string): boolean => this.pool.areShown(tool, parameter),
      dates: (): DescribedForm | null => this.days.form(this.pool.tools),
      matter: (): readonly string[] => (this.matter ??= this.pool.tools.flatMap(aboutWords)),
    },
  );

  private matter: readonly string[] | null = null;

  private together(tool: ToolSchema, random: Random): Arguments | null {
    if (this.pool.placesOf(tool).length < 2) return null;
    const [worked, seen] = [this.pool.workedWith(tool), this.pool.together(tool)];
    if (worked.length > 0 && (seen.length === 0 || random.next() < 0.7))
      return random.next() < 0.6 ? this.likelyOf(tool, random.pick(worked)) : null;
    return seen.length > 0 && random.next() < 0.6 ? random.pick(seen) : null;
  }

  /** Without texts that a tool took as it takes any ("R102" for a night). */
  private likelyOf(tool: ToolSchema, args: Arguments): Arguments {
    return Object.fromEntries(
      Object.entries(args).filter(
        ([name, value]) => typeof value !== 'string' || this.pool.valuesAt(tool, name).includes(value),
      ),
    );
  }

  /** All values found, in the order in which they were found. */
  values(): readonly Found[] {
    return this.found.all;
  }

  /** Says that a text parameter accepts loose words (a search): words of the tool's own results are then its values. */
  markSearch(tool: ToolSchema, parameter: string): void {
    if (this.takesResults) this.searches.add(`${tool.name}.${parameter}`);
  }

  private async runOnce(tool: ToolSchema, args: Arguments): Promise<Seen | null> {
    const from = performance.now();
    const result = await this.call(tool.name, args);
    this.options.signal?.throwIfAborted();
    this.spend(tool, performance.now() - from);
    const count = this.countOf(tool);
    const fail = (): null => {
      count.failed++;
      this.failures.set(tool.name, result.content.slice(0, 120));
      this.pool.learn(tool, args, 'failed', result.content);
      for (const text of this.madeUpIn(args)) this.madeUp.add(text);
      if (this.takesResults)
        for (const path of pathsNamed(result.content, args))
          for (const fact of resultFacts(tool, {}, path)) this.pool.add(fact);
      return null;
    };
    if (result.kind !== 'ok' || result.isCut) return fail();
    let value: unknown;
    try {
      value = JSON.parse(result.content);
    } catch {
      return fail();
    }
    const isReal = result.policy === 'real';
    if (isReal && saysFailed(value)) return fail();
    count.worked++;
    const data = isReal ? this.takeIn(tool, args, value) : [];
    // what is made up takes any value, which says nothing of it
    if (isReal) this.pool.learn(tool, args, isTelling(value) ? 'told' : 'empty');
    return { args, value, data, isReal };
  }

  /** @returns what stands in it beside the value itself */
  private takeIn(tool: ToolSchema, args: Arguments, value: unknown): unknown[] {
    const isEcho = this.echoesOf(args);
    const said = textData(value, args);
    const data = [...said, ...[value, ...said].flatMap(namedIdLists)];
    for (const one of [value, ...data]) this.found.collect(tool, one, isEcho);
    if (!this.takesResults) return data;
    const whole = wholeText(value) ?? value;
    const listed = (one: unknown): Arguments => (said.length > 1 || Array.isArray(one) ? args : {});
    const facts = [
      ...resultFacts(tool, args, whole),
      ...said.flatMap((one) => resultFacts(tool, {}, one, listed(one))),
    ];
    for (const fact of facts) if (!isEcho(fact.value)) this.pool.add(fact);
    for (const place of this.pool.placesOf(tool))
      if (args[place.path] === HERE && isPath(place))
        this.pool.add({ value: HERE, key: place.path, nouns: [], from: 'result', where: tool.name });
    return data;
  }

  /**
   * Texts that hold what was made up for the call are no news of the tool's, nor are names of tools and what was made
   * up for another call that failed: a log of calls gives it back.
   */
  private echoesOf(args: Arguments): (value: unknown) => boolean {
    const madeUp = this.madeUpIn(args);
    const isOfCall = (text: string): boolean => this.madeUp.has(text) || this.toolNames.has(text) || isNotShown(text);
    return (value) => typeof value === 'string' && (isOfCall(value) || madeUp.some((text) => value.includes(text)));
  }

  private madeUpIn(args: Arguments): string[] {
    return leavesOf(args).flatMap(({ value }) =>
      typeof value === 'string' && value.length > 2 && !this.pool.holds(value) ? [value] : [],
    );
  }

  private spend(tool: ToolSchema, ms: number): void {
    const wasSpent = this.isSpent(tool);
    this.spentMs.set(tool.name, (this.spentMs.get(tool.name) ?? 0) + ms);
    if (!wasSpent && this.isSpent(tool))
      this.options.note?.(
        `${tool.name} is slow: its calls took ${Math.round(this.spentMs.get(tool.name)! / 1000)} s, ` +
          'so no more are made to look for values; requests for it may hold calls that were not tried',
        tool,
      );
  }

  /** Words worth searching for: of four letters or more, from the texts that the tool returned. */
  private wordsOf(tool: ToolSchema): string[] {
    const texts = this.found.all
      .filter((found) => found.tool === tool && typeof found.value === 'string' && /\p{L}{4}/u.test(found.value))
      .map((found) => String(found.value));
    return [...new Set(texts.flatMap((text) => text.match(/\p{L}{4,}/gu) ?? []))];
  }
}
