import type { Random } from '../../base/random';
import { DAY, sayMoments } from '../../base/moments';
import { fromToday } from '../../base/relativeDates';
import type { Arguments } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import { joinAnd } from '../../tools/schema/words';
import { isSum } from './grammar/arithmetic';
import { Associations } from './associations/associations';
import { LOOSE_FORMS, sayElsewhere, sayLoosely } from './associations/looseTalk';
import { isSaidInOrder, JOINTS, namedBy, newForms, sayByName, sayInTurn, type ChainDraft } from './grammar/chain';
import { asksIn, sayCall, type Said, type SayOptions } from './grammar/say';
import { besideAnother } from './grammar/distractors';
import { FORMS } from './grammar/sentence';
import type { SaidAs } from './grammar/parts';
import { toolTalk, type ToolTalk } from './grammar/toolTalk';
import type { Member } from './members';
import { WithoutTool } from './grammar/withoutTool';

/** So many chains name the thing by what people know of it, where they can. */
const BY_NAME_SHARE = 0.7;

/** The words of a request may be those that only held-out tasks have (isNew), or all others. */
export interface WordingOptions {
  isNew: boolean;
  random: Random;
  /** how arguments are said, where otherwise than they are */
  saidAs?: Readonly<Record<string, SaidAs>>;
  /** a value like one of the call's, which is spoken of and not meant */
  other?: string | null;
  /** one thing of the result, which is asked for */
  asked?: Member;
}

/** So often a request states what day it is, and counts from there. */
const TODAY_STATED = 0.2;
/** Of requests that say a day with a time: "tomorrow at 3 pm"; others "May 5, 2026 at 3 pm", and few 2026-05-05T15:00. */
const MOMENT_FROM_TODAY = 0.5;
const MOMENT_IN_WORDS = 0.9;

/** "Today is 2026-05-04. … tomorrow" for 2026-05-05; a request with two days keeps them. */
function fromStatedToday(said: Said | null, random: Random): Said | null {
  if (said === null) return said;
  const chance = random.next();
  const moments = chance < MOMENT_IN_WORDS ? sayMoments(said.text, random, chance < MOMENT_FROM_TODAY) : null;
  if (moments) return { ...said, text: withToday(moments.said, moments.stated, random) };
  if (chance >= TODAY_STATED) return said;
  const [day, ...more] = said.text.match(DAY) ?? [];
  if (day === undefined || more.length > 0 || Number.isNaN(Date.parse(day))) return said;
  const { said: words, stated } = fromToday(day, random);
  const isWeekday = /^\p{Lu}/u.test(words);
  const text = said.text.replace(new RegExp(`(\\bon )?(\\bthe )?(?<![\\w-])${day}`), (_, on = '') =>
    isWeekday ? on + words : words,
  );
  return { ...said, text: withToday(text, stated, random) };
}

function withToday(said: string, stated: string | null, random: Random): string {
  if (stated === null) return said;
  const text = said.replace(/\b(?:for|on|at|around) (in \w+ days?)\b/g, '$1');
  return random.next() < 0.8
    ? `${stated} ${text.charAt(0).toUpperCase()}${text.slice(1)}`
    : `${text}${/[.!?]$/.test(text) ? '' : '.'} ${stated}`;
}

/**
 * Requests as people make them: in the tool's words and their synonyms (grammar/), and a share of them in words that
 * only go with what the tool does (associations/). A quarter of the ways to say a thing is kept for held-out tasks.
 */
export class Wording {
  private readonly talks: ReadonlyMap<string, ToolTalk>;
  private readonly newForms: ReadonlySet<string>;
  private readonly newLoose: ReadonlySet<string>;
  private readonly without: WithoutTool;
  private readonly associations: Associations | null;

