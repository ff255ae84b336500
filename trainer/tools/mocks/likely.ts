/**
 * What a mocked result most likely holds under a name: what was sent, an id like the real ones, a date where a date is
 * due.
 */
import { boundedPattern } from '../../base/boundedPattern';
import type { Random } from '../../base/random';
import { samplePattern } from '../schema/pattern';
import { splitWords } from '../../base/words';
import { singular } from '../schema/words';

export type Sent = Record<string, unknown>;

/** What is known when a member is filled in. */
export interface Known {
  /** what the call sent, or a thing that was made earlier; members of objects stand flat beside the rest */
  sent: Sent;
  /** words of the tool's name in the singular: what it is about */
  nouns: readonly string[];
  /** ids that really occur, by the words of their name */
  realIds(words: string): readonly (string | number)[];
}

const POINTERS = new Set(['id', 'number', 'no', 'code', 'key', 'ref', 'reference', 'uid', 'uuid', 'hash', 'sku']);
const TEXTS = new Set([
  'title',
  'name',
  'text',
  'label',
  'subject',
  'summary',
  'description',
  'content',
  'message',
  'body',
  'note',
  'task',
]);
const COUNTS =
  /^(count|quantity|number|year|page|pages|index|position|total|size|age|people|guests|nights|seats|minutes|hours|days|stars|rating|level|left|remaining)$/;
const wordsOf = (name: string): string[] => splitWords(name).map(singular);

/** A value for the member; undefined: nothing is likelier than another. */
export function likelyValue(name: string, schema: Record<string, unknown>, known: Known, random: Random): unknown {
  const sent = sentAs(name, schema, known);
  if (sent !== undefined) return sent;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if ('enum' in schema || 'const' in schema) return undefined;
  const isId = POINTERS.has(last) || known.realIds(words.join(' ')).length > 0;
  if (isId && types.some((type) => type === 'string' || type === 'number' || type === 'integer'))
    return idLike(words, types, schema, known, random);
  if (typeof schema.pattern === 'string') return samplePattern(schema.pattern, random) ?? undefined;
  if (types.includes('boolean'))
    return /^(ok|okay|success|done|sent|created|added|saved|deleted|removed|cancelled|booked|paid|updated|accepted|confirmed)$/.test(
      last,
    )
      ? true
      : undefined;
  if (
    types.includes('number') &&
    schema.multipleOf === undefined &&
    schema.minimum === undefined &&
    words.some((word) => COUNTS.test(word))
  )
    return 1 + random.int(12);
  if (types.includes('string') && schema.format === undefined) return textLike(words, random);
  return undefined;
}

/**
 * What was sent comes back under the same name; `id` of a tool about todos is `todoId`; a lone text is what a made
 * thing is called.
 */
function sentAs(name: string, schema: Record<string, unknown>, { sent, nouns }: Known): unknown {
  const fits = (value: unknown): boolean => isOfType(value, schema);
  if (name in sent && fits(sent[name])) return sent[name];
  const words = wordsOf(name).join(' ');
  for (const [key, value] of Object.entries(sent)) {
    const own = wordsOf(key);
    if (!fits(value)) continue;
    if (own.join(' ') === words) return value;
    const last = own.at(-1) ?? '';
    if (
      POINTERS.has(last) &&
      own.length > 1 &&
      words === last &&
      own.slice(0, -1).every((word) => nouns.includes(word))
    )
      return value;
    if (POINTERS.has(words.split(' ').at(-1)!) && words === `${own.join(' ')} id`) return value;
  }
  const texts = Object.values(sent).filter((value) => typeof value === 'string');
  return texts.length === 1 &&
    TEXTS.has(words) &&
    fits(texts[0]) &&
    !POINTERS.has(wordsOf(Object.keys(sent).find((key) => sent[key] === texts[0])!).at(-1) ?? '')
    ? texts[0]
    : undefined;
}

function isOfType(value: unknown, schema: Record<string, unknown>): boolean {
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  if (Array.isArray(value)) return types.includes('array');
  if (value !== null && typeof value === 'object') return types.includes('object');
  return (
    types.includes(typeof value) &&
    (typeof schema.pattern !== 'string' || typeof value !== 'string' || boundedPattern(schema.pattern).test(value))
  );
}

