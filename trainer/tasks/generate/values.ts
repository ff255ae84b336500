import type { JsonSchema, ToolSchema } from '../../protocol/task';
import type { Random } from '../../base/random';
import { deref, isRecord, type Arguments } from '../arguments';
import { samplePattern } from './pattern';
import { singular, splitWords } from './words';

/** Real values for a parameter, from examples and from what the tools returned; [] where nothing is known. */
export interface KnownValues {
  /** @param parameter its name; inside objects and lists the names on the way ('address.city', 'lines.sku') */
  (tool: ToolSchema, parameter: string, type: 'string' | 'number'): readonly unknown[];
  /**
   * Arguments that were seen to go together, now and then: null where the parameters are to be drawn each by itself.
   */
  together?: (tool: ToolSchema, random: Random) => Arguments | null;
}

/**
 * Arguments for one call: every required parameter, each optional one by chance, at most `maxOptional` of them. Values
 * come from enum and
 * const, then from what is known, then from pattern and format, then from the name and type. They may still break the
 * schema (the caller checks).
 *
 * @returns null where a required parameter has a type that no value can be made for
 */
export function drawArguments(tool: ToolSchema, random: Random, known: KnownValues, maxOptional = 2): Arguments | null {
  const properties = isRecord(tool.parameters.properties) ? tool.parameters.properties : {};
  const required = new Set(Array.isArray(tool.parameters.required) ? tool.parameters.required : []);
  const optional = Object.keys(properties).filter((name) => !required.has(name));
  const chosen = new Set(random.shuffle(optional.filter(() => random.next() < OPTIONAL_CHANCE)).slice(0, maxOptional));
  const together = known.together?.(tool, random) ?? {};
  const out: Arguments = {};
  for (const [name, node] of Object.entries(properties)) {
    if (!required.has(name) && !chosen.has(name)) continue;
    const draw = (): unknown => drawValue(node, { tool, random, known, name, path: name, depth: 0 });
    let value = name in together ? together[name] : draw();
    // "from metre to metre" is nothing that one asks for: texts differ where they can
    for (let again = 0; again < 4 && typeof value === 'string' && Object.values(out).includes(value); again++)
      value = draw();
    if (value !== undefined) out[name] = value;
    else if (required.has(name)) return null;
  }
  return inOrder(out);
}

/** A start that lies after its end changes places with it. */
function inOrder(args: Arguments): Arguments {
  const names = Object.keys(args);
  const start = names.find((name) => /^(start|begin|from|since|after|earliest|min)/i.test(name));
  const end = names.find((name) => /^(end|until|to|before|latest|max)/i.test(name));
  if (!start || !end || typeof args[start] !== typeof args[end]) return args;
  const [low, high] = [args[start], args[end]];
  const isRange =
    typeof low === 'number' ||
    (typeof low === 'string' && /^\d{4}-\d{2}/.test(low) && /^\d{4}-\d{2}/.test(String(high)));
  return isRange && (low as string) > (high as string) ? { ...args, [start]: high, [end]: low } : args;
}

const OPTIONAL_CHANCE = 0.35;
const MAX_DEPTH = 4;

interface Drawing {
  tool: ToolSchema;
  random: Random;
  known: KnownValues;
  name: string;
  path: string;
  depth: number;
}

/** undefined: no value can be made. */
function drawValue(node: unknown, drawing: Drawing): unknown {
  const { tool, random } = drawing;
  const schema = deref(node, tool.parameters);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length)
    return random.pick(schema.enum.filter((value) => value !== null));
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) {
    const usable = branches.filter((branch) => deref(branch, tool.parameters).type !== 'null');
    return usable.length ? drawValue(random.pick(usable), drawing) : undefined;
  }
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  switch (type) {
    case 'boolean':
      return 'default' in schema ? schema.default === false : random.next() < 0.7;
    case 'integer':
    case 'number':
      return drawNumber(schema, drawing);
    case 'string':
      return drawString(schema, drawing);
    case 'array':
      return drawArray(schema, drawing);
    case 'object':
      return drawObject(schema, drawing);
    default:
      return undefined;
  }
}

