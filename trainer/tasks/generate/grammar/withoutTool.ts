import type { Random } from '../../../base/random';
import type { ToolSchema } from '../../../protocol/task';
import { noToolTopics } from '../noTool';
import { splitWords } from '../../../base/words';
import { singular, nameWordsOf } from '../../../tools/schema/words';
import { ALL_ACTS } from './acts';
import { sayable } from './slots';
import { drawArguments } from '../values';
import { fill } from './fill';
import { otherTools } from './otherTools';
import { capital, chatter, FORMS } from './sentence';
import { sayCall, tidy, type Said } from './say';
import { plural } from './thing';
import type { ToolTalk } from './toolTalk';
import { THINGS, QUESTIONS, AT_THE_DESK, REMARKS, ABOUT_OWN, PLACES, WORDS, DAYS } from './withoutToolWords';

/** Requests and remarks that need no tool or that no tool of these can do: what is right is to call none. */
export class WithoutTool {
  private readonly topics: readonly string[];
  private readonly things: readonly string[];
  private readonly own: ReadonlySet<string>;
  private readonly others: readonly ToolTalk[];

  constructor(
    private readonly talks: readonly ToolTalk[],
    random: Random,
  ) {
    const tools = talks.map(({ tool }) => tool);
    this.own = new Set(
      talks
        .flatMap(({ tool, nouns, acts }) => [
          ...nameWordsOf(tool),
          ...splitWords(tool.description),
          ...splitWords(JSON.stringify(tool.parameters)),
          ...nouns.flatMap((noun) => noun.split(' ')),
          ...acts.flatMap(({ verbs }) => verbs),
        ])
        .map(singular),
    );
    this.topics = noToolTopics(tools, random.fork('topics'));
    this.things = THINGS.filter((thing) => !this.touches(thing));
    this.others = otherTools().filter(({ nouns }) => !this.touches(nouns.join(' ')));
  }

  say(random: Random): Said | null {
    const roll = random.next();
    if (roll < 0.1) return said('topic', random.pick(this.topics), random);
    if (roll < 0.22) return this.checked('question', this.filled(random.pick(QUESTIONS), random), random);
    if (roll < 0.36) return this.checked('atTheDesk', this.filled(random.pick(AT_THE_DESK), random), random);
    if (roll < 0.46) return said('remark', this.filled(random.pick(REMARKS), random), random);
    if (roll < 0.54) return this.otherThing(random);
    if (roll < 0.66) return this.aboutOwn(random);
    if (roll < 0.92) return this.otherTool(random);
    return this.lacking(random);
  }

  /** A request like any other, for a tool that is not there. */
  private otherTool(random: Random): Said | null {
    if (this.others.length === 0) return null;
    const talk = random.pick(this.others);
    const args = drawArguments(talk.tool, random, () => []);
    const text = args && sayCall(talk, args, { random });
    return text && { text: text.text, form: 'otherTool' };
  }

  /** What the tools are about does not make it a request for one. */
  private aboutOwn(random: Random): Said | null {
    const [thing = ''] = random.pick(this.talks).nouns;
    if (thing === '' || thing.includes(' ')) return null;
    const text = fill(random.pick(ABOUT_OWN), {
      o: thing,
      os: plural(thing),
      a: `${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`,
    });
    return said('aboutOwn', asked(this.filled(text, random), random), random);
  }

  private filled(text: string, random: Random): string {
    return text.replace(/\{(\w)\}/g, (_, key: string) =>
      key === 'x'
        ? random.pick(PLACES)
        : key === 'w'
          ? random.pick(WORDS)
          : key === 'd'
            ? random.pick(DAYS)
            : String(2 + random.int(key === 'n' ? 90 : 9)),
    );
  }

  /** A question that shares a word with the tools may be one for them. */
  private checked(form: string, text: string, random: Random): Said | null {
    return this.touches(text) ? null : said(form, asked(text, random), random);
  }

  private touches(text: string): boolean {
    return splitWords(text).some((word) => word.length > 3 && this.own.has(singular(word)));
  }

  private otherThing(random: Random): Said | null {
    if (this.things.length === 0) return null;
    const act = random.pick(ALL_ACTS);
    const thing = random.pick(this.things);
    const kind = random.pick(['order', 'question', 'statement'] as const);
    const texts = kind === 'order' ? act.orders : kind === 'question' ? act.questions : act.statements;
    const core = fill(random.pick(sayable(texts, {}, random)), {
      o: `${random.pick(['the', 'my', 'a'])} ${thing}`,
      a: `a ${thing}`,
      os: plural(thing),
    });
    return core.includes(thing.split(' ')[0]!)
      ? said('otherThing', tidy(random.pick(FORMS.filter((form) => form.kind === kind)).say(core, random)), random)
      : null;
  }

  /** A request that lacks what the tool must have, all of it or one thing: the right thing is to ask. */
  private lacking(random: Random): Said | null {
    const open = this.talks.filter(
      ({ tool, parameters }) => requiredOf(tool).length > 0 && parameters.some(({ role }) => role === 'id'),
    );
    if (open.length === 0) return null;
    const talk = random.pick(open);
    const required = requiredOf(talk.tool);
    const isHalfSaid = required.length > 1 && random.next() < HALF_SAID;
    const lacks = isHalfSaid ? random.pick(required) : required[0]!;
    const args = isHalfSaid ? drawArguments(talk.tool, random, () => [], 0) : {};
    const { [lacks]: _lacking, ...others } = args ?? {};
    const text = args && sayCall(talk, others, { random });
    return text && { text: text.text, form: 'lacking', lacks: splitWords(lacks).join(' ') };
  }
}

/** So often something else is said: "assign somebody to SET203". */
const HALF_SAID = 0.5;
const requiredOf = ({ parameters: { required } }: ToolSchema): readonly string[] =>
  Array.isArray(required) ? (required as string[]) : [];

/** With a capital and a mark, or as people type. */
const asked = (text: string, random: Random): string =>
  `${random.next() < 0.5 ? capital(text) : text}${random.next() < 0.6 ? (OPENS_QUESTION.test(text) ? '?' : '.') : ''}`;
const OPENS_QUESTION = /^(what|who|why|how|which|is|are|do|does|did|can|could|where|when|have)\b/;

const said = (form: string, text: string, random: Random): Said => ({ text: chatter(text, [], random), form });
