import { splitWords } from '../../../base/words';
import { isRecord } from '../../../protocol/arguments';
import type { JsonSchema } from '../../../protocol/task';
import { singular } from '../../../tools/schema/words';
import { isMoney } from '../drawNumber';
import { isDescriptionOf } from '../everydayKind';
import { isQuestion } from '../questions';
import { isUnit } from './measures';
import { isPerson } from './nouns';

/** What a parameter is to the request: it decides by which small words its value is said. */
export type Role =
  | 'id'
  | 'name'
  | 'person'
  | 'query'
  | 'question'
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
  | 'scale'
  | 'company'
  | 'thing'
  | 'other';

export const PREPOSITION = /^(by|for|of|from|to|in|with|on|at|into|about|per|via|and|between|near)$/;

/** "issue number", "Issue key", "ID of the order": what a number or an id points at, in the singular; null: nothing. */
function numberedThing(described: readonly string[]): string | null {
  const at = described.findIndex((word) => /^(id|number|no|nr|code|identifier|key|reference|slug)$/.test(word));
  if (at < 0 || described.includes('many')) return null;
  const isOf = described[at + 1] === 'of';
  if (isOf && described[at] === 'number' && !/^(the|an|a)$/.test(described[at + 2] ?? '')) return null; // of guests
  const thing = isOf
    ? described.slice(at + 2).find((word) => !/^(the|an|a)$/.test(word))
    : at + 1 === described.length || PREPOSITION.test(described[at + 1]!)
      ? described[described[at - 1] === 's' ? at - 2 : at - 1] // "the flag's key"
      : undefined;
  return thing === undefined || NO_THING.test(thing) ? null : singular(thing);
}

/** The same of a description, without what stands aside in it: "Issue key, e.g. WEB-114". */
export const thingPointedAt = (description: string): string | null =>
  numberedThing(splitWords(description.split(ASIDE)[0]!).slice(0, 8));
const ASIDE = /[,;(]|\be\.\s?g\b|\bsuch as\b|\bfor example\b/i;

/** "kebab-case key", "unique id" */
const NO_THING = /^(the|an|a|its|this|unique|internal|short|numeric|exact|full|public|stable|case|readable|new)$/;

/**
 * By the name's last word, else by any of its words, else by what the description speaks of.
 * @param holder words of what it is a part of: of the object that holds it, else of the tool
 */
export function roleOf(
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
    // "set the reorder point, minimum 57" is no search from 57 up
    const setsIt = changesWorld && /^(adjust|change|configure|set|update)$/.test(holder[0] ?? '');
    // "amount_ml" is no money
    const isMeasured = words.length > 1 && isUnit(last);
    return (
      order.find(
        (role) =>
          !(isMeasured && role === 'money') &&
          !(setsIt && BOUNDS.has(role)) &&
          words.some((word) => ROLES[role].test(word)),
      ) ??
      (isMoney(described) ? 'money' : undefined) ??
      (singular(last) !== last && !isUnit(last) ? 'count' : /^(id|number|no)$/.test(last) ? 'id' : 'other')
    );
  }
  if (!changesWorld && schema.type === 'string' && isQuestion(words, described)) return 'question';
  const telling = [...words].reverse().find((word) => !/^(name|value|string)$/.test(word)) ?? last;
  const everyday = (Object.keys(EVERYDAY) as (keyof typeof EVERYDAY)[]).find((role) =>
    EVERYDAY[role].test(singular(telling)),
  );
  if (last === 'description' && described.includes('who')) return 'company';
  if (isDescriptionOf(described) && !everyday) return 'text';
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

const BOUNDS: ReadonlySet<Role> = new Set(['least', 'most', 'limit']);

/** Texts whose name says how people put them: beside the thing, in its place, behind a small word. */
const EVERYDAY = {
  when: /^(when|range|period|timeframe|timing|moment|timeofday|daytime|daypart)$/,
  often: /^(frequency|repeat|repetition|recurrence|interval)$/,
  means: /^(transport|transportation|vehicle)$/,
  share: /^(brightness|volume|intensity|percentage|percent|amount|degree)$/,
  maker: /^(artist|singer|band|composer|performer|musician|author|writer|director|painter|agency|airline|brand)$/,
  quality: /^(cuisine|genre|style|sort|sorting|ranking|colou?r|size|material)$/,
  type: /^(type|kind|variant|category)$/,
  choice: /^(priority|urgency|severity|importance|status)$/,
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
    /^(place|city|town|location|room|area|region|country|street|station|airport|venue|building|floor|warehouse|branch|site|zone|port|address|neighborhood|environment)$/,
  contact: /^(email|mail|phone|telephone|mobile|fax|url|link|website)$/,
  unit: /^(unit|units|currency|language|lang|locale|format|scale|timezone)$/,
} as const;
