/**
 * JSON Schema -> an automaton over bytes: what a reply may say next, whatever tokens it is cut into. Objects write
 * their keys in the schema's order, with
 * `, ` and `: ` between, as Python's json.dumps and most models do; optional ones may be left out. States are made
 * lazily, as in grammar.ts.
 */
import { propertiesOf, requiredOf } from '../../../protocol/arguments';
import { canBecome, isWithin, longest, type NumberRange } from './jsonNumber';

export type Schema = Readonly<Record<string, unknown>>;

export interface ByteState {
  /** 256 entries; 1: this byte may follow */
  readonly bytes: Uint8Array;
  readonly to: (byte: number) => readonly ByteState[];
  /** text: inside a string that a quote may end here; part: behind a backslash, or within a character */
  readonly inString?: 'text' | 'part';
}
type Then = () => readonly ByteState[];

export interface JsonOptions {
  /** digits behind the point of a number */
  decimals?: number;
}

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_ITEMS = 8;
const DECIMALS = 6;
const NONE: readonly ByteState[] = [];
const setOf = (bytes: Iterable<number>): Uint8Array => {
  const set = new Uint8Array(256);
  for (const byte of bytes) set[byte] = 1;
  return set;
};
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Nothing may follow. */
export const END: readonly ByteState[] = [{ bytes: setOf([]), to: () => NONE }];
const ONE = range(0, 255).map((byte) => setOf([byte]));
const byteOfSet = new Map(ONE.map((set, byte) => [set, byte]));
/** The byte that alone may follow, by the schema; null where there is a choice. */
export const onlyByte = (states: readonly ByteState[]): number | null =>
  states.length === 1 ? (byteOfSet.get(states[0]!.bytes) ?? null) : null;

/** Where a byte leads; none: it may not follow. */
export function stepBytes(states: readonly ByteState[], byte: number): readonly ByteState[] {
  if (states.length === 1) return states[0]!.bytes[byte] === 1 ? states[0]!.to(byte) : NONE;
  const ways = states.filter((state) => state.bytes[byte] === 1);
  return ways.length === 1 ? ways[0]!.to(byte) : ways.flatMap((state) => state.to(byte));
}

/** @throws Error where the schema says something that is not held to: never a reply that only seems to follow it */
export const jsonStates = (
  schema: Schema,
  { decimals = DECIMALS }: JsonOptions = {},
  then: Then = () => END,
): readonly ByteState[] => value(schema, decimals, then);

const UNKNOWN = [
  '$ref',
  'allOf',
  'not',
  'if',
  'pattern',
  'minLength',
  'maxLength',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'patternProperties',
  'uniqueItems',
  'contains',
];

function value(schema: Schema, decimals: number, then: Then): readonly ByteState[] {
  const unknown = UNKNOWN.find((keyword) => keyword in schema);
  if (unknown) throw new Error(`jsonStates: ${unknown} is not held to while decoding`);
  const choices = choicesOf(schema);
  if (choices) return choices.flatMap((choice) => literal(JSON.stringify(choice), then));
  const union = unionOf(schema);
  if (union) return union.flatMap((one) => value(one, decimals, then));
  return typesOf(schema).flatMap((type) => ofType(type, schema, decimals, then));
}

const choicesOf = (schema: Schema): unknown[] | null =>
  Array.isArray(schema.enum) ? (schema.enum as unknown[]) : 'const' in schema ? [schema.const] : null;
const unionOf = (schema: Schema): Schema[] | null => (schema.anyOf ?? schema.oneOf ?? null) as Schema[] | null;
const typesOf = ({ type }: Schema): unknown[] => {
  if (type === undefined) throw new Error('jsonStates: a schema must say its type, or its choices');
  return [type].flat();
};

function ofType(type: unknown, schema: Schema, decimals: number, then: Then): readonly ByteState[] {
  switch (type) {
    case 'object':
      return object(schema, decimals, then);
    case 'array':
      return array(schema, decimals, then);
    case 'string':
      return string(then);
    case 'number':
    case 'integer':
      return number(rangeOf(type, schema, decimals), then);
    case 'boolean':
      return [...literal('true', then), ...literal('false', then)];
    case 'null':
      return literal('null', then);
    default:
      throw new Error(`jsonStates: there is no type ${String(type)}`);
  }
}

/** Made at the first use, and the same array from then on: who holds it knows what may follow. */
function once(make: Then): Then {
  let made: readonly ByteState[] | null = null;
  return () => (made ??= make());
}

export function literal(text: string, then: Then): readonly ByteState[] {
  const bytes = Buffer.from(text, 'utf8');
  const at = (i: number): readonly ByteState[] => {
    if (i === bytes.length) return then();
    const next = once(() => at(i + 1));
    return [{ bytes: ONE[bytes[i]!]!, to: next }];
  };
  return at(0);
}

const keyText = (key: string, isFirst: boolean): string => `${isFirst ? '' : ', '}${JSON.stringify(key)}: `;

function object(schema: Schema, decimals: number, then: Then): readonly ByteState[] {
  const properties = Object.entries(propertiesOf(schema));
  const required = new Set(requiredOf(schema));
  const rest = (from: number, isFirst: boolean): readonly ByteState[] => {
    const out: ByteState[] = [];
    for (let i = from; i < properties.length; i++) {
      const [key, one] = properties[i]!;
      out.push(...literal(keyText(key, isFirst), () => value(one, decimals, () => rest(i + 1, false))));
      if (required.has(key)) return out;
    }
    return [...out, ...literal('}', then)];
  };
  return literal('{', () => rest(0, true));
}

