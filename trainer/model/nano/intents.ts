import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../protocol/result';

/**
 * Requests that people wrote, by what they want: the train lines of clinc150, banking77 and hwu64 (README says whose
 * they are). They are read from a
 * folder beside the repository; none is kept in it. `intents.tsv` says which function each intent is, in words of its
 * own.
 */
export interface Intent {
  /** source/intent */
  id: string;
  source: string;
  /** intents of one group want the same, so they are never in one set of tools */
  group: string;
  names: string[];
  descriptions: string[];
  /** what its lines may give, most frequent first */
  keys: string[];
  /** the values of a line are all there are: where one is missing, the request does not say it */
  isAnnotated: boolean;
  lines: Line[];
}
/** `values`: by key, each one a part of the text. */
export interface Line {
  text: string;
  values: Record<string, string>;
}

export interface People {
  intents: Intent[];
  /** by intent, lines that want no tool at all */
  talk: Map<string, string[]>;
}

/** What is said to an assistant and wants no function; `intent` of clinc150, or of hwu64. */
export const TALK = [
  'greeting',
  'goodbye',
  'thank_you',
  'what_can_i_ask_you',
  'are_you_a_bot',
  'what_is_your_name',
  'who_made_you',
  'where_are_you_from',
  'how_old_are_you',
  'what_are_your_hobbies',
  'do_you_have_pets',
  'who_do_you_work_for',
  'meaning_of_life',
  'yes',
  'no',
  'maybe',
  'cancel',
  'general_affirm',
  'general_commandstop',
  'general_confirm',
  'general_dontcare',
  'general_negate',
  'general_praise',
  'general_quirky',
];

/** Lines that speak of what `examples/`, or a benchmark, is about are left out, whatever their intent. */
export const KEPT_OUT =
  /\b(e-?mails?|inbox|invoices?|refund\w*|moorings?|moon|shipping|shipped|boilers?|kayaks?|books|library|libraries|librar\w+|loans?|borrow\w*|bikes?|bicycles?|vets?|veterinar\w*|alarms?|calendars?|playlists?|weather|lights?|lamps?|taxis?|cabs?|uber|lyft|trains?|buses|bus|podcasts?|songs?|music|albums?|artists?|restaurants?|remind\w*|movies?|cinemas?|theat(er|re)s?|films?|radio|audiobooks?|smart ?home|thermostat\w*|traffic|takeaways?|takeout|to-?do|catalogues?|shel(f|ves)|overdue|renew\w*|patients?|ferrets?|tortoises?|parrots?|rabies|claws?|limping|stocks?)\b/i;

const HELD_OUT_PERCENT = 15;
const MAX_WORDS = 28;

/** Where the people's lines lie. @throws UserError where they are missing */
export function intentsFolder(): string {
  const folder = process.env.COACH_INTENTS ?? join(__dirname, '../../../../shared/data/intents');
  if (!existsSync(join(folder, 'clinc150.jsonl')))
    throw new UserError(
      'config',
      `no requests by people in ${folder}`,
      'get clinc150, banking77 and hwu64 as trainer/model/nano/README.md says, and name their folder in COACH_INTENTS',
    );
  return folder;
}

/** A fixed share of the groups is never trained on, so that unseen functions can be asked for in people's own words. */
export const isHeldOut = (group: string): boolean =>
  createHash('sha256').update(`held out ${group}`).digest().readUInt32BE(0) % 100 < HELD_OUT_PERCENT;

interface Row {
  text: string;
  intent: string;
  slots?: [string, string][];
  split: string;
}

/** @param part 'train': train lines of the intents that are trained on; 'heldOut': test lines of the others */
export function loadPeople(part: 'train' | 'heldOut', folder = intentsFolder()): People {
  const split = part === 'train' ? 'train' : 'test';
  const bySource = new Map(
    ['clinc150', 'banking77', 'hwu64'].map((source) => [
      source,
      groupBy(
        readRows(join(folder, `${source}.jsonl`)).filter((r) => isUsable(r.text)),
        (r) => `${r.split}/${r.intent}`,
      ),
    ]),
  );
  const rowsOf = (source: string, key: string): Row[] => bySource.get(source)!.get(key) ?? [];
  const intents = readTable()
    .filter((t) => isHeldOut(t.group) === (part === 'heldOut'))
    .map((t): Intent => withLines(t, rowsOf(t.source, `${split}/${t.id.split('/')[1]}`)));
  const talk = new Map(
    TALK.map((intent) => [
      intent,
      rowsOf(intent.startsWith('general_') ? 'hwu64' : 'clinc150', `${split}/${intent}`).map((r) => r.text),
    ]),
  );
  return { intents: intents.filter((i) => i.lines.length > 0), talk };
}

