import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolSchema } from '../../protocol/task';
import type { Random } from '../../base/random';
import { nounSynonyms } from '../../tasks/generate/grammar/synonyms';
import { capital, excludedLater, excludedStems, pseudoWord, VALUES, word, type Lexicon } from './words';

/**
 * Everyday things with their fields (`things.txt`), and sets of tools about a few of them as interfaces have them:
 * find, list, get, create, change,
 * cancel, a value of one thing, an act on it by its id. Names, styles, fields and descriptions change from set to set.
 */
export interface Thing {
  noun: string;
  fields: Field[];
}
export type FieldKind =
  | 'name'
  | 'person'
  | 'integer'
  | 'money'
  | 'date'
  | 'time'
  | 'flag'
  | 'place'
  | 'text'
  | 'choice';
export interface Field {
  name: string;
  kind: FieldKind;
  values?: string[];
}

export type Act = 'find' | 'list' | 'get' | 'create' | 'change' | 'act' | 'attribute' | 'count';

export interface EverydayTool {
  schema: ToolSchema;
  thing: Thing;
  act: Act;
  /** by the path of a parameter, joined by dots: the field that it takes; 'id' is the thing's own */
  fields: Map<string, Field | 'id' | 'limit'>;
  /** what an attribute tool gives */
  gives?: Field;
}

/** How ids of a thing look in one set of tools: V-12, veh_204, 7731. */
export type IdStyle = (r: Random) => string;

const KINDS: Record<string, FieldKind> = {
  '#': 'integer',
  $: 'money',
  '%': 'date',
  '&': 'time',
  '@': 'person',
  '?': 'flag',
  '!': 'place',
  '~': 'text',
};

export function loadThings(): Thing[] {
  const out = new Set([...excludedStems(), ...excludedLater()]);
  const isKept = (noun: string): boolean => noun.split(' ').every((w) => !out.has(w) && !out.has(w.replace(/s$/, '')));
  return readFileSync(join(__dirname, 'things.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line): Thing => {
      const [noun, fields] = line.split(': ') as [string, string];
      return { noun, fields: fields.split(', ').map(fieldOf) };
    })
    .filter(({ noun }) => isKept(noun));
}

function fieldOf(text: string): Field {
  const [name, values] = text.split('=') as [string, string?];
  if (values) return { name, kind: 'choice', values: values.split('|') };
  const kind = KINDS[name.at(-1)!];
  return kind ? { name: name.slice(0, -1), kind } : { name, kind: 'name' };
}

const FIRST = (
  'Anna Ben Carla Dmitri Elif Farid Gloria Hanna Ivan Joana Kofi Lara Mehmet Nadia Omar Paula ' +
  'Quentin Rosa Samuel Tariq Ursula Viktor Wanda Xenia Yusuf Zofia Aisha Boris Chen Diego ' +
  'Erika Felix Grace Hugo Ines Jamal Karin Lukas Mona Nils Olga Pedro Ruth Stefan Tessa Umar Vera Willem Yara Zane'
).split(' ');
const LAST = (
  'Adler Baptiste Cruz Dietrich Eriksen Fischer Garcia Hansen Ibrahim Jansen Keller Lopez ' +
  'Meyer Nowak Osei Petrov Quinn Ramos Schmidt Tran Ueda Vargas Weber Xu Young Zimmer Bauer ' +
  'Costa Duval Evans Farkas Gupta Hoang Ito Jokic Klein Lund Moreau Novak Okoye Patel Rossi ' +
  'Silva Torres Virtanen Walsh Yang Ziegler Banerjee Conti'
).split(' ');
const CITIES = (
  'Lyon Porto Graz Leipzig Bergen Malmo Turin Bilbao Ghent Utrecht Cork Leeds Boston Denver ' +
  'Austin Seattle Quebec Lima Quito Bogota Accra Dakar Tunis Izmir Haifa Delhi Pune Hanoi ' +
  'Osaka Perth Krakow Brno Riga Tallinn Split Varna Bern Basel Nantes Dresden'
).split(' ');
const STREETS = (
  'Mill Street|Oak Avenue|Station Road|Church Lane|Market Square|River Walk|North Gate|Hill ' +
  'Road|Rose Garden|King Street|Bridge Street|Lake View|East Wing|Second Yard|the cellar|the ' +
  'kitchen|the garage|the attic|the hallway|the terrace'
).split('|');

