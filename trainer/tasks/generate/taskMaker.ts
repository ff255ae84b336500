import type { Task, ToolSchema } from '../../protocol/task';
import { UserError } from '../../protocol/result';
import { DEFAULTS, USUAL } from '../../protocol/settings/defaults';
import { Random } from '../../base/random';
import { countAs, type Tally } from '../../base/tally';
import { CallDraws } from './callDraws';
import { ChainDraws } from './chainDraws';
import { findLinks, type Link } from './chains';
import { turnEvery } from './chainTurns';
import { parameterWords } from './clauses';
import type { Said } from './grammar/say';
import { Harvest } from './harvest';
import { stated } from './grammar/states';
import { KeptTasks, type Draft, type Kind } from './keptTasks';
import { noToolTopics, NO_TOOL_FAMILIES } from './noTool';
import { CHAIN_FAMILIES, ONE_CALL_FAMILIES } from './phrasings';
import { Members, thingOf } from './members';
import { literalFacts } from '../../tools/values/literals';
import { probe } from './probe';
import { replacedBy, toolWithoutTasks, withoutTasksAt, withoutTasksMessage } from './toolWithoutTasks';
import { Wording, type WordingOptions } from './wording';
import {
  conditionOn,
  countStrata,
  newStrataFamilies,
  sayConditional,
  sayForbidden,
  type StrataWording,
} from './strata';
import { toolWords, type ToolWords } from '../../tools/schema/words';
import type { GenerateOptions } from './generateTasks';
import { answerOf } from './draftParts';

/** Of what is to be refused: the rest is about things that the tools know. */
const NO_TOOL_OF_REJECTIONS = 0.5;
/** Of the schemas' own words some are kept: they are the nearest to the tool's name and description. */
const SCHEMA_SHARE = 0.15;
/** Attempts at a task in a turn. */
const ATTEMPTS = 4;
/** After so many attempts in a row that made nothing a subject drops out. */
const MOST_MISSES = 40;
/** With fewer a policy gets the habit to call whatever is said. */
const NO_TOOL_SHARE = 0.12;

export class TaskMaker {
  private readonly random: Random;
  private readonly harvest: Harvest;
  private readonly words = new Map<string, ToolWords>();
  private readonly wording: Wording;
  private readonly newStrata: ReadonlySet<string>;
  private readonly draws: CallDraws;
  /** null: of the tools' results nothing is asked */
  private readonly members: Members | null;
  private readonly dropped: Tally = {};
  private links: Link[] = [];
  private chains!: ChainDraws;
  private topics: string[] = [];
  private readonly kept: KeptTasks;

  constructor(
    private readonly tools: readonly ToolSchema[],
    private readonly options: GenerateOptions,
  ) {
    this.random = Random.fromSeed(`tasks ${options.seed}`);
    const facts = options.values === 'schema' ? [] : literalFacts(tools, options.workspace);
    this.harvest = new Harvest(tools, options.call, { facts, ...options });
    for (const tool of tools) this.words.set(tool.name, toolWords(tool));
    const newFamilies = new Set(
      [ONE_CALL_FAMILIES, CHAIN_FAMILIES, NO_TOOL_FAMILIES].flatMap((families, kind) =>
        this.random
          .fork(`new families ${kind}`)
          .shuffle(families.map(({ name }) => `${KINDS[kind]}:${name}`))
          .slice(0, Math.round(families.length / 4)),
      ),
    );
    this.kept = new KeptTasks(tools, { newFamilies, count: options.count, drop: (reason) => this.drop(reason) });
    const looseShare = this.language === 'grammar' ? (options.looseWording ?? DEFAULTS.looseWording(USUAL)) : 0;
    this.wording = new Wording(tools, this.random, looseShare);
    this.newStrata = newStrataFamilies(this.random);
    this.members = options.values === 'schema' ? null : new Members(tools);
    this.draws = new CallDraws(tools, this.harvest, this.wording, (reason) => this.drop(reason));
  }

  private get language(): 'grammar' | 'schema' {
    return this.options.language ?? 'grammar';
  }

  /** Does the grammar word this one? */
  private isSpoken(random: Random): boolean {
    return this.language === 'grammar' && random.next() >= SCHEMA_SHARE;
  }

