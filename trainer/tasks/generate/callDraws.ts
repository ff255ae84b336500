/**
 * Calls that tasks are made of, each verified before it counts: its arguments fit the schema, and where the tool is
 * read-only it was run and gave something, but for a few single look-ups.
 */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { ajvPattern } from '../../base/boundedPattern';
import { strictForm } from '../../base/formSaid';
import type { Random } from '../../base/random';
import { equalJson, type Arguments } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import { saidAsKnown } from './asKnown';
import type { Role } from './grammar/roles';
import type { ParameterTalk, ToolTalk } from './grammar/toolTalk';
import { inventedName } from './everydayValues';
import { leavesOf } from '../../tools/values/places';
import type { Harvest, Seen } from './harvest';
import { drawArguments } from './values';
import type { Wording, WordingOptions } from './wording';

/** Of what a tool lists one is mostly named, and not the first of them meant. */
export const BY_NAME = 0.7;
/** Of the calls so many are asked for by a part of a name, or without its capitals. */
export const LOOSELY = 0.35;
/** Of a tool's single look-ups up to so many find nothing, as some of what people look up does. */
const FINDS_NOTHING = 0.05;
/** Of requests for one call so many speak of another thing, too. */
const DISTRACTED = 0.06;
const LONGEST_OTHER = 30;
/** So often a tool is asked for a name that nobody has. */
const MOST_TRIED = 60;
/** What people call by its name. */
const NAMES: ReadonlySet<Role> = new Set(['name', 'person', 'query', 'maker', 'thing', 'place']);

/** A thing that a call names by its id or by its name. */
export interface NamedThing {
  talk: ToolTalk;
  parameter: ParameterTalk;
  value: string | number;
}

/** Draws calls; `drop` counts why one is not taken. */
export class CallDraws {
  private readonly validators: ReadonlyMap<string, ValidateFunction>;
  /** by tool: of `lookUp`'s calls those that gave something, the others, and names tried that nobody has */
  private readonly lookUps = new Map<string, { told: number; empty: number; tried: number }>();

