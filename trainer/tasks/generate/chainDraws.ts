/** Draws linked calls: the last takes what look-ups before it gave. Each is verified before it counts. */
import type { Random } from '../../base/random';
import { equalJson, inSchemaOrder, type Arguments } from '../../protocol/arguments';
import type { GoldCall, ToolSchema } from '../../protocol/task';
import { saidAsKnown } from './asKnown';
import { BY_NAME, LOOSELY, type CallDraws } from './callDraws';
import { beforeLinks, besideLinks, isListed, pickLinked, pickNamed, type Link } from './chains';
import { isRoundabout } from './chainTurns';
import { isOneOf } from './draftParts';
import { namedBy, type ChainDraft, type LookedUp } from './grammar/chain';
import type { ToolTalk } from './grammar/toolTalk';
import { isOwnId } from './feeds';
import type { Found } from './found';
import type { Harvest, Seen } from './harvest';
import { argumentOf, callsOf, isShort, type Linked } from './linked';
import type { KnownAs } from './pool/names';
import { isInOrder } from './spans';
import { drawArguments } from './values';
import type { Wording } from './wording';

/** "The first of them" is seldom asked for: people know which one they mean. */
const FIRST_OF_LEFT_OUT = 0.6;
/** Of the chains so many look two things up, where the last call takes both: "sign Ann Lund up for Boxing". */
const TWO_LOOK_UPS = 0.45;
/** So many look up what the first call is given, where that has a name: "extend the loan of Galleria Morandi". */
const LOOKED_UP_TWICE = 0.5;

/** A further link: to another of the last tool's parameters, to the same where it takes several, or to the first's. */
export interface OtherLink {
  link: Link;
  mayName: boolean;
}

/** What a chain may hold beside its link. */
export interface ChainLinks {
  /** one of those that the first tool lists, by name */
  mayName?: boolean;
  other?: OtherLink | null;
  before?: OtherLink | null;
}

/** Of linked calls, before they are worded. */
export interface DrawnChain {
  first: Seen;
  second: Seen;
  calls: GoldCall[];
  /** the second's arguments but for what was looked up; `value`: what the first look-up gave */
  told: Arguments;
  value: unknown;
  chain: ChainDraft;
}

export class ChainDraws {
  /** of the links those whose first tool lists what may be named */
  private readonly listing: ReadonlySet<Link>;
  /** by which names what each first call takes is looked up itself */
  private readonly before: ReadonlyMap<Link, readonly Link[]>;

  /** @param links all that there are */
  constructor(
    private readonly draws: CallDraws,
    private readonly harvest: Harvest,
    private readonly wording: Wording,
    private readonly drop: (reason: string) => null,
    private readonly links: readonly Link[],
  ) {
    this.listing = new Set(links.filter((link) => isListed(link, links, harvest.values())));
    const talkOf = (tool: string): ToolTalk => wording.talk(tool);
    // whom a call takes by name nobody calls by another's; an id nobody knows by heart
    const coded = new Set(links.filter((link) => this.isByName(link) && areCodes(link, harvest.values())));
    const direct = links.filter((link) => !isRoundabout(link, links, talkOf));
    this.before = new Map(direct.map((link) => [link, beforeLinks(link, links).filter((one) => coded.has(one))]));
  }

  private isByName(link: Link): boolean {
    return this.draws.isByName(link.from, this.listing.has(link));
  }

  /** What may be looked up beside what the link leads to, by chance. */
  further(link: Link, random: Random): ChainLinks {
    const asOther = (one: Link): OtherLink => ({ link: one, mayName: this.listing.has(one) });
    const mayName = this.listing.has(link);
    const before = this.before.get(link) ?? [];
    if (before.length > 0 && random.next() < LOOKED_UP_TWICE) return { mayName, before: asOther(random.pick(before)) };
    const isTwo = this.isByName(link) && random.next() < TWO_LOOK_UPS;
    const others = isTwo ? besideLinks(link, this.links).filter((one) => this.isByName(one)) : [];
    return { mayName, ...(others.length > 0 && { other: asOther(random.pick(others)) }) };
  }

