import { splitWords } from '../../../base/words';
import { LOOK_UPS } from '../../../tools/schema/words';
import { actsForThing, actsOf, type Act } from './acts';
import { isPerson, ownSynonyms } from './nouns';
import { wordNet } from './synonyms';

/** @param request the description as one: "cancel an order" */
export function actsFor(verb: string | null, request: string, noun: string, changesWorld: boolean): readonly Act[] {
  const [describedVerb = ''] = splitWords(request);
  const last = noun.split(' ').at(-1) ?? '';
  const isRaised = verb === 'open' && changesWorld && (RECORDS.test(last) || /^open (an? )?new /.test(request));
  const named = verb === null ? [] : isRaised ? [RAISED] : actsOf(verb, isPerson(last));
  const described = GENERAL.has(describedVerb) ? [] : actsOf(describedVerb).filter((act) => !named.includes(act));
  // "getForecast": people ask what the weather will be
  if (LOOK_UPS.test(verb ?? '') && ASKED_FOR.test(last)) return [...actsForThing(last, changesWorld), ...named];
  if (named.length > 0) return GENERAL.has(verb ?? '') ? [...named, ...described] : named;
  if (verb !== null) return [fromWordNet(verb), ...described];
  // a tool that is named after what it gives is asked for that, and one that does something to do it
  const ofThing = [...actsForThing(last, changesWorld), ...described];
  if (!changesWorld) return [GIVEN, ...ofThing];
  return ofThing.length > 0 ? ofThing : [actOfRequest(request, noun) ?? GIVEN];
}

/** Of these one that was not there is opened; a door, a file or a valve is there. */
const RECORDS =
  /^(account|case|claim|complaint|conversation|discussion|dispute|incident|inquiry|issue|order|position|request|tab|thread|ticket|topic)$/;

/** The table's, whose own word for it is none that anybody says. */
const RAISED: Act = { ...actsOf('openrecord')[0]!, verbs: ['open', 'raise', 'log'] };

/** "take a drink off the menu for tonight": of a drink; null: the request does not speak of the thing. */
function actOfRequest(request: string, noun: string): Act | null {
  const order = request.replace(new RegExp(`\\b(?:an?|the|one|some|any) ${noun}\\b`, 'i'), '{o}');
  if (order === request) return null;
  return {
    verbs: [splitWords(request)[0]!],
    orders: [order],
    questions: [`can you ${order}`, `could you ${order}`, `can we ${order}`],
    statements: [`I want to ${order}`, `I'd like you to ${order}`, `we need to ${order}`],
  };
}

/** Things that people ask for in words of their own, whatever the verb. */
const ASKED_FOR = /^(weather|forecast)$/;

/**
 * Verbs that say little: where the name has one of them, the description's verb is asked for, too, and theirs is not
 * asked for in place of the name's.
 */
const GENERAL: ReadonlySet<string> = new Set(
  'get set do make put give tell show return add run handle process manage use have update create'.split(' '),
);

/** "mooring fee": what it gives is asked for. */
const GIVEN: Act = {
  verbs: ['get', 'show', 'tell'],
  orders: [
    'get {o}',
    'tell me {o}',
    'give me {o}',
    'work out {o}',
    'show me {o}',
    'find out {o}',
    'look up {o}',
    'figure out {o}',
    'check {o}',
  ],
  questions: [
    'what is {o}',
    "what's {o}",
    'what would {o} be',
    'can I get {o}',
    'do you know {o}',
    'what about {o}',
    'can you tell me {o}',
    'how about {o}',
    'how much is {o}',
  ],
  statements: [
    "I'd like to know {o}",
    'I need {o}',
    'I need to know {o}',
    "I'm wondering about {o}",
    'I want to know {o}',
    'no idea what {o} is',
    "I'm interested in {o}",
  ],
};

/** A verb that no list holds: its synonyms, and what is said for them. */
function fromWordNet(verb: string): Act {
  const verbs = [verb, ...wordNet('v', verb)];
  return {
    verbs,
    orders: verbs.map((one) => `${one} {o}`),
    questions: verbs.map((one) => `can you ${one} {o}`),
    statements: verbs.map((one) => `I'd like to ${one} {o}`),
  };
}

/**
 * "add … to the cart", "remove … from the watchlist"; null: of other verbs people say what they always say.
 * @param place null: it is said with the values
 */