  constructor(
    tools: readonly ToolSchema[],
    private readonly harvest: Harvest,
    private readonly wording: Wording,
    private readonly drop: (reason: string) => null,
  ) {
    const ajv = new Ajv2020({
      strict: false,
      validateFormats: false,
      logger: false,
      code: { regExp: ajvPattern },
    });
    this.validators = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.parameters)]));
  }

  /** Arguments that fit the schema and, for a read-only tool, a call that worked and gave something. */
  async call(tool: ToolSchema, random: Random, mayFindNothing = false): Promise<Seen | null> {
    const drawn = drawArguments(tool, random, this.harvest.known);
    const args = drawn && this.byName(tool, drawn, random);
    if (!args || !this.fits(tool, args)) return this.drop('without arguments that fit the schema');
    const seen = await this.verified(tool, args, mayFindNothing);
    if (!seen) return null;
    return random.next() < LOOSELY ? this.asPeopleSay(tool, seen, random) : seen;
  }

  /** Whom a tool finds by name or phone number people mostly call by the name. */
  private byName(tool: ToolSchema, args: Arguments, random: Random): Arguments {
    const out = { ...args };
    for (const { path } of this.namesOf(tool)) {
      const value = args[path[0]!];
      if (typeof value !== 'string' || HAS_LETTER.test(value) || random.next() > BY_NAME) continue;
      const names = this.harvest.known(tool, path[0]!, 'string').filter((text) => HAS_LETTER.test(String(text)));
      if (names.length > 0) out[path[0]!] = random.pick(names);
    }
    return out;
  }

  /** A call by a name alone that may be left out: "list exhibitions" by the title of one. null: there is none. */
  async named(tool: ToolSchema, random: Random): Promise<Seen | null> {
    const names = this.namesOf(tool).filter(({ role }) => role !== 'place');
    if (!this.fits(tool, {}) || names.length === 0 || random.next() > BY_NAME) return null;
    const name = random.pick(names).path[0]!;
    const values = this.harvest.known(tool, name, 'string');
    const args = values.length > 0 ? { [name]: random.pick(values) } : null;
    const seen = args && this.fits(tool, args) ? await this.verified(tool, args) : null;
    return seen && random.next() < LOOSELY ? this.asPeopleSay(tool, seen, random) : seen;
  }

  /** The same for a request of one call: a few of a tool's really find nothing. */
  async lookUp(tool: ToolSchema, random: Random): Promise<Seen | null> {
    const count = this.lookUps.get(tool.name) ?? { told: 0, empty: 0, tried: 0 };
    this.lookUps.set(tool.name, count);
    const isDue = count.empty < FINDS_NOTHING * count.told;
    let seen = await this.call(tool, random, isDue);
    if (seen && isDue && this.harvest.tells(tool, seen) && count.tried++ < MOST_TRIED)
      seen = (await this.ofUnknown(tool, seen, random)) ?? seen;
    if (seen) count[this.harvest.tells(tool, seen) ? 'told' : 'empty']++;
    return seen;
  }

  /** The call with a name that nobody has; null where it says none, or where the tool fails or gives something. */
  private async ofUnknown(tool: ToolSchema, seen: Seen, random: Random): Promise<Seen | null> {
    const name = this.nameOf(tool, seen, random);
    if (name === null) return null;
    const args = { ...seen.args, [name.path[0]!]: inventedName(random) };
    const found = this.fits(tool, args) ? await this.harvest.run(tool, args) : null;
    return found?.isReal && !this.harvest.tells(tool, found) ? found : null;
  }

  /** How a request says the call, and what it speaks of beside it. */
  saying(tool: ToolSchema, seen: Seen, random: Random): Pick<WordingOptions, 'saidAs' | 'other'> {
    return {
      saidAs: saidAsKnown(this.wording.talk(tool.name), seen, random),
      other: this.another(tool, seen, random),
    };
  }

  /** A thing that some call of the tool names; null: it names none. */
  async thing(tool: ToolSchema, random: Random): Promise<NamedThing | null> {
    const drawn = await this.call(tool, random);
    const named = drawn ? this.thingsIn(tool, drawn.args) : [];
    return named.length > 0 ? random.pick(named) : this.drop('that name no thing');
  }

  private thingsIn(tool: ToolSchema, args: Arguments): NamedThing[] {
    const talk = this.wording.talk(tool.name);
    return talk.parameters.flatMap((parameter) => {
      const value = parameter.path.length === 1 ? args[parameter.path[0]!] : undefined;
      const isName = typeof value === 'string' && NAMES.has(parameter.role);
      const isId = parameter.role === 'id' && (typeof value === 'string' || typeof value === 'number');
      return isName || isId ? [{ talk, parameter, value }] : [];
    });
  }

  /** Now and then a value like the one by which the call names a thing, where more are known. */
  private another(tool: ToolSchema, { args }: Seen, random: Random): string | null {
    if (random.next() >= DISTRACTED) return null;
    const named = this.thingsIn(tool, args);
    if (named.length === 0) return null;
    const { parameter, value } = random.pick(named);
    const name = parameter.path[0]!;
    const said = new Set(Object.values(args).flatMap(wordsIn));
    const others = this.harvest
      .known(tool, name, typeof value as 'string' | 'number')
      .map(String)
      .filter((one) => one.length <= LONGEST_OTHER && !wordsIn(one).some((word) => said.has(word)));
    return others.length === 0 ? null : random.pick(others);
  }

  /** Is it told what people call a thing? @param lists or does it list all, where it is told nothing */
  isByName(tool: ToolSchema, lists: boolean): boolean {
    return this.namesOf(tool).length > 0 || (lists && this.fits(tool, {}));
  }

  /** Parameters that say what people call a thing. */
  private namesOf(tool: ToolSchema): ParameterTalk[] {
    return this.wording.talk(tool.name).parameters.filter(({ path, role }) => path.length === 1 && NAMES.has(role));
  }

  /** One of the parameters that say what people call a thing; null: the call has none. */
  private nameOf(tool: ToolSchema, { args }: Seen, random: Random): ParameterTalk | null {
    // a day or the last digits of a card are nobody's name, whatever the parameter's name says
    const names = this.namesOf(tool).filter(({ path: [name] }) => {
      const value = args[name!];
      return typeof value === 'string' && /^\p{L}/u.test(value);
    });
    return names.length === 0 ? null : random.pick(names);
  }

  /** A call that worked and gave something; else null, counted. */
  async verified(tool: ToolSchema, args: Arguments, mayFindNothing = false): Promise<Seen | null> {
    const seen = await this.harvest.run(tool, args);
    if (!seen) return this.harvest.unmade(tool, args) ?? this.drop('whose call failed');
    const isTaken = this.harvest.tells(tool, seen) || (mayFindNothing && seen.isReal);
    return isTaken ? seen : this.drop('whose call found nothing');
  }

  /** A name in small letters, or a part of it, where the tool really gives the same for it. */
  private async asPeopleSay(tool: ToolSchema, seen: Seen, random: Random): Promise<Seen> {
    if (!seen.isReal) return seen;
    const parameter = this.nameOf(tool, seen, random);
    if (parameter === null) return seen;
    const name = parameter.path[0]!;
    const text = String(seen.args[name]);
    const words = text.split(' ');
    // nobody says "Diego" of San Diego
    const parts = parameter.role === 'place' ? [] : [words.at(-1)!, words.at(-1)!, words[0]!];
    const other = random.pick([text.toLowerCase(), ...parts]);
    const args = { ...seen.args, [name]: other };
    if (other === text || other.length < 3 || !this.fits(tool, args)) return seen;
    const found = await this.harvest.run(tool, args);
    return found?.isReal && equalJson(found.value, seen.value) ? found : seen;
  }

  /** Nobody asks for an empty text, nor for a time in words where a description asks for HH:MM. */
  fits(tool: ToolSchema, args: Arguments): boolean {
    return (
      this.validators.get(tool.name)!(args) === true &&
      leavesOf(args).every(({ path, value }) => value !== '' && this.hasForm(tool, path, value))
    );
  }

  private hasForm(tool: ToolSchema, path: string, value: unknown): boolean {
    const schema = this.harvest.pool.place(tool, path)?.schema;
    return typeof value !== 'string' || !schema || (strictForm(schema)?.test(value) ?? true);
  }
}

const HAS_LETTER = /\p{L}/u;

const wordsIn = (value: unknown): string[] =>
  String(value)
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u);
