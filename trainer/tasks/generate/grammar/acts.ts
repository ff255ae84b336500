/**
 * How people ask for an act: what a tool's verb says, and what is said instead of it. Plain English knowledge, of no
 * tool file in particular.
 */
import { COMMON_ACTS } from './actsTable';
import { TRADE_ACTS } from './tradeActs';

/** What people say for the verbs of a tool's name. */
export interface Act {
  verbs: readonly string[];
  orders: readonly string[];
  questions: readonly string[];
  statements: readonly string[];
  /** it is done to somebody, and its verbs mean another act where it is done to a thing */
  isOfPersons?: boolean;
}

const split = (line: string): string[] =>
  line
    .slice(2)
    .split(';')
    .map((text) => text.trim())
    .filter(Boolean);

const common: readonly Act[] = parse(COMMON_ACTS);
const all: readonly Act[] = [...common, ...parse(TRADE_ACTS)];

function parse(text: string): Act[] {
  const acts: { verbs: string[]; orders: string[]; questions: string[]; statements: string[]; isOfPersons: boolean }[] =
    [];
  for (const line of text.trim().split('\n')) {
    const last = acts.at(-1);
    if (line.startsWith('! ') && last) last.orders.push(...split(line));
    else if (line.startsWith('? ') && last) last.questions.push(...split(line));
    else if (line.startsWith('. ') && last) last.statements.push(...split(line));
    else {
      const verbs = line.replace('-person', '').split(' ');
      acts.push({ verbs, orders: [], questions: [], statements: [], isOfPersons: line.includes('-person') });
    }
  }
  return acts;
}

const standsFor = (acts: readonly Act[], verb: string): Act[] =>
  acts.filter(({ verbs }) => verbs.includes(verb)).sort((a, b) => a.verbs.indexOf(verb) - b.verbs.indexOf(verb));

/**
 * Acts that a verb may stand for, the one that names it first before the others; [] for a verb that no act knows.
 * @param isOfPersons it is done to somebody
 */
export function actsOf(verb: string, isOfPersons = false): readonly Act[] {
  const found = standsFor(all, verb);
  const ofPersons = found.filter((act) => act.isOfPersons);
  return isOfPersons && ofPersons.length > 0 ? ofPersons : found.filter((act) => !act.isOfPersons);
}

/**
 * Acts for a tool that is named after a thing which is a verb, too ("quote", "class schedule"): of no trade, where that
 * is a thing ("water").
 * @param changesWorld it does that; else it tells of it, and nothing is booked
 */
export const actsForThing = (noun: string, changesWorld: boolean): readonly Act[] =>
  standsFor(common, noun).filter(({ verbs }) => changesWorld || LOOKS.has(verbs[0]!));
/** By their first verb: acts that change nothing. */
const LOOKS: ReadonlySet<string> = new Set(
  'find list get check track availability price compute count convert compare distance help forecast summarize'.split(
    ' ',
  ),
);

/** Every act, for requests that no tool can do. */
export const ALL_ACTS = all;
