/** The arguments of a call as parts of a sentence: what names the thing itself, and what is said beside it. */
import { durationWords } from '../../../base/durations';
import { HERE, HERE_SAID } from '../../../base/here';
import type { Random } from '../../../base/random';
import { isRecord, type Arguments } from '../../../protocol/arguments';
import { splitWords } from '../../../base/words';
import { joinAnd } from '../../../tools/schema/words';
import { creates } from '../newHandles';
import { isPerson } from './nouns';
import { WEEKDAYS } from '../../../base/relativeDates';
import { restate } from '../../../base/restate';
import { isPath } from '../../../tools/values/fit';
import { changedFor, changeSaid } from './changes';
import { stateOf } from './states';
import { mention } from './mention';
import type { Role } from './roles';
import { capital } from './sentence';
import type { ParameterTalk, ToolTalk } from './toolTalk';

const RESTATED = 0.2;
/** "for two weeks", not for 14 days */
const OTHER_UNIT = 0.6;

/** A value that is said in other words than its own: a thing by its name, or what an earlier call gives ("it"). */
export interface SaidAs {
  text: string;
  /** what it is, where that is known better than the parameter tells */
  role?: Role;
  isPronoun?: boolean;
  isName?: boolean;
  /** values in the text, of which no letter may slip */
  values?: readonly string[];
}

export interface Part {
  parameter: ParameterTalk;
  said: string | boolean;
  isPronoun: boolean;
  isName: boolean;
  values?: readonly string[];
}

export interface Parts {
  all: Part[];
  identity: Part | null;
  others: Part[];
}

/** null: a value that nobody could say (an object in a list). */
export function partsOf(
  talk: ToolTalk,
  args: Arguments,
  { saidAs = {}, random }: { saidAs?: Readonly<Record<string, SaidAs>>; random: Random },
): Parts | null {
  const all: Part[] = [];
  for (const parameter of talk.parameters) {
    const value = at(args, parameter.path);
    if (value === undefined) continue;
    const other = saidAs[parameter.path.join('.')];
    const said = other ? other.text : sayValue(value, parameter, random);
    if (said === null) return null;
    all.push({
      parameter: other?.role ? { ...parameter, role: other.role } : parameter,
      said,
      isPronoun: other?.isPronoun === true,
      isName: other?.isName === true,
      ...(other?.values && { values: other.values }),
    });
  }
  const covered = new Set(talk.parameters.map(({ path }) => path[0]));
  if (Object.keys(args).some((name) => !covered.has(name))) return null;
  joinNames(all, random);
  joinReason(all, args, random);
  const identity = identityOf(talk, all);
  return { all, identity, others: all.filter((part) => part !== identity) };
}

/** "Ann Lund", where a first and a last name are given apart. */
function joinNames(parts: Part[], random: Random): void {
  const isSaid = ({ said, isPronoun, isName }: Part): boolean => typeof said === 'string' && !isPronoun && !isName;
  const first = parts.find((part) => isSaid(part) && /^(?:first|given) ?name$/.test(part.parameter.words));
  const last = parts.find((part) => isSaid(part) && /^(?:(?:last|family) ?name|surname)$/.test(part.parameter.words));
  if (!first || !last || random.next() < NAMES_APART) return;
  parts[parts.indexOf(first)] = {
    ...first,
    parameter: { ...first.parameter, role: 'person', words: 'name', noun: '' },
    said: `${String(first.said)} ${String(last.said)}`,
  };
  parts.splice(parts.indexOf(last), 1);
}
const NAMES_APART = 0.1;

/** "3 damaged", where a change has a reason. */
function joinReason(parts: Part[], args: Arguments, random: Random): void {
  const change = parts.find(({ parameter }) => parameter.isChange && parameter.path.length === 1);
  const value = change && at(args, change.parameter.path);
  if (change === undefined || typeof value !== 'number') return;
  for (const reason of parts) {
    const why = at(args, reason.parameter.path);
    if (reason.parameter.role !== 'choice' || typeof why !== 'string') continue;
    const said = changedFor(value, reason.parameter.path.at(-1)!, why, random);
    if (said === null || random.next() > IN_ONE) continue;
    parts[parts.indexOf(change)] = { ...change, said };
    return void parts.splice(parts.indexOf(reason), 1);
  }
}
const IN_ONE = 0.6;

export function at(args: Arguments, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), args);
}

function sayValue(value: unknown, parameter: ParameterTalk, random: Random): string | boolean | null {
  const { role, unit, words } = parameter;
  if (typeof value === 'boolean') return stateOf(words, value) ?? value;
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      isRecord(item)
        ? sayItem(item, parameter.items, random)
        : typeof item === 'string' && role === 'choice'
          ? choiceSaid(item)
          : typeof item === 'string' || typeof item === 'number'
            ? String(item)
            : null,
    );
    return items.includes(null) || items.length === 0
      ? null
      : random.next() < 0.7
        ? joinAnd(items as string[])
        : items.join(', ');
  }
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  if (parameter.isChange && typeof value === 'number') return changeSaid(value, random);
  const weekday = WEEKDAYS.find((day) => day.slice(0, 3) === String(value).toLowerCase());
  if (weekday && random.next() < WHOLE_WEEKDAY) return random.pick([capital(weekday), capital(weekday), weekday]);
  if (role === 'choice' && typeof value === 'string') return choiceSaid(value);
  const span =
    unit && typeof value === 'number' && random.next() < OTHER_UNIT ? durationWords(value, unit, random) : null;
  if (span !== null) return span;
  if (value === HERE && isPath({ words: parameter.words.split(' ') })) return random.pick(HERE_SAID);
  const restated = role !== 'id' && random.next() < RESTATED ? restate(value, random) : null;
  return restated ?? String(value);
}

