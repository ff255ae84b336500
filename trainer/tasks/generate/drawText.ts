/** A text for a parameter: of those that are known, in the form that is asked for, or what people usually give. */
import { HERE } from '../../base/here';
import { splitWords } from '../../base/words';
import type { Random } from '../../base/random';
import { propertiesOf } from '../../protocol/arguments';
import type { JsonSchema, ToolSchema } from '../../protocol/task';
import { samplePattern } from '../../tools/schema/pattern';
import { holdsAny, singular, valueWords, withoutUser } from '../../tools/schema/words';
import { isPath } from '../../tools/values/fit';
import { patternOf } from '../../tools/values/places';
import { type DescribedForm, describedForm, LETTER } from './describedForm';
import type { Draw } from './draw';
import { aboutWords, given, type Drawing } from './drawing';
import { everydayKind, isClassName, isTellingName } from './everydayKind';
import { DATE, kind, SEARCH, SPOKEN, TIME } from './everydayKinds';
import { firstName, FORMATS, fullName, inventedName, lastName, person, plain, THING } from './everydayValues';
import { isPerson } from './grammar/nouns';
import { creates, isNewHandle, isSaidNew, newHandle } from './newHandles';
import { besideShown, drawOther } from './otherText';
import { drawQuestion, isQuestion } from './questions';
import { CLOSED, isExampleOnly, isListed, isOpen, isShownOnly, SHOWS } from './shown';
import { shownCode } from './shownCodes';
import { drawSql, takesSql } from './sqlStatements';

function formOf(schema: JsonSchema): DescribedForm | null {
  if (schema.maxLength === 1) return LETTER;
  return schema.format === undefined ? describedForm(schema.description) : null;
}

/** What is known of a text that is to be drawn. */
interface Wanted {
  schema: JsonSchema;
  drawing: Drawing;
  known: readonly string[];
  /** the parameter's description, and its words in the singular, but for what it shows */
  told: string;
  described: readonly string[];
  /** of the parameter's name */
  words: readonly string[];
  form: DescribedForm | null;
  /** by the schema's format, else by the form */
  format: Draw | undefined;
  everyday: ReturnType<typeof everydayKind>;
  /** no pattern and no format says how it is written */
  isAny: boolean;
  /** nothing is known, or only some of many */
  isOneOfMany: boolean;
}

export function drawString(schema: JsonSchema, drawing: Drawing): string | undefined {
  const wanted = wantedOf(schema, drawing);
  return anew(wanted) ?? knownOrUsual(wanted);
}

function wantedOf(schema: JsonSchema, drawing: Drawing): Wanted {
  const { name, tool, path } = drawing;
  const own = formOf(schema);
  const known = (given(schema, drawing, 'string') as readonly string[]).filter((text) => own?.holds.test(text) ?? true);
  const isOneOfMany = isOpen(known, schema);
  const isShowing = isOneOfMany && known.length > 0;
  const told = typeof schema.description === 'string' ? withoutUser(schema.description) : '';
  const described = splitWords(isShowing ? told.split(SHOWS)[0]! : told).map(singular);
  const words = ofWhat(name, tool, described) ?? valueWords(name);
  const about = [...holderOf(path), aboutWords(tool), drawing.known.matter?.() ?? []];
  const everyday = isOfGoods(drawing)
    ? GOODS
    : everydayKind(words.map(singular), described, { about, isSure: isShowing });
  // "only this day" beside tools that take days as 2026-11-30
  const isFree = own === null && known.length === 0 && schema.format === undefined && schema.pattern === undefined;
  const form = isFree && everyday === DATE ? (drawing.known.dates?.() ?? null) : own;
  const format = typeof schema.format === 'string' ? FORMATS[schema.format] : form?.draw;
  const isAny = format === undefined && schema.pattern === undefined;
  return { schema, drawing, known, told, described, words, form, format, everyday, isAny, isOneOfMany };
}

/** "3 kettles at 20 each": of what has a quantity and a price the description is the thing. */
const isOfGoods = ({ name, beside = [] }: Drawing): boolean =>
  /^(description|text|title|what|label|details?)$/i.test(name) &&
  beside.some((one) => splitWords(one).some((word) => /^(quantity|qty|units?|price)$/.test(word)));
const GOODS = kind(/./, THING);

