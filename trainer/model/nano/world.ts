import type { Random } from '../../base/random';
import { capital, VALUES, word, type Lexicon, type ValueKind } from './words';

/** One parameter of a synthetic tool: how it is declared, how a request speaks of it, what values it takes. */
export interface Param {
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean';
  values?: string[];
  kind: ValueKind | 'enum' | 'flag';
  optional: boolean;
  /** '{v}' stands for the value; '{p}' for the parameter's words. */
  cues: string[];
  /** what the parameter is to the tool, where a natural sentence depends on it */
  role?: Role;
}
export type Role = 'query' | 'from' | 'limit' | 'id' | 'to' | 'text' | 'title';

export interface SyntheticTool {
  name: string;
  description: string;
  verbs: string[];
  /** what the request calls the thing */
  noun: string;
  params: Param[];
  /** an attribute tool gives `noun` ("fee for a mooring"): a request has no need of a verb */
  isAttribute?: boolean;
  /** of an attribute tool: "fee for", to be followed by any way of naming its owner */
  gives?: string;
  /** tells somebody something: `to`, `text` and perhaps `title` */
  isMessage?: boolean;
  act: 'find' | 'read' | 'change' | 'compute';
}

interface VerbClass {
  act: SyntheticTool['act'];
  names: string[];
  says: string[];
}
const VERBS: VerbClass[] = [
  {
    act: 'find',
    names: ['find', 'search', 'lookup', 'locate'],
    says: ['find', 'search', 'look up', 'search for', 'locate', 'look for'],
  },
  { act: 'find', names: ['list', 'browse'], says: ['list', 'show', 'give me', 'show me', 'what are'] },
  { act: 'find', names: ['filter', 'select'], says: ['filter', 'pick', 'select', 'choose'] },
  {
    act: 'read',
    names: ['get', 'read', 'fetch', 'show', 'open', 'view'],
    says: ['get', 'read', 'fetch', 'show', 'open', 'show me', 'display', 'pull up', 'view'],
  },
  { act: 'read', names: ['describe', 'explain', 'inspect'], says: ['describe', 'explain', 'inspect', 'tell me about'] },
  {
    act: 'read',
    names: ['check', 'verify', 'test'],
    says: ['check', 'verify', 'test', 'make sure of', 'have a look at'],
  },
  { act: 'change', names: ['create', 'add', 'make', 'new'], says: ['create', 'add', 'make', 'set up', 'put in'] },
  {
    act: 'change',
    names: ['delete', 'remove', 'drop', 'clear'],
    says: ['delete', 'remove', 'drop', 'get rid of', 'throw away'],
  },
  {
    act: 'change',
    names: ['update', 'change', 'edit', 'set', 'modify'],
    says: ['update', 'change', 'edit', 'set', 'modify'],
  },
  { act: 'change', names: ['send', 'post', 'share', 'give'], says: ['send', 'post', 'share', 'pass on'] },
  { act: 'change', names: ['start', 'run', 'launch'], says: ['start', 'run', 'launch', 'kick off'] },
  { act: 'change', names: ['stop', 'end', 'close', 'cancel'], says: ['stop', 'end', 'close', 'cancel', 'call off'] },
  { act: 'change', names: ['move', 'shift', 'transfer'], says: ['move', 'shift', 'transfer', 'put'] },
  { act: 'change', names: ['reserve', 'book', 'hold'], says: ['reserve', 'book', 'hold'] },
  { act: 'change', names: ['mark', 'tag', 'label'], says: ['mark', 'tag', 'label', 'flag'] },
  { act: 'change', names: ['save', 'store', 'keep'], says: ['save', 'store', 'keep'] },
  { act: 'compute', names: ['count', 'total'], says: ['count', 'how many', 'total', 'add up'] },
  {
    act: 'compute',
    names: ['compute', 'calculate', 'calc', 'estimate'],
    says: ['compute', 'calculate', 'work out', 'what is', 'estimate', 'figure out'],
  },
  {
    act: 'compute',
    names: ['convert', 'turn', 'translate'],
    says: ['convert', 'turn', 'change', 'translate', 'how much is'],
  },
  { act: 'compute', names: ['compare', 'measure', 'rate', 'rank'], says: ['compare', 'measure', 'rate', 'rank'] },
];