/** "fri" is said whole. */
const WHOLE_WEEKDAY = 0.85;

/** "late-checkout", "lateCheckout" -> "late checkout" */
function choiceSaid(value: string): string | null {
  const words = value
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .trim();
  return words || (value === '-' ? value : null);
}

/** One of a list: "2 desk lamps", "Ann Lund (side Bride, Vegan)". null: nobody could say it. */
function sayItem(item: Record<string, unknown>, parameters: readonly ParameterTalk[], random: Random): string | null {
  const said = parameters.flatMap((parameter) => {
    const value = item[parameter.path.at(-1)!];
    return value === undefined ? [] : [{ parameter, text: sayValue(value, parameter, random) }];
  });
  if (said.length === 0 || said.length < Object.keys(item).length || said.some(({ text }) => text === null))
    return null;
  const isCount = ({ parameter: { role } }: (typeof said)[number]): boolean => role === 'quantity' || role === 'count';
  const head = said.find((one) => typeof one.text === 'string' && !isCount(one)) ?? said[0]!;
  const counts = said.filter((one) => one !== head && isCount(one));
  if (counts.length === 2 && said.length === 3) return sayTwice(String(head.text), counts, random);
  const [count] = counts;
  const rest = said
    .filter((one) => one !== head && one !== count)
    .map(({ parameter, text }) => mention(parameter, text!, random, { isNamed: true }).replace(/^: /, ''));
  const named = count
    ? random.pick([`${String(count.text)} ${String(head.text)}`, `${String(count.text)} x ${String(head.text)}`])
    : String(head.text);
  return rest.length === 0
    ? named
    : random.pick([`${named} (${rest.join(', ')})`, `${named} ${rest.join(' ')}`, `${named} - ${rest.join(', ')}`]);
}

/** Of a thing so many times so many: "3x8 rows", "squats, 5 sets of 5". */
function sayTwice(
  head: string,
  counts: readonly { parameter: ParameterTalk; text: string | boolean | null }[],
  random: Random,
): string {
  const [a, b] = counts.map(({ text }) => String(text)) as [string, string];
  const [of, each] = counts.map(({ parameter }) => parameter.words) as [string, string];
  return random.pick([
    `${a} ${of} of ${b} ${head}`,
    `${head}, ${a} ${of} of ${b}`,
    `${head} ${a} x ${b}`,
    ...(/^\d+$/.test(a + b) ? [`${head} ${a}x${b}`, `${a}x${b} ${head}`] : []),
    `${a} ${of} of ${head} with ${b} ${each}`,
    `${head} - ${a} ${of}, ${b} ${each}`,
  ]);
}

/** What names the thing itself: its own id or name, for a search what is looked for. */
function identityOf(talk: ToolTalk, parts: readonly Part[]): Part | null {
  const noun = talk.nouns[0] ?? '';
  const isMadeAnew = talk.tool.changesWorld && (creates(talk.tool) || MAKES.test(splitWords(talk.tool.name)[0] ?? ''));
  const isOwn = ({ parameter }: Part): boolean =>
    parameter.noun === '' || noun.split(' ').at(-1) === parameter.noun.split(' ').at(-1) || parameter.noun === noun;
  const simple = parts.filter(
    ({ said, parameter }) =>
      typeof said === 'string' && parameter.path.length === 1 && !parameter.isNew && parameter.items.length === 0,
  );
  return (
    simple.find((part) => part.isPronoun && isOwn(part)) ??
    simple.find((part) => ['id', 'name', 'person', 'thing'].includes(part.parameter.role) && isOwn(part)) ??
    // of "the seat of a booking" that becomes another the booking is no name
    (talk.isPlural ||
    parts.some((part) => part.parameter.isNew && part.parameter.noun !== '' && isOwn(part)) ||
    // of an invoice for a tenant's lease of a unit none is the invoice's own
    simple.filter(({ parameter }) => parameter.role === 'id').length > 1
      ? null
      : (simple.find(
          ({ parameter }) =>
            ['id', 'name', 'query', 'thing'].includes(parameter.role) &&
            !isPerson(parameter.noun) &&
            !isWhole(talk, parameter) &&
            !(isMadeAnew && parameter.role === 'id' && parameter.noun !== ''),
        ) ?? null))
  );
}

/** What these make is not there yet: of "book a charter" the boat's id names a boat and no charter. */
const MAKES = /^(book|file|log|order|place|post|report|request|reserve|schedule|start|submit)$/;

/** "order status" of an order: what the thing is a part of. */
export const isWhole = (talk: ToolTalk, { noun }: ParameterTalk): boolean =>
  noun !== '' && talk.nouns[0]!.split(' ').slice(0, -1).includes(noun.split(' ').at(-1)!);
