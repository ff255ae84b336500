/**
 * What each parameter may be given: values that stand in the schema, in the user's own files, and in what the read-only
 * tools returned. Which of them a tool takes is learnt from the calls that were made. Same tools, same results, same
 * order: same pool.
 */
import { isMockOnly, type ToolSchema } from '../../../protocol/task';
import type { Arguments } from '../../../protocol/arguments';
import type { KnownValues } from '../drawing';
import { wordsOf, type Fact, type Scalar, type SeenRecord, isItsName } from '../../../tools/values/facts';
import { fitOf, inForm, isNoPath, LIKELY } from '../../../tools/values/fit';
import { knownAs, membersOf, namesOf, type KnownAs, type LookUp } from './names';
import { placesOf, suits, type ParameterPlace } from '../../../tools/values/places';
import { describedFacts } from './describedFacts';
import { Outcomes, type Outcome } from './outcomes';
import { seenTogether } from './together';
import { inWords, isOwnNumber, isWorkedOut, sourceOf, type Source } from './sources';

const MOST_FACTS = 12_000;
const MANY_FACTS = 300;
const MOST_VALUES = 200;
const MANY_REFUSED = 6;
/** What means the same in all tools of a set; a type or a status does not. */
const SHARED = /^(category|department|topic|relation|relationship)$/;

/** A literal for a tool that is never run: one of the parameter's own name. */
const CERTAIN = 0.86;

export class Pool {
  private readonly facts: Fact[] = [];
  private readonly factKeys = new Set<string>();
  /** places whose own description shows values */
  private readonly described = new Set<string>();
  private readonly values = new Set<unknown>();
  private readonly places = new Map<string, ParameterPlace[]>();
  private readonly outcomes = new Outcomes((tool, path) => {
    const place = this.place(tool, path);
    return place ? this.sourcesOf(place) : [];
  });
  private readonly cache = new Map<string, { of: number; sources: Source[] }>();

  constructor(
    readonly tools: readonly ToolSchema[],
    facts: readonly Fact[] = [],
  ) {
    for (const tool of tools) this.places.set(tool.name, placesOf(tool));
    for (const fact of facts) this.add(fact);
    for (const tool of tools) for (const fact of describedFacts(tool, this.placesOf(tool))) this.add(fact);
  }

  get size(): number {
    return this.facts.length;
  }

  placesOf(tool: ToolSchema): readonly ParameterPlace[] {
    return this.places.get(tool.name) ?? [];
  }

  place(tool: ToolSchema, path: string): ParameterPlace | undefined {
    return this.placesOf(tool).find((place) => place.path === path);
  }

  add(fact: Fact): void {
    if (typeof fact.value === 'number' ? isWorkedOut(fact.value) : isItsName(fact.key, fact.value)) return;
    const record = fact.record ? JSON.stringify(fact.record.members) : '';
    const key = `${sourceOf(fact)} ${JSON.stringify(fact.value)} ${record}`;
    if (this.factKeys.has(key) || this.facts.length >= MOST_FACTS) return;
    this.factKeys.add(key);
    this.facts.push(fact);
    if (fact.from === 'description') this.described.add(fact.where);
    this.values.add(fact.value);
  }

  /** Was the value seen anywhere? */
  holds(value: unknown): boolean {
    return this.values.has(value);
  }

  /** All records in which things were seen together. */
  records(): readonly SeenRecord[] {
    return this.once('records', () => [...new Set(this.facts.flatMap(({ record }) => (record ? [record] : [])))]);
  }

  /** Of the records that have all of these members: these, each once. */
  recordsWith(names: readonly string[]): Arguments[] {
    return this.once(`members ${names.join()}`, () => membersOf(this.records(), names));
  }

  /** Names of things of a kind. */
  called(noun: string): string[] {
    return this.once(`names ${noun}`, () => namesOf(noun, this.facts));
  }

  /** Worked out once for the facts that are known. */
  private once<T>(key: string, work: () => T): T {
    const kept = this.kept.get(key);
    if (kept?.of === this.facts.length) return kept.value as T;
    const value = work();
    this.kept.set(key, { of: this.facts.length, value });
    return value;
  }
  private readonly kept = new Map<string, { of: number; value: unknown }>();

  /** What people know a thing by, best first. [] where it was seen in no record. */
  knownAs(value: unknown): KnownAs[] {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    return this.once(`known as ${typeof value} ${value}`, () => knownAs(this.records(), value));
  }