type Shape = Omit<Param, 'optional'>;
const shape = (names: string, type: Param['type'], kind: Param['kind'], ...cues: string[]): ((r: Random) => Shape) => {
  const list = names.split(' ');
  const role = ROLES[list[0]!];
  return (r) => ({ name: r.pick(list), type, kind, cues, ...(role ? { role } : {}) });
};
/** By the first of the names below. */
const ROLES: Record<string, Role | undefined> = {
  id: 'id',
  query: 'query',
  from: 'from',
  by: 'from',
  limit: 'limit',
  to: 'to',
  body: 'text',
};
/** Parameters with the cues that people use for them; the main one of a tool often stands right behind the noun. */
const COMMON: ((r: Random) => Shape)[] = [
  shape('id key code ref number', 'string', 'id', '{v}', '{v}', '{p} {v}', 'with {p} {v}', 'number {v}', '({v})'),
  shape(
    'query text term keyword topic phrase words',
    'string',
    'words',
    'about {v}',
    'about the {v}',
    'on the {v}',
    'with {v} in it',
    'for {v}',
    'matching {v}',
    'that mention {v}',
    'containing {v}',
    'on {v}',
    'with the words {v}',
    "'{v}'",
  ),
  shape('name title label', 'string', 'name', 'called {v}', 'named {v}', '{v}', 'with the {p} {v}', "'{v}'", 'for {v}'),
  shape(
    'from origin start source',
    'string',
    'name',
    'from {v}',
    'from {v}',
    'coming from {v}',
    'starting at {v}',
    'by {v}',
  ),
  shape('to target end destination', 'string', 'name', 'to {v}', 'to {v}', 'into {v}', 'for {v}'),
  shape(
    'by author owner person user who member',
    'string',
    'name',
    'by {v}',
    'of {v}',
    'for {v}',
    "{v}'s",
    'from {v}',
    'with {p} {v}',
  ),
  shape(
    'place city area location region room',
    'string',
    'name',
    'in {v}',
    'at {v}',
    'near {v}',
    'for {v}',
    'around {v}',
  ),
  shape(
    'limit count max top size amount',
    'integer',
    'integer',
    'at most {v}',
    'up to {v}',
    'only {v}',
    'the first {v}',
    '{v} results',
    'no more than {v}',
    '{p} {v}',
    'max {v}',
    'just {v}',
    '{v} at most',
    '{v} will do',
    'and return {v}',
    'not more than {v}',
  ),
  shape(
    'date day when since until before after on',
    'string',
    'date',
    'on {v}',
    'for {v}',
    'since {v}',
    '{p} {v}',
    'of {v}',
  ),
  shape('time hour at start', 'string', 'time', 'at {v}', '{v}', '{p} {v}'),
  shape(
    'amount value price width height weight length level rate age',
    'number',
    'number',
    '{p} {v}',
    'of {v}',
    'with {p} {v}',
    'a {p} of {v}',
    '{v}',
    'for {v}',
  ),
  shape('a x left first base', 'number', 'number', '{v}', '{p} {v}', 'of {v}'),
  shape('contact address handle', 'string', 'address', 'to {v}', '{v}', 'at {v}', '{p} {v}'),
  shape('currency country lang unit symbol', 'string', 'code', 'in {v}', '{v}', '{p} {v}', 'to {v}'),
  shape(
    'body note text comment reason content',
    'string',
    'words',
    'saying {v}',
    "'{v}'",
    'with the {p} {v}',
    '{p}: {v}',
    'because of {v}',
  ),
];

function inventedParam(r: Random, l: Lexicon): Shape {
  const two = r.next() < 0.25;
  const w = two ? `${word(r, l)} ${word(r, l)}` : word(r, l);
  const name = two ? (r.next() < 0.8 ? w.replace(/ (.)/, (_, c: string) => c.toUpperCase()) : w.replace(' ', '_')) : w;
  const kind = r.pick(['word', 'words', 'name', 'id', 'number', 'integer', 'code', 'date'] as const);
  const type = kind === 'number' ? 'number' : kind === 'integer' ? 'integer' : 'string';
  return {
    name,
    type,
    kind,
    cues: [
      '{p} {v}',
      'with {p} {v}',
      '{p} is {v}',
      '{v} as the {p}',
      'with the {p} {v}',
      '{p} = {v}',
      'a {p} of {v}',
      '{p}: {v}',
      'for {p} {v}',
    ],
  };
}

function enumParam(r: Random, l: Lexicon): Shape {
  const values = [...new Set(Array.from({ length: 2 + r.int(4) }, () => word(r, l)))];
  const name =
    r.next() < 0.5
      ? r.pick(['status', 'kind', 'type', 'mode', 'level', 'group', 'format', 'sort', 'color', 'state', 'category'])
      : word(r, l);
  return {
    name,
    type: 'string',
    kind: 'enum',
    values,
    cues: ['{v}', 'in {v}', 'as {v}', '{p} {v}', 'with {p} {v}', 'to {v}', '{v} {p}', 'the {v} ones', 'that are {v}'],
  };
}

