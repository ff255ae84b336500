import { otherLanguage } from '../../base/language';
import { splitWords } from '../../base/words';
import type { ToolSchema } from '../../protocol/task';

/** Words of a tool's name, without a last one that only says what it is: `menu_fetch_tool`. */
export function nameWordsOf({ name, description }: Pick<ToolSchema, 'name' | 'description'>): string[] {
  const words = splitWords(name);
  const last = words.at(-1) ?? '';
  const isKind =
    words.length > 1 && KIND.test(last) && !new RegExp(`\\b${last}s?\\b`, 'i').test(withoutLead(description));
  return isKind ? words.slice(0, -1) : words;
}
const KIND = /^(tool|function|fn|func|api|endpoint|skill)$/;

/** Words of what a parameter takes: "name_contains" takes a name, "filterByStatus" a status. */
export function valueWords(name: string): string[] {
  const words = splitWords(name);
  const from = words.length > 2 && FILTER.test(words[0]!) && words[1] === 'by' ? 2 : 0;
  const end = words.length - from > 1 && MATCHES.test(words.at(-1)!) ? -1 : undefined;
  return words.slice(from, end);
}
const FILTER = /^(filter|search|find|match)$/;
const MATCHES = /^(contains?|includes?|like|ilike|substring|prefix|filter|equals)$/;

/** "filter.name" is a name of what the tool is about, and of no filter. @param holder words, in the singular */
export const holdsAny = (holder: readonly string[]): boolean => HOLDS_ANY.test(holder.join(' '));
const HOLDS_ANY =
  /^(filter|where|criteria|query|input|params?|parameter|option|update|change|data|payload|body|field|value|argument|detail)$/;

/** "The user's location" is a location, "how the user referred to the task, in their own words" a task. */
export const withoutUser = (description: string): string => description.replace(OF_USER, '').trim();
const OF_USER = new RegExp(
  '\\b(?:how|what|the words with which) the user (?:refer(?:red|s) to|calls?|called|describe[sd]|named?s?|said|says)\\b|' +
    ",? (?:in|using) (?:their|the user['\u2019]s) own words|\\b(?:get |take )?(?:(?:the|a) )?user['\u2019]s(?: input)?\\b",
  'gi',
);

/** How a tool may be spoken of. */
export interface ToolWords {
  /** "search the inbox": starts with a verb, lower case, no full stop */
  request: string;
  /** "weekday of a date", with its article, where the description is a thing and not an act */
  thing: string | null;
  /** "search emails" */
  nameWords: string;
  /** nouns of the name in the singular: ["email"] */
  nouns: string[];
}

/** Words for a tool, from its name and the first sentence of its description: all that is known of it. */
export function toolWords(tool: ToolSchema): ToolWords {
  const name = nameWordsOf(tool);
  const isState = isStateOfMany(tool);
  const startsWithVerb = !isState && VERBS.has(name[0] ?? '') && !(name[1] !== undefined && STATES.has(name[1]));
  const nouns = (name.length > 1 ? name.slice(1) : name)
    .filter((word) => !/^(by|of|the|for|from|to|in|and|with|all)$/.test(word))
    .map(singular);
  const nameWords = name.join(' ');
  const sentence = firstClause(tool.description);
  if (sentence === null) {
    const thing = startsWithVerb ? null : withArticle(nameWords);
    return { request: thing === null ? nameWords : `get ${thing}`, thing, nameWords, nouns };
  }
  if (/^(how|whether|what|which|where|when|who|why)\b/i.test(sentence))
    return { request: `tell me ${lowerFirst(sentence)}`, thing: null, nameWords, nouns };
  const [first = '', ...rest] = sentence.split(' ');
  const isName = isState && first.toLowerCase() === name[0];
  const verb = isName ? null : verbOf(first, rest[0] ?? '', name, tool.changesWorld);
  if (verb === null) {
    const thing = withArticle(lowerFirst(sentence));
    return { request: `get ${thing}`, thing, nameWords, nouns };
  }
  const object = first.toLowerCase() === verb ? rest.join(' ') : alsoBase(rest.join(' '));
  const isLookUp = /^(return|get|give|tell|show|fetch)$/.test(verb) && /^(the|a|an)\s/.test(object);
  return {
    request: [verb === 'return' ? 'get' : verb, object].filter(Boolean).join(' '),
    thing: isLookUp ? object : null,
    nameWords,
    nouns,
  };
}

/** Words for how things are, some of which are verbs, too. */
export const STATE = /^(open|clear|free|empty|blocked|held)$/;