/** An id of the form that real ones have, and none of them: digits are drawn anew, numbers follow the highest. */
function idLike(
  words: readonly string[],
  types: readonly unknown[],
  schema: Record<string, unknown>,
  known: Known,
  random: Random,
): string | number | undefined {
  const isText = types.includes('string');
  if (isText && typeof schema.pattern === 'string') return samplePattern(schema.pattern, random) ?? undefined;
  if (schema.format !== undefined) return undefined;
  const names = !POINTERS.has(words.at(-1)!)
    ? [words.join(' ')]
    : words.length > 1
      ? [words.join(' '), words.slice(0, -1).join(' ')]
      : [
          ...known.nouns.map((noun) => `${noun} ${words[0]}`),
          ...known.nouns,
          ...(known.nouns.length === 0 ? [words[0]!] : []),
        ];
  const real =
    names.map((name) => known.realIds(name)).find((list) => list.some((id) => (typeof id === 'string') === isText)) ??
    [];
  if (!isText) {
    const numbers = real.filter((id): id is number => typeof id === 'number');
    return numbers.length > 0 ? Math.max(...numbers) + 1 + random.int(20) : boundedId(schema, random);
  }
  const texts = real.filter((id): id is string => typeof id === 'string');
  if (texts.length === 0) return `${known.nouns.at(-1) ?? 'item'}-${1000 + random.int(9000)}`;
  const form = random.pick(texts);
  for (let i = 0; i < 20; i++) {
    const made = form.replace(/\d/g, () => String(random.int(10)));
    if (!texts.includes(made)) return made;
  }
  return /\d/.test(form) ? form : `${form}-${2 + random.int(8)}`;
}

function boundedId(schema: Record<string, unknown>, random: Random): number {
  const least = typeof schema.minimum === 'number' ? Math.ceil(schema.minimum) : 1;
  const most = typeof schema.maximum === 'number' ? Math.floor(schema.maximum) : least + 8999;
  return least + random.int(Math.max(1, most - least + 1));
}

const two = (value: number): string => String(value).padStart(2, '0');
const FIRST =
  'Alma Boris Celia Edith Farid Gilda Hugo Imani Joris Katya Nadia Oskar Petra Rosa Stefan Talia Vera Yara'.split(' ');
const LAST = (
  'Abara Brandt Castell Ekman Fontaine Hollis Ivarsson Jansen Kowal Moreau Novak Okafor ' +
  'Pereira Rinaldi Sato Varga Weiss'
).split(' ');

function textLike(words: readonly string[], random: Random): string | undefined {
  const last = words.at(-1) ?? '';
  const day = (): string => `${2024 + random.int(3)}-${two(1 + random.int(12))}-${two(1 + random.int(28))}`;
  if (/^(date|day|birthday|deadline|arrival|departure|due|until|since|start|end|from)$/.test(last)) return day();
  if (last === 'at' && words.length > 1)
    return `${day()}T${two(7 + random.int(12))}:${random.pick(['00', '15', '30'])}:00Z`;
  if (last === 'time') return `${two(7 + random.int(14))}:${random.pick(['00', '15', '30', '45'])}`;
  if (/^e?mail$/.test(last)) return `${random.pick(FIRST).toLowerCase()}@example.com`;
  if (
    /^(author|owner|customer|guest|person|user|assignee|patient|doctor|member|contact|sender|recipient)$/.test(last) ||
    (last === 'name' && words.some((word) => /^(customer|guest|person|user|patient|member|full)$/.test(word)))
  )
    return `${random.pick(FIRST)} ${random.pick(LAST)}`;
  if (last === 'name' && words.includes('first')) return random.pick(FIRST);
  if (last === 'name' && words.includes('last')) return random.pick(LAST);
  if (/^(status|state)$/.test(last)) return 'ok';
  if (/^(url|uri|link)$/.test(last)) return `https://example.com/${1000 + random.int(9000)}`;
  return undefined;
}
