import type { ToolSchema } from '../../../protocol/task';
import type { Arguments } from '../../../protocol/arguments';
import type { Fact } from '../../../tools/values/facts';
import { isTellingName } from '../everydayKind';
import { SHOWS } from '../shown';
import { leavesOf, type ParameterPlace } from '../../../tools/values/places';

/** Values that a description shows: "its number, such as K4107", "e.g. `R-12`". */
export function describedFacts(tool: ToolSchema, places: readonly ParameterPlace[]): Fact[] {
  const out: Fact[] = [];
  const add = (path: string, value: unknown, from: 'description' | 'example'): void => {
    if (typeof value === 'string' || typeof value === 'number')
      out.push({ value, key: path.split('.').at(-1)!, nouns: [], from, where: `${tool.name}.${path}` });
  };
  for (const { path, schema } of places) {
    for (const value of Array.isArray(schema.examples) ? schema.examples : 'example' in schema ? [schema.example] : [])
      add(path, value, 'example');
    if (typeof schema.description === 'string')
      for (const text of shownIn(schema.description))
        add(path, schema.type === 'string' ? text : Number(text), 'description');
  }
  const [only, ...others] = places.filter(({ schema }) => schema.type === 'string');
  // "Return a link for a path, e.g. /cart, /orders": of its one text
  if (only && others.length === 0 && only.schema.description === undefined && !('enum' in only.schema))
    for (const value of shownIn(tool.description).filter((text) => /^\S*[^\w\s]\S*$/.test(text)))
      add(only.path, value, 'description');
  return out.filter(({ value }) => !Number.isNaN(value));
}

/** "such as rain, fog" -> rain, fog; [] where a description shows none. */
export function shownIn(description: string): string[] {
  const inBrackets = kindsInBrackets(description);
  const choices = inBrackets.length > 1 ? inBrackets : choicesIn(description);
  if (choices.length > 0) return choices;
  const lead = /(?:\be\.\s?g\.|\bsuch as|\bfor example|\bfor instance|\blike|\bexamples?:)[,:]?\s+(.+)/i.exec(
    description,
  )?.[1];
  if (lead === undefined) return wordsListed(description);
  const quoted = [...lead.matchAll(/["'`\u201c\u2018]([^"'`\u201d\u2019]{1,40})["'`\u201d\u2019]/g)].map(
    (match) => match[1]!,
  );
  if (quoted.length > 0) return quoted;
  const place = /^\p{Lu}[\p{L} .'-]+, (?:[A-Z]{2}|\p{Lu}\p{Ll}+)\b/u.exec(lead)?.[0];
  if (place !== undefined && /\b(city|location|place|town|address)\b/i.test(description)) return [place];
  const parts = partsOf(lead);
  // "Berlin", "R-12", "treadmill 4"
  const isTelling = (part: string): boolean => /^\S*[\dA-Z_/-]\S*$|^[a-z]+(?: [a-z]+)? \d{1,3}$/i.test(part);
  // "A4, A3, postcard"
  if (parts.length > 2 && parts.every((part) => isTelling(part) || /^[a-z]+$/.test(part))) return parts.slice(0, 6);
  const telling = parts.filter(isTelling).slice(0, 4);
  return telling.length > 0 || /\blike\s/i.test(description) ? telling : parts.filter(isPlainWords).slice(0, 6);
}

/** "Type of entity (horse, business, event)". */
function kindsInBrackets(description: string): string[] {
  const listed =
    /^[^(]*\b(?:types?|kinds?|category|status|state|mode|level|style|class|role|direction|severity)\b[^(]*\(([^()]+)\)/i.exec(
      description,
    )?.[1];
  const parts = listed === undefined || SHOWS.test(listed) || /\bdefault/i.test(listed) ? [] : partsOf(listed);
  return parts.every((part) => WORD.test(part) && !NO_CHOICE.test(part)) ? parts.slice(0, 12) : [];
}
const WORD = /^[\w-]+(?: [\w-]+)?$/;

/** "one of kitchen, hall, study", "either 'north' or 'south'", "must be low, high": all that there are. */
function choicesIn(description: string): string[] {
  const lead =
    /\b(?:one of|any of|either|must be|can be|may be|allowed values|allowed|options?|choices?):?\s+(.+)/i.exec(
      description,
    )?.[1];
  if (lead === undefined) return [];
  const quoted = [...(lead.split(/[.;](?:\s|$)/)[0] ?? '').matchAll(/["'`]([^"'`]{1,40})["'`]/g)].map(
    (match) => match[1]!,
  );
  const parts = quoted.length > 1 ? quoted : partsOf(lead.split(/[.;(](?:\s|$)/)[0] ?? '');
  const isList = parts.length > 1 && parts.every((part) => WORD.test(part) && !NO_CHOICE.test(part));
  return isList ? parts.slice(0, 12) : [];
}
const NO_CHOICE = /^(?:empty|null|undefined|omitted|blank|left|set|used|given|its? |the |a |an |no |more|less|none$)/i;

/** "where from or where to", "its name or number" say what is given, and are no values. */
const NO_VALUE =
  /^(?:its? )?(?:where|when|how|what|which|who|whether|name|title|number|id|code|frequency|time|date|day)\b/;

/** "stars or points", "what it is: track, album, song", "maths, chemistry, …": nothing but words to choose from. */
function wordsListed(description: string): string[] {
  const listed = /^(?:[^:]*:\s*)?([^:]+)$/.exec(description.trim())?.[1] ?? '';
  const isBegun = AND_SO_ON.test(listed);
  const parts = partsOf(listed.replace(AND_SO_ON, ''));
  const isList = description.includes(':')
    ? parts.length > 2
    : parts.length > 1 && (isBegun || /\bor\b|\|/.test(listed));
  // "city or airport" says what kinds of things are meant
  if (!description.includes(':') && parts.every((part) => isTellingName(part.split(' ')))) return [];
  const isWords = parts.every((part) => /^[a-z]+([ _-][a-z]+)*$/.test(part) && !NO_VALUE.test(part));
  return isList && isWords ? parts.slice(0, 6) : [];
}

const AND_SO_ON = /,?\s*(?:…|\.\.\.|\betc\.?|\band so on\.?)$/;

const partsOf = (text: string): string[] =>
  text
    .split(/,|\||\bor\b|\band\b|[;)]/)
    .map((part) =>
      part
        .trim()
        .replace(/[.]$/, '')
        .replace(/^(?:an?|the) /, ''),
    )
    .filter((part) => part !== '' && !/^(etc|and so on|others?|more|…|\.\.\.)$/i.test(part));
const isPlainWords = (text: string): boolean =>
  /^[a-z]+( [a-z]+){0,2}$/.test(text) && !/\b(of|that|which|in|for|to|from|with|is)\b/.test(text);

/** Arguments of `@example` calls as facts of their own places. */
export function exampleFacts(tool: ToolSchema, examples: readonly Arguments[]): Fact[] {
  return examples.flatMap((args) =>
    leavesOf(args).map(({ path, value }) => ({
      value,
      key: path.split('.').at(-1)!,
      nouns: [],
      from: 'example' as const,
      where: `${tool.name}.${path}`,
    })),
  );
}
