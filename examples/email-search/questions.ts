/**
 * Questions on the mailbox, each with the calls that answer it: a search, then a read where the search's snippet does not hold the answer. What a search must be
 * asked for is said in the question, in one piece. Some ask for what is in no email; the right answer then is NOT_FOUND.
 */
import { answerOccurs } from '../../trainer/tasks/solved';
import { dice, makeMailbox, type Dice, type Fact } from './mailbox';
import { COMPANIES, GOODS, PEOPLE, PLACES, SECRETS, SHOPS, ARTICLES, TOPICS } from './words';
import { searchEmails } from './tools';

export interface Question {
  id: string;
  prompt: string;
  calls: { name: string; arguments: Record<string, unknown> }[];
  answer: string;
  tags: string[];
}

export const NOT_FOUND = 'not in the mailbox';
const ANSWERED = 900;
const UNANSWERABLE = 80;

/** kind, what is asked -> ways to ask it. The last one is kept for questions that no model has trained on. */
const WAYS: Record<string, Record<string, string[]>> = {
  invoice: {
    amount: ['how much does {company} want for the {item}?', 'what does the {item} from {company} cost?', '{company} billed us for the {item}; how many euros was it?', 'what is the total that {company} put on the bill for the {item}?'],
    number: ['what is the invoice number of the {item} from {company}?', '{company} sent an invoice for the {item}; what is its number?', 'which number does the {company} invoice for the {item} have?', 'accounting wants the invoice number for the {item} that {company} sold us'],
    due: ['by when must we pay {company} for the {item}?', 'until what day can we pay for the {item} from {company}?', 'when is the payment for the {item} due to {company}?', 'how long does {company} give us to settle the bill for the {item}?'],
  },
  meeting: {
    time: ['at what time is the {topic} meeting that {person} called?', 'when does the {topic} meeting of {person} start?', '{person} invited me to the {topic} meeting; what time was it?', 'how early do I have to be at the {topic} meeting with {person}?'],
    room: ['in which room is the {topic} meeting with {person}?', 'where does {person} hold the {topic} meeting?', '{person} booked a room for the {topic} meeting; which one?', 'I am lost: which room did {person} pick for the {topic} meeting?'],
    brings: ['who brings the {thing} to the {topic} meeting of {person}?', '{person} says who brings the {thing} to the {topic} meeting; who is it?', 'who takes care of the {thing} for the {topic} meeting with {person}?', 'whom did {person} name for the {thing} at the {topic} meeting?'],
  },
  trip: {
    code: ['what is my booking code for the {purpose} in {city}?', 'which code do I show for the {purpose} in {city}?', 'I need the booking code of the {purpose} in {city}', 'the desk asks for my reservation code for the {purpose} in {city}'],
    hotel: ['where do I stay for the {purpose} in {city}?', 'which hotel is booked for the {purpose} in {city}?', 'what is the name of my hotel for the {purpose} in {city}?', 'where will I sleep during the {purpose} in {city}?'],
    leaves: ['when does my flight to the {purpose} in {city} leave?', 'at what time do I fly to the {purpose} in {city}?', 'what is the departure time for the {purpose} in {city}?', 'how soon must I be in the air for the {purpose} in {city}?'],
  },
  order: {
    tracking: ['what is the tracking number of the {item} from {shop}?', 'how do I track the {item} that {shop} sent? I need the number', '{shop} sent a tracking number for the {item}; which?', 'which number follows the parcel with the {item} from {shop}?'],
    arrives: ['when does the {item} from {shop} arrive?', 'on which day will {shop} deliver the {item}?', '{shop} sent my {item}; when is it here?', 'what day should I stay at home for the {item} from {shop}?'],
    carrier: ['who delivers the {item} from {shop}?', 'which carrier brings the {item} that I ordered at {shop}?', 'with whom did {shop} send the {item}?', 'what parcel service has my {item} from {shop}?'],
  },
  access: {
    code: ['what is the {place} {secret}?', 'tell me the {place} {secret}', 'which {place} {secret} did they send me?', 'I stand here without the {place} {secret}; what is it?'],
    helper: ['whom do I ask when the {place} {secret} fails?', 'who helps if the {place} {secret} does not work?', 'the {place} {secret} fails; who can help?', 'who knows more about the {place} {secret} when it is of no use?'],
  },
  project: {
    budget: ['how big is the {project} budget?', 'what is the {project} budget in euros?', 'how many euros are in the {project} budget?', 'how much may we spend, by the {project} budget?'],
    lead: ['who runs the project, says the {project} budget?', 'the {project} budget mail says who runs it; who?', 'who is in charge, by the mail on the {project} budget?', 'whose name stands under the {project} budget as the one who runs it?'],
    deadline: ['when is the {project} deadline?', 'what is the new {project} deadline?', 'to which day did the {project} deadline move?', 'how long do we have until the {project} deadline?'],
  },
  statement: {
    amount: ['what was the amount on the {month} statement from {company}?', 'how much was the statement of {company} in {month}?', 'the statement that {company} sent in {month}: how many euros?', 'what did I owe by the statement {company} wrote in {month}?'],
  },
  estimate: {
    days: ['how many days is the {topic} estimate of {person}?', 'how long will it take, by the {topic} estimate that {person} made?', '{person} sent the {topic} estimate; how many days?', 'what length does {person} give in the {topic} estimate?'],
    cost: ['what does it cost, by the {topic} estimate of {person}?', 'how many euros are in the {topic} estimate from {person}?', '{person} sent the {topic} estimate; at what cost?', 'how expensive is it in the {topic} estimate by {person}?'],
  },
  contact: {
    extension: ['{person} has moved; what is the extension now?', 'which extension has {person} since they moved?', 'what do I dial for {person}, who moved?', '{person} moved, and my call goes nowhere; which extension is right?'],
    floor: ['{person} has moved; on which floor?', 'on what floor is {person} since they moved?', 'to which floor has {person} moved?', '{person} moved; how far up do I go?'],
  },
};