export function actOfMove(verb: string, small: string, place: string | null, description: string): Act | null {
  const isInto = /^(to|into|in)$/.test(small) && /^(add|put|append|push|insert|save)$/.test(verb);
  const isOutOf = small === 'from' && /^(remove|delete|take|drop|pull)$/.test(verb);
  if (place === null) return isInto ? ADDED : null;
  if (place === '' || place.split(' ').length > 2) return null;
  if (SENDS.test(verb) && small === 'to') return actOfSending(verb, namedAs(place, description));
  const at = `${/(list|calendar|schedule|queue|board|agenda)$/.test(place) ? 'on' : 'in'} my ${place}`;
  if (isInto)
    return {
      verbs: ['add', 'put', `add to ${place}`],
      orders: [`add {o} to my ${place}`, `put {o} ${at}`, `add {o} to the ${place}`, `put {o} into the ${place}`],
      questions: [`can you add {o} to my ${place}`, `can I have {o} ${at}`, `could you put {o} ${at}`],
      statements: [`I want {o} ${at}`, `I'd like {o} ${at}`, `{o} should go ${at}`, `{o} belongs ${at}`],
    };
  return isOutOf
    ? {
        verbs: ['remove', 'take', 'drop'],
        orders: [`remove {o} from my ${place}`, `take {o} out of the ${place}`, `delete {o} from the ${place}`],
        questions: [`can you take {o} out of my ${place}`, `could you remove {o} from the ${place}`],
        statements: [`I don't want {o} ${at} any more`, `{o} should not be ${at}`, `I no longer need {o} ${at}`],
      }
    : null;
}

const SENDS = /^(send|take|move|bring|transfer|forward|export|post|upload|publish|escalate|drive|ship|return)$/;

/** "the workshop", but "Slack" where the description says so without an article. */
const namedAs = (place: string, description: string): string => {
  const told = new RegExp(`(\\w+) (${place})\\b`, 'i').exec(description);
  return told === null || /^(the|an?|my|your|its|their)$/i.test(told[1]!) ? `the ${place}` : told[2]!;
};

/** "sendToWorkshop": where it goes to is said with it. */
const actOfSending = (verb: string, place: string): Act => ({
  verbs: [`${verb} to`, `to ${place}`, place],
  orders: [`${verb} {o} to ${place}`, `${verb} {o} to ${place}`, `have {o} in ${place}`, `get {o} to ${place}`],
  questions: [`can you ${verb} {o} to ${place}`, `can {o} go to ${place}`, `could {o} get to ${place}`],
  statements: [
    `{o} should go to ${place}`,
    `{o} has to go to ${place}`,
    `{o} needs to go to ${place}`,
    `I want {o} in ${place}`,
    `{o} belongs in ${place}`,
  ],
});

/**
 * "markAbsent: Marks a pupil absent", "setActive: Sets a user to active": what is said of a thing that is put into a
 * state, and the thing. null: the description does not say so.
 */
export function actOfState(words: readonly string[], description: string): { act: Act; noun: string[] } | null {
  const [verb = '', ...rest] = words;
  const state = rest.join(' ');
  if (rest.length === 0 || rest.length > 2 || !/^(mark|set|flag|declare|report|make|label|put)$/.test(verb))
    return null;
  const said = new RegExp(
    `^\\w+s? (?:an?|the|one or (?:more|several)|one|several|multiple) ((?:\\w+ )?\\w+?) ` +
      `(as |to |to be )?(?:being )?${state}\\b`,
    'i',
  );
  const [, noun, joint] = said.exec(description) ?? [];
  // "Flags a user comment" and "Sets the room temperature" speak of things
  const isState = joint !== undefined || (/^(mark|flag|declare)$/.test(verb) && wordNet('n', state).length === 0);
  if (noun === undefined || !isState) return null;
  const act: Act = {
    verbs: ['mark', state, state],
    orders: [
      `mark {o} as ${state}`,
      `mark {o} ${state}`,
      `set {o} to ${state}`,
      `put {o} down as ${state}`,
      `note that {o} is ${state}`,
      `record {o} as ${state}`,
      `have {o} marked ${state}`,
    ],
    questions: [
      `can you mark {o} as ${state}`,
      `can you mark {o} ${state}`,
      `can {o} be marked as ${state}`,
      `could you put {o} down as ${state}`,
    ],
    statements: [
      `{o} is ${state}`,
      `{o} is ${state} now`,
      `{o} should be marked ${state}`,
      `{o} counts as ${state}`,
      `{o} can be marked as ${state}`,
    ],
  };
  return { act, noun: noun.toLowerCase().split(' ') };
}

const ADDED: Act = {
  verbs: ['add', 'put', 'insert'],
  orders: ['add {o}', 'add {o}', 'add {o}', 'get {o} added'],
  questions: ['can you add {o}', 'could you add {o}', 'can {o} be added', 'is it possible to add {o}'],
  statements: ["I'd like to add {o}", 'I want {o} added', '{o} should be added', '{o} needs to be added'],
};

export function nounsOf(noun: string): string[] {
  const parts = noun.split(' ');
  const last = parts.at(-1) ?? '';
  // not WordNet's: of a noun's senses the first is too often another one ("hold": grip)
  const others = ownSynonyms(last).map((word) => (parts.length > 1 ? [...parts.slice(0, -1), word].join(' ') : word));
  return [noun, ...ownSynonyms(noun), ...(parts.length > 1 ? [last, ...others] : others)].filter(
    (one, i, all) => all.indexOf(one) === i,
  );
}