  async prepare(): Promise<void> {
    await probe(this.tools, this.harvest, this.random.fork('probe'));
    this.links = await findLinks(this.tools, this.harvest, this.random.fork('links'), (tool, args) =>
      this.draws.fits(tool, args),
    );
    this.chains = new ChainDraws(this.draws, this.harvest, this.wording, (reason) => this.drop(reason), this.links);
    this.topics = noToolTopics(this.tools, this.random.fork('topics'));
  }

  async make(): Promise<Task[]> {
    const tasks: Task[] = [];
    const { count } = this.options;
    const targets = this.targets();
    const { topics } = this;
    const tools = this.tools.filter((tool) => replacedBy(tool, this.tools) === null);
    const links = this.links.filter(({ from, to }) => tools.includes(from) && tools.includes(to));
    const subjects = {
      noTool: topics,
      chain: links,
      conditional: links.filter(({ part }) => part === undefined),
      rejection: tools,
      oneCall: tools,
    };
    for (const kind of ['noTool', 'chain', 'conditional', 'rejection', 'oneCall'] as const) {
      const left = kind === 'oneCall' ? count - tasks.length : targets[kind];
      tasks.push(...(await this.makeKind(kind, subjects[kind], left)));
    }
    const made = new Set(tasks.flatMap((task) => task.calls?.map((call) => call.name) ?? []));
    const without = this.tools
      .filter(({ name }) => !made.has(name))
      .map((tool) => [tool, toolWithoutTasks(tool, this.harvest, this.random.fork(`without ${tool.name}`))] as const);
    if (made.size === 0) {
      const names = this.tools.map((tool) => tool.name).join(', ');
      throw new UserError(
        'task',
        `no task could be made for ${names}: ${without[0]![1].why}`,
        without[0]![1].wayOut ?? 'Give the parameters @example values, or write tasks by hand (*.tasks.jsonl).',
        without.flatMap(([tool, why]) => withoutTasksAt(tool, why, withoutTasksMessage(why)) ?? []),
      );
    }
    for (const [tool, why] of without) this.options.onWithoutTasks?.(tool, why);
    if (this.options.strata) this.options.onMade?.({ made: countStrata(tasks), dropped: this.dropped });
    const width = Math.max(4, String(tasks.length).length);
    return this.random
      .fork('order')
      .shuffle(tasks)
      .map((task, i) => ({ ...task, id: `g${String(i + 1).padStart(width, '0')}` }));
  }

  /** How many of each kind; single calls fill what the others leave. */
  private targets(): Record<Exclude<Kind, 'oneCall'>, number> {
    const { count, strata } = this.options;
    const share = (part: number, needsLinks = true): number =>
      needsLinks && this.links.length === 0 ? 0 : Math.round(part * count);
    return strata
      ? {
          noTool: 0,
          chain: share(strata.sequential / 100),
          conditional: share(strata.conditional / 100),
          rejection: share(strata.rejection / 100, false),
        }
      : { noTool: share(NO_TOOL_SHARE, false), chain: share(0.22), conditional: 0, rejection: 0 };
  }

  /** Counts why a draft is not taken, and is null. */
  private drop(reason: string): null {
    countAs(this.dropped, reason);
    return null;
  }

  /**
   * Round robin over the subjects, so that each tool, link and topic gets its share; one that gives nothing more drops
   * out.
   */
  private async makeKind(kind: Kind, subjects: readonly unknown[], wanted: number): Promise<Task[]> {
    const tasks: Task[] = [];
    const active = subjects.map((subject, i) => ({
      subject,
      random: this.random.fork(`${kind} ${i}`),
      every: kind === 'chain' ? turnEvery(subject as Link, this.links, (name) => this.wording.talk(name)) : 1,
      misses: 0,
    }));
    for (let round = 0; tasks.length < wanted && active.length > 0; round++) {
      for (const one of active.filter(({ every }) => round % every === 0)) {
        if (tasks.length >= wanted) break;
        const task = await this.inTurn(kind, one);
        if (task) tasks.push(task);
        else if (one.misses >= MOST_MISSES) active.splice(active.indexOf(one), 1);
      }
    }
    return tasks;
  }

  /** A few attempts, or a subject whose calls often fail would get fewer tasks than the others; null: none succeeded. */
  private async inTurn(kind: Kind, one: { subject: unknown; random: Random; misses: number }): Promise<Task | null> {
    for (let i = 0; i < ATTEMPTS; i++) {
      const task = await this.attempt(kind, one.subject, one.random);
      one.misses = task ? 0 : one.misses + 1;
      if (task) return task;
    }
    return null;
  }