const flagParam = (r: Random, l: Lexicon): Shape => ({
  name: r.next() < 0.5 ? word(r, l) : r.pick(['all', 'deep', 'exact', 'force', 'quiet', 'full', 'new']),
  type: 'boolean',
  kind: 'flag',
  cues: ['with {p}', '{p}', 'with {p} on'],
});

export const spoken = (name: string): string =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

/** Parameters that belong together: two dates, two places of one list, several numbers. */
function pairedParams(r: Random, l: Lexicon): Param[] {
  const named = (name: string, shape: Omit<Shape, 'name'>): Param => ({ name, optional: false, ...shape });
  const [a, b] = r.pick([
    ['from', 'to'],
    ['start', 'end'],
    ['source', 'target'],
    ['since', 'until'],
    ['first', 'last'],
    ['left', 'right'],
  ]);
  const cues = {
    from: 'from {v}',
    start: 'from {v}',
    source: 'from {v}',
    since: 'since {v}',
    first: 'from {v}',
    left: 'of {v}',
    to: 'to {v}',
    end: 'to {v}',
    target: 'to {v}',
    until: 'until {v}',
    last: 'to {v}',
    right: 'and {v}',
  } as Record<string, string>;
  const cuesOf = (name: string): string[] => [cues[name]!, cues[name]!, '{p} {v}', '{p} is {v}'];
  switch (r.int(4)) {
    case 0:
      return [a, b].map((name) => named(name, { type: 'string', kind: 'date', cues: cuesOf(name) }));
    case 1:
      return [a, b].map((name) => named(name, { type: 'string', kind: 'name', cues: cuesOf(name) }));
    case 2: {
      const values = [...new Set(Array.from({ length: 3 + r.int(3) }, () => word(r, l)))];
      return r.shuffle([
        { ...inventedParam(r, l), type: 'number' as const, kind: 'number' as const, optional: false },
        ...[a, b].map((name) => named(name, { type: 'string', kind: 'enum', values, cues: cuesOf(name) })),
      ]);
    }
    default: {
      const names = new Set(Array.from({ length: 2 + r.int(2) }, () => word(r, l)));
      return [...names].map((name) => ({
        ...inventedParam(r, l),
        name,
        type: 'number',
        kind: r.pick(['number', 'integer'] as const),
        optional: false,
      }));
    }
  }
}

const shapeOf =
  (role: Role) =>
  (r: Random): Shape =>
    COMMON.map((make) => make(r)).find((s) => s.role === role)!;

/**
 * As most interfaces have them: a search takes words, then who it is from and how many; what acts on one thing takes
 * its id.
 */
function usualParams(r: Random, act: SyntheticTool['act']): Param[] {
  if (act !== 'find') return [{ ...shapeOf('id')(r), optional: false }];
  const roles = (['from', 'limit'] as const).filter(() => r.next() < 0.55);
  return [
    { ...shapeOf('query')(r), optional: false },
    ...roles.map((role) => ({ ...shapeOf(role)(r), optional: true })),
  ];
}

function makeParams(r: Random, l: Lexicon, act: SyntheticTool['act']): Param[] {
  if (act !== 'compute' && r.next() < (act === 'find' ? 0.4 : 0.25)) return usualParams(r, act);
  if (r.next() < 0.15) return pairedParams(r, l);
  const n = r.pick([0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4]);
  const params: Param[] = [];
  for (let i = 0; i < n; i++) {
    const roll = r.next();
    const p =
      roll < 0.55
        ? r.pick(COMMON)(r)
        : roll < 0.75
          ? inventedParam(r, l)
          : roll < 0.93
            ? enumParam(r, l)
            : flagParam(r, l);
    if (params.some((q) => q.name === p.name || (q.kind === p.kind && q.cues === p.cues))) continue;
    params.push({ ...p, optional: i > 0 ? r.next() < 0.55 : r.next() < 0.12 });
  }
  return params.sort((a, b) => Number(a.optional) - Number(b.optional));
}

function toolName(r: Random, verb: string, nouns: string[]): string {
  const parts = r.next() < 0.85 ? [verb, ...nouns] : [...nouns, verb];
  const roll = r.next();
  if (roll < 0.08) return verb;
  if (roll < 0.16) return nouns[0]!;
  if (roll < 0.75) return parts.map((p, i) => (i ? capital(p) : p)).join('');
  return parts.join('_');
}