/** How many, and what each is. */
function itemsOf(schema: Schema): { min: number; max: number; at(i: number): Schema } {
  const prefix = (schema.prefixItems ?? []) as Schema[];
  const { items } = schema;
  const min = Number(schema.minItems ?? 0);
  const max = Number(schema.maxItems ?? (items === false ? prefix.length : Math.max(min, MAX_ITEMS)));
  if (typeof items !== 'object' && max > prefix.length)
    throw new Error('jsonStates: an array must say what its items are');
  return { min, max, at: (i) => prefix[i] ?? (items as Schema) };
}

function array(schema: Schema, decimals: number, then: Then): readonly ByteState[] {
  const { min, max, at } = itemsOf(schema);
  const from = (i: number): readonly ByteState[] => [
    ...(i >= min ? literal(']', then) : []),
    ...(i < max ? literal(i === 0 ? '' : ', ', () => value(at(i), decimals, () => from(i + 1))) : []),
  ];
  return literal('[', () => from(0));
}

const IN_TEXT = setOf([...range(0x20, 0x7f), ...range(0xc2, 0xf4)]);
const ESCAPES = setOf(Buffer.from('"\\/bfnrt'));
const CONTINUATION = setOf(range(0x80, 0xbf));
/**
 * Second bytes where not every one makes a character (overlong forms, surrogates, beyond the last one). Source: The
 * Unicode Standard, table 3-7.
 */
const SECOND = new Map([
  [0xe0, setOf(range(0xa0, 0xbf))],
  [0xed, setOf(range(0x80, 0x9f))],
  [0xf0, setOf(range(0x90, 0xbf))],
  [0xf4, setOf(range(0x80, 0x8f))],
]);

/** Any text in whole UTF-8 characters, with the short escapes. */
function string(then: Then): readonly ByteState[] {
  const after = once(then);
  const text: readonly ByteState[] = [
    {
      bytes: IN_TEXT,
      inString: 'text',
      to: (byte) => (byte === QUOTE ? after() : byte === BACKSLASH ? escaped : byte < 0x80 ? text : character(byte)),
    },
  ];
  const part = (bytes: Uint8Array, to: readonly ByteState[]): readonly ByteState[] => [
    { bytes, inString: 'part', to: () => to },
  ];
  const escaped = part(ESCAPES, text);
  const last = part(CONTINUATION, text);
  const lastTwo = part(CONTINUATION, last);
  const character = (lead: number): readonly ByteState[] =>
    lead < 0xe0 ? last : part(SECOND.get(lead) ?? CONTINUATION, lead < 0xf0 ? last : lastTwo);
  return literal('"', () => text);
}

const rangeOf = (type: unknown, { minimum, maximum }: Schema, decimals: number): NumberRange => ({
  min: Number(minimum ?? -Infinity),
  max: Number(maximum ?? Infinity),
  decimals: type === 'integer' ? 0 : decimals,
});

function number(within: NumberRange, then: Then): readonly ByteState[] {
  const after = once(then);
  const from = (text: string): readonly ByteState[] => {
    const ways = [...'-.0123456789'].filter((c) => canBecome(text + c, within));
    return [
      ...(isWithin(text, within) ? after() : []),
      ...(ways.length > 0
        ? [{ bytes: setOf(Buffer.from(ways.join(''))), to: (byte: number) => from(text + String.fromCharCode(byte)) }]
        : []),
    ];
  };
  return from('');
}

/** Room that a reply takes at the most. */
export interface JsonRoom {
  /** tokens of all but what stands in its free strings */
  tokens: number;
  /** how many free strings there are */
  strings: number;
}
/** A literal may be cut otherwise than the tokenizer would, where a token of the text before reaches into it. */
const SEAM = 2;
/** The end of a string: the rest of a character, and the quote. */
const STRING_END = 5;

/** @param tokensOf of a text, by the tokenizer */
export function roomOf(
  schema: Schema,
  tokensOf: (text: string) => number,
  { decimals = DECIMALS }: JsonOptions = {},
): JsonRoom {
  const fixed = (text: string): JsonRoom => ({ tokens: tokensOf(text) + SEAM, strings: 0 });
  const most = (rooms: readonly JsonRoom[]): JsonRoom => ({
    tokens: Math.max(...rooms.map((room) => room.tokens)),
    strings: Math.max(...rooms.map((room) => room.strings)),
  });
  const sum = (rooms: readonly JsonRoom[]): JsonRoom => ({
    tokens: rooms.reduce((n, room) => n + room.tokens, 0),
    strings: rooms.reduce((n, room) => n + room.strings, 0),
  });
  const room = (one: Schema): JsonRoom => {
    const choices = choicesOf(one);
    if (choices)
      return choices.length === 1
        ? fixed(JSON.stringify(choices[0]))
        : most(choices.map((choice) => ({ tokens: Buffer.byteLength(JSON.stringify(choice)), strings: 0 })));
    const union = unionOf(one);
    return most(union ? union.map(room) : typesOf(one).map((type) => roomOfType(type, one)));
  };
  const roomOfType = (type: unknown, one: Schema): JsonRoom => {
    switch (type) {
      case 'object':
        return sum([
          fixed('{}'),
          ...Object.entries(propertiesOf(one)).flatMap(([key, of], i) => [fixed(keyText(key, i === 0)), room(of)]),
        ]);
      case 'array': {
        const { max, at } = itemsOf(one);
        return sum([fixed('[]'), ...Array.from({ length: max }, (_, i) => sum([room(at(i)), fixed(', ')]))]);
      }
      case 'string':
        return { tokens: SEAM + STRING_END, strings: 1 };
      case 'number':
      case 'integer':
        return { tokens: 1 + longest(rangeOf(type, one, decimals)), strings: 0 };
      default:
        return { tokens: 1 + 'false'.length, strings: 0 };
    }
  };
  return room(schema);
}
