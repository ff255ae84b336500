import type { Random } from '../../../base/random';
import { noToolTopics } from '../noTool';
import { splitWords, singular } from '../../../tools/schema/words';
import { ALL_ACTS } from './acts';
import { drawArguments } from '../values';
import { fill } from './mention';
import { otherTools } from './otherTools';
import { capital, chatter, FORMS } from './sentence';
import { sayCall, tidy, type Said } from './say';
import { plural } from './thing';
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
/** What people ask of any desk, shop or service, and hardly any tool does. */
const AT_THE_DESK = [
  'when do you open',
  'are you open on sundays',
  'how late are you open',
  'where exactly are you',
  'how do I get to you by bus',
  'is there a car park nearby',
  'do you have a toilet',
  "what's the wifi password",
  'can I pay by card',
  'is there a lift',
  'can I bring my dog',
  'are you hiring',
  'who is in charge here',
  'can I speak to a human',
  'I want to talk to your boss',
  "I'd like to make a complaint",
  'do you have a coffee machine',
  'how long have you been working here',
  'do you close for the holidays',
  'can I leave my bike outside',
  'is it busy right now',
  'your website does not work',
  'I left my umbrella at your place',
  'do you give discounts for students',
  'can you call me back later',
  'what is your fax number',
  'can I have a receipt',
  'how much does it cost to join',
  'do I need an account',
  'I forgot my password',
  'what do you do with my data',
  'can you print something for me',
  'is it going to rain {d}',
  "what's the date today",
  'do you sell stamps',
  'remind me to call my mother',
  'set a timer for {m} minutes',
  'send my sister a message',
  'turn off the lights',
  "what's on tv {d}",
  'order a pizza for me',
  'book me a flight to {x}',
  'how much is a train ticket to {x}',
  'wake me up at {m}',
  "what's {n} dollars in euros",
  'translate {w} into Spanish',
  'how do I cook rice',
  'find me a plumber',
  'what are the lottery numbers',
  "what's the news",
  'recommend me a good doctor',
  'when is the next bus',
  'how many calories are in {w}',
  'what is my horoscope',
  'do you know a good joke',
  'my printer is broken',
];
/** About the tools' own things, and yet nothing that a tool could do. */
const ABOUT_OWN = [
  'what is {a}',
  "what's the plural of {o}",
  'how do you spell {o}',
  'how do you say {o} in French',
  'what does the word {o} mean',
  'who invented the {o}',
  'write me a poem about {os}',
  'tell me a joke about {os}',
  'why do people like {os} so much',
  'do you like {os}',
  'I love {os}',
  'I hate {os}',
  'my brother collects {os}',
  'are {os} expensive in {x}',
  'how many {os} are there in the world',
  'I dreamt of {a} last night',
  'my {o} fell into the water',
  'who made the first {o}',
  'is there a museum about {os}',
  'what is the best {o} in history',
  'can you draw {a}',
  'sing a song about {a}',
  'translate {o} into Italian',
  'what is the opposite of {o}',
  "what's the difference between {a} and a {w}",
  'where does the word {o} come from',
  'what did a {o} cost a hundred years ago',
  'can I photograph the {os}',
  'is {a} a good present',
  'my {o} is {n} years old',
  'can you teach me everything about {os}',
  'what do you think of {os}',
  "I'm writing an essay about {os}",
  'how are {os} made',
];
const DAYS = ['today', 'tomorrow', 'tonight', 'on sunday', 'this weekend'];
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
  private readonly others: readonly ToolTalk[];

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
    if (roll < 0.96) return this.otherTool(random);
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

/** With a capital and a mark, or as people type. */
const asked = (text: string, random: Random): string =>
  `${random.next() < 0.5 ? capital(text) : text}${random.next() < 0.6 ? (OPENS_QUESTION.test(text) ? '?' : '.') : ''}`;
const OPENS_QUESTION = /^(what|who|why|how|which|is|are|do|does|did|can|could|where|when|have)\b/;

const said = (form: string, text: string, random: Random): Said => ({ text: chatter(text, [], random), form });