/** Around a question; the last two are kept likewise. */
const FRAMES = ['{Q}', '{Q}', 'Can you look in my mail: {q}', 'I forgot, {q}', 'Please check my emails: {q}', 'Quick question: {q}', 'Could you find out for me: {q}', 'One of my mails says it: {q}', 'My memory fails me again. {Q}', 'Before I call them, {q}'];
const NEW_FRAMES = 2;

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

function phrase(kind: string, asked: string, about: Record<string, string>, isNew: boolean, d: Dice): string {
  const ways = WAYS[kind]![asked]!;
  const way = isNew ? ways.at(-1)! : d.pick(ways.slice(0, -1));
  const frame = d.pick(isNew ? FRAMES.slice(-NEW_FRAMES) : FRAMES.slice(0, -NEW_FRAMES));
  const question = way.replace(/\{(\w+)\}/g, (_, name: string) => about[name]!);
  return frame.replace('{Q}', capital(question)).replace('{q}', question);
}

type Search = Fact['search'];
type Asking = { kind: string; asked: string; about: Record<string, string>; calls: Question['calls']; answer: string; tag: string };

/** The gold calls of a fact. @throws Error where the search does not find the email */
function callsFor({ mail, search }: Fact, answer: string): Question['calls'] {
  const hits = searchEmails(search.query, search.from, search.after, search.before);
  const hit = hits.find(({ id }) => id === mail.id);
  if (!hit) throw new Error(`questions: ${JSON.stringify(search)} does not find ${mail.id}`);
  const first = { name: 'searchEmails', arguments: { ...search } };
  // Only the first hit's snippet counts: elsewhere one has to read to know.
  return hits[0] === hit && answerOccurs(answer, hit.snippet) ? [first] : [first, { name: 'readEmail', arguments: { id: mail.id } }];
}

/** Pairs that no email is about. */
function missing(facts: readonly Fact[], d: Dice): Asking[] {
  const known = new Set(facts.map(({ search }) => JSON.stringify(search)));
  const make: (() => { kind: string; asked: string; about: Record<string, string>; search: Search })[] = [
    () => { const [company, item] = [d.pick(COMPANIES), d.pick(GOODS)]; return { kind: 'invoice', asked: d.pick(['amount', 'number', 'due']), about: { company, item }, search: { query: item, from: company } }; },
    () => { const [person, topic] = [d.pick(PEOPLE), d.pick(TOPICS)]; return { kind: 'meeting', asked: d.pick(['time', 'room']), about: { person, topic }, search: { query: `${topic} meeting`, from: person } }; },
    () => { const [person, topic] = [d.pick(PEOPLE), d.pick(TOPICS)]; return { kind: 'estimate', asked: d.pick(['days', 'cost']), about: { person, topic }, search: { query: `${topic} estimate`, from: person } }; },
    () => { const [shop, item] = [d.pick(SHOPS), d.pick(ARTICLES)]; return { kind: 'order', asked: d.pick(['tracking', 'arrives']), about: { shop, item }, search: { query: item, from: shop } }; },
    () => { const [place, secret] = [d.pick(PLACES), d.pick(SECRETS)]; return { kind: 'access', asked: 'code', about: { place, secret }, search: { query: `${place} ${secret}` } }; },
  ];
  const out: Asking[] = [];
  while (out.length < UNANSWERABLE) {
    const { search, ...question } = make[out.length % make.length]!();
    const key = JSON.stringify(search);
    if (known.has(key) || searchEmails(search.query, search.from).length > 0) continue;
    known.add(key);
    out.push({ ...question, calls: [{ name: 'searchEmails', arguments: search }], answer: NOT_FOUND, tag: 'noAnswer' });
  }
  return out;
}

/** @param isKeptOut says of gold calls that they will be held out, so that they may be asked in ways that training never saw */
export function makeQuestions(isKeptOut: (calls: Question['calls']) => boolean, seed = 7): Question[] {
  const d = dice(seed);
  const { facts } = makeMailbox();
  const answered = d.shuffle(facts).slice(0, ANSWERED).map((fact): Asking => {
    const [asked, answer] = d.pick(Object.entries(fact.asked));
    const calls = callsFor(fact, answer);
    return { kind: fact.kind, asked, about: fact.about, calls, answer, tag: calls.length === 1 ? 'search' : 'read' };
  });
  return d.shuffle([...answered, ...missing(facts, d)]).map(({ kind, asked, about, calls, answer, tag }, i) => {
    const isNew = isKeptOut(calls) && d.below(2) === 0;
    return { id: `q${String(i + 1).padStart(3, '0')}`, prompt: phrase(kind, asked, about, isNew, d), calls, answer, tags: [tag, kind, ...(isNew ? ['newPhrasing'] : [])] };
  });
}
