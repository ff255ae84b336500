/** What people give for a parameter that says nothing of its values but its name. */
import { drawFileOf, drawInCode } from './developerKinds';
import { from, oneOf, type Draw } from './draw';
import { DATE, kind, KINDS, strict, TIME, type EverydayKind } from './everydayKinds';
import { nameOfThing, sentence } from './everydayValues';
import { between, clock, daysOn, decade, duration, stretchOfDay, when, year } from './everydayTimes';
import { isPerson } from './grammar/nouns';
import { drawByMatter } from './kindsByMatter';

/** Where a stretch of time, or of anything else, begins or ends. */
const ENDS = /^(from|to|since|until|till|start|begin|end|after|before)$/;
/** Heads that say little: what they belong to says more. */
const VAGUE = /^(name|title|object|item|description|value|number|text|detail|entity|label|place)$/;
/** Of a tool's name, which says what a bare name is of. */
const SAYS_LITTLE = /^(name|title|description|value|number|text|label|entity|detail)$/;
const SORTS = kind(
  /^(type|kind|sort|category|class|level|tier|variant|mode)$/,
  from('standard|premium|basic|express|single|double|private|public|digital|regular|special|simple'),
);

/**
 * What people give for a parameter of that name, in the singular; failing that, for what its description speaks of.
 * null: nobody knows.
 * @param about words of the tool, at last of all tools: a genre of music is none of films
 * @param isSure only what the words really tell, as better is known than a guess by "type" or "object"
 */
export function everydayKind(
  words: readonly string[],
  described: readonly string[],
  told: Told = {},
): EverydayKind | null {
  const of = kindsAbout(words, told.about ?? []);
  const special = specialKind(of, words, described, told);
  if (special !== undefined) return special;
  for (const word of wordsInTurn(words, described, told)) {
    if (word === 'name' && isOfThing(words)) return kind(/^name$/, nameOfThing(words.at(-2)!));
    const found = of(word) ?? (isPerson(word) ? of('person') : undefined);
    if (found) return found;
  }
  // "approver: who approves it"
  return described[0] === 'who' ? (of('person') ?? null) : null;
}

interface Told {
  about?: readonly (readonly string[])[];
  isSure?: boolean;
}
type KindOf = (word: string) => EverydayKind | undefined;

/** What a word means in a tool about that. */
function kindsAbout(words: readonly string[], about: readonly (readonly string[])[]): KindOf {
  const matters = [words, ...about];
  const ofWhat = [...words, ...(about[0]?.slice(0, 4) ?? [])];
  return (word) => {
    const first = (find: typeof drawByMatter): Draw | undefined =>
      matters.map((one, i) => find(word, one, i < matters.length - 1)).find((draw) => draw !== null) ?? undefined;
    const ofFile = drawFileOf(word, ofWhat);
    if (ofFile) return strict(/./, ofFile);
    const [byMatter, inCode] = [first(drawByMatter), first(drawInCode)];
    if (byMatter) return kind(/./, byMatter);
    return inCode ? strict(/./, inCode) : KINDS.find((one) => one.words.test(word));
  };
}

/** Where the words mean together what none of them means alone; undefined: nowhere. */
function specialKind(
  of: KindOf,
  words: readonly string[],
  described: readonly string[],
  { about = [], isSure = false }: Told,
): EverydayKind | null | undefined {
  const last = words.at(-1) ?? '';
  if (isTimeZone(words, described, about[0] ?? [])) return of('timezone') ?? null;
  if (Object.hasOwn(CODES, last) && /\b(iso|letter|(country|language) code)\b/.test(described.join(' ')))
    return CODES[last]!;
  if (words.some((word) => /^(zip|postal)$/.test(word))) return of('zip') ?? null;
  // approvedBy
  if (words.length > 1 && last === 'by') return of('person') ?? null;
  if ([...words, ...described].includes('weekday')) return of('weekday') ?? null;
  if (isDescriptionOf(described)) return of(last) ?? TEXT;
  const thing = namedIn(described);
  const ofThing = thing === undefined || VAGUE.test(thing) ? undefined : of(thing);
  if (ofThing) return ofThing;
  if (last === 'year' && described.includes('decade')) return YEAR_OR_DECADE;
  // "time: when, or for how long"
  if (/^(time|when)$/.test(last) && described.includes('long')) return HOW_LONG;
  const part = described.find((word, i) => word in NAMED_BY && described[i + 1] === 'name');
  if (part !== undefined && !words.some((word) => of(word))) return of(NAMED_BY[part]!) ?? null;
  if (/^(type|kind|variant|tier)$/.test(last)) return isSure ? null : SORTS;
  if (last === 'description' && described.includes('who')) return of('who') ?? null;
  // "timeRange: when" may be any day
  if (last === 'range' && !described.includes('when')) {
    const range = RANGES.find((one) => one.words.test(words.at(-2) ?? ''));
    if (range) return range;
  }
  // "from: first day", "until: time of the last train"
  if (ENDS.test(last)) {
    const told = described.map(of).find((one) => one === DATE || one === TIME);
    if (told) return told;
  }
  if (last === 'path' && about[0]?.slice(0, 3).some((word) => OF_FOLDERS.test(word))) return of('folder') ?? null;
  return undefined;
}