function given(schema: JsonSchema, drawing: Drawing, type: 'string' | 'number'): readonly unknown[] {
  const examples = [
    ...(Array.isArray(schema.examples) ? schema.examples : []),
    ...('example' in schema ? [schema.example] : []),
  ];
  return [...examples, ...drawing.known(drawing.tool, drawing.path, type)].filter((value) => typeof value === type);
}

function drawNumber(schema: JsonSchema, drawing: Drawing): number {
  const { random, name } = drawing;
  const known = given(schema, drawing, 'number');
  if (known.length && random.next() < 0.85) return random.pick(known) as number;
  const numeric = (key: string): number | undefined =>
    typeof schema[key] === 'number' ? (schema[key] as number) : undefined;
  const words = splitWords(name);
  const usual = USUAL_RANGES.find(([pattern]) => words.some((word) => pattern.test(word)));
  const step = numeric('multipleOf') ?? (schema.type === 'integer' ? 1 : undefined);
  const exclusive = step ?? 1;
  let low =
    numeric('minimum') ??
    (numeric('exclusiveMinimum') !== undefined ? numeric('exclusiveMinimum')! + exclusive : undefined);
  let high =
    numeric('maximum') ??
    (numeric('exclusiveMaximum') !== undefined ? numeric('exclusiveMaximum')! - exclusive : undefined);
  if (low === undefined && high === undefined) [low, high] = usual ? [usual[1], usual[2]] : [2, 90];
  low ??= Math.min(high! - 1, 1);
  high ??= low + (usual ? usual[2] - usual[1] : 88);
  if (high - low > 1000 && usual && usual[1] >= low && usual[2] <= high) [low, high] = [usual[1], usual[2]];
  if (step !== undefined)
    return clean(
      Math.ceil(low / step) * step +
        step * random.int(Math.max(1, Math.floor((high - Math.ceil(low / step) * step) / step) + 1)),
    );
  if (high - low <= 1) return clean(low + (random.int(11) / 10) * (high - low));
  const whole = Math.ceil(low) + random.int(Math.max(1, Math.floor(high) - Math.ceil(low) + 1));
  return words.some((word) => MEASURES.test(word)) && random.next() < 0.2 && whole + 0.5 <= high ? whole + 0.5 : whole;
}

/** Numbers that one may halve. */
const MEASURES =
  /^(amount|price|cost|weight|kilos?|kg|grams?|pounds?|distance|length|width|height|depth|miles?|kilometers?|kilometres?|km|meters?|metres?|temperature|degrees|celsius|fahrenheit|speed|value|rate|percent|volume|lit(er|re)s?|x|y)$/;

/** Without the dust of binary fractions. */
const clean = (value: number): number => Number(value.toFixed(6));

/** What a number of that name usually is, where the schema sets no bounds. */
const USUAL_RANGES: readonly (readonly [RegExp, number, number])[] = [
  [/^years?$/, 1990, 2030],
  [/^months?$/, 1, 12],
  [/^days?$/, 1, 28],
  [/^hours?$/, 1, 23],
  [/^(minutes?|seconds?)$/, 1, 59],
  [/^(limit|max|top|count|size)$/, 2, 9],
  [/^(percent|percentage|rate)$/, 1, 60],
  [/^(quantity|amount|people|guests|seats|nights)$/, 1, 12],
  [/^(price|cost|total|budget)$/, 5, 400],
  [/^(lat|latitude)$/, -60, 70],
  [/^(lon|lng|longitude)$/, -170, 170],
  [/^(age)$/, 18, 80],
  [/^(page|offset|index)$/, 1, 9],
];

