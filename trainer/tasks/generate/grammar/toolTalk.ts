import { isWorked, timeUnitOf, type TimeUnit } from '../../../base/durations';
import type { JsonSchema, ToolSchema } from '../../../protocol/task';
import { deref, isRecord } from '../../../protocol/arguments';
import { spanNames } from '../../../base/spans';
import { isSignedChange } from '../../../base/signedChange';
import { splitWords } from '../../../base/words';
import {
  isStateOfMany,
  LOOK_UPS,
  singular,
  STATES,
  toolWords,
  nameWordsOf,
  valueWords,
  holdsAny,
  withoutUser,
} from '../../../tools/schema/words';
import type { Act } from './acts';
import { scaleNames } from '../scales';
import { QUALITY, wantedBy } from './flags';
import { measureOf, type Measure } from './measures';
import { EMPTY_NOUNS, objectOf, PARTICLE, verbAndRest, withoutService } from './nameParts';
import { aboutWords } from '../drawing';
import { isNewHandle, isSaidNew } from '../newHandles';
import { PREPOSITION, roleOf, thingPointedAt, type Role } from './roles';
import { plural } from './thing';
import { actOfMove, actOfState, actsFor, nounsOf } from './toolActs';

export interface ParameterTalk {
  path: readonly string[];
  /** "due date" */
  words: string;
  /** what it points at, in the singular: "member" for memberId; '' for a bare id or name */
  noun: string;
  role: Role;
  /** what the tool makes of the thing: "change the lights to red" */
  isNew: boolean;
  /** where a thing goes to or comes from: "to the order O-17" */
  isPlace: boolean;
  /** of a list of objects: what each of them holds */
  items: readonly ParameterTalk[];
  /** of a switch by which a look-up gives only some: what these are ("empty"); else null */
  wanted: string | null;
  /** a number by which something goes up or down */
  isChange: boolean;
  /** of a number that is a span of time */
  unit: TimeUnit | null;
  /** of a number with a unit */
  measure: Measure | null;
  /** of the highest that a score may be: the score's name; else null */
  scoreOf: string | null;
}

/** How a tool may be asked for. */
export interface ToolTalk {
  tool: ToolSchema;
  /** of its name, said of the thing alone: "cancel", "check in"; null: it has none, or says more ("add to the cart") */
  verb: string | null;
  /** acts by worth: those of the name's verb first */
  acts: readonly Act[];
  /** the thing in the singular, with what else it is called; the first is the tool's own word */
  nouns: readonly string[];
  /** the name speaks of many: "list loans" */
  isPlural: boolean;
  /** the description as a request ("search the catalogue") */
  request: string;
  parameters: readonly ParameterTalk[];
}