/** A value as a caller would give it. */
export function valueOf(r: Random, l: Lexicon, field: Field): string | number | boolean {
  switch (field.kind) {
    case 'choice':
      return r.pick(field.values!);
    case 'integer':
      return 1 + r.int(r.next() < 0.5 ? 12 : r.next() < 0.7 ? 100 : 2000);
    case 'money':
      return r.next() < 0.7
        ? 5 * (1 + r.int(r.next() < 0.6 ? 40 : 400))
        : Number(`${1 + r.int(300)}.${r.pick(['50', '95', '25', '99', '75'])}`);
    case 'date':
      return `20${r.pick(['24', '25', '26', '27'])}-${String(1 + r.int(12)).padStart(2, '0')}-${String(1 + r.int(28)).padStart(2, '0')}`;
    case 'time':
      return `${String(r.int(24)).padStart(2, '0')}:${r.pick(['00', '15', '30', '45'])}`;
    case 'flag':
      return r.next() < 0.8;
    case 'person':
      return r.next() < 0.75 ? `${r.pick(FIRST)} ${r.pick(LAST)}` : r.next() < 0.5 ? r.pick(FIRST) : VALUES.name(r, l);
    case 'place':
      return r.next() < 0.5 ? r.pick(CITIES) : r.next() < 0.7 ? r.pick(STREETS) : capital(pseudoWord(r));
    case 'text':
      return VALUES.clause(r, l);
    default:
      return r.next() < 0.6
        ? Array.from({ length: 1 + r.int(3) }, () => capital(word(r, l))).join(' ')
        : VALUES.words(r, l);
  }
}

const digits = (r: Random, n: number): string => String(10 ** (n - 1) + r.int(9 * 10 ** (n - 1)));

function idStyle(r: Random, noun: string): IdStyle {
  const n = 2 + r.int(3);
  const [first = 'x'] = noun;
  return r.pick<IdStyle>([
    (s) => `${first.toUpperCase()}-${digits(s, n)}`,
    (s) => `${noun.slice(0, 3).toUpperCase()}-${digits(s, n)}`,
    (s) => `${noun.split(' ').at(-1)!.slice(0, 4)}_${digits(s, n)}`,
    (s) => `${first}${digits(s, n)}`,
    (s) => digits(s, n + 1),
    (s) => `${noun.slice(0, 2).toUpperCase()}${digits(s, n)}`,
  ]);
}

const VERBS: Record<Exclude<Act, 'attribute' | 'act'>, string[]> = {
  find: ['find', 'search', 'find', 'lookup', 'query'],
  list: ['list', 'list', 'show', 'browse'],
  get: ['get', 'get', 'show', 'read', 'fetch', 'view', 'open', 'describe'],
  create: ['create', 'add', 'register', 'make', 'new', 'book', 'file', 'record', 'enter'],
  change: ['update', 'change', 'set', 'edit', 'correct', 'adjust'],
  count: ['count'],
};
/** Verbs that take a thing by its id alone, or with one of its fields. */
export const ACTS = [
  'cancel',
  'cancel',
  'delete',
  'delete',
  'remove',
  'close',
  'archive',
  'approve',
  'confirm',
  'reject',
  'repair',
  'pay',
  'print',
  'check',
  'track',
  'pause',
  'resume',
  'start',
  'stop',
  'share',
  'assign',
  'move',
  'reschedule',
  'rate',
  'tag',
  'lock',
  'unlock',
  'hold',
  'reserve',
  'extend',
  'publish',
  'send',
  'sell',
  'return',
  'restore',
  'copy',
  'report',
  'finish',
  'enable',
  'disable',
  'upload',
  'download',
  'explain',
  'recommend',
  'rename',
  'clean',
  'inspect',
  'measure',
  'paint',
  'pack',
  'weigh',
  'replace',
  'verify',
];
const SAYS: Record<string, string[]> = {
  find: [
    'Find {s} by {p}.',
    'Search the {s}.',
    'Looks for {s} that match.',
    '{S} that fit a search.',
    'Search for {a}.',
  ],
  list: ['List {s}.', 'All {s}, or those that match.', 'Gives the {s}.', 'Shows the {s} there are.'],
  get: [
    'Get {a}.',
    'One {n} with all its details.',
    'Everything that is known of {a}.',
    'Read {a} by {p}.',
    'Details of {a}.',
  ],
  create: ['Create {a}.', 'Add {a}.', 'Puts in a new {n}.', 'Registers {a}.', 'Make a new {n}.'],
  change: ['Change {a}.', 'Update {f} of {a}.', 'Set another {f} for {a}.', 'Corrects {a}.'],
  count: ['How many {s} there are.', 'Count the {s}.'],
  act: ['{V} {a}.', '{V} {a} by {p}.', '{V} the {n}.', '{V} one of the {s}.'],
  attribute: ['The {f} of {a}.', 'Gives the {f} of {a}.', 'Tells the {f} that {a} has.'],
};

