import type { Random } from '../../../base/random';
import { noToolTopics } from '../noTool';
import { splitWords, singular } from '../words';
import { ALL_ACTS } from './acts';
import { fill } from './mention';
import { capital, chatter, FORMS } from './sentence';
import { sayCall, plural, tidy, type Said } from './say';
import type { ToolTalk } from './toolTalk';

/** Things of other walks of life, for requests that no tool of the file can do. */
const THINGS = (
  'gym membership|dentist|pizza|passport|flight to Rome|haircut|taxi|electricity contract|football match|guitar lesson|newsletter|wedding cake|parking permit|laundry|babysitter|sofa|mortgage|visa|lawn|dog food|printer ink|' +
  'phone plan|driving licence|museum tour|tax return|swimming pool|blood test|train to Lyon|concert|podcast|sunglasses|umbrella|chess club|winter tyres|piano|cheese|password|wallpaper|ferry|tent|vaccination|birthday card|' +
  'coffee machine|translation|moving van|fishing licence|horoscope|lottery numbers|stock portfolio|crossword|screenshot|garden fence|window cleaner|kindergarten place|ski pass|bank transfer|bus ticket|recipe for soup|alarm clock|playlist|weather'
).split('|');
const QUESTIONS = [
  "what's the tallest mountain in {x}",
  'who won the world cup in {n}',
  'how do you say {w} in Italian',
  'what does {w} mean',
  'how old is the universe',
  'why do cats purr',
  'can you write me a poem about {w}',
  'tell me something funny',
  'what would you cook tonight',
  "what's {n} times {m}",
  'do you believe in ghosts',
  'how many people live in {x}',
  'which came first, {w} or {w}',
  'is {x} worth a visit',
  'what time is it in {x}',
  'who was the first person on the moon',
  'how do planes fly',
  "what's the difference between {w} and {w}",
  'how do I get a stain out of a shirt',
  'give me a fun fact about {w}',
  'what should I wear today',
  'explain {w} to a child',
  'how far is {x} from here',
  'is it normal to be nervous before an exam',
  'what rhymes with {w}',
  'spell {w} for me',
  'sing me a song',
  'how are you',
  'what is your opinion on {w}',
  'are you a real person',
  'what language do they speak in {x}',
  'how long do I boil an egg',
  'when was {x} founded',
  "what's a good name for a dog",
  'who painted the Mona Lisa',
  'how do I tie a tie',
  'what can you do',
  'who are you',
  'did you sleep well',
];
const REMARKS = [
  'thanks a lot',
  'thank you so much',
  'ok great',
  'never mind',
  'forget it',
  'bye',
  'good night',
  'see you tomorrow',
  'hello',
  'hi there',
  'good morning',
  "that's all",
  'sorry, wrong chat',
  'haha',
  'you are the best',
  'I am so tired today',
  'nice weather today',
  'I love {w}',
  'all good now',
  'no, thanks',
  'my day was awful',
  "it's my birthday",
  'I hate mondays',
  'perfect',
  'awesome, cheers',
  "I'll get back to you",
  'one moment',
  'hm let me think',
  "I've changed my mind",
  'that was quick',
  'are you still there',
  'just testing',
  'ok bye then',
  'have a good one',
  'I am bored',
];
const PLACES = 'France Brazil Iceland Kenya Tokyo Naples Canada Greece Cairo Vienna Oregon Wales'.split(' ');
const WORDS =
  'thunder jazz honey gravity lavender democracy ginger volcano irony spinach copper whale feather algebra moss pepper comet velvet mustard origami sarcasm bamboo'.split(
    ' ',
  );

/** Requests and remarks that need no tool or that no tool of these can do: what is right is to call none. */
export class WithoutTool {
  private readonly topics: readonly string[];
  private readonly things: readonly string[];
  private readonly own: ReadonlySet<string>;

  constructor(
    private readonly talks: readonly ToolTalk[],
    random: Random,
  ) {
    const tools = talks.map(({ tool }) => tool);
    this.own = new Set(
      talks
        .flatMap(({ tool, nouns, acts }) => [
          ...splitWords(tool.name),
          ...splitWords(tool.description),
          ...splitWords(JSON.stringify(tool.parameters)),
          ...nouns.flatMap((noun) => noun.split(' ')),
          ...acts.flatMap(({ verbs }) => verbs),
        ])
        .map(singular),
    );
    this.topics = noToolTopics(tools, random.fork('topics'));
    this.things = THINGS.filter((thing) => !this.touches(thing));
  }

  say(random: Random): Said | null {
    const roll = random.next();
    if (roll < 0.22) return said('topic', random.pick(this.topics), random);
    if (roll < 0.5) return this.checked('question', this.filled(random.pick(QUESTIONS), random), random);
    if (roll < 0.68) return said('remark', this.filled(random.pick(REMARKS), random), random);
    if (roll < 0.92) return this.otherThing(random);
    return this.lacking(random);
  }

  private filled(text: string, random: Random): string {
    return text.replace(/\{(\w)\}/g, (_, key: string) =>
      key === 'x'
        ? random.pick(PLACES)
        : key === 'w'
          ? random.pick(WORDS)
          : String(2 + random.int(key === 'n' ? 90 : 9)),
    );
  }

  /** A question that shares a word with the tools may be one for them. */
  private checked(form: string, text: string, random: Random): Said | null {
    return this.touches(text)
      ? null
      : said(form, `${random.next() < 0.5 ? capital(text) : text}${random.next() < 0.6 ? '?' : ''}`, random);
  }

  private touches(text: string): boolean {
    return splitWords(text).some((word) => word.length > 3 && this.own.has(singular(word)));
  }

  private otherThing(random: Random): Said | null {
    if (this.things.length === 0) return null;
    const act = random.pick(ALL_ACTS);
    const thing = random.pick(this.things);
    const kind = random.pick(['order', 'question', 'statement'] as const);
    const core = fill(
      random.pick(kind === 'order' ? act.orders : kind === 'question' ? act.questions : act.statements),
      { o: `${random.pick(['the', 'my', 'a'])} ${thing}`, a: `a ${thing}`, os: plural(thing) },
    );
    return core.includes(thing.split(' ')[0]!)
      ? said('otherThing', tidy(random.pick(FORMS.filter((form) => form.kind === kind)).say(core, random)), random)
      : null;
  }

  /** A request that lacks what the tool must have: the right thing is to ask. */
  private lacking(random: Random): Said | null {
    const open = this.talks.filter(
      ({ tool, parameters }) =>
        Array.isArray(tool.parameters.required) &&
        tool.parameters.required.length > 0 &&
        parameters.some(({ role }) => role === 'id'),
    );
    const talk = open.length > 0 ? random.pick(open) : null;
    const text = talk && sayCall(talk, {}, { random });
    return text && { text: text.text, form: 'lacking' };
  }
}

const said = (form: string, text: string, random: Random): Said => ({ text: chatter(text, [], random), form });