export function toolTalk(tool: ToolSchema): ToolTalk {
  const named = nameWordsOf(tool);
  const { request, thing } = toolWords(tool);
  const described = splitWords(request);
  const object = objectOf(described.slice(1));
  // "dry: Plants with moisture below 30 %" gives the dry plants, and dries none
  const isQuality = named.length === 1 && !tool.changesWorld && thing !== null && QUALITY.test(named[0]!);
  const words = isQuality ? [...named, ...(object ?? [])] : named;
  const isDone = thing === null && !ASKING.has(described[0] ?? '');
  // "onCall: Who is on call now?"
  const isQuestion = described[0] === 'tell' && described[1] === 'me';
  // "orderStatus: Status of an order", "stockLevel: How many are in stock"
  const isState =
    isQuality ||
    isStateOfMany(tool) ||
    ((thing !== null || isQuestion) && STATES.has(words[1] ?? '') && !LOOK_UPS.test(words[0]!));
  const { verb, said, rest } = isListOf(tool, words)
    ? { verb: 'list', said: null, rest: [...words.slice(0, -2), plural(words.at(-2)!)] }
    : isState
      ? { verb: null, said: null, rest: words }
      : verbAndRest(withoutService(words, described[0] ?? ''), tool.changesWorld, isDone ? described : null);
  const parameters = withEnds(parametersOf(tool));
  const end = rest.findIndex((word) => PREPOSITION.test(word));
  const isLast = end === rest.length - 1; // "visitsOf: When somebody came"
  const upTo = end < 0 || (isQuestion && !isLast) ? rest : rest.slice(0, end);
  const state = actOfState(words, tool.description);
  // "eightySix: Takes a drink off the menu": what it is done to, where the name has no verb
  const isDoneTo = verb === null && tool.changesWorld && isDone ? object : null;
  const head = state?.noun ?? isDoneTo ?? thingNamed(upTo, verb) ?? object ?? firstNoun(parameters);
  const last = head.at(-1) ?? 'thing';
  const noun = [...head.slice(0, -1), singular(last)].join(' ');
  const [small = '', ...place] = verb === null || end < 0 ? [] : rest.slice(end);
  const target = placeIn(parameters, small, place);
  const own =
    state?.act ?? (verb === null ? null : actOfMove(verb, small, target ? null : place.join(' '), tool.description));
  const isPlural = singular(last) !== last;
  const givesMany = !tool.changesWorld && (isPlural || /^(?:filter|find|list|query|search)$/.test(words[0]!));
  return {
    tool,
    verb: own ? null : said,
    acts: own ? [own] : actsFor(verb, request, noun, tool.changesWorld),
    nouns: nounsOf(noun),
    isPlural,
    request,
    parameters: parameters.map((one) =>
      one === target
        ? { ...one, role: small === 'from' ? 'from' : 'to', isPlace: true }
        : { ...one, wanted: one.role === 'flag' ? wantedBy(one.words, givesMany) : null },
    ),
  };
}

/** "vanList: All vans of a state", "tankBoard: What is in the tanks"; "shoppingList" is no list of shoppings. */
const isListOf = ({ description, changesWorld }: ToolSchema, words: readonly string[]): boolean =>
  !changesWorld &&
  words.length > 1 &&
  /^(?:board|list|overview|register|roster|summary|table)$/.test(words.at(-1)!) &&
  splitWords(description).includes(plural(words.at(-2)!));

/** What the name says it is about; null: nothing that tells. */
function thingNamed(words: readonly string[], verb: string | null): string[] | null {
  // "shoppingList" is no list of shoppings
  const isList = verb === null && words.length > 1 && words.at(-1) === 'list';
  // "wake-up call"
  const isWithin = (word: string, i: number): boolean => i > 0 && i < words.length - 1 && PARTICLE.test(word);
  const named = words.filter((word, i) => !EMPTY_NOUNS.has(word) || (isList && word === 'list') || isWithin(word, i));
  return named.length > 0 ? named : null;
}

const firstNoun = (parameters: readonly ParameterTalk[]): string[] =>
  parameters
    .map(({ noun }) => noun)
    .filter(Boolean)
    .slice(0, 1);

/** "pickupAddress" and "dropoffAddress", "startDate" and "endDate": which is which has to be said. */
function withEnds(parameters: readonly ParameterTalk[]): readonly ParameterTalk[] {
  const texts = parameters.filter(({ path, role }) => path.length === 1 && IS_END.has(role));
  const [start, end] = spanNames(texts.map(({ path }) => path[0]!)) ?? [];
  return parameters.map((one) =>
    !texts.includes(one) || (one.path[0] !== start && one.path[0] !== end)
      ? one
      : { ...one, role: one.path[0] === start ? 'from' : 'to' },
  );
}
const IS_END: ReadonlySet<Role> = new Set(['date', 'time', 'place', 'when', 'from', 'to']);

/** "addItemToOrder": the parameter that says to which. */
function placeIn(
  parameters: readonly ParameterTalk[],
  small: string,
  place: readonly string[],
): ParameterTalk | undefined {
  const last = singular(place.at(-1) ?? '');
  return /^(to|into|from)$/.test(small) && place.length < 3
    ? parameters.find(({ noun, words }) => `${noun} ${words}`.split(' ').map(singular).includes(last))
    : undefined;
}

/** Verbs of descriptions that say nothing of the name: what it gives may well be called after a verb ("quote"). */
const ASKING: ReadonlySet<string> = new Set(
  'get give tell show return fetch find list look check calculate compute estimate work convert'.split(' '),
);

