/**
 * Things that mocked calls of one rollout have made, so that a later read finds them, a change changes them and a
 * delete takes them away.
 */
import type { ToolSchema } from '../../protocol/task';
import { splitWords } from '../../base/words';
import { singular, nameWordsOf } from '../schema/words';

type Members = Record<string, unknown>;

export interface MadeThing {
  nouns: readonly string[];
  members: Members;
}

const CREATES = new Set(
  (
    'add create make new book place post insert register schedule reserve save write open start ' +
    'order invite upload draft submit'
  ).split(' '),
);
const REMOVES = new Set('delete remove cancel drop destroy clear'.split(' '));
const READS = new Set(
  'get list find search read fetch lookup look show view load open count check describe'.split(' '),
);

/** Words of a tool's name that are things, in the singular. */
export function nounsOf(tool: ToolSchema): string[] {
  const words = nameWordsOf(tool).map(singular);
  const rest = words.filter(
    (word, i) =>
      !(i === 0 && (CREATES.has(word) || REMOVES.has(word) || READS.has(word) || words.length > 1)) &&
      !/^(by|of|in|for|from|to|at|all|the|a|new|my)$/.test(word),
  );
  return rest.length > 0 ? rest : words;
}

/** Arguments with the members of objects beside the rest. */
export function flat(args: Members): Members {
  const out: Members = {};
  for (const [key, value] of Object.entries(args)) {
    if (isRecord(value)) for (const [inner, member] of Object.entries(flat(value))) out[inner] ??= member;
    out[key] = value;
  }
  return out;
}

export class MadeThings {
  private things: MadeThing[] = [];

  /** A tool that changes the world has been answered. */
  note(tool: ToolSchema, args: Members, result: unknown): void {
    const verb = splitWords(tool.name)[0] ?? '';
    const nouns = nounsOf(tool);
    const told = {
      ...flat(args),
      ...(isRecord(result) ? result : typeof result === 'string' || typeof result === 'number' ? { id: result } : {}),
    };
    const meant = this.meant(nouns, args);
    if (REMOVES.has(verb)) this.things = this.things.filter((thing) => !meant.includes(thing));
    else if (meant.length > 0) for (const thing of meant) thing.members = { ...thing.members, ...told };
    else if (CREATES.has(verb)) this.things.push({ nouns, members: told });
  }

  /** The things of the tool's noun that its arguments point to; all of them for a tool without arguments. */
  found(tool: ToolSchema, args: Members): MadeThing[] {
    const nouns = nounsOf(tool);
    const given = Object.values(flat(args)).filter((value) => typeof value === 'string' || typeof value === 'number');
    return given.length === 0 ? this.things.filter((thing) => shares(thing, nouns)) : this.meant(nouns, args);
  }

  private meant(nouns: readonly string[], args: Members): MadeThing[] {
    const given = Object.entries(flat(args)).filter(
      ([, value]) => typeof value === 'string' || typeof value === 'number',
    );
    return this.things.filter(
      (thing) => shares(thing, nouns) && given.some(([key, value]) => isMeant(thing, key, value)),
    );
  }
}

const shares = (thing: MadeThing, nouns: readonly string[]): boolean =>
  thing.nouns.some((noun) => nouns.includes(noun));

/** By its id, or by a text of it, in part and in any case. */
function isMeant({ members }: MadeThing, key: string, value: unknown): boolean {
  const isPointer = /(^|[a-z_])(id|ref|code|number|key)$/i.test(key);
  return Object.entries(members).some(([name, member]) => {
    if (typeof member === 'number' || typeof value === 'number') return member === value && (isPointer || name === key);
    if (typeof member !== 'string' || typeof value !== 'string' || value === '') return false;
    return member === value || (!isPointer && member.toLowerCase().includes(value.toLowerCase()));
  });
}

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
