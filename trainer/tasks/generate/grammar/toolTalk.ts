import type { JsonSchema, ToolSchema } from '../../../protocol/task';
import { deref, isRecord } from '../../../protocol/arguments';
import { LOOK_UPS, singular, splitWords, STATES, toolWords } from '../../../tools/schema/words';
import { actsOf, type Act } from './acts';
import { isPerson } from './nouns';
import { wordNet } from './synonyms';
import { actsFor, nounsOf } from './toolActs';

/** What a parameter is to the request: it decides by which small words its value is said. */
export type Role =
  | 'id'
  | 'name'
  | 'person'
  | 'query'
  | 'date'
  | 'from'
  | 'to'
  | 'time'
  | 'count'
  | 'quantity'
  | 'limit'
  | 'money'
  | 'least'
  | 'most'
  | 'choice'
  | 'flag'
  | 'text'
  | 'place'
  | 'contact'
  | 'unit'
  | 'when'
  | 'often'
  | 'means'
  | 'share'
  | 'maker'
  | 'quality'
  | 'type'
  | 'service'
  | 'facility'
  | 'relation'
  | 'company'
  | 'thing'
  | 'other';

export interface ParameterTalk {
  path: readonly string[];
  /** "due date" */
  words: string;
  /** what it points at, in the singular: "member" for memberId; '' for a bare id or name */
  noun: string;
  role: Role;
  /** what the tool makes of the thing: "change the lights to red" */
  isNew: boolean;
}

