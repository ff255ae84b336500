import { saysValue } from './restate';
import type { Arguments } from '../../arguments';
import { orderFor, sayCall, tidy, type Said, type SayOptions } from './say';
import type { Role, ToolTalk } from './toolTalk';
import { capital, chatter, FORMS } from './sentence';

/** Two calls, the second with what the first gives. */
export interface ChainDraft {
  first: { talk: ToolTalk; args: Arguments };
  second: { talk: ToolTalk; args: Arguments };
  /** the second's parameter that the first's result fills, its path joined by dots */
  parameter: string;
  /** the result holds several, and the first of them is taken */
  isFirstOf: boolean;
}

/**
 * A thing named by what people know of it, so that a look-up comes first: "renew Dune for Jonas Weber". The look-up
 * itself is not asked for.
 * null where the first call has no single text that could stand for the thing.
 */
export function sayByName({ first, second, parameter }: ChainDraft, options: SayOptions): Said | null {
  const names = Object.entries(first.args);
  const [name] = names;
  const role = first.talk.parameters.find(({ path }) => path.length === 1 && path[0] === name?.[0])?.role;
  if (names.length !== 1 || typeof name?.[1] !== 'string' || !NAMING.has(role ?? 'other')) return null;
  // a number names its own thing; another's is said with it: "the visit of P-1002"
  const noun = second.talk.parameters.find(({ path }) => path.join('.') === parameter)?.noun || second.talk.nouns[0];
  const saidAs =
    role === 'id'
      ? {
          text: options.random.pick([
            `the ${noun} of ${name[1]}`,
            `${name[1]}'s ${noun}`,
            `the ${noun} for ${name[1]}`,
          ]),
          isPronoun: true,
        }
      : { text: name[1], isName: true };
  return sayCall(second.talk, second.args, { ...options, saidAs: { ...options.saidAs, [parameter]: saidAs } });
}

/** What people call a thing by. A day, a state or a place is no name of one. */
const NAMING: ReadonlySet<Role> = new Set(['id', 'name', 'person', 'query', 'contact', 'thing', 'other']);

interface Joint {
  name: string;
  texts: readonly string[];
}

/** Ways to join two orders; their names are phrasing families, too. */
export const JOINTS: readonly Joint[] = [
  { name: 'and', texts: ['{A} and {b}', '{A} and {b}.', '{A} + {b}', '{A} - and {b}!'] },
  { name: 'andThen', texts: ['{A} and then {b}', 'I want you to {a} and then {b}.', 'can you {a} and then {b}?'] },
  {
    name: 'then',
    texts: ['{A}, then {b}', '{A}. Then {b}.', 'First {a}, then {b}.', 'ok {a} then {b}', 'I need to {a}, then {b}'],
  },
  { name: 'after', texts: ['{A}, after that {b}', '{A}; {b}', '{A}. After that, {b}.'] },
  { name: 'pleaseBoth', texts: ['Please {a} and {b}.', 'Could you {a} and {b}?', 'can you {a} and {b} please'] },
  { name: 'when', texts: ['{A}, and when you have it {b}.', 'Once you {a}, {b}.', 'When you {a}, {b}.'] },
  { name: 'soThat', texts: ['{A} so that I can {b}', '{A}, so I can {b}.'] },
  { name: 'behind', texts: ['{B}; you have to {a} first', '{B}, but {a} before', '{B} - to do so, {a}'] },
];

/** Both acts are asked for: "find a book by Herbert and reserve the first one". */
export function sayInTurn(
  { first, second, parameter, isFirstOf }: ChainDraft,
  options: SayOptions & { joints?: readonly Joint[] },
): Said | null {
  const { random, joints = JOINTS } = options;
  const noun = first.talk.nouns[0] ?? 'one';
  const it = random.pick(
    isFirstOf
      ? ['the first one', 'the first', `the first ${noun}`, 'the top one', 'the first of them']
      : ['it', 'it', 'that', `that ${noun}`, `the ${noun}`, 'that one', 'the result'],
  );
  const a = orderFor(first.talk, first.args, options);
  const b = orderFor(second.talk, second.args, { ...options, saidAs: { [parameter]: { text: it, isPronoun: true } } });
  if (a === null || b === null) return null;
  const joint = random.pick(joints);
  const text = random
    .pick(joint.texts)
    .replace('{A}', () => capital(a))
    .replace('{B}', () => capital(b))
    .replace('{a}', () => a)
    .replace('{b}', () => b);
  const { [parameter]: _linked, ...told } = second.args;
  const values = [first.args, told]
    .flatMap((args) => Object.values(args))
    .filter((value): value is string => typeof value === 'string');
  if (!values.every((value) => saysValue(text, value.replace(/[_-]/g, ' ')) || saysValue(text, value))) return null;
  return { text: chatter(tidy(text), values, random), form: joint.name };
}

/** Forms and joints that are kept for held-out requests: a quarter of those of each kind, by the seed. */
export function newForms(random: SayOptions['random']): Set<string> {
  const out = new Set<string>();
  for (const kind of ['order', 'question', 'statement'] as const) {
    const own = FORMS.filter((form) => form.kind === kind);
    for (const form of random
      .fork(kind)
      .shuffle([...own])
      .slice(0, Math.round(own.length / 4)))
      out.add(form.name);
  }
  for (const joint of random
    .fork('joints')
    .shuffle([...JOINTS])
    .slice(0, Math.round(JOINTS.length / 4)))
    out.add(joint.name);
  return out;
}