  /**
   * Calls that worked, the last with what the first gave.
   * @param other another thing that the last takes, which is looked up by itself where its look-up leads to one thing
   * @param before by which what the first is given is looked up
   */
  async draw(
    link: Link,
    random: Random,
    { mayName = false, other = null, before = null }: ChainLinks = {},
  ): Promise<DrawnChain | null> {
    const look = before ? await this.twice(link, before, random) : await this.linked(link, random, mayName);
    const others = drawArguments(link.to, random, this.harvest.known, 1);
    if (!look) return null;
    if (!others || (look.isFirstOf && random.next() < FIRST_OF_LEFT_OUT))
      return this.drop('whose first result leads nowhere');
    const both = other && !look.isFirstOf ? await this.linked(other.link, random, other.mayName) : null;
    const beside = both && !both.isFirstOf && [look, both].some(isShort) ? both : null;
    const looks = [look, ...(beside ? [beside] : [])];
    const found = Object.fromEntries(looks.map(({ link: one }) => [one.parameter, argumentOf(one, looks)]));
    const told = Object.fromEntries(Object.entries(others).filter(([name]) => !Object.hasOwn(found, name)));
    const args = inSchemaOrder({ ...told, ...found }, link.to.parameters);
    const isTwice =
      (beside && equalJson(beside.value, look.value)) ||
      looks.some(({ first }) => Object.values(told).some((value) => isOneOf(value, first.args)));
    if (!this.draws.fits(link.to, args) || isTwice)
      return this.drop('whose arguments the schema forbids, or that say a value twice');
    if (!isInOrder(args)) return this.drop('that end before they start');
    const second = await this.draws.verified(link.to, args);
    if (!second) return null;
    // people look things up in the order in which they say them, and that is not known yet
    const isBesideFirst = beside !== null && beside.link !== look.link && random.next() < 0.5;
    const inOrder = isBesideFirst ? [beside, look] : looks;
    const calls = [...inOrder.flatMap(callsOf), { name: link.to.name, arguments: args }];
    const chain: ChainDraft = {
      ...this.lookedUp(look, random),
      second: { talk: this.wording.talk(link.to.name), args },
      isFirstOf: look.isFirstOf,
      ...(beside && { beside: this.lookedUp(beside, random), isBesideFirst }),
    };
    return { first: look.first, second, calls, told, value: look.value, chain };
  }

  /** A look-up that worked, and what it gives to the link's parameter; null, counted, where it gives nothing. */
  private async linked(link: Link, random: Random, mayName: boolean): Promise<Linked | null> {
    const mayBeNamed = mayName && random.next() < BY_NAME;
    const first = mayBeNamed
      ? await this.all(link.from, random)
      : ((await this.draws.named(link.from, random)) ?? (await this.draws.call(link.from, random)));
    if (!first) return null;
    const known = (value: unknown): readonly KnownAs[] => this.harvest.pool.knownAs(value);
    const named = mayBeNamed ? pickNamed(link, first, known, random) : null;
    const picked = named ? { ...named, isFirstOf: false } : pickLinked(link, first);
    if (!picked) return this.drop('whose first result leads nowhere');
    return { link, first, ...picked };
  }

  /** One thing that a look-up gives for what another look-up gave: an institution, and its loan. */
  private async twice(link: Link, { link: own, mayName }: OtherLink, random: Random): Promise<Linked | null> {
    const before = await this.linked(own, random, mayName);
    const drawn = before && !before.isFirstOf ? drawArguments(link.from, random, this.harvest.known, 0) : null;
    if (!before || !drawn) return null;
    const said = namedBy(this.lookedUp(before, random), this.wording.talk(link.from.name), random);
    if (!said) return this.drop('that could not be worded');
    const args = inSchemaOrder({ ...drawn, [own.parameter]: before.value }, link.from.parameters);
    const first = this.draws.fits(link.from, args) ? await this.draws.verified(link.from, args) : null;
    const picked = first && pickLinked(link, first);
    if (!picked || picked.isFirstOf || ![before, { first }].some(isShort))
      return this.drop('whose first result leads nowhere');
    return { link, first, before, saidAs: { [own.parameter]: said }, ...picked };
  }

  private lookedUp({ link, first, thing, before, saidAs }: Linked, random: Random): LookedUp {
    const { from, parameter, part } = link;
    const talk = this.wording.talk(from.name);
    return {
      first: { talk, args: first.args },
      parameter,
      saidAs: { ...saidAsKnown(talk, first, random), ...saidAs },
      ...(before && { isTwice: true }),
      ...(part !== undefined && { isPart: true }),
      ...(isOwnId(from, link) && { isItself: true }),
      ...(thing !== undefined && { thing: random.next() < LOOSELY ? thing.toLowerCase() : thing }),
    };
  }

  /** All that a tool lists where it is told nothing; where it has to be, some call of it. */
  private async all(tool: ToolSchema, random: Random): Promise<Seen | null> {
    const seen = this.draws.fits(tool, {}) ? await this.draws.verified(tool, {}) : null;
    return seen ?? this.draws.call(tool, random);
  }
}

/** "M-1017", 7001: not the owner's name. */
const areCodes = ({ from, property }: Link, found: readonly Found[]): boolean =>
  found.every((one) => one.tool !== from || one.property !== property || /\d/.test(String(one.value)));