  /** Look-ups that `findLookUps` really ran. */
  setLookUps(lookUps: readonly (LookUp & { values: Scalar[] })[]): void {
    this.found = lookUps;
  }
  private found: readonly (LookUp & { values: Scalar[] })[] = [];

  /**
   * Read-only calls, really run, that take a name and give the value that the parameter takes; never calls of the tool
   * itself.
   */
  lookUps(tool: ToolSchema, path: string, value: unknown): LookUp[] {
    if (!this.place(tool, path)) return [];
    return this.found
      .filter(({ call, values }) => call.name !== tool.name && values.includes(value as Scalar))
      .map(({ call, said, key }) => ({ call, said, key }));
  }

  /** What came of a call. A failure counts against the values that its message names, or against the only one. */
  learn(tool: ToolSchema, args: Arguments, outcome: Outcome, message = ''): void {
    this.outcomes.learn(tool, args, outcome, message);
  }

  hasWorked(tool: ToolSchema): boolean {
    return this.outcomes.hasWorked(tool);
  }

  workedWith(tool: ToolSchema): readonly Arguments[] {
    return this.outcomes.workedWith(tool);
  }

  /** Where values for a place come from, the likeliest first: what was seen to work, then by fit. */
  sourcesOf(place: ParameterPlace): Source[] {
    const key = `${place.tool.name}.${place.path}`;
    const cached = this.cache.get(key);
    if (cached && this.isFresh(cached.of)) return cached.sources;
    const byId = new Map<string, Source>();
    for (const fact of this.facts) {
      if (fact.from === 'example' && fact.where !== key) continue;
      if (fact.from === 'description' && fact.where !== key && !this.isShownFor(fact, place)) continue;
      const value = inForm(fact, place);
      if (!suits(value, place.schema) || isOwnNumber(fact, place) || isNoPath(value, place)) continue;
      const isShown = fact.from === 'example' || fact.from === 'description';
      const id = sourceOf(fact);
      let source = byId.get(id);
      if (!source)
        byId.set(
          id,
          (source = {
            id,
            values: [],
            fit: !isShown ? fitOf(fact, place) : fact.where === key ? 1 : LIKELY,
            where: fact.where,
            from: fact.from,
          }),
        );
      if (source.values.length < MOST_VALUES && !source.values.includes(value)) source.values.push(value);
    }
    const sources = [...byId.values()].sort((a, b) => b.fit - a.fit);
    this.cache.set(key, { of: this.facts.length, sources });
    return sources;
  }

  /**
   * Values for a place: those of sources that were seen to work, else of the likeliest sources. [] where nothing is
   * likely.
   */
  readonly known: KnownValues = (tool, path, type) =>
    this.valuesAt(tool, path).filter((value) => typeof value === type);

  valuesAt(tool: ToolSchema, path: string): Scalar[] {
    const place = this.place(tool, path);
    if (!place) return [];
    const chosen = this.chosen(place);
    const told = this.outcomes.at(tool.name, path)?.told;
    return [
      ...new Set(
        chosen.flatMap(({ source, onlyTold }) =>
          source.values.filter((value) => (onlyTold ? told?.has(value) : !this.isNot(tool, path, value))),
        ),
      ),
    ];
  }

  /** What was worked out from so many facts holds until there are some more; of few, each counts. */
  private isFresh(of: number): boolean {
    return of === this.facts.length || (of > MANY_FACTS && this.facts.length < 1.1 * of);
  }

  /** Does only a description show values, and were hardly any others refused? Then there are more of their shape. */
  areShown(tool: ToolSchema, path: string): boolean {
    const place = this.place(tool, path);
    const chosen = place ? this.chosen(place) : [];
    const learnt = this.outcomes.at(tool.name, path);
    const refused = learnt ? learnt.not.size + learnt.empty.size : 0;
    return chosen.length > 0 && chosen.every(({ source }) => source.from === 'description') && refused < MANY_REFUSED;
  }

  /** "category: like Catering, Decoration" in one tool is so in the others whose category says nothing. */
  private isShownFor(fact: Fact, { tool, path }: ParameterPlace): boolean {
    const where = `${tool.name}.${path}`;
    return (
      fact.key === path.split('.').at(-1) && SHARED.test(wordsOf(fact.key).at(-1) ?? '') && !this.described.has(where)
    );
  }