function drawString(schema: JsonSchema, drawing: Drawing): string | undefined {
  const { random, name } = drawing;
  const known = given(schema, drawing, 'string');
  const words = splitWords(name);
  // The name says most; failing that, what the description speaks of.
  const described = typeof schema.description === 'string' ? splitWords(schema.description).map(singular) : [];
  const format = typeof schema.format === 'string' && schema.format in FORMATS ? FORMATS[schema.format] : undefined;
  const usual =
    format ??
    [words, described]
      .map((text) => USUAL_TEXTS.find(([pattern]) => text.some((word) => pattern.test(word))))
      .find(Boolean)?.[1];
  const isInvented = (drawing.tool.changesWorld && FREE_TEXT.test(name)) || usual === date || usual === time;
  if (known.length && !(usual && isInvented && random.next() < 0.7)) return random.pick(known) as string;
  if (typeof schema.pattern === 'string') return samplePattern(schema.pattern, random) ?? undefined;
  return usual ? usual(random) : random.pick(PLAIN_WORDS);
}

/** What one writes anew, whatever was found under that name. */
const FREE_TEXT = /^(body|message|text|note|notes|comment|content|subject|title|description|summary|reason)$/i;

function drawArray(schema: JsonSchema, drawing: Drawing): unknown[] | undefined {
  if (drawing.depth >= MAX_DEPTH) return undefined;
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const least = Math.max(typeof schema.minItems === 'number' ? schema.minItems : 1, prefix.length);
  const most = Math.max(least, Math.min(typeof schema.maxItems === 'number' ? schema.maxItems : 3, least + 2));
  const inner = { ...drawing, name: singular(drawing.name), depth: drawing.depth + 1 };
  const out: unknown[] = [];
  for (let i = least + drawing.random.int(most - least + 1); i > 0 && out.length < most; i--) {
    let item = drawValue(prefix[out.length] ?? schema.items, inner);
    for (let again = 0; again < 8 && out.includes(item); again++)
      item = drawValue(prefix[out.length] ?? schema.items, inner);
    if (item === undefined) return undefined;
    if (!out.includes(item)) out.push(item);
  }
  return out.length >= least ? out : undefined;
}

function drawObject(schema: JsonSchema, drawing: Drawing): Arguments | undefined {
  if (drawing.depth >= MAX_DEPTH || !isRecord(schema.properties)) return undefined;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const out: Arguments = {};
  for (const [name, node] of Object.entries(schema.properties)) {
    if (!required.has(name) && drawing.random.next() > OPTIONAL_CHANCE) continue;
    const value = drawValue(node, { ...drawing, name, path: `${drawing.path}.${name}`, depth: drawing.depth + 1 });
    if (value !== undefined) out[name] = value;
    else if (required.has(name)) return undefined;
  }
  return Object.keys(out).length ? out : undefined;
}

const FIRST_NAMES =
  'Alma Boris Celia Dmitri Edith Farid Gilda Hugo Imani Joris Katya Lorenz Mirela Nadia Oskar Petra Quentin Rosa Stefan Talia Ulrich Vera Wanda Xavier Yara Zoltan'.split(
    ' ',
  );
const LAST_NAMES =
  'Abara Brandt Castell Dorsey Ekman Fontaine Galanis Hollis Ivarsson Jansen Kowal Lindqvist Moreau Novak Okafor Pereira Quist Rinaldi Sato Tanaka Ueda Varga Weiss Zeman'.split(
    ' ',
  );
const CITIES =
  'Oslo Lima Turin Dakar Kyoto Porto Quito Riga Tunis Utrecht Vienna Warsaw Bergen Cork Denver Fargo Ghent Havana Izmir Jaipur Lagos Malmo Nairobi Odessa Perth'.split(
    ' ',
  );
const COUNTRIES =
  'Norway Peru Italy Senegal Japan Portugal Ecuador Latvia Tunisia Austria Poland Ireland Belgium Cuba Turkey India Nigeria Sweden Kenya Chile'.split(
    ' ',
  );
const PLAIN_WORDS =
  'amber basil cedar delta ember falcon garnet heron indigo jasmine kestrel lilac maple nutmeg olive pepper quartz raven saffron thistle umber violet walnut yarrow zephyr'.split(
    ' ',
  );
