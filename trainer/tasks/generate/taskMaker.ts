import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { ajvPattern } from '../../base/boundedPattern';
import type { Task, ToolSchema } from '../../protocol/task';
import { UserError } from '../../protocol/result';
import { DEFAULTS } from '../../protocol/settings/defaults';
import { Random } from '../../base/random';
import { equalJson, type Arguments } from '../../protocol/arguments';
import { findLinks, pickLinked, type Link } from './chains';
import { parameterWords } from './clauses';
import type { ChainDraft } from './grammar/chain';
import type { Said } from './grammar/say';
import type { Role } from './grammar/toolTalk';
import { Harvest, type Seen } from './harvest';
import { noToolTopics, NO_TOOL_FAMILIES } from './noTool';
import { CHAIN_FAMILIES, ONE_CALL_FAMILIES } from './phrasings';
import { literalFacts } from '../../tools/values/literals';
import { probe } from './probe';
import { toolWithoutTasks, withoutTasksAt, withoutTasksMessage } from './toolWithoutTasks';
import { contentKey, HELD_OUT_ZONE, hashOf, NEW_PHRASING } from '../taskset';
import { drawArguments } from './values';
import { Wording, type WordingOptions } from './wording';
import { toolWords, wordCount, type ToolWords } from '../../tools/schema/words';
import type { GenerateOptions } from './generateTasks';
import { answerOf, inParameterOrder, isOneOf, isSaid } from './draftParts';

type Kind = 'oneCall' | 'chain' | 'noTool';
/** A task but for its words; `topic`: what one without calls is about. */
interface Draft {
  topic?: string;
  calls: { name: string; arguments: Arguments }[];
  answer?: string;
}

const MAX_WORDS = 30;
/** Of the schemas' own words some are kept: they are the nearest to the tool's name and description. */
const SCHEMA_SHARE = 0.15;
/** "The first of them" is seldom asked for: people know which one they mean. */
const FIRST_OF_LEFT_OUT = 0.6;
/** With fewer a policy gets the habit to call whatever is said. */
const NO_TOOL_SHARE = 0.2;
/** Of the calls so many are asked for by a part of a name, or without its capitals. */
const LOOSELY = 0.35;
const NAMES: ReadonlySet<Role> = new Set(['name', 'person', 'query', 'maker', 'thing', 'place']);
const MOST_PER_CONTENT = { grammar: 16, schema: 6 };
const NEW_SHARE = 0.5;
/** As many as heldOutTasks by default. */
const MOST_HELD_OUT = 240;

export class TaskMaker {
  private readonly random: Random;
  private readonly harvest: Harvest;
  private readonly words = new Map<string, ToolWords>();
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly newFamilies: Set<string>;
  private readonly wording: Wording;
  private links: Link[] = [];
  private topics: string[] = [];
  private readonly prompts = new Set<string>();
  private readonly perContent = new Map<string, number>();

  constructor(
    private readonly tools: readonly ToolSchema[],
    private readonly options: GenerateOptions,
  ) {
    this.random = Random.fromSeed(`tasks ${options.seed}`);
    this.harvest = new Harvest(tools, options.call, { facts: literalFacts(tools, options.workspace), ...options });
    const ajv = new Ajv2020({
      strict: false,
      validateFormats: false,
      logger: false,
      code: { regExp: ajvPattern },
    });
    for (const tool of tools) {
      this.words.set(tool.name, toolWords(tool));
      this.validators.set(tool.name, ajv.compile(tool.parameters));
    }
    this.newFamilies = new Set(
      [ONE_CALL_FAMILIES, CHAIN_FAMILIES, NO_TOOL_FAMILIES].flatMap((families, kind) =>
        this.random
          .fork(`new families ${kind}`)
          .shuffle(families.map(({ name }) => `${KINDS[kind]}:${name}`))
          .slice(0, Math.round(families.length / 4)),
      ),
    );
    const looseShare = this.language === 'grammar' ? (options.looseWording ?? DEFAULTS.looseWording) : 0;
    this.wording = new Wording(tools, this.random, looseShare);
  }