const plural = (w: string): string =>
  /(s|x|ch|sh)$/.test(w) ? `${w}es` : /[^aeiou]y$/.test(w) ? `${w.slice(0, -1)}ies` : `${w}s`;

function describe(r: Random, verb: VerbClass, noun: string, many: boolean, params: Param[], l: Lexicon): string {
  const thing = many ? plural(noun) : r.pick([`a ${noun}`, `one ${noun}`, `the ${noun}`, noun]);
  const say = capital(r.pick(verb.says));
  const [first] = params;
  const by =
    first && r.next() < 0.35
      ? r.pick([` by ${spoken(first.name)}`, ` for a ${spoken(first.name)}`, ` with its ${spoken(first.name)}`])
      : '';
  const tail =
    r.next() < 0.3
      ? r.pick([
          ` of the ${word(r, l)}`,
          ` in the ${word(r, l)}`,
          `, newest first`,
          ` and its ${word(r, l)}`,
          ` of one ${word(r, l)}`,
          ` from the ${word(r, l)} ${word(r, l)}`,
        ])
      : '';
  return say.includes('{}') ? `${say.replace('{}', () => thing)}.` : `${say} ${thing}${by}${tail}.`;
}

const READS: VerbClass[] = VERBS.filter(
  (v) => v.names.includes('get') || v.names.includes('compute') || v.names.includes('check'),
);

/** A tool that gives an attribute of a thing, named after it: mooringFee, daysBetween, statusOf. */
function attributeTool(r: Random, l: Lexicon, noun: string): SyntheticTool {
  const verb = r.pick(READS);
  const what = word(r, l);
  const link = r.pick(['of', 'of', 'of', 'for', 'for', 'between', 'that takes', 'in', 'left in']);
  const owner =
    link === 'between' ? `two ${plural(noun)}` : r.pick([`a ${noun}`, `the ${noun}`, `one ${noun}`, plural(noun)]);
  const join = (...parts: string[]): string => parts.map((p, i) => (i ? capital(p) : p)).join('');
  const single = noun.replace(/ (.)/g, (_, c: string) => c.toUpperCase());
  const name = r.pick([
    join(single, what),
    join(single, what),
    join(word(r, l), single),
    join(r.pick(verb.names), single),
    join('get', what),
    `${what}Of`,
    join(what, link.split(' ')[0]!),
    what,
    `${single}_${what}`,
    join(r.pick(verb.names), what),
    join(what, 'for', single),
  ]);
  const thing = link === 'that takes' ? `${what} that ${owner} takes` : `${what} ${link} ${owner}`;
  const description = `${r.next() < 0.6 ? capital(thing) : `${capital(r.pick(verb.says))} the ${thing}`}${r.next() < 0.15 ? `, in ${word(r, l)}` : ''}.`;
  return {
    name,
    description,
    verbs: verb.says,
    noun: thing,
    params: makeParams(r, l, r.next() < 0.4 ? 'read' : 'compute'),
    act: r.next() < 0.5 ? 'compute' : 'read',
    isAttribute: true,
    gives: link === 'that takes' || link === 'between' ? undefined : `${what} ${link}`,
  };
}

/** A verb that no list holds: it is the tool's name, its description, or one of the two, that tells what it does. */
function newVerb(r: Random, l: Lexicon): VerbClass {
  const w = word(r, l);
  const known = r.pick(VERBS);
  switch (r.int(5)) {
    case 0:
      return { act: known.act, names: [w], says: known.says };
    case 1:
      return { act: 'change', names: [w], says: [`put {} into the ${w}`, `move {} to the ${w}`, w] };
    default:
      return { act: r.pick(['change', 'change', 'read', 'find'] as const), names: [w], says: [w] };
  }
}