const plural = (noun: string): string =>
  /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
const TYPES: Partial<Record<FieldKind, string>> = { integer: 'integer', money: 'number', flag: 'boolean' };
const OTHER_NAMES: Partial<Record<FieldKind, string[]>> = {
  person: ['person', 'name', 'who'],
  date: ['date', 'day'],
  time: ['time', 'at'],
  place: ['place', 'location', 'where'],
  text: ['text', 'note', 'reason'],
  money: ['amount', 'price'],
};

interface Naming {
  style(words: string[]): string;
  usesLongIds: boolean;
}
const camel = (words: string[]): string => words.map((w, i) => (i ? capital(w) : w)).join('');

function schemaOf(field: Field): Record<string, unknown> {
  return field.kind === 'choice' ? { type: 'string', enum: field.values } : { type: TYPES[field.kind] ?? 'string' };
}

/** What the parameters are: in which order, which of them may be left out, some of them within an object. */
interface Plan {
  key: string;
  field: Field | 'id' | 'limit';
  isOptional: boolean;
  group?: string;
}

function plan(r: Random, act: Act, thing: Thing, given: Field | null): Plan[] {
  const id: Plan = { key: 'id', field: 'id', isOptional: false };
  const fields = r.shuffle(thing.fields.slice());
  const some = (n: number, optional: number, from = fields): Plan[] =>
    from.slice(0, n).map((field) => ({ key: field.name, field, isOptional: r.next() < optional }));
  const main = thing.fields.find(({ kind }) => kind === 'name' || kind === 'person') ?? thing.fields[0]!;
  const limit: Plan[] = r.next() < 0.3 ? [{ key: 'limit', field: 'limit', isOptional: true }] : [];
  const filters = fields.filter(
    (f) => f !== main && ['choice', 'person', 'flag', 'place', 'date', 'name'].includes(f.kind),
  );
  switch (act) {
    case 'find':
      return [
        { key: r.next() < 0.5 ? main.name : r.pick(['query', 'name', 'text', 'q']), field: main, isOptional: false },
        ...some(r.int(3), 1, filters),
        ...limit,
      ];
    case 'list':
      return [...some(r.int(3), 0.8, filters.concat(main)), ...limit];
    case 'count':
      return some(1 + r.int(2), 0.5, filters.concat(main));
    case 'create': {
      const own: Plan[] = [
        { key: main.name, field: main, isOptional: false },
        ...some(
          1 + r.int(4),
          0.4,
          fields.filter((f) => f !== main),
        ),
      ];
      return own.length > 3 && r.next() < 0.25
        ? own
            .map((p, i) =>
              i >= own.length - 2
                ? { ...p, isOptional: false, group: r.pick(['details', 'options', 'info', 'data']) }
                : p,
            )
            .map((p, _, all) => (p.group ? { ...p, group: all.at(-1)!.group! } : p))
        : own;
    }
    case 'change':
      return [id, ...some(1, 0), ...(r.next() < 0.3 ? some(1, 1, fields.slice(1)) : [])];
    case 'act':
      return [
        id,
        ...(r.next() < 0.35
          ? some(
              1,
              0.5,
              fields.filter(({ kind }) => ['date', 'person', 'place', 'text', 'integer', 'time'].includes(kind)),
            )
          : []),
      ];
    case 'attribute':
      return given ? [id] : [];
    default:
      return [id];
  }
}

function nameOf(
  r: Random,
  act: Act,
  verb: string,
  noun: string,
  isMany: boolean,
  given: Field | null,
  { style }: Naming,
): string {
  const last = isMany ? plural(noun) : noun;
  const words = last.split(' ');
  if (act === 'attribute')
    return style(
      r.pick([
        [...words, given!.name],
        ['get', ...words, given!.name],
        [given!.name, 'of', ...words],
        ['get', given!.name],
      ]),
    );
  if (act === 'change' && given && r.next() < 0.5) return style([verb, ...words, given.name]);
  return style(r.next() < 0.06 ? [...words, verb] : r.next() < 0.05 ? [verb] : [verb, ...words]);
}