const readRows = (file: string): Row[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
const isUsable = (text: string): boolean =>
  !KEPT_OUT.test(text) && !/["\\<>{}]/.test(text) && text.split(' ').length <= MAX_WORDS;

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const out = new Map<string, T[]>();
  for (const item of items) {
    const found = out.get(keyOf(item));
    if (found) found.push(item);
    else out.set(keyOf(item), [item]);
  }
  return out;
}

interface TableRow extends Omit<Intent, 'keys' | 'lines' | 'isAnnotated'> {
  slots: string[];
  patterns: RegExp[];
}

/** The table of functions, in the repository. */
export function readTable(): TableRow[] {
  return readFileSync(join(__dirname, 'intents.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line): TableRow => {
      const [source, intent, names, descriptions, values = ''] = line.split('\t') as [
        string,
        string,
        string,
        string,
        string?,
      ];
      const [name, group = `${source}/${name}`] = intent.split('@') as [string, string?];
      const isSlots = source === 'hwu64';
      return {
        id: `${source}/${name}`,
        source,
        group,
        names: names.split(', '),
        descriptions: descriptions.split(/(?<=\.); /),
        slots: isSlots ? values.split(' ').filter(Boolean) : [],
        patterns: isSlots || !values ? [] : values.split(' ## ').map(patternOf),
      };
    });
}

const VALUE = "[a-z0-9$£€][a-z0-9$£€'&.+*/%-]*(?: [a-z0-9$£€+*/(][a-z0-9$£€'&.+*/()%-]*){0,4}?";
/** Of the numbers, only those that are written in digits. */
const NUMERIC = new Set(['amount', 'number', 'sides']);
const END = '(?:,? please| for me| right now| now| exactly| today)?\\s*[.?!]*$';

/** `<food>` is a value; `$$` the end of the request. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `\\b${text.replace(/(?<!\(\?)<(\w+)>/g, (_, key: string) => `(?<${key}>${NUMERIC.has(key) ? '\\d+(?:\\.\\d+)?' : VALUE})`).replaceAll('$$', END)}`,
    'i',
  );

/** No value, but a word that stands for one. */
const POINTER =
  /\b(i|me|my|mine|you|your|it|its|this|that|these|those|there|here|they|them|we|our|us|do|does|is|are|be|been|the|a|an|of|if|when|what|how|which|someone|somebody|something|any|please|travell?ing|having|making|getting|going|cooking|no|not|to|on|for)\b/i;

function withLines(t: TableRow, rows: Row[]): Intent {
  const isAnnotated = t.source === 'hwu64' && t.slots.length > 0;
  const lines = rows.flatMap(({ text, slots = [] }): Line[] => {
    const values = isAnnotated ? slotValues(text, slots, t.slots) : patternValues(text, t.patterns);
    return values === null ? [] : [{ text, values }];
  });
  const counts = new Map<string, number>();
  for (const { values } of lines) for (const key of Object.keys(values)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const keys = [...counts]
    .filter(([, n]) => n >= 3)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([key]) => key);
  return {
    id: t.id,
    source: t.source,
    group: t.group,
    names: t.names,
    descriptions: t.descriptions,
    keys,
    isAnnotated,
    lines,
  };
}

/** null: the line gives one slot twice, or a value that is no whole words */
function slotValues(
  text: string,
  slots: readonly (readonly [string, string])[],
  wanted: readonly string[],
): Record<string, string> | null {
  const own = slots.filter(([name]) => wanted.includes(name));
  if (new Set(own.map(([name]) => name)).size < own.length || !own.every(([, value]) => isWhole(text, value)))
    return null;
  return Object.fromEntries(own);
}

function patternValues(text: string, patterns: readonly RegExp[]): Record<string, string> {
  for (const pattern of patterns) {
    const groups = Object.entries(pattern.exec(text)?.groups ?? {}).filter(
      (e): e is [string, string] => e[1] !== undefined,
    );
    if (
      groups.length > 0 &&
      groups.every(
        ([key, value]) => (key === 'text' || key === 'expression' || !POINTER.test(value)) && isWhole(text, value),
      )
    )
      return Object.fromEntries(groups);
  }
  return {};
}

/** Does a value stand once in the text, its ends not inside a word? */
export function isWhole(text: string, value: string): boolean {
  const at = text.indexOf(value);
  if (value === '' || value.trim() !== value || at < 0 || text.indexOf(value, at + 1) >= 0) return false;
  return (
    !/[\p{L}\p{N}][-._@/:]?$/u.test(text.slice(0, at)) && !/^[-._@/:]?[\p{L}\p{N}]/u.test(text.slice(at + value.length))
  );
}