/**
 * "openSlots" that only reads: the slots that are open; "groupVisits: Group visits of a day": visits of groups. Not so
 * "Groups the visits" and "Open specific nodes".
 */
export function isStateOfMany({ name, description, changesWorld }: ToolSchema): boolean {
  const words = splitWords(name);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const isAct = new RegExp(`^${first}(?:s | ${DONE_TO})`, 'i').test(description);
  return !changesWorld && (STATE.test(first) || THINGS_FIRST.test(first)) && !isAct && singular(last) !== last;
}
const DONE_TO = '(?:an?|the|all|your|my|each|every|by|some|one|specific|given|certain|selected|multiple) ';
/** Words that are verbs, too, and before a thing in the plural mostly say what kind it is. */
const THINGS_FIRST =
  /^(book|branch|contact|email|file|group|guide|house|mail|market|message|order|park|plan|plant|post|rate|record|report|schedule|share|ship|staff|stage|stock|store|team|train|work)$/;

/** "emails" -> "email", "cities" -> "city"; good enough to compare nouns by. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word === 'ids') return 'id';
  if (/(ss|us|is)$/.test(word) || word.length < 4) return word;
  if (word.endsWith('quizzes')) return word.slice(0, -3);
  if (/(sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** Lower-case start, save for acronyms and single capitals ("URL", "I"). */
const lowerFirst = (text: string): string =>
  /^\p{Lu}(\p{Lu}|\s|$)/u.test(text) && !/^A\s/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
/** "a, b and c" */
export const joinAnd = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
export const wordCount = (text: string): number => text.split(/\s+/).filter(Boolean).length;

const MAX_CLAUSE_WORDS = 12;
const before = (text: string, mark: RegExp): string => text.split(mark)[0] ?? '';

/**
 * The description's first sentence up to its first aside; null where there is none, it is too long to be asked for, or
 * in another language than the words around it.
 */