  /** In words: what the values of a parameter come from; '' where they are made up. */
  origin(tool: ToolSchema, path: string): string {
    const place = this.place(tool, path);
    const wheres = place ? [...new Set(this.chosen(place).map(({ source }) => inWords(source)))] : [];
    return wheres.slice(0, 3).join(', ');
  }

  /** Sources that a place is filled from. */
  private chosen(place: ParameterPlace): { source: Source; onlyTold: boolean }[] {
    const sources = this.sourcesOf(place);
    const learnt = this.outcomes.at(place.tool.name, place.path);
    // Where every value was taken, that one of some other name was taken says nothing.
    const isPicky = this.outcomes.isPicky(place.tool.name, place.path);
    const proven = sources.flatMap((source) => {
      const counts = source.fit >= LIKELY || isPicky ? learnt?.sources.get(source.id) : undefined;
      return counts && counts.told > 0 ? [{ source, onlyTold: counts.told < counts.not }] : [];
    });
    if (proven.length > 0) {
      // Of what a description shows ("e.g. T-90311") there are more where such things stand.
      const stored = proven.filter(({ source: { from } }) => from !== 'description' && from !== 'example');
      const best = Math.max(...(stored.length > 0 ? stored : proven).map(({ source }) => source.fit));
      // An accident of another list is left out where the right one works as well.
      return proven.filter(({ source }) => source.fit >= Math.min(best, 0.8) - 0.2);
    }
    const byOthers = this.provenElsewhere(place);
    // of what never runs nothing says whether a word of the code was meant
    const least = (from: Fact['from']): number => (isMockOnly(place.tool) && from === 'literal' ? CERTAIN : LIKELY);
    const likely = sources
      .filter((source) => source.fit >= least(source.from) || byOthers.has(source.id))
      .map((source) => ({ source, score: source.fit + (byOthers.has(source.id) ? 0.5 : 0) }));
    const best = Math.max(...likely.map(({ score }) => score));
    return likely.filter(({ score }) => score >= best - 0.15).map(({ source }) => ({ source, onlyTold: false }));
  }

  /** Sources that a parameter of the same name, or one that the description names, is known to take in another tool. */
  private provenElsewhere(place: ParameterPlace): Set<string> {
    const out = new Set<string>();
    for (const [name, places] of this.places) {
      for (const other of places) {
        if (other === place) continue;
        const words = other.words.join(' ');
        const isSame =
          words === place.words.join(' ') &&
          (name === place.tool.name ||
            !GENERIC_NAMES.has(words) ||
            other.context.some((word) => place.context.includes(word)));
        const isNamed = !GENERIC_NAMES.has(words) && other.words.every((word) => place.described.includes(word));
        if (!isSame && !isNamed) continue;
        if (!this.outcomes.isPicky(name, other.path)) continue;
        for (const [id, counts] of this.outcomes.at(name, other.path)!.sources)
          if (counts.told > counts.not / 2) out.add(id);
      }
    }
    return out;
  }

  /** Was the value refused, or did it give nothing where others do? */
  isNot(tool: ToolSchema, path: string, value: Scalar): boolean {
    return this.outcomes.isNot(tool, path, value);
  }

  /**
   * Sources for a place while it is explored: likely ones, those of like parameters, and last whatever is of the type.
   */
  toTry(place: ParameterPlace): { likely: Source[]; rest: Source[] } {
    const elsewhere = this.provenElsewhere(place);
    const [likely, rest]: [Source[], Source[]] = [[], []];
    for (const source of this.sourcesOf(place))
      (source.fit >= LIKELY || elsewhere.has(source.id) ? likely : rest).push(source);
    return { likely, rest };
  }

  /** Values of several parameters that were seen together: for exploring and drawing. */
  together(tool: ToolSchema): Arguments[] {
    const known = this.togetherOf.get(tool.name);
    if (known && this.isFresh(known.of)) return known.sets;
    const places = this.placesOf(tool).filter(
      ({ path, schema }) => !path.includes('.') && !('enum' in schema) && !('const' in schema),
    );
    const sets = seenTogether(this.facts, places, MOST_VALUES);
    this.togetherOf.set(tool.name, { of: this.facts.length, sets });
    return sets;
  }
  private readonly togetherOf = new Map<string, { of: number; sets: Arguments[] }>();
}

const GENERIC_NAMES = new Set('id name title key code number value type text date kind from to ref'.split(' '));