/** One that is none of those known: a question, another of the codes, words or names shown. null: one of those will do. */
function anew({ schema, drawing, known, told, described, words, everyday, isAny, isOneOfMany }: Wanted): string | null {
  const { random, name, tool, path } = drawing;
  if (schema.pattern !== undefined) return null;
  if (schema.format === undefined && isQuestion(splitWords(name), splitWords(told)))
    return drawQuestion(tool.description, told)(random);
  if (takesSql(words, told, tool, drawing.known.matter?.() ?? []))
    return drawSql(tool, known, drawing.known.called?.('table') ?? [], random);
  if (known.length > 0 && isNewHandle(tool, name, told) && random.next() < NEW_HANDLE) {
    const other = newHandle(known, random);
    if (other !== null) return other;
  }
  const code = drawing.known.areShown?.(tool, path) ? shownCode(known, [...splitWords(name), ...described]) : null;
  if (code && random.next() < OTHER_CODE) return code(random);
  if (!isAny) return null;
  if (isOfNewFile(tool, name, known) && random.next() < NEW_PATH)
    return newPath(known, everyday?.draw ?? plain, random);
  if (known.length > 1 && isClassName(singular(words.at(-1) ?? '')))
    return (isOneOfMany && random.next() < OTHER_CLASS ? besideShown(known, random) : null) ?? random.pick(known);
  const areCapitals = known.length > 0 && isExampleOnly(known, schema) && known.every((value) => CAPITALS.test(value));
  const other = areCapitals ? fitting(everyday?.draw, CAPITALS, random) : undefined;
  if (other !== undefined) return random.next() < OTHER_CODE ? other : random.pick(known);
  if (!everyday?.isStrict && isOneOfMany) {
    const text = drawOther([...words, ...described], known, everyday?.draw ?? null, random);
    if (text !== null) return text;
  }
  const isWhen = everyday === DATE || everyday === TIME;
  return !isWhen && isOfNewThing(tool, known, words) && random.next() < NEW_NAME
    ? newName(known, everyday?.draw, words, random)
    : null;
}

/** One of those known, or what people usually give, in the form that is asked for. */
function knownOrUsual({
  schema,
  drawing,
  known,
  told,
  words,
  form,
  format,
  everyday,
  isAny,
}: Wanted): string | undefined {
  const { random, name, tool } = drawing;
  const spoken = isAny && everyday && isSpoken(known, schema, random) ? SPOKEN.get(everyday) : undefined;
  const usual = format ?? spoken ?? (everyday === SEARCH ? soughtBy(tool) : everyday?.draw);
  const isInvented =
    (tool.changesWorld && (isSaidNew(words, told) || FREE_TEXT.test(name))) ||
    everyday === DATE ||
    everyday === TIME ||
    form?.isAnew === true;
  const isShown = isAny && isShownOnly(known) && isTellingName(words.map(singular)) && !CLOSED.test(told);
  const isExample = isAny && known.length > 0 && isExampleOnly(known, schema);
  const shown = isListed(known, told) ? LISTED_SHARE : shownShare(known.length);
  // "Formatted like '(111) 222-3333'" shows one of many
  const isForm = typeof schema.pattern === 'string' && known.every((value) => told.includes(value));
  const share = isInvented ? 0.7 : isShown ? shown : isExample || isForm ? EXAMPLE_SHARE : 0;
  if (known.length && !((usual || isForm) && random.next() < share)) return random.pick(known);
  if (typeof schema.pattern === 'string') {
    const fits = fitting(usual, patternOf({ pattern: schema.pattern }), random);
    return fits ?? samplePattern(schema.pattern, random) ?? undefined;
  }
  const value = (usual ?? plain)(random);
  return isAny && IN_WORDS.test(value) && random.next() < LOWER_CASE ? value.toLowerCase() : value;
}

const MOST_TRIES = 8;
/** A day of the calendar, where the pattern asks for digits of that form only; SFO and no Schiphol, where codes are shown. */
function fitting(
  draw: Draw | undefined,
  form: Pick<RegExp, 'test'> | null | undefined,
  random: Random,
): string | undefined {
  for (let tries = 0; draw && form && tries < MOST_TRIES; tries++) {
    const value = draw(random);
    if (form.test(value)) return value;
  }
  return undefined;
}

/** What is searched for: people by their names, where the tool finds people. */
function soughtBy(tool: ToolSchema): Draw {
  if (splitWords(tool.name).slice(1).map(singular).some(isPerson)) return person;
  return takesPlace(tool) ? THING : SEARCH.draw;
}

const takesPlace = ({ parameters }: ToolSchema): boolean =>
  Object.keys(propertiesOf(parameters)).some((name) =>
    /(city|place|location|where|country|region|area|address|near)$/i.test(name),
  );

/** What the object is that holds it: the name of an item is none of a customer. [] where nothing tells. */
function holderOf(path: string): string[][] {
  const holder = splitWords(path.split('.').at(-2) ?? '').map(singular);
  return holder.length === 0 || holdsAny(holder) ? [] : [['', ...holder]];
}

