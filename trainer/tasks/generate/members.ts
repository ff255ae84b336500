/** What one may ask of a thing that a tool has found: the members of its result. */
import type { Random } from '../../base/random';
import { isRecord } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import { isScalar, type Scalar } from '../../tools/values/facts';
import { isPointer } from '../../tools/values/fit';
import { LOOK_UPS, nameWordsOf, singular, toolWords, valueWords } from '../../tools/schema/words';
import { PREPOSITION, roleOf } from './grammar/roles';
import { isPerson } from './grammar/nouns';
import type { Seen } from './harvest';

export type MemberKind = 'date' | 'person' | 'place' | 'money' | 'count' | 'list' | 'flag' | 'state' | 'other';

/** One of them, with what the tool really said. */
export interface Member {
  key: string;
  /** "due date" */
  words: readonly string[];
  kind: MemberKind;
  value: Scalar | boolean | readonly Scalar[];
}

/** A value is told in a line. */
const LONGEST = 60;
const MOST_WORDS = 3;

/** Of requests for a look-up that finds one thing so many ask for something that it says of it. */
const ASKED_SHARE = 0.4;

/** What may be asked of what these tools find. */
export class Members {
  private readonly lookUps: ReadonlySet<string>;
  /** what reading tools are named after: of what one of them finds the thing itself, or what another tells ("price") */
  private readonly named: ReadonlySet<string>;

  constructor(tools: readonly ToolSchema[]) {
    this.lookUps = new Set(tools.filter(isLookUp).map(({ name }) => name));
    const reading = tools.filter(({ changesWorld }) => !changesWorld);
    this.named = new Set(reading.flatMap((tool) => nameWordsOf(tool).map(singular)));
  }

  /**
   * Of the one thing that a call really found, alone or as a list of one. What was said in the request, an id, and what
   * a tool is named after are asked for otherwise.
   */
  of({ name }: ToolSchema, seen: Seen): Member[] {
    const thing = this.lookUps.has(name) ? thingOf(seen) : null;
    if (!thing || isTally(thing)) return [];
    const given = new Set(Object.values(seen.args).map(lowered));
    return Object.entries(thing).flatMap(([key, value]) => {
      if (key.startsWith('_') || key in seen.args || given.has(lowered(value))) return [];
      const words = valueWords(key);
      const last = words.at(-1);
      if (last === undefined || words.length > MOST_WORDS || this.named.has(singular(last))) return [];
      if (isPointer(key) || ID.test(last) || PREPOSITION.test(last)) return [];
      const kind = kindOf(words, value);
      return kind === null ? [] : [{ key, words, kind, value: value as Member['value'] }];
    });
  }

  /** What a request asks for, if for one thing. @param known what an earlier call found, which says it already */
  draw(tool: ToolSchema, seen: Seen, random: Random, known: object | null = null): Member | undefined {
    const open = this.of(tool, seen).filter(({ key }) => known === null || !(key in known));
    return open.length > 0 && random.next() < ASKED_SHARE ? random.pick(open) : undefined;
  }
}

/** "planCleaning" and "createOrder" give something back, but nobody asks them what there is. */
function isLookUp(tool: ToolSchema): boolean {
  const { request, thing } = toolWords(tool);
  const verbs = [nameWordsOf(tool)[0] ?? '', request.split(' ')[0]!];
  return !tool.changesWorld && (thing !== null || verbs.some((verb) => LOOK_UPS.test(verb)));
}

const ID = /^(ids?|uid|uuid|url|link|href|hash|token|key|slug|image|icon|photo|ok|success|error|message)$/;

const lowered = (value: unknown): string => String(value).toLowerCase();

/** The object that a call found, where it found one. */
export function thingOf({ value, isReal }: Seen): Record<string, unknown> | null {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isReal && isRecord(one) ? one : null;
}

/** "Omar 1, Nadia 2": keys that are data, as no member of a thing is. */
const isTally = (thing: Record<string, unknown>): boolean =>
  Object.entries(thing).every(([key, value]) => typeof value === 'number' && /^\p{Lu}|[\s-]/u.test(key));

function kindOf(words: readonly string[], value: unknown): MemberKind | null {
  if (typeof value === 'boolean') return 'flag';
  if (Array.isArray(value)) return value.length > 0 && value.length <= 4 && value.every(isSayable) ? 'list' : null;
  if (!isSayable(value)) return null;
  const last = words.at(-1)!;
  if (typeof value === 'string' && MOMENT.test(value)) return 'date';
  if (/^(status|state|stage|progress|condition)$/.test(last)) return typeof value === 'string' ? 'state' : 'other';
  if (typeof value === 'string') {
    if (isPerson(singular(last)) && !/\d/.test(value)) return 'person';
    return roleOf(words, [], { type: 'string' }, [], false) === 'place' ? 'place' : 'other';
  }
  const role = roleOf(words, [], { type: 'number' }, [], false);
  return role === 'money'
    ? 'money'
    : singular(last) !== last || /(children|people|men|women)$/.test(last)
      ? 'count'
      : 'other';
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:$|[T ])|^\d{1,2}:\d{2}$/;

const isSayable = (value: unknown): value is Scalar =>
  isScalar(value) &&
  value !== '' &&
  (typeof value !== 'string' || (value.length <= LONGEST && /^[^\r\n"\\]*[\p{L}\p{N}][^\r\n"\\]*$/u.test(value)));