  /**
   * Contents below it may have a new phrasing and are then held out; of many tasks a smaller part, so that held-out
   * does not grow with them.
   */
  private get newZone(): number {
    return Math.min(HELD_OUT_ZONE, MOST_HELD_OUT / this.options.count);
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
      this.fits(tool, args),
    );
    this.topics = noToolTopics(this.tools, this.random.fork('topics'));
  }

  async make(): Promise<Task[]> {
    const tasks: Task[] = [];
    const { count } = this.options;
    const targets: Record<Kind, number> = {
      noTool: Math.round(NO_TOOL_SHARE * count),
      chain: this.links.length ? Math.round(0.22 * count) : 0,
      oneCall: count,
    };
    for (const kind of ['noTool', 'chain', 'oneCall'] as const) {
      const left = kind === 'oneCall' ? count - tasks.length : targets[kind];
      const subjects: unknown[] = kind === 'oneCall' ? [...this.tools] : kind === 'chain' ? this.links : this.topics;
      tasks.push(...(await this.makeKind(kind, subjects, left)));
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
    const width = Math.max(4, String(tasks.length).length);
    return this.random
      .fork('order')
      .shuffle(tasks)
      .map((task, i) => ({ ...task, id: `g${String(i + 1).padStart(width, '0')}` }));
  }

  /**
   * Round robin over the subjects, so that each tool, link and topic gets its share; one that gives nothing more drops
   * out.
   */
  private async makeKind(kind: Kind, subjects: readonly unknown[], wanted: number): Promise<Task[]> {
    const tasks: Task[] = [];
    const active = subjects.map((subject, i) => ({ subject, random: this.random.fork(`${kind} ${i}`), misses: 0 }));
    while (tasks.length < wanted && active.length > 0) {
      for (const one of [...active]) {
        if (tasks.length >= wanted) break;
        const task = await this.attempt(kind, one.subject, one.random);
        if (task) {
          tasks.push(task);
          one.misses = 0;
        } else if (++one.misses >= 40) active.splice(active.indexOf(one), 1);
      }
    }
    return tasks;
  }

  private async attempt(kind: Kind, subject: unknown, random: Random): Promise<Task | null> {
    if (kind === 'noTool' && this.isSpoken(random))
      return this.keep(kind, { calls: [] }, this.wording.withoutTool(random));
    if (kind === 'noTool')
      return this.finish(kind, { topic: String(subject), calls: [] }, random, NO_TOOL_FAMILIES, (family) =>
        family.say(String(subject)),
      );
    if (kind === 'chain') return this.chain(subject as Link, random);
    return this.oneCall(subject as ToolSchema, random);
  }

  private async oneCall(tool: ToolSchema, random: Random): Promise<Task | null> {
    const drawn = await this.drawCall(tool, random);
    if (!drawn) return null;
    const draft: Draft = { calls: [{ name: tool.name, arguments: drawn.args }], ...answerOf(drawn) };
    if (this.isSpoken(random))
      return this.speak('oneCall', draft, random, (options) => this.wording.call(tool, drawn.args, options));
    const words = this.words.get(tool.name)!;
    return this.finish('oneCall', draft, random, ONE_CALL_FAMILIES, (family) =>
      family.say({ words, args: drawn.args }, random),
    );
  }

  private async chain(link: Link, random: Random): Promise<Task | null> {
    const first = await this.drawCall(link.from, random);
    if (!first) return null;
    const picked = pickLinked(link, first);
    const others = drawArguments(link.to, random, this.harvest.known, 1);
    if (!picked || !others || (picked.isFirstOf && random.next() < FIRST_OF_LEFT_OUT)) return null;
    const { [link.parameter]: _filled, ...told } = others;
    const args = inParameterOrder(link.to, { ...told, [link.parameter]: picked.value });
    if (!this.fits(link.to, args) || Object.values(told).some((value) => isOneOf(value, first.args))) return null;
    const second = await this.harvest.run(link.to, args);
    if (!second || !this.harvest.tells(link.to, second)) return null;
    const draft: Draft = {
      calls: [
        { name: link.from.name, arguments: first.args },
        { name: link.to.name, arguments: args },
      ],
      ...answerOf(second),
    };
    if (this.isSpoken(random)) {
      const chain: ChainDraft = {
        first: { talk: this.wording.talk(link.from.name), args: first.args },
        second: { talk: this.wording.talk(link.to.name), args },
        parameter: link.parameter,
        isFirstOf: picked.isFirstOf,
      };
      return this.speak('chain', draft, random, (options) => this.wording.chain(chain, options));
    }
    const parameter = { words: parameterWords(link.parameter), isFirstOf: picked.isFirstOf };
    return this.finish(
      'chain',
      draft,
      random,
      CHAIN_FAMILIES,
      (family) =>
        family.say(
          { words: this.words.get(link.from.name)!, args: first.args },
          { words: this.words.get(link.to.name)!, args: told },
          parameter,
          random,
        ),
      picked.value,
    );
  }

  /** Arguments that fit the schema and, for a read-only tool, a call that worked and gave something. */
  private async drawCall(tool: ToolSchema, random: Random): Promise<Seen | null> {
    const args = drawArguments(tool, random, this.harvest.known);
    if (!args || !this.fits(tool, args)) return null;
    const seen = await this.harvest.run(tool, args);
    if (!seen || !this.harvest.tells(tool, seen)) return null;
    return random.next() < LOOSELY ? this.asPeopleSay(tool, seen, random) : seen;
  }

  /** A name in small letters, or a part of it, where the tool really gives the same for it. */
  private async asPeopleSay(tool: ToolSchema, seen: Seen, random: Random): Promise<Seen> {
    if (!seen.isReal) return seen;
    const named = this.wording
      .talk(tool.name)
      .parameters.filter(({ path, role }) => path.length === 1 && NAMES.has(role))
      .flatMap(({ path: [name] }) => (typeof seen.args[name!] === 'string' ? [name!] : []));
    if (named.length === 0) return seen;
    const name = random.pick(named);
    const text = String(seen.args[name]);
    const words = text.split(' ');
    const other = random.pick([text.toLowerCase(), words.at(-1)!, words.at(-1)!, words[0]!]);
    const args = { ...seen.args, [name]: other };
    if (other === text || other.length < 3 || !this.fits(tool, args)) return seen;
    const found = await this.harvest.run(tool, args);
    return found?.isReal && equalJson(found.value, seen.value) ? found : seen;
  }

  private fits(tool: ToolSchema, args: Arguments): boolean {
    return this.validators.get(tool.name)!(args) === true;
  }

  /** A request of the grammar; where its content may be held out it may have a new phrasing. */
  private speak(kind: Kind, draft: Draft, random: Random, say: (options: WordingOptions) => Said | null): Task | null {
    const isNew = hashOf(this.keyOf(draft, '-')) < this.newZone && random.next() < NEW_SHARE;
    return this.keep(kind, draft, say({ isNew, random }), isNew);
  }

  private keyOf(draft: Draft, prompt: string): string {
    return contentKey({ id: '-', prompt: draft.topic ?? prompt, calls: draft.calls }, this.tools);
  }

  /** A task of the grammar, unless it was said before or its content was said often enough. */
  private keep(kind: Kind, draft: Draft, said: Said | null, isNew = false): Task | null {
    if (said === null || this.prompts.has(said.text)) return null;
    const key = this.keyOf(draft, said.text);
    if ((this.perContent.get(key) ?? 0) >= MOST_PER_CONTENT.grammar) return null;
    return this.counted(key, { kind, draft, prompt: said.text, family: `said-${said.form}`, isNew, source: 'grammar' });
  }

  /** The task, counted to its content and its words. */
  private counted(
    key: string,
    {
      kind,
      draft,
      prompt,
      family,
      isNew,
      source,
    }: { kind: Kind; draft: Draft; prompt: string; family: string; isNew: boolean; source: 'grammar' | 'schema' },
  ): Task {
    this.prompts.add(prompt);
    this.perContent.set(key, (this.perContent.get(key) ?? 0) + 1);
    const tags = [
      kind,
      ...new Set(draft.calls.map((call) => call.name)),
      `family:${family}`,
      ...(isNew ? [NEW_PHRASING] : []),
    ];
    return {
      id: '-',
      prompt,
      calls: draft.calls,
      ...(draft.answer === undefined ? {} : { answer: draft.answer }),
      tags,
      source,
    };
  }

  /** Chooses a family that the content's place allows, says it, and checks that nothing got lost in the words. */
  private finish<F extends { name: string }>(
    kind: Kind,
    draft: Draft,
    random: Random,
    families: readonly F[],
    say: (family: F) => string | null,
    fromResult?: unknown,
  ): Task | null {
    const key = this.keyOf(draft, '-');
    if ((this.perContent.get(key) ?? 0) >= MOST_PER_CONTENT.schema) return null;
    const isNew = hashOf(key) < this.newZone && random.next() < NEW_SHARE;
    const family = random.pick(families.filter(({ name }) => this.newFamilies.has(`${kind}:${name}`) === isNew));
    const prompt = say(family);
    if (prompt === null || this.prompts.has(prompt) || wordCount(prompt) > MAX_WORDS) return null;
    if (!draft.calls.every((call) => isSaid(call.arguments, prompt, fromResult))) return null;
    return this.counted(key, { kind, draft, prompt, family: family.name, isNew, source: 'schema' });
  }
}

const KINDS: readonly Kind[] = ['oneCall', 'chain', 'noTool'];