  /** @param looseShare of the requests are in words that only go with the tool; [0, 1] */
  constructor(
    tools: readonly ToolSchema[],
    random: Random,
    private readonly looseShare: number,
  ) {
    this.talks = new Map(tools.map((tool) => [tool.name, toolTalk(tool)]));
    this.newForms = newForms(random.fork('new forms'));
    const loose = random.fork('new loose forms').shuffle(LOOSE_FORMS.map(({ name }) => name));
    this.newLoose = new Set(loose.slice(0, Math.round(LOOSE_FORMS.length / 4)));
    this.without = new WithoutTool([...this.talks.values()], random.fork('without tool'));
    this.associations = looseShare > 0 ? new Associations(tools) : null;
  }

  talk(tool: string): ToolTalk {
    return this.talks.get(tool)!;
  }

  /** null: these arguments can't be said this way; another draw may. */
  call(tool: ToolSchema, args: Arguments, { isNew, other, ...options }: WordingOptions): Said | null {
    const said = fromStatedToday(this.one(this.talk(tool.name), args, isNew, options), options.random);
    if (said === null || !other) return said;
    const values = Object.values(args).map(String);
    return { ...said, text: besideAnother(said.text, other, values, options.random) };
  }

  chain(chain: ChainDraft, options: WordingOptions): Said | null {
    const said = this.linked(chain, options);
    return said && isSaidInOrder(said.text, chain) ? fromStatedToday(said, options.random) : null;
  }

  private linked(chain: ChainDraft, { isNew, random, asked }: WordingOptions): Said | null {
    const { beside } = chain;
    const other = beside && namedBy(beside, chain.second.talk, random);
    if (other === null) return null;
    const isOfOne = beside?.parameter === chain.parameter; // "Ann Lund and Bo Weber"
    const saidAs = beside && other && !isOfOne ? { [beside.parameter]: other } : {};
    if (chain.thing !== undefined || isOfOne) {
      const { talk, args } = chain.second;
      const own = namedBy(chain, talk, random);
      if (!own) return null;
      const said = isOfOne ? bothSaid(own, other!) : own;
      const both = { ...saidAs, [chain.parameter]: said };
      return this.one(talk, args, isNew, { random, saidAs: both, asked });
    }
    const isByName = beside !== undefined || chain.isTwice || (!chain.isFirstOf && random.next() < BY_NAME_SHARE);
    return isByName
      ? sayByName(chain, { random, asked, saidAs }, (talk, args, options) => this.one(talk, args, isNew, options))
      : sayInTurn(chain, { random, joints: JOINTS.filter(({ name }) => this.newForms.has(name) === isNew) });
  }

  /** What no tool is for. */
  withoutTool(random: Random): Said | null {
    if (!this.isLoose(random)) return this.without.say(random);
    const word = this.associations!.elsewhere(random);
    return word && sayElsewhere(word, random);
  }

  private one(talk: ToolTalk, args: Arguments, isNew: boolean, options: SayOptions): Said | null {
    const { random } = options;
    // a word that is only near, and no value, would say nothing
    const saysNothing = talk.parameters.length > 0 && Object.keys(args).length === 0;
    if (options.asked || asksIn(talk, args) || saysNothing || isSum(talk, args) || !this.isLoose(random))
      return sayCall(talk, args, { ...options, forms: FORMS.filter(({ name }) => this.newForms.has(name) === isNew) });
    const families = LOOSE_FORMS.map(({ name }) => name).filter((name) => this.newLoose.has(name) === isNew);
    const word = (kind: Parameters<Associations['pick']>[1]): string | null =>
      this.associations!.pick(talk.tool.name, kind, random);
    return sayLoosely(talk, args, word, { ...options, families });
  }

  private isLoose(random: Random): boolean {
    return this.associations !== null && random.next() < this.looseShare;
  }
}

const bothSaid = (one: SaidAs, other: SaidAs): SaidAs => ({
  ...one,
  text: joinAnd([one.text, other.text]),
  values: [one, other].flatMap(({ values = [] }) => values),
});