/** "from" and "to" of what converts currencies, or finds a way between cities. */
function ofWhat(name: string, tool: ToolSchema, described: readonly string[]): [string] | null {
  if (!/^(from|to|source|src|origin|departure|arrival|target|destination|dest|base|quote)$/i.test(name)) return null;
  const thing = [...described, ...aboutWords(tool)].find((word) =>
    /^(currency|unit|language|country|city|airport|station|file|directory|folder)$/.test(word),
  );
  return thing === undefined ? null : [thing];
}

/**
 * "Register the dog Gizmo of Rosenthal": what creates a thing is mostly given names that nothing has yet. Not so what
 * points to a thing by a number, nor what "adds notes to existing customers" calls a customer.
 */
const isOfNewThing = (tool: ToolSchema, known: readonly string[], words: readonly string[]): boolean =>
  tool.changesWorld &&
  (creates(tool) || known.length <= FEW_NAMES) &&
  known.length > 0 &&
  !isOfExisting(tool, words) &&
  known.every((value) => /^\p{Lu}[\p{L} .'’-]*$/u.test(value) && !CAPITALS.test(value));
const isOfExisting = ({ description }: ToolSchema, words: readonly string[]): boolean =>
  [...description.matchAll(/\bexisting (\w+)/gi)].some(([, thing]) => words.includes(singular(thing!.toLowerCase())));
const NEW_NAME = 0.6;
const NEW_HANDLE = 0.9;
/** So few would be learnt by heart. */
const FEW_NAMES = 2;

function newName(known: readonly string[], usual: Draw | undefined, words: readonly string[], random: Random): string {
  const like = random.pick(known);
  // "Crash on start without a network" is nobody's name, and none is of a place
  const isName = !words.some((word) => OF_PLACES.test(word)) && like.split(' ').every((word) => /^\p{Lu}/u.test(word));
  const draws: readonly Draw[] = [
    usual ?? inventedName,
    inventedName,
    ...(!isName ? [] : like.includes(' ') ? [fullName] : [firstName, lastName]),
  ];
  return random.pick(draws)(random);
}

const OF_PLACES = /^(place|destination|origin|location|where|city|town|village|street|stop|station|venue|airport)$/;

/** Does it make a file or a folder where there is none yet? */
function isOfNewFile(tool: ToolSchema, name: string, known: readonly string[]): boolean {
  if (!tool.changesWorld || known.length === 0) return false;
  if (/^(to|dest|destination|target)$/i.test(name)) return known.every((value) => IS_PATH.test(value));
  return isPath({ words: splitWords(name) }) && MAKES.test(splitWords(tool.name)[0] ?? '');
}
/** No address of a person or of the web. */
const IS_PATH = /^(?!.*(@|:\/\/|\s))(?:.*[/\\].*|[\w-]+\.\w{1,5}|\.)$/;
const MAKES = /^(add|create|download|export|make|mkdir|new|save|touch|write)$/;
const FOLDER = /^.*[/\\]/;
const NEW_PATH = 0.75;

/** In one of the folders that are known. */
function newPath(known: readonly string[], usual: Draw, random: Random): string {
  const one = random.pick(known);
  const isFile = one === HERE || /\.\w+$/.test(one);
  const folder = isFile ? (FOLDER.exec(one)?.[0] ?? '') : one.replace(/[/\\]?$/, one.includes('\\') ? '\\' : '/');
  return folder + usual(random).replace(FOLDER, '');
}

/** Who writes to an assistant seldom writes capitals, but in codes. */
const LOWER_CASE = 0.4;
const IN_WORDS = /^(?=.*\p{Ll})[\p{L} .,'’-]+$/u;

/** Is a day or a time given in people's words? By what is known of it; where nothing is, now and then. */
function isSpoken(known: readonly string[], schema: JsonSchema, random: Random): boolean {
  const told = [...known, typeof schema.description === 'string' ? schema.description : ''].join(' ');
  if (/\d{4}-\d\d|\d\d:\d\d|\b(YYYY|ISO|HH)\b/i.test(told)) return false;
  return known.length > 0 || /\b(such as|as (it was )?said|words|like)\b/.test(told) || random.next() < 0.7;
}

/** So often a category beside those that a description shows. */
const OTHER_CLASS = 0.3;

/** What one writes anew, whatever was found under that name. */
const FREE_TEXT = /^(body|message|text|note|notes|comment|content|subject|title|description|summary|reason)$/i;

/** So often one that is not shown: of a single one the more. */
const shownShare = (shown: number): number => (shown === 1 ? 0.55 : 0.4);
const EXAMPLE_SHARE = 0.8;
/** USD, SFO, TX: codes of which people know others. */
const CAPITALS = /^[A-Z]{2,5}$/;
/** So often another code than those shown. */
const OTHER_CODE = 0.8;
/** Where all that are shown are nearly all that there are. */
const LISTED_SHARE = 0.15;