/** "zone", or "from: source zone" in a tool that converts to another time zone; "time: with its time zone" is a time. */
function isTimeZone(words: readonly string[], described: readonly string[], about: readonly string[]): boolean {
  const says = (list: readonly string[]): boolean =>
    list.some((word, i) => word === 'timezone' || (word === 'time' && list[i + 1] === 'zone'));
  if (/^(time|date|day|hour|when|start|end|moment|datetime)$/.test(words.at(-1) ?? '')) return false;
  const told = described.slice(0, 4);
  return says(words) || says(told) || (says(about) && [...words, ...told].includes('zone'));
}

/** Words of the name and of the description, those that tell most first. */
function wordsInTurn(
  words: readonly string[],
  described: readonly string[],
  { about = [], isSure = false }: Told,
): string[] {
  const backwards = [...words].reverse();
  const isTelling = (word: string): boolean => !VAGUE.test(word);
  // "first: code of the one" is no first name
  const isAlone = (word: string): boolean =>
    word !== 'first' || described.length === 0 || described.includes('name') || words.includes('name');
  return [
    ...backwards.filter(isTelling),
    ...described.filter(
      (word, i) => isTelling(word) && !/^(first|last|to|who)$/.test(word) && !isAnyWhat(described, i),
    ),
    // a bare name is that of what the tool is about: "createVendor: name"
    ...(isSure || words.join(' ') !== 'name'
      ? []
      : (about[0] ?? []).slice(1, 4).filter((word) => !SAYS_LITTLE.test(word))),
    ...(isSure ? [] : [...backwards.filter((word) => word !== 'name'), ...backwards].filter(isAlone)),
  ];
}

/** "what to buy", but "what has to be done" is a chore */
const isAnyWhat = (described: readonly string[], at: number): boolean =>
  described[at] === 'what' && !/\b(do|done)\b/.test(described.join(' '));

/** "court name", but not "full name" */
const isOfThing = (words: readonly string[]): boolean =>
  words.length > 1 && words.at(-1) === 'name' && !OF_PEOPLE.test(words.at(-2)!) && !words.some(isPerson);
const OF_PEOPLE =
  /^(full|display|legal|preferred|screen|nick|middle|maiden|holder|my|your|their|his|her|contact|account)$/;

/** "country: as a two-letter code" */
const CODES: Readonly<Record<string, EverydayKind>> = {
  country: strict(/^$/, from('DE|FR|IT|ES|PT|NL|BE|AT|CH|PL|SE|NO|DK|FI|IE|GB|US|CA|BR|MX|JP|KR|IN|AU|NZ|ZA')),
  language: strict(/^$/, from('de|en|fr|es|it|pt|nl|pl|sv|da|fi|tr|ja|ko|zh|ar|hi|uk')),
};

/** By what the range is of. */
const RANGES = [
  strict(/^(time|hour)$/, oneOf(stretchOfDay, stretchOfDay, daysOn, when)),
  strict(/^(date|day)$/, daysOn),
  strict(/^(price|cost|budget|amount)$/, (random) => between(random, 10, ['$', '', '\u20ac'])),
  strict(/^age$/, (random) => between(random, 5, [''])),
];

const YEAR_OR_DECADE = strict(/^$/, oneOf(year, decade));
const OF_FOLDERS = /^(directory|folder|dir|tree)$/;
const TEXT = kind(/^$/, sentence);
const HOW_LONG = strict(/^$/, oneOf(clock, when, duration));

/** "situation: brief description of their flat" is a text, whatever it is of. */
export const isDescriptionOf = (described: readonly string[]): boolean =>
  /^(?:(?:an?|the) )?(?:(?:brief|short|detailed|full) )?(?:description|summary|explanation) of\b/.test(
    described.join(' '),
  );

/** "location: name of the cinema", "device: which lamp" */
function namedIn(described: readonly string[]): string | undefined {
  if (described[0] === 'which') return described[1];
  const at = described.findIndex((word, i) => word === 'name' && described[i + 1] === 'of');
  return at < 0 ? undefined : described.slice(at + 2).find((word) => !/^(the|an?|its)$/.test(word));
}

/** "cook: first name" */
const NAMED_BY: Record<string, string> = {
  first: 'firstname',
  given: 'firstname',
  last: 'lastname',
  family: 'lastname',
  full: 'fullname',
};

/** Does the word say of what kind something is? Then its values are words like those shown, and no names. */
export const isClassName = (word: string): boolean =>
  /^(category|type|kind|class|relation|relationship|department|topic|status|role|level|stage)$/.test(word);

/** Does the name itself say what is given? */
export const isTellingName = (words: readonly string[]): boolean => {
  const found = everydayKind(
    words.filter((word) => !VAGUE.test(word)),
    [],
  );
  return found !== null && found !== SORTS;
};
