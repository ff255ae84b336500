/** Which few of many tools each request is shown in the place of all, in training, in measuring and in use alike. */
import type { Task, ToolSchema } from '../../protocol/task';
import { FIND_TOOLS, FOUND, foundAtOnce } from './findTools';
import type { Ranked } from './keywordIndex';
import { LookedUp, type LookUp, type PromptTools } from './promptTools';

export interface ShownToolsOptions {
  tools: readonly ToolSchema[];
  /** how many each request is shown: from 1, fewer than there are */
  most: number;
  /** names of those that every request is shown, such as one that ends a conversation; they count among `most` */
  always?: readonly string[] | undefined;
  /** @returns tools that a request is about, the best first; it may be fewer, or none */
  find(request: string, most: number): readonly Pick<Ranked, 'name'>[];
  /** `find_tools` stands beside them, and does not count among `most` */
  looksUp?: boolean;
}

/** Which tools a policy is shown. */
export interface ShowsTools {
  /** at the beginning of an episode */
  of(task: Pick<Task, 'prompt' | 'calls'>): readonly ToolSchema[];
  /** and on its way, where the episode can change them; absent or null: the same */
  begin?: ((task: Pick<Task, 'prompt'>) => PromptTools) | null;
}

/** So many sets are kept; one that comes back after as many others is another array, with another grammar. */
const MOST_SETS = 512;

/**
 * A set is an array of its own that comes back with it, in the order of all tools, so that a prompt is written once
 * and a grammar is made once. All sets are of one size: where too few tools were found, the first of the others fill
 * the room, so that how many there are says nothing of a request.
 */
export class ShownTools implements ShowsTools {
  readonly most: number;
  readonly begin: ShowsTools['begin'];
  private readonly tools: readonly ToolSchema[];
  private readonly places: ReadonlyMap<string, number>;
  private readonly always: readonly number[];
  private readonly found = new Map<string, readonly number[]>();
  private readonly sets = new Map<string, readonly ToolSchema[]>();

  constructor(private readonly o: ShownToolsOptions) {
    const own = o.looksUp ? [FIND_TOOLS] : [];
    this.most = o.most + own.length;
    this.tools = [...own, ...o.tools];
    this.places = new Map(this.tools.map(({ name }, place) => [name, place]));
    this.always = this.placesOf([...own.map(({ name }) => name), ...(o.always ?? [])]);
    this.begin = o.looksUp ? (task) => new LookedUp(this.of(task), (...asked) => this.lookUp(...asked)) : null;
  }

  /** As in use: what was found by the words of the request alone. */
  readonly of = ({ prompt }: Pick<Task, 'prompt'>): readonly ToolSchema[] => this.filled(this.always, prompt);

  /**
   * As in training: gold tools that were not found stand in the place of the last of the others, since a call that
   * can't be said teaches nothing (retrieval itself is not learnt). A set that has no room for all of them is larger.
   */
  readonly withGold = ({ prompt, calls = [] }: Pick<Task, 'prompt' | 'calls'>): readonly ToolSchema[] =>
    this.filled([...this.always, ...this.placesOf(calls.map(({ name }) => name))], prompt);

  /** As in training: with gold tools, or where they can be looked up without, since that is to be learnt. */
  get training(): ShowsTools {
    return this.begin ? this : { of: this.withGold };
  }

  /** The shortest and the longest set that there may be, by what a prompt says of them. */
  get shortest(): readonly ToolSchema[] {
    return longestTools(this.tools, this.most, (tool) => -lengthOf(tool));
  }
  get longest(): readonly ToolSchema[] {
    return longestTools(this.tools, this.most, lengthOf);
  }

  /** Further ones than those that are shown; they take the place of what was neither called nor is always shown. */
  private lookUp(query: string, { shown, called }: Parameters<LookUp>[1]): ReturnType<LookUp> {
    const before = this.placesOf(shown.map(({ name }) => name));
    const found = this.placesOf(this.o.find(query, this.most + FOUND).map(({ name }) => name))
      .filter((place) => !before.includes(place))
      .slice(0, foundAtOnce(this.most - this.always.length));
    const wanted = before.filter((place) => called.has(this.tools[place]!.name));
    const taken = new Set([...this.always, ...found]);
    for (const place of [...wanted, ...before]) if (taken.size < this.most) taken.add(place);
    return { found: found.map((place) => this.tools[place]!), shown: this.setOf(inOrder(taken)) };
  }

  private placesOf(names: readonly string[]): number[] {
    return names.flatMap((name) => this.places.get(name) ?? []);
  }

  private filled(first: readonly number[], prompt: string): readonly ToolSchema[] {
    const taken = new Set(first);
    for (const place of this.foundFor(prompt)) if (taken.size < this.most) taken.add(place);
    for (let place = 0; taken.size < this.most; place++) taken.add(place);
    return this.setOf(inOrder(taken));
  }

  private foundFor(prompt: string): readonly number[] {
    const known = this.found.get(prompt);
    if (known) return known;
    const found = this.placesOf(this.o.find(prompt, this.most).map(({ name }) => name));
    this.found.set(prompt, found);
    return found;
  }

  private setOf(places: readonly number[]): readonly ToolSchema[] {
    const key = places.join();
    const set = this.sets.get(key) ?? places.map((place) => this.tools[place]!);
    this.sets.delete(key); // the newest is the last
    this.sets.set(key, set);
    if (this.sets.size > MOST_SETS) this.sets.delete(this.sets.keys().next().value!);
    return set;
  }
}

const inOrder = (places: Iterable<number>): number[] => [...places].sort((a, b) => a - b);

/** So many tools of the greatest length, in their own order: what there has to be room for. */
export function longestTools(
  tools: readonly ToolSchema[],
  count: number,
  length: (tool: ToolSchema) => number,
): ToolSchema[] {
  if (count >= tools.length) return [...tools];
  const taken = new Set(
    tools
      .map((tool) => ({ tool, length: length(tool) }))
      .sort((a, b) => b.length - a.length)
      .slice(0, count)
      .map(({ tool }) => tool),
  );
  return tools.filter((tool) => taken.has(tool));
}

const lengthOf = ({ name, description, parameters }: ToolSchema): number =>
  name.length + description.length + JSON.stringify(parameters).length;