function firstClause(description: string): string | null {
  if (otherLanguage(description) !== null) return null;
  const line = withoutLead(
    before(description.trim(), /\n\s*\n/)
      .replace(/\s+/g, ' ')
      .replace(/[`*_]{1,2}([^`*_]+)[`*_]{1,2}/g, '$1'),
  );
  const sentence = before(line, /(?<=[^.\s]{2})[.!?](?:\s|$)/).trim();
  // "by (part of) the name"
  const whole = sentence.replace(/\b(by|of|for|in|with|to) \([^)]*\)(?= \S)/g, '$1').replace(TWO_VERBS, '$1');
  const named = before(whole, ASKED_BY_USER)
    .replace(/\bthe (?:[\w-]+ )?user['\u2019]s\b/g, 'my')
    .replace(/\bfor the (?:[\w-]+ )?user\b/g, 'for me')
    .replace(OF_PARAMETERS, '');
  const clause = before(
    named,
    /\s*(?:[,;:(—]|\s-\s|\bso that\b|\bthat (?:is|are) not\b|\bwhich\b|\bif\b|\bwhen\b)/,
  ).trim();
  if (clause === '' || wordCount(clause) > MAX_CLAUSE_WORDS) return null;
  return clause.replace(/[.!?]+$/, '');
}

/** "Calculates/evaluates the given expression" */
const TWO_VERBS = /^(\p{L}+)\/\p{Ll}+(?= (?:the|an?|all|one|your)\b)/u;

/** "List all orders with optional filters": a word on the parameters, and none of a request. */
const OF_PARAMETERS = new RegExp(
  ' (?:with|using|by|via) (?:\\w+ )?' +
    '(?:optional|various|multiple|several|additional|flexible|given|provided|specified) (?:[\\w-]+ )?' +
    '(?:filters?|filtering|parameters?|params|criteria|options|arguments)\\b',
  'i',
);

/** "Store a fact the user asks to remember", "Log water the user drank" */
const ASKED_BY_USER =
  /\s(?:that )?the (?:user|customer|caller) (?:\w+ly )?(?:asks?|asked|wants?|needs?|gives?|gave|provides?|mentions?|mentioned|says?|said|has|had|did|does|just|drank|ate|made|likes?)\b/;

/** "Use this tool to find flights", "A tool that finds flights", "Useful for finding flights": what it does. */
function withoutLead(description: string): string {
  // "Recursively search for files"
  const told = description.trim().replace(/^\p{Lu}\p{Ll}+ly (?=\p{Ll})/u, '');
  const rest = LEADS.reduce((text, lead) => text.replace(lead, ''), told);
  if (rest === told) return rest;
  const [first = ''] = rest.split(' ');
  return `${fromGerund(first.toLowerCase())}${rest.slice(first.length)}`;
}
const WHAT = '(?:tool|function|method|endpoint|utility|helper|action|command)';
const LEADS: readonly RegExp[] = [
  `^(?:please )?(?:use|call|invoke|run) (?:this|it|the)(?: ${WHAT})? (?:in order )?(?:to|for|when you (?:need|want) to) `,
  `^(?:(?:an?|the|this) )?${WHAT}(?: (?:definition|call))?,? (?:(?:that|which)(?: can| is used to| allows you to| lets you)?|` +
    `is (?:used|useful) (?:to|for)|used (?:to|for)|useful (?:to|for)|to|for|allows you to|lets you|will|can) `,
  `^(?:(?:it|this) is )?(?:useful|used|helpful|handy) (?:for|to|when you (?:need|want) to) `,
  `^(?:(?:it|this) )?(?:allows?|lets?|enables?) (?:you|users?|the (?:user|agent|model|assistant|customer)) (?:to )?`,
].map((lead) => new RegExp(lead, 'i'));

/** "finding" -> "find" */
function fromGerund(word: string): string {
  if (!/\w{2}ing$/.test(word)) return word;
  const stem = word.slice(0, -3);
  const bases = [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')];
  return bases.find((base) => VERBS.has(base)) ?? word;
}

const THING_OR_ACT = /^(average|total|mean|sum|count|estimate|share|cost|price|rate|record|report|schedule|plan)$/;

const basesOf = (word: string): string[] => [
  word === 'has' ? 'have' : word,
  word.replace(/ies$/, 'y'),
  word.replace(/(sses|shes|ches|xes|zes|oes)$/, (ending) => ending.slice(0, -2)),
  word.replace(/s$/, ''),
];

/** "Cancels orders and gives the money back": the second verb, too. */
const alsoBase = (object: string): string =>
  object.replace(/\b(and|then|or) ([a-z]+s)(?= (?:the|an?|it|them|its|all|some|one)\b)/g, (whole, joint, word) => {
    const base = basesOf(String(word)).find((one) => one !== word && VERBS.has(one));
    return base === undefined ? whole : `${joint} ${base}`;
  });

/** The base form of a description's first word when it is a verb ("Order a taxi"), else null ("Order status"). */
function verbOf(first: string, second: string, name: readonly string[], changes: boolean): string | null {
  const word = first.toLowerCase();
  const bases = basesOf(word);
  const [nameVerb = ''] = name;
  // "addComment: Comment on an issue"
  if (/^(on|in)$/i.test(second) && /^(add|post|write|leave)$/.test(nameVerb) && name.at(-1) === word) return word;
  const isLookUp = /^(get|fetch|return|retrieve)s?$/.test(word);
  const isState = !isLookUp && STATES.has(second.toLowerCase()) && !PHRASAL.test(`${word} ${second.toLowerCase()}`);
  // "Calculates total price"
  if (isState && !(word.endsWith('s') && bases.some((base) => base !== word && ONLY_VERBS.test(base)))) return null;
  const hasObject = /^(the|a|an|all|every|each|some|any|one|two|this|that|your|my|its|new)$/i.test(second);
  // "listOrders: Orders placed by a customer"
  const isThing = LOOK_UPS.test(nameVerb) && name.slice(1).some((noun) => bases.includes(singular(noun)));
  if (isThing && !hasObject) return null;
  // "moistureHistory: Average moisture of the last days", but "repot: Schedule repotting"
  if (!changes && !VERBS.has(nameVerb) && !hasObject && THING_OR_ACT.test(word)) return null;
  const known = bases.find((base) => base === nameVerb && VERBS.has(base)) ?? bases.find((base) => VERBS.has(base));
  if (known) return known;
  // "muteBranch: Silences alerts": what does something is not described as many things, but for "Alerts of a branch".
  const isAct = (nameVerb !== word && bases.includes(nameVerb)) || (VERBS.has(nameVerb) && !LOOK_UPS.test(nameVerb));
  const isThirdPerson = word.length > 3 && /[^su]s$/.test(word);
  if (isAct && isThirdPerson && second !== '' && !NO_OBJECT.test(second)) return baseOf(bases, nameVerb);
  // No noun stands right before an article: "Remembers a city", "Silence the alerts".
  const hasArticle = hasObject && !/^(one|two|new|that)$/i.test(second) && !BEFORE_ARTICLE.test(word);
  return hasArticle ? baseOf(isThirdPerson ? bases : [word], nameVerb) : null;
}

/** The name's verb if it is one of the forms, else the shortened one. */
const baseOf = (bases: readonly string[], nameVerb: string): string =>
  bases.find((base) => base === nameVerb) ?? bases.find((base) => base !== bases[0]) ?? bases[0]!;

/** Words other than verbs that stand before an article or the like. */
const BEFORE_ARTICLE =
  /^(about|above|after|all|also|among|around|as|at|before|below|between|both|but|by|double|during|for|from|half|here|if|in|inside|into|is|just|near|not|of|on|once|only|or|outside|over|per|quite|since|such|than|then|through|till|to|twice|under|unlike|until|up|via|what|when|where|which|who|with|within|without)$/;
/** Verbs of what looks something up. */
export const LOOK_UPS =
  /^(check|compare|count|describe|display|extract|fetch|find|get|give|list|load|look|lookup|query|read|retrieve|return|search|show|tell|view)$/;
const ONLY_VERBS = /^(add|calculate|compute|convert|create|delete|fetch|find|get|give|remove|retrieve|send|show|tell)$/;
const NO_OBJECT =
  /^(about|after|and|around|as|at|before|between|by|during|for|from|in|into|near|of|on|or|over|per|since|to|under|via|with|within|without|that|which|who|whose|still)$/i;

/** Second words that make a noun of the word before them. */
export const STATES: ReadonlySet<string> = new Set(
  (
    'status state price history details detail info information number id total value rate code ' +
    'name level time date list of for in at on'
  ).split(' '),
);

/** No "order of", but "hand in a request". */
const PHRASAL =
  /^((hand|turn|sign|log|check|fill|switch|put)s? (in|on)|keeps? on|(look|search|ask|wait|check)(es|s)? for|look(s)? at)$/;

function withArticle(thing: string): string {
  const [first = ''] = thing.split(' ');
  return OWN_ARTICLE.test(first) ? thing : `the ${thing}`;
}
const OWN_ARTICLE =
  /^(the|a|an|all|how|what|whether|which|your|my|any|every|everything|everyone|anything|each|one|some|its|\d.*)$/i;

/** Verbs that tool descriptions start with; any other first word is taken for a noun. */
const VERBS = new Set(
  (
    'accept activate add adjust allocate allow analyse analyze answer append apply approve ' +
    'archive arrange ask assign attach authorize average balance block book borrow build buy ' +
    'calculate call cancel change charge check ' +
    'choose claim classify clean clear clone close collect combine compare compile complete ' +
    'compose compress compute configure confirm connect convert copy correct count crawl create ' +
    'cut debit deactivate decide decode decrease decrypt delete ' +
    'deliver deploy describe detect determine disable discover dispatch display divide donate ' +
    'download draft draw drop edit email emit enable encode encrypt enroll enter erase estimate ' +
    'escalate evaluate examine execute exchange ' +
    'expand explain export extend extract fetch file fill filter find finish fix flag flip ' +
    'follow forecast format forward freeze generate get give grant grade grep group hand hash have hide ' +
    'hire hold identify import increase inform insert inspect install ' +
    'invert invite issue join jump keep kill launch lend level lift link list load lock log look ' +
    'lookup lower make mark match measure merge mix modify monitor mount move multiply mute name ' +
    'navigate normalise normalize note notify open ' +
    'order organise organize pack parse paste pause pay perform pick pin place plan play plot ' +
    'poll post predict prepare preview print process publish pull purchase push put query quote ' +
    'raise randomize rank rate read rebuild recall ' +
    'receive recommend record redeem remember reduce refresh refund register reject release reload remind ' +
    'remove rename render renew rent repair repeat replace reply report request reschedule ' +
    'reserve reset resize resolve restart restore resume retrieve ' +
    'return reverse revert review revoke rotate round route run save say scale scan schedule ' +
    'score search select sell send separate set share shift ship show shuffle shut sign simulate ' +
    'skip solve sort spell split start stop store ' +
    'submit subscribe subtract suggest sum summarise summarize suspend swap switch synchronise ' +
    'sync tag take tell test toggle track train transcribe transfer transform translate trim ' +
    'turn unblock undo uninstall unlock unmute unsubscribe update upgrade ' +
    'upload use validate verify view visit void wait warn watch weigh withdraw work wrap write zip'
  ).split(/\s+/),
);
