/**
 * The mailbox of Robin Vale, of the year 2024: some 2,400 messages, the same ones each time, out of the words of words.ts. About 1,400 of them state facts that
 * can be asked for; the rest is replies that name the same things without the facts, and chatter.
 */
import * as words from './words';

export interface Mail {
  id: string;
  from: string;
  /** YYYY-MM-DD */
  date: string;
  subject: string;
  body: string;
}

/** What can be asked of a message, and how it is found. */
export interface Fact {
  kind: string;
  mail: Mail;
  search: { query: string; from?: string; after?: string; before?: string };
  /** what a question names: company, item, person, … */
  about: Record<string, string>;
  /** what it may ask -> the answer, as the message says it */
  asked: Record<string, string>;
}

export interface Dice {
  /** 0 to n - 1 */
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
}

/** mulberry32: small, and the same on every machine. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const shuffle = <T>(items: readonly T[]): T[] => {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = below(i + 1);
      [out[i], out[j]] = [out[j]!, out[i]!];
    }
    return out;
  };
  return { below, pick: (items) => items[below(items.length)]!, shuffle };
}

type Draft = Omit<Fact, 'mail'> & { mail: Omit<Mail, 'id'> };

const two = (n: number): string => String(n).padStart(2, '0');
const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
const pairs = <A, B>(a: readonly A[], b: readonly B[]): [A, B][] => a.flatMap((x) => b.map((y): [A, B] => [x, y]));

/** Values as mails write them. */
const say = (d: Dice) => ({
  day: (): string => `${1 + d.below(28)} ${d.pick(words.MONTHS)}`,
  sent: (month = d.below(12)): string => `2024-${two(month + 1)}-${two(1 + d.below(28))}`,
  time: (): string => `${7 + d.below(12)}:${d.pick(['00', '15', '30', '45'])}`,
  amount: (): string => `${20 + d.below(880)}.${d.pick(['10', '25', '40', '50', '75', '90'])}`,
  thousands: (): string => `${5 + d.below(90)},${d.pick(['000', '250', '500', '800'])}`,
  code: (letters: number, digits: number): string => Array.from({ length: letters }, () => d.pick([...'ABCDEFGHKLMNPRSTUVWXYZ'])).join('') + Array.from({ length: digits }, () => d.below(10)).join(''),
  digits: (n: number): string => String(1 + d.below(9)) + Array.from({ length: n - 1 }, () => d.below(10)).join(''),
  person: (): string => d.pick(words.PEOPLE),
});