/** How a tool may be asked for. */
export interface ToolTalk {
  tool: ToolSchema;
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

const PREPOSITION = /^(by|for|of|from|to|in|with|on|at|into|about|per|via|and|between|near)$/;
const EMPTY_NOUNS = new Set(
  (
    'all info information detail details data item items record records entry entries value list ' +
    'it one up out off back down something anything everything someone'
  ).split(' '),
);

export function toolTalk(tool: ToolSchema): ToolTalk {
  const words = splitWords(tool.name);
  const { request, thing } = toolWords(tool);
  const described = splitWords(request);
  const isDone = thing === null && !ASKING.has(described[0] ?? '');
  // "onCall: Who is on call now?"
  const isQuestion = described[0] === 'tell' && described[1] === 'me';
  // "orderStatus: Status of an order", "stockLevel: How many are in stock"
  const isState = (thing !== null || isQuestion) && STATES.has(words[1] ?? '') && !LOOK_UPS.test(words[0]!);
  const { verb, rest } = isState
    ? { verb: null, rest: words }
    : verbAndRest(withoutService(words, described[0] ?? ''), isDone, isDone ? objectOf(described.slice(1)) : null);
  const parameters = parametersOf(tool);
  const end = rest.findIndex((word) => PREPOSITION.test(word));
  const isLast = end === rest.length - 1; // "visitsOf: When somebody came"
  const upTo = end < 0 || (isQuestion && !isLast) ? rest : rest.slice(0, end);
  // "shoppingList" is no list of shoppings
  const isList = verb === null && upTo.length > 1 && upTo.at(-1) === 'list';
  const named = upTo.filter((word) => !EMPTY_NOUNS.has(word) || (isList && word === 'list'));
  const head =
    named.length > 0
      ? named
      : (objectOf(described.slice(1)) ??
        parameters
          .map(({ noun }) => noun)
          .filter(Boolean)
          .slice(0, 1));
  const last = head.at(-1) ?? 'thing';
  const noun = [...head.slice(0, -1), singular(last)].join(' ');
  return {
    tool,
    acts: actsFor(verb, described[0] ?? '', noun),
    nouns: nounsOf(noun),
    isPlural: singular(last) !== last,
    request,
    parameters,
  };
}

/** Verbs of descriptions that say nothing of the name: what it gives may well be called after a verb ("quote"). */
const ASKING: ReadonlySet<string> = new Set(
  'get give tell show return fetch find list look check calculate compute estimate work convert'.split(' '),
);

/**
 * "slack_post_message: Post a message" begins with the verb, and so do "todo_add: Adds a to-do" and "isHoliday".
 * @param described the description's verb
 */
function withoutService(words: readonly string[], described: string): readonly string[] {
  if (words.length > 1 && /^(is|are|has|can)$/.test(words[0]!)) return words.slice(1);
  if (words.length < 2 || actsOf(words[0]!).length > 0) return words;
  const isVerb = (word: string): boolean => word === described || /^(get|list|fetch|search|create|delete)$/.test(word);
  const at = words.findIndex((word, i) => i > 0 && i < words.length - 1 && isVerb(word) && actsOf(word).length > 0);
  if (at > 0) return words.slice(at);
  const last = words.at(-1)!;
  return last === described && actsOf(last).length > 0 ? [last, ...words.slice(0, -1)] : words;
}

/**
 * "checkOutBook" -> checkout + book; a name without a verb is all thing. @param isDone the description says what is
 * done, so that a word that may be a verb is one ("placeBet: Put money on a horse")
 * @param object what it is done to: before that a name's first word is a verb ("starCity: Remembers a city")
 */
function verbAndRest(
  words: readonly string[],
  isDone: boolean,
  object: readonly string[] | null,
): { verb: string | null; rest: readonly string[] } {
  const [first = '', second = ''] = words;
  if (words.length > 1 && actsOf(first + second).length > 0) return { verb: first + second, rest: words.slice(2) };
  const isVerb =
    actsOf(first).length > 0 ||
    (words.length > 1 && wordNet('v', first).length > 0 && (isDone || wordNet('n', first).length === 0)) ||
    object?.map(singular).join(' ') === words.slice(1).map(singular).join(' ');
  // "turn the heating on", "send_off": a particle at the end belongs to the verb
  const particle = words.at(-1) ?? '';
  if (isVerb && words.length > 2 && actsOf(first + particle).length > 0)
    return { verb: first + particle, rest: words.slice(1, -1) };
  // "create_or_update_file"
  const behind = /^(or|and)$/.test(second) && actsOf(words[2] ?? '').length > 0 ? 3 : 1;
  return isVerb ? { verb: first, rest: words.slice(behind) } : { verb: null, rest: words };
}

/** The first thing that a description speaks of, behind its verb. */
function objectOf(words: readonly string[]): string[] | null {
  const start = words.findIndex(
    (word) => !/^(the|a|an|all|one|some|any|every|each|your|my|its|this|that|new|up|out|off|back)$/.test(word),
  );
  if (start < 0) return null;
  const end = words.findIndex(
    (word, i) => i > start && (PREPOSITION.test(word) || /^(that|which|who|as|if|when|or|s)$/.test(word)),
  );
  const found = words
    .slice(start, end < 0 ? undefined : end)
    .slice(-2)
    .filter((word) => !EMPTY_NOUNS.has(word));
  return found.length > 0 ? found : null;
}

const HANDLE = /^(id|ids|code|number|no|ref|reference|key|sku|isbn|slug|uid|uuid|identifier|handle|name|title)$/;

function parametersOf(tool: ToolSchema): ParameterTalk[] {
  const out: ParameterTalk[] = [];
  const visit = (node: JsonSchema, path: readonly string[]): void => {
    if (!isRecord(node.properties)) return;
    for (const [name, member] of Object.entries(node.properties)) {
      const schema = deref(member, tool.parameters);
      if (isRecord(schema.properties) && path.length < 2) visit(schema, [...path, name]);
      else out.push(parameterTalk([...path, name], schema, tool));
    }
  };
  visit(tool.parameters, []);
  return out;
}

function parameterTalk(path: readonly string[], schema: JsonSchema, tool: ToolSchema): ParameterTalk {
  const name = path.at(-1) ?? '';
  const words = splitWords(name);
  const ownWords = words.filter((word) => !HANDLE.test(word)).map(singular);
  // the name of a pet that is given whole: "pet Gizmo"
  const holder = path.length > 1 ? splitWords(path.at(-2)!).map(singular) : null;
  const nounWords =
    ownWords.length > 0 || holder === null || !/^(name|title)$/.test(words.at(-1) ?? '') ? ownWords : holder;
  const described = typeof schema.description === 'string' ? splitWords(schema.description).slice(0, 8) : [];
  const numbered = nounWords.length === 0 && HANDLE.test(name) ? numberedThing(described) : null;
  const role = roleOf(words, described, schema, holder ?? splitWords(tool.name), tool.changesWorld);
  return {
    path,
    words: words.join(' ') || name,
    noun: numbered ?? nounWords.join(' '),
    role,
    isNew: tool.changesWorld && MAKES_ANOTHER.test(splitWords(tool.name)[0] ?? '') && MADE.has(role),
  };
}

const MAKES_ANOTHER = /^(set|change|update|switch|turn|adjust|edit|modify|rename|dim|raise|lower)$/;
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

/** "issue number", "ID of the order": what a number or an id points at, in the singular; null: nothing. */
function numberedThing(described: readonly string[]): string | null {
  const at = described.findIndex((word) => /^(id|number|no|nr|code|identifier)$/.test(word));
  if (at < 0 || described.includes('many')) return null;
  const isOf = described[at + 1] === 'of';
  if (isOf && described[at] === 'number' && !/^(the|an|a)$/.test(described[at + 2] ?? '')) return null; // of guests
  const thing = isOf
    ? described.slice(at + 2).find((word) => !/^(the|an|a)$/.test(word))
    : at + 1 === described.length || PREPOSITION.test(described[at + 1]!)
      ? described[at - 1]
      : undefined;
  return thing === undefined || /^(the|an|a|its|unique|internal|short|numeric)$/.test(thing) ? null : singular(thing);
}

/**
 * By the name's last word, else by any of its words, else by what the description speaks of.
 * @param holder words of what it is a part of: of the object that holds it, else of the tool
 */
function roleOf(
  words: readonly string[],
  described: readonly string[],
  schema: JsonSchema,
  holder: readonly string[],
  changesWorld: boolean,
): Role {
  const items = isRecord(schema.items) ? schema.items : schema;
  if (Array.isArray(schema.enum) || 'const' in schema || Array.isArray(items.enum)) {
    return (
      (['date', 'time', 'unit', 'place', 'to', 'from'] as const).find((role) => ROLES[role].test(words.at(-1) ?? '')) ??
      (EVERYDAY.service.test(words.at(-1) ?? '') ? 'service' : 'choice')
    );
  }
  if (schema.type === 'boolean') return 'flag';
  if (schema.format === 'date' || schema.format === 'date-time')
    return words.some((word) => ROLES.to.test(word))
      ? 'to'
      : words.some((word) => /^(start|from|since|begin|after)$/.test(word))
        ? 'from'
        : 'date';
  const last = words.at(-1) ?? '';
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  if (isNumber) {
    // "number: issue number", but not "number: number of guests"
    if (words.length === 1 && numberedThing(described) !== null) return 'id';
    // memberNumber, but not partySizeNumber or numberOfGuests
    const isNumberOf = words.length > 1 && /^(id|number|no|nr|code)$/.test(last) && !described.includes('many');
    if (isNumberOf && !words.slice(0, -1).some((word) => ROLES.count.test(word) || COUNTED.test(word))) return 'id';
    const order = ['least', 'most', 'limit', 'money', 'time', 'quantity', 'count'] as const;
    return (
      order.find((role) => words.some((word) => ROLES[role].test(word))) ??
      (schema.type === 'integer' && singular(last) !== last ? 'count' : /^(id|number|no)$/.test(last) ? 'id' : 'other')
    );
  }
  const telling = [...words].reverse().find((word) => !/^(name|value|string)$/.test(word)) ?? last;
  const everyday = (Object.keys(EVERYDAY) as (keyof typeof EVERYDAY)[]).find((role) =>
    EVERYDAY[role].test(singular(telling)),
  );
  if (last === 'description' && described.includes('who')) return 'company';
  if (everyday) return everyday;
  if (words.length > 1 && /^name$/.test(last) && words.some((word) => isPerson(singular(word)))) return 'person';
  if (ROLES.id.test(last)) return 'id';
  const order = ['query', 'contact', 'date', 'time', 'to', 'from', 'text', 'place', 'unit', 'name'] as const;
  const byName = changesWorld && ROLES.text.test(last) ? 'text' : order.find((role) => ROLES[role].test(last));
  if (byName === 'name' && holder.some((word) => isPerson(singular(word)))) return 'person';
  if (byName) return byName;
  if (words.some((word) => isPerson(singular(word)))) return 'person';
  return (
    order.find((role) => words.some((word) => ROLES[role].test(word))) ??
    (described.some((word) => ROLES.id.test(word)) && typeof schema.pattern === 'string'
      ? 'id'
      : described.some((word) => isPerson(singular(word))) && described.includes('name')
        ? 'person'
        : described.some((word) => /^(e?mail|phone|telephone)$/.test(word))
          ? 'contact'
          : 'thing')
  );
}

/** Texts whose name says how people put them: beside the thing, in its place, behind a small word. */
const EVERYDAY = {
  when: /^(when|range|period|timeframe|timing|moment|timeofday|daytime|daypart)$/,
  often: /^(frequency|repeat|repetition|recurrence|interval)$/,
  means: /^(transport|transportation|vehicle)$/,
  share: /^(brightness|volume|intensity|percentage|percent|amount|degree)$/,
  maker: /^(artist|singer|band|composer|performer|musician|author|writer|director|painter|agency|airline|brand)$/,
  quality: /^(cuisine|genre|style|sort|sorting|ranking|colou?r|size|material)$/,
  type: /^(type|kind|variant|category)$/,
  service: /^(service|platform|provider|app|carrier|courier|channel|medium|method)$/,
  facility: /^(facility|amenity|feature|equipment)$/,
  relation: /^(relation|proximity|vicinity)$/,
  company: /^(who|companion|attendee|participant)$/,
} as const;

/** "total number", "party size number": of these there are many. */
const COUNTED = /^(total|max|maximum|min|minimum|of|amount|quantity|count)$/;

const ROLES = {
  id: /^(id|ids|code|number|no|ref|reference|key|sku|isbn|slug|uid|uuid|identifier|plate|serial|barcode)$/,
  name: /^(name|title|label|subject|topic|song|track|movie|film|book|album|playlist|product|item|dish|device|model|file|filename|path|page|project|company|brand|event|list|drug|medicine|species|ingredient|skill)$/,
  query: /^(query|text|term|terms|search|keyword|keywords|phrase|words|q)$/,
  date: /^(date|day|deadline|birthday|on|when|weekday|checkin|checkout|arrival|departure|month|week)$/,
  from: /^(from|start|since|begin|after|source|origin|earliest)$/,
  to: /^(to|end|until|till|before|due|target|destination|latest|expires|deadline)$/,
  time: /^(time|hour|at|clock)$/,
  quantity: /^(count|quantity|qty|number|copies|units|pieces)$/,
  count:
    /^(guests|people|persons|nights|days|hours|minutes|seconds|weeks|months|years|seats|tickets|party|adults|children|servings|times|size|duration|length)$/,
  limit: /^(limit|max|top|first|results)$/,
  money: /^(price|cost|budget|fee|total|sum|payment|salary|tip|fine|balance|value|amount)$/,
  least: /^(min|minimum|least|above|over)$/,
  most: /^(max|maximum|most|below|under|cheaper)$/,
  text: /^(text|body|message|note|notes|comment|content|reason|description|details|remark|remarks|summary|feedback|instructions|problem|symptom|symptoms|issue|complaint|work)$/,
  place:
    /^(place|city|town|location|room|area|region|country|street|station|airport|venue|building|floor|warehouse|branch|site|zone|port|address|neighborhood)$/,
  contact: /^(email|mail|phone|telephone|mobile|fax|url|link|website)$/,
  unit: /^(unit|units|currency|language|lang|locale|format|scale|timezone)$/,
} as const;