/** A tool that tells somebody something. */
function messageTool(r: Random, l: Lexicon, noun: string): SyntheticTool {
  const verb = r.pick(['send', 'post', 'write', 'tell', 'notify', 'answer', 'forward', word(r, l)]);
  const make = (names: string[], kind: Param['kind'], role: Role, cues: string[], optional = false): Param => ({
    name: r.next() < 0.15 ? word(r, l) : r.pick(names),
    type: 'string',
    kind,
    role,
    cues,
    optional,
  });
  const params = [
    make(['to', 'target', 'person', 'member', 'user', 'who', 'contact'], r.next() < 0.8 ? 'name' : 'address', 'to', [
      'to {v}',
      'to {v}',
      'for {v}',
      'to the {v}',
    ]),
    make(['text', 'body', 'note', 'words', 'news', 'wording'], 'clause', 'text', [
      'saying {v}',
      'saying that {v}',
      ': {v}',
      '{p}: {v}',
      'that says {v}',
      'with the {p} {v}',
    ]),
    ...(r.next() < 0.6
      ? [
          make(
            ['title', 'topic', 'label', 'theme', 'heading'],
            'words',
            'title',
            [
              '{p} {v}',
              'with {p} {v}',
              'with the {p} {v}',
              '{p}: {v}',
              'with {v} as the {p}',
              'the {p} is {v}',
              'under the {p} {v}',
            ],
            r.next() < 0.2,
          ),
        ]
      : []),
  ];
  const distinct = params.filter((p, i) => params.findIndex((q) => q.name === p.name) === i);
  const ordered = r.next() < 0.4 ? r.shuffle(distinct) : distinct;
  return {
    name: toolName(r, verb, noun.split(' ')),
    description: `${capital(verb)} ${r.pick([`a ${noun}`, `a new ${noun}`, `one ${noun}`, `somebody a ${noun}`, `a ${noun} to somebody`])}.`,
    noun,
    act: 'change',
    isMessage: true,
    verbs: [verb, verb, 'send', 'write'],
    params: ordered.sort((a, b) => Number(a.optional) - Number(b.optional)),
  };
}

/** One tool about `noun`; `verb` may be given so that distractors share it. */
export function makeTool(
  r: Random,
  l: Lexicon,
  noun: string,
  verb: VerbClass = r.next() < 0.25 ? newVerb(r, l) : r.pick(VERBS),
): SyntheticTool {
  if (verb.names.includes('send') && r.next() < 0.7) return messageTool(r, l, noun);
  if ((verb.act === 'read' || verb.act === 'compute') && r.next() < 0.5) return attributeTool(r, l, noun);
  const many = verb.act === 'find' ? r.next() < 0.8 : r.next() < 0.15;
  const nouns = noun.split(' ');
  const params = makeParams(r, l, verb.act);
  return {
    name: toolName(
      r,
      r.pick(verb.names),
      many && r.next() < 0.8 ? [...nouns.slice(0, -1), plural(nouns.at(-1)!)] : nouns,
    ),
    description: describe(r, verb, noun, many, params, l),
    verbs: verb.says,
    noun: many ? plural(noun) : noun,
    params,
    act: verb.act,
  };
}

/**
 * 1 to `max` tools, more often many than few; some share a noun (other verb) or a verb (other noun), so that both must
 * be read.
 */
export function makeTools(r: Random, l: Lexicon, max: number): SyntheticTool[] {
  const n = Math.max(1 + r.int(max), 1 + r.int(max));
  const nouns = Array.from({ length: Math.max(1, Math.ceil(n / 2)) }, () =>
    r.next() < 0.12 ? `${word(r, l)} ${word(r, l)}` : word(r, l),
  );
  const tools: SyntheticTool[] = [];
  for (let tries = 0; tools.length < n && tries < 60; tries++) {
    const t = r.next() < 0.06 ? messageTool(r, l, r.pick(nouns)) : makeTool(r, l, r.pick(nouns));
    const clash = tools.some((o) => o.name === t.name || (o.noun === t.noun && o.verbs === t.verbs));
    if (!clash) tools.push(t);
  }
  return tools;
}

/** JSON Schema of a synthetic tool's arguments. */
export function schemaOf(tool: SyntheticTool): Record<string, unknown> {
  const properties = Object.fromEntries(
    tool.params.map((p) => [p.name, { type: p.type, ...(p.values ? { enum: p.values } : {}) }]),
  );
  const required = tool.params.filter((p) => !p.optional).map((p) => p.name);
  return { type: 'object', properties, ...(required.length ? { required } : {}) };
}

const NUMBER_WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** A value for a parameter: as the request says it, and as the call carries it. */
export function sampleValue(r: Random, l: Lexicon, p: Param): { text: string; value: unknown } {
  if (p.kind === 'enum') {
    const v = r.pick(p.values!);
    return { text: v, value: v };
  }
  if (p.kind === 'flag') return { text: '', value: true };
  if (p.kind === 'integer' && r.next() < 0.12) {
    const value = 1 + r.int(NUMBER_WORDS.length - 1);
    return { text: NUMBER_WORDS[value]!, value };
  }
  const text = VALUES[p.kind](r, l);
  return { text, value: p.type === 'number' || p.type === 'integer' ? Number(text) : text };
}