/** One tool; `ids` are as the set has them. */
function makeTool(r: Random, thing: Thing, act: Act, naming: Naming, acts: readonly string[]): EverydayTool {
  const verb = act === 'attribute' ? 'get' : act === 'act' ? r.pick(acts) : r.pick(VERBS[act]);
  const isMany = act === 'find' || act === 'list' || act === 'count';
  const given = act === 'attribute' ? r.pick(thing.fields) : null;
  const planned = plan(r, act, thing, given);
  const changed = act === 'change' ? (planned[1]!.field as Field) : given;
  const called = r.next() < 0.12 ? r.pick([thing.noun, ...nounSynonyms(thing.noun)]) : thing.noun;
  const idName = (): string =>
    naming.usesLongIds
      ? naming.style([...thing.noun.split(' '), r.pick(['id', 'id', 'id', 'no', 'code'])])
      : r.pick(['id', 'id', thing.noun.split(' ').at(-1)!, 'ref', 'key']);
  const fields: EverydayTool['fields'] = new Map();
  const properties: Record<string, Record<string, unknown>> = {};
  const required: string[] = [];
  for (const p of planned) {
    const other = p.field !== 'id' && p.field !== 'limit' && r.next() < 0.12 ? OTHER_NAMES[p.field.kind] : undefined;
    let name =
      p.field === 'id'
        ? idName()
        : p.field === 'limit'
          ? r.pick(['limit', 'max', 'count', 'top'])
          : naming.style((other ? r.pick(other) : p.key).split(' '));
    const home = p.group
      ? ((properties[p.group] ??= { type: 'object', properties: {}, required: [] }).properties as Record<
          string,
          unknown
        >)
      : properties;
    if (name in home) name = naming.style([...thing.noun.split(' '), name]);
    home[name] = p.field === 'id' ? { type: 'string' } : p.field === 'limit' ? { type: 'integer' } : schemaOf(p.field);
    fields.set(p.group ? `${p.group}.${name}` : name, p.field);
    if (p.group) {
      (properties[p.group]!.required as string[]).push(name);
      if (!required.includes(p.group)) required.push(p.group);
    } else if (!p.isOptional) required.push(name);
  }
  const ordered = Object.fromEntries(
    Object.entries(properties).sort(([a], [b]) => Number(required.includes(b)) - Number(required.includes(a))),
  );
  const first = [...fields.keys()][0]?.split('.').at(-1) ?? 'name';
  const description =
    r.next() < 0.06
      ? ''
      : r
          .pick(SAYS[act]!)
          .replace('{V}', capital(verb))
          .replace('{S}', capital(plural(called)))
          .replace('{s}', plural(called))
          .replace('{a}', withArticle(called))
          .replace('{n}', called)
          .replace('{f}', changed?.name ?? 'details')
          .replace('{p}', first === 'id' ? 'its id' : spoken(first));
  const name = nameOf(r, act, verb, thing.noun, isMany, changed, naming);
  const schema: ToolSchema = {
    name,
    description,
    parameters: { type: 'object', properties: ordered, ...(required.length ? { required } : {}) },
    source: { file: 'everyday', line: 1 },
    binding: { exportName: name, positional: 'object' },
    changesWorld: act === 'create' || act === 'change' || act === 'act',
  };
  return { schema, thing, act, fields, ...(given ? { gives: given } : {}) };
}

export const spoken = (name: string): string =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

const USUAL: Act[] = [
  'find',
  'find',
  'list',
  'list',
  'get',
  'create',
  'create',
  'change',
  'act',
  'act',
  'act',
  'act',
  'attribute',
  'count',
];

export interface EverydaySet {
  tools: EverydayTool[];
  idOf(thing: Thing): IdStyle;
}

/** One to four things with a few tools each, twelve tools at most. @param acts verbs that take a thing by its id */
export function makeSet(r: Random, things: readonly Thing[], acts: readonly string[] = ACTS): EverydaySet {
  const size = r.next() < 0.75 ? 3 + r.int(6) : 8 + r.int(5);
  const own = r.shuffle(things.slice()).slice(0, Math.max(1, Math.min(4, Math.round(size / (2 + r.int(3))))));
  const naming: Naming = { style: r.next() < 0.72 ? camel : (words) => words.join('_'), usesLongIds: r.next() < 0.6 };
  const ids = new Map(own.map((thing) => [thing, idStyle(r, thing.noun)]));
  const tools: EverydayTool[] = [];
  for (let tries = 0; tools.length < size && tries < 80; tries++) {
    const thing = r.pick(own);
    const act = r.pick(USUAL);
    if (act !== 'act' && act !== 'change' && tools.some((t) => t.thing === thing && t.act === act)) continue;
    const tool = makeTool(r, thing, act, naming, acts);
    const verb = spoken(tool.schema.name).split(' ')[0];
    if (
      !tools.some(
        (t) =>
          t.schema.name === tool.schema.name ||
          (t.thing === thing && spoken(t.schema.name).split(' ')[0] === verb && act !== 'attribute'),
      )
    )
      tools.push(tool);
  }
  return { tools, idOf: (thing) => ids.get(thing)! };
}