const HANDLE = /^(id|ids|code|number|no|ref|reference|key|sku|isbn|slug|uid|uuid|identifier|handle|name|title)$/;

function parametersOf(tool: ToolSchema): ParameterTalk[] {
  const scale = scaleNames(tool);
  const out: ParameterTalk[] = [];
  const visit = (node: JsonSchema, path: readonly string[]): void => {
    if (!isRecord(node.properties)) return;
    for (const [name, member] of Object.entries(node.properties)) {
      const schema = deref(member, tool.parameters);
      if (isRecord(schema.properties) && path.length < 2) visit(schema, [...path, name]);
      else out.push(parameterTalk([...path, name], schema, tool, path.length === 0 ? scale : null));
    }
  };
  visit(tool.parameters, []);
  return out;
}

function parameterTalk(
  path: readonly string[],
  schema: JsonSchema,
  tool: ToolSchema,
  scale: ReturnType<typeof scaleNames> = null,
): ParameterTalk {
  const name = path.at(-1) ?? '';
  const words = valueWords(name);
  const ownWords = words.filter((word) => !HANDLE.test(word)).map(singular);
  // the name of a pet that is given whole: "pet Gizmo"
  const inner = path.length > 1 ? splitWords(path.at(-2)!).map(singular) : null;
  const holder = inner === null || holdsAny(inner) ? null : inner;
  const nounWords =
    ownWords.length > 0 || holder === null || !/^(name|title)$/.test(words.at(-1) ?? '') ? ownWords : holder;
  const told = typeof schema.description === 'string' ? withoutUser(schema.description) : '';
  const described = splitWords(told).slice(0, 8);
  // "Issue key, e.g. WEB-114"
  const numbered = nounWords.length === 0 && HANDLE.test(name) ? thingPointedAt(told) : null;
  const verb = tool.changesWorld ? (splitWords(tool.name)[0] ?? '') : '';
  const makesAnother = MAKES_ANOTHER.test(verb);
  const isNew = isSaidNew(words, described.join(' '));
  const scoreOf = scale?.best === name ? scale.score : null;
  const role = scoreOf
    ? 'scale'
    : scale?.score === name // "ratingValue" is no money
      ? 'other'
      : roleOf(words, described, schema, holder ?? nameWordsOf(tool), tool.changesWorld);
  return {
    path,
    words: words.join(' ') || name,
    noun: numbered ?? nounWords.join(' '),
    role: role === 'id' && isNewHandle(tool, name, told) && path.length === 1 ? 'name' : role,
    isNew: makesAnother ? isNew || MADE.has(role) : isNew && PASSES_ON.test(verb),
    isPlace: false,
    items: itemsOf(path, schema, tool),
    wanted: null,
    isChange: isSignedChange(name, schema),
    unit: isNumber(schema) && !isWorked(aboutWords(tool)) ? timeUnitOf(name, schema.description) : null,
    measure: isNumber(schema) ? measureOf(words, described, role) : null,
    scoreOf,
  };
}

function itemsOf(path: readonly string[], { items }: JsonSchema, tool: ToolSchema): ParameterTalk[] {
  const one = isRecord(items) ? deref(items, tool.parameters) : {};
  return isRecord(one.properties) && path.length < 3
    ? Object.entries(one.properties).map(([name, member]) =>
        parameterTalk([...path, name], deref(member, tool.parameters), tool),
      )
    : [];
}

const isNumber = ({ type }: JsonSchema): boolean => [type].flat().some((one) => one === 'number' || one === 'integer');

const MAKES_ANOTHER =
  /^(set|change|update|switch|turn|adjust|edit|modify|rename|dim|raise|lower|move|reschedule|postpone)$/;
const PASSES_ON = /^(assign|convert|delegate|forward|hand|pass|reassign|redirect|relocate|transfer)$/;
const MADE: ReadonlySet<Role> = new Set([
  'quality',
  'choice',
  'other',
  'quantity',
  'count',
  'money',
  'unit',
  'type',
  'share',
]);