/** kind -> all its messages. Every pair that names a message (company and item, person and topic) occurs once in its kind. */
const KINDS: Record<string, (d: Dice, count: number) => Draft[]> = {
  invoice: (d, count) => d.shuffle(pairs(words.COMPANIES, words.GOODS)).slice(0, count).map(([company, item]) => {
    const [v, amount, number, due] = [say(d), say(d).amount(), `R${say(d).digits(4)}`, say(d).day()];
    const body = `${d.pick(['Dear Robin', 'Hello Robin', 'Good morning'])}, ${d.pick(['thank you for your order', 'here is our invoice', 'the work is done'])}. The ${item} comes to ${amount} euros. ${d.pick(words.SMALL_TALK)} The invoice number is ${number}. Please pay by ${due}.`;
    return { kind: 'invoice', mail: { from: company, date: v.sent(), subject: `Invoice: ${item}`, body }, search: { query: item, from: company }, about: { company, item }, asked: { amount, number, due } };
  }),
  meeting: (d, count) => d.shuffle(pairs(words.PEOPLE, words.TOPICS)).slice(0, count).map(([person, topic]) => {
    const [v, time, room, brings, thing] = [say(d), say(d).time(), say(d).digits(3), say(d).person(), d.pick(words.THINGS)];
    const body = `${d.pick(['Hi Robin', 'Dear all', 'Hello'])}, the ${topic} meeting starts at ${time}. ${d.pick(words.SMALL_TALK)} We sit in room ${room}. ${brings} brings the ${thing}.`;
    return { kind: 'meeting', mail: { from: person, date: v.sent(), subject: `${capital(topic)} meeting`, body }, search: { query: `${topic} meeting`, from: person }, about: { person, topic, thing }, asked: { time, room, brings } };
  }),
  trip: (d, count) => d.shuffle(pairs(words.CITIES, words.PURPOSES)).slice(0, count).map(([city, purpose]) => {
    const [v, code, hotel, leaves] = [say(d), say(d).code(3, 3), d.pick(words.HOTELS), say(d).time()];
    const body = `Dear Robin Vale, your booking for the ${purpose} in ${city} is confirmed. The flight leaves at ${leaves}. ${d.pick(words.SMALL_TALK)} The booking code is ${code}. You stay at ${hotel}.`;
    return { kind: 'trip', mail: { from: d.pick(words.AGENTS), date: v.sent(), subject: `Your trip to ${city}`, body }, search: { query: `${purpose} in ${city}` }, about: { city, purpose }, asked: { code, hotel, leaves } };
  }),
  order: (d, count) => d.shuffle(pairs(words.SHOPS, words.ARTICLES)).slice(0, count).map(([shop, item]) => {
    const [v, tracking, arrives, carrier] = [say(d), say(d).code(2, 5), say(d).day(), d.pick(words.CARRIERS)];
    const body = `Good news, your ${item} was sent with ${carrier}. ${d.pick(words.SMALL_TALK)} The tracking number is ${tracking}. It arrives on ${arrives}.`;
    return { kind: 'order', mail: { from: shop, date: v.sent(), subject: `Order sent: ${item}`, body }, search: { query: item, from: shop }, about: { shop, item }, asked: { tracking, arrives, carrier } };
  }),
  access: (d, count) => d.shuffle(pairs(words.PLACES, words.SECRETS)).slice(0, count).map(([place, secret]) => {
    const [v, code, helper] = [say(d), secret === 'wifi password' ? `${d.pick(words.PASSWORDS)}${say(d).digits(2)}` : say(d).digits(4), say(d).person()];
    const body = `Hi Robin, the ${secret} of the ${place} is ${code}. ${d.pick(words.SMALL_TALK)} If it fails, ask ${helper}.`;
    return { kind: 'access', mail: { from: v.person(), date: v.sent(), subject: `${capital(place)}: ${secret}`, body }, search: { query: `${place} ${secret}` }, about: { place, secret }, asked: { code, helper } };
  }),
  project: (d, count) => d.shuffle(pairs(words.PROJECTS, ['budget', 'schedule'])).slice(0, count).map(([project, what]) => {
    const [v, budget, deadline, lead] = [say(d), say(d).thousands(), say(d).day(), say(d).person()];
    const body = what === 'budget'
      ? `Dear Robin, the board has looked at ${project}. The budget is ${budget} euros. ${d.pick(words.SMALL_TALK)} It is run by ${lead}.`
      : `Dear Robin, a word on the schedule of ${project}. ${d.pick(words.SMALL_TALK)} The new deadline is ${deadline}.`;
    return { kind: 'project', mail: { from: v.person(), date: v.sent(), subject: `Project ${project}: ${what}`, body }, search: { query: `${project} ${what === 'budget' ? 'budget' : 'deadline'}` }, about: { project }, asked: (what === 'budget' ? { budget, lead } : { deadline }) as Record<string, string> };
  }),
  statement: (d, count) => pairs(words.SENDERS_OF_STATEMENTS, words.MONTHS.map((_, m) => m)).slice(0, count).map(([company, month]) => {
    const amount = say(d).amount();
    const body = `Dear customer, your monthly statement is ready. The amount is ${amount} euros. ${d.pick(words.SMALL_TALK)}`;
    const search = { query: 'statement', from: company, after: `2024-${two(month + 1)}-01`, before: `2024-${two(month + 1)}-${new Date(Date.UTC(2024, month + 1, 0)).getUTCDate()}` };
    return { kind: 'statement', mail: { from: company, date: say(d).sent(month), subject: 'Monthly statement', body }, search, about: { company, month: words.MONTHS[month]! }, asked: { amount } };
  }),
  estimate: (d, count) => d.shuffle(pairs(words.PEOPLE, words.TOPICS)).slice(0, count).map(([person, topic]) => {
    const [v, days, cost] = [say(d), String(3 + d.below(90)), say(d).thousands()];
    const body = `Hi Robin, my estimate for the ${topic} work is ${days} days. ${d.pick(words.SMALL_TALK)} I expect it to cost ${cost} euros.`;
    return { kind: 'estimate', mail: { from: person, date: v.sent(), subject: `Estimate: ${topic}`, body }, search: { query: `${topic} estimate`, from: person }, about: { person, topic }, asked: { days, cost } };
  }),
  contact: (d, count) => d.shuffle(words.PEOPLE).slice(0, count).map((person) => {
    const [v, extension, floor] = [say(d), say(d).digits(4), String(2 + d.below(11))];
    const body = `Dear colleagues, I have moved. My new extension is ${extension}. ${d.pick(words.SMALL_TALK)} You find me on floor ${floor}.`;
    return { kind: 'contact', mail: { from: person, date: v.sent(), subject: 'I have moved', body }, search: { query: 'moved', from: person }, about: { person }, asked: { extension, floor } };
  }),
};

/** How many messages of each kind there are. */
const COUNTS: Record<keyof typeof KINDS, number> = { invoice: 260, meeting: 220, trip: 150, order: 200, access: 95, project: 110, statement: 120, estimate: 180, contact: 55 };
const REPLIES = 300;
const CHATTER = 700;

/** A reply that names what the message was about, and leaves its facts out. */
function reply({ mail, about }: Draft, d: Dice): Omit<Mail, 'id'> {
  const sender = d.pick(words.PEOPLE.filter((person) => person !== mail.from && person !== about.person));
  const body = `${d.pick(words.SMALL_TALK)} I saw the mail of ${mail.from} on this and will answer it. ${d.pick(words.SMALL_TALK)}`;
  return { from: sender, date: mail.date, subject: `Re: ${mail.subject}`, body };
}

function chatter(d: Dice): Omit<Mail, 'id'> {
  return { from: say(d).person(), date: say(d).sent(), subject: d.pick(words.CHATTER), body: d.shuffle(words.SMALL_TALK).slice(0, 2 + d.below(3)).join(' ') };
}

/** @returns messages, oldest first, with the facts that they state */
export function makeMailbox(seed = 2024): { mails: Mail[]; facts: Fact[] } {
  const d = dice(seed);
  const drafts = Object.entries(KINDS).flatMap(([kind, make]) => make(d, COUNTS[kind]!));
  const others = [...d.shuffle(drafts).slice(0, REPLIES).map((draft) => reply(draft, d)), ...Array.from({ length: CHATTER }, () => chatter(d))];
  const all: { mail: Omit<Mail, 'id'>; draft: Draft | null }[] = [...drafts.map((draft) => ({ mail: draft.mail, draft })), ...others.map((mail) => ({ mail, draft: null }))];
  // Array.sort is stable: the same order each time also within a day.
  all.sort((a, b) => (a.mail.date < b.mail.date ? -1 : a.mail.date > b.mail.date ? 1 : 0));
  const mails = all.map(({ mail }, i): Mail => ({ id: `m${i + 1}`, ...mail }));
  return { mails, facts: all.flatMap(({ draft }, i) => (draft ? [{ ...draft, mail: mails[i]! }] : [])) };
}