  private async attempt(kind: Kind, subject: unknown, random: Random): Promise<Task | null> {
    if (kind === 'noTool' && this.isSpoken(random))
      return this.kept.keep(kind, { calls: [] }, this.wording.withoutTool(random));
    if (kind === 'noTool')
      return this.kept.finish(kind, { topic: String(subject), calls: [] }, random, NO_TOOL_FAMILIES, (family) =>
        family.say(String(subject)),
      );
    if (kind === 'chain') return this.chain(subject as Link, random);
    if (kind === 'conditional') return this.conditional(subject as Link, random);
    if (kind === 'rejection') return this.rejection(subject as ToolSchema, random);
    return this.oneCall(subject as ToolSchema, random);
  }

  private async oneCall(tool: ToolSchema, random: Random): Promise<Task | null> {
    const drawn = await this.draws.lookUp(tool, random);
    if (!drawn) return null;
    const calls = [{ name: tool.name, arguments: drawn.args }];
    const draft: Draft = { calls, ...answerOf(drawn), findsNothing: !this.harvest.tells(tool, drawn) };
    if (this.isSpoken(random))
      return this.speak('oneCall', draft, random, (options) =>
        this.wording.call(tool, drawn.args, {
          ...options,
          ...this.draws.saying(tool, drawn, random),
          asked: this.members?.draw(tool, drawn, random),
        }),
      );
    const asked = stated(this.words.get(tool.name)!, drawn.args);
    return this.kept.finish('oneCall', draft, random, ONE_CALL_FAMILIES, (family) => family.say(asked, random));
  }

  private async chain(link: Link, random: Random): Promise<Task | null> {
    const drawn = await this.chains.draw(link, random, this.chains.further(link, random));
    if (!drawn) return null;
    const { first, told, chain, value } = drawn;
    const draft: Draft = { calls: drawn.calls, ...answerOf(drawn.second) };
    if (chain.thing !== undefined || chain.beside || chain.isTwice || this.isSpoken(random))
      return this.speak('chain', draft, random, (options) =>
        this.wording.chain(chain, {
          ...options,
          asked: this.members?.draw(link.to, drawn.second, random, thingOf(first)),
        }),
      );
    const parameter = { words: parameterWords(link.parameter), isFirstOf: chain.isFirstOf };
    return this.kept.finish(
      'chain',
      draft,
      random,
      CHAIN_FAMILIES,
      (family) =>
        family.say(
          { words: this.words.get(link.from.name)!, args: first.args },
          stated(this.words.get(link.to.name)!, told),
          parameter,
          random,
        ),
      value,
    );
  }

  /** A chain whose second call is right only where the first result says what the request wants of it. */
  private async conditional(link: Link, random: Random): Promise<Task | null> {
    const drawn = await this.chains.draw(link, random);
    if (!drawn) return null;
    const condition = conditionOn(link, drawn.first, this.harvest.values(), random);
    if (!condition) return this.drop('whose first result holds nothing to decide by');
    const draft: Draft = condition.holds
      ? { calls: drawn.calls, ...answerOf(drawn.second) }
      : { calls: drawn.calls.slice(0, 1) };
    return this.speak('conditional', draft, random, (options) =>
      sayConditional(drawn.chain, condition, this.strataWording(options)),
    );
  }

  /** What is to be refused: something that no tool here does, or what nobody may say of a thing that the tools know. */
  private async rejection(tool: ToolSchema, random: Random): Promise<Task | null> {
    if (random.next() < NO_TOOL_OF_REJECTIONS)
      return this.kept.keep('rejection', { calls: [] }, this.wording.withoutTool(random));
    const thing = await this.draws.thing(tool, random);
    if (!thing) return null;
    const { talk, parameter, value } = thing;
    return this.speak('rejection', { topic: `${tool.name} ${value}`, calls: [] }, random, (options) =>
      sayForbidden(talk, parameter, value, this.strataWording(options)),
    );
  }

  private strataWording({ isNew, random }: WordingOptions): StrataWording {
    return { random, isAllowed: (name) => this.newStrata.has(name) === isNew };
  }

  /** A request of the grammar; where its content may be held out it may have a new phrasing. */
  private speak(kind: Kind, draft: Draft, random: Random, say: (options: WordingOptions) => Said | null): Task | null {
    const isNew = this.kept.isNew(draft, random);
    return this.kept.keep(kind, draft, say({ isNew, random }), isNew);
  }
}

const KINDS: readonly Kind[] = ['oneCall', 'chain', 'noTool'];