const SENTENCES = [
  'see you at the gate',
  'the meeting starts at nine',
  'thank you for the quick help',
  'please call me back tomorrow',
  'we are running late today',
  'the parcel has arrived',
  'all is ready for Monday',
  'the lift is out of service',
  'lunch is on me',
  'the keys are under the mat',
  'bring a warm coat',
  'the report is almost done',
];
const TITLES = [
  'Quarterly review',
  'Team lunch',
  'Site visit',
  'Open questions',
  'Summer plans',
  'New schedule',
  'Budget talk',
  'Weekend trip',
  'Door repair',
  'Final draft',
];

const two = (value: number): string => String(value).padStart(2, '0');
const date = (random: Random): string =>
  `${2024 + random.int(4)}-${two(1 + random.int(12))}-${two(1 + random.int(28))}`;
const time = (random: Random): string => `${two(7 + random.int(14))}:${random.pick(['00', '15', '30', '45'])}`;
const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => random.pick([...'0123456789abcdef'])).join('');
const fullName = (random: Random): string => `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
const email = (random: Random): string =>
  `${random.pick(FIRST_NAMES).toLowerCase()}@${random.pick(PLAIN_WORDS)}.example`;
const host = (random: Random): string => `${random.pick(PLAIN_WORDS)}.example`;
const uri = (random: Random): string => `https://${host(random)}/${random.pick(PLAIN_WORDS)}`;

const FORMATS: Record<string, (random: Random) => string> = {
  date,
  email,
  uri,
  url: uri,
  'uri-reference': uri,
  'idn-email': email,
  hostname: host,
  time: (random) => `${time(random)}:00`,
  'date-time': (random) => `${date(random)}T${time(random)}:00Z`,
  uuid: (random) => `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`,
  ipv4: (random) => `10.${random.int(200)}.${random.int(200)}.${1 + random.int(200)}`,
};

/** What a text of that name usually is, where neither schema nor results say. */
const USUAL_TEXTS: readonly (readonly [RegExp, (random: Random) => string])[] = [
  [/^e?mail$/, email],
  [/^(date|day|deadline|birthday|checkin|checkout)$/, date],
  [/^time$/, time],
  [/^(url|uri|link|website|homepage)$/, uri],
  [/^(phone|telephone|mobile)$/, (random) => `555-01${two(random.int(100))}`],
  [/^(city|town|location|place|destination|origin)$/, (random) => random.pick(CITIES)],
  [/^country$/, (random) => random.pick(COUNTRIES)],
  [/^(body|message|text|note|notes|comment|content|reason|description|details)$/, (random) => random.pick(SENTENCES)],
  [/^(subject|title|headline|topic|event|summary)$/, (random) => random.pick(TITLES)],
  [
    /^(firstname|first|to|recipient|person|user|owner|assignee|guest|contact|author)$/,
    (random) => random.pick(FIRST_NAMES),
  ],
  [/^(lastname|last|surname)$/, (random) => random.pick(LAST_NAMES)],
  [/^(customer|client|name|employee|student|patient|member|passenger)$/, fullName],
  [
    /^(id|code|sku|number|reference|ref|key|serial|ticket)$/,
    (random) => `${random.pick([...'ABCDEFGHKLMNPRSTWX'])}${100 + random.int(900)}`,
  ],
  [/^(currency)$/, (random) => random.pick(['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'SEK'])],
  [/^(language|lang|locale)$/, (random) => random.pick(['en', 'de', 'fr', 'es', 'ja', 'pl'])],
  [/^(colou?r)$/, (random) => random.pick(['red', 'green', 'blue', 'orange', 'purple', 'black', 'white'])],
  [
    /^(path|file|filename|folder|directory)$/,
    (random) => `${random.pick(PLAIN_WORDS)}/${random.pick(PLAIN_WORDS)}.txt`,
  ],
  [/^(tag|label|category|keyword|query|term|word|search)$/, (random) => random.pick(PLAIN_WORDS)],
];
