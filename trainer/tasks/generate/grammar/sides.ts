/**
 * Acts that a yes or a no turns round: "setFreeze" with `frozen` freezes a membership, and else unfreezes it. What the
 * two sides are called is in the description ("lock or unlock a door", "true to freeze, false to reactivate"), else in
 * the parameter's name.
 */
import type { Random } from '../../../base/random';
import { splitWords } from '../../../base/words';
import { isRecord, propertiesOf, requiredOf, type Arguments } from '../../../protocol/arguments';
import { actsOf, type Act } from './acts';
import { objectOf } from './nameParts';
import { participle } from './passive';
import { wordNet } from './synonyms';
import { actsFor, nounsOf } from './toolActs';
import type { ParameterTalk, ToolTalk } from './toolTalk';

/** What is done, and what undoes it; the first that undoes is the plainest. */
const PAIRS: readonly (readonly string[])[] = (
  'lock unlock, open close, enable disable, mute unmute, show hide, activate deactivate, freeze unfreeze, ' +
  'pause resume, start stop, suspend reinstate, archive unarchive restore, publish unpublish, block unblock, ' +
  'pin unpin, arm disarm, hold release, subscribe unsubscribe, ban unban, approve reject, accept decline, ' +
  'follow unfollow, star unstar, flag unflag, plug unplug, connect disconnect, install uninstall, engage disengage, ' +
  'grant revoke, allow forbid, snooze wake, feature unfeature'
)
  .split(', ')
  .map((line) => line.split(' '));
/** Of what a thing is: the act that makes it so. */
const MADE_SO: Readonly<Record<string, string>> = { active: 'activate', hidden: 'hide', 'on hold': 'hold' };

/** Verbs of a tool that leave it to the parameter what is done. */
const SETS = /^(set|update|change|toggle|mark|switch|put|make|flip|control|adjust|edit|configure|manage)$/;

interface Side {
  /** "freeze"; null: it is made a state */
  verb: string | null;
  /** "out of service" */
  state: string | null;
}
interface Sides {
  yes: Side;
  no: Side;
  /** what it is done to, where the description says so: "membership" */
  object: readonly string[] | null;
}

/** The tool as one that does what the yes or the no means, which is then no value to be said. */
export function asSided(talk: ToolTalk, args: Arguments, random: Random): { talk: ToolTalk; args: Arguments } {
  const flags = talk.parameters.filter(({ role, path }) => role === 'flag' && path.length === 1);
  const flag = flags.length === 1 && isRequired(talk, flags[0]!) ? flags[0]! : null;
  const value = flag && args[flag.path[0]!];
  const sides = flag && typeof value === 'boolean' ? sidesOf(talk, flag) : null;
  if (!flag || !sides) return { talk, args };
  const { [flag.path[0]!]: _meant, ...others } = args;
  return {
    talk: doing(talk, flag, { side: value ? sides.yes : sides.no, object: sides.object }, random),
    args: others,
  };
}

const isRequired = ({ tool }: ToolTalk, { path }: ParameterTalk): boolean =>
  requiredOf(tool.parameters).includes(path[0]!);

function sidesOf({ tool, request }: ToolTalk, { words, path }: ParameterTalk): Sides | null {
  if (!tool.changesWorld) return null;
  const properties = propertiesOf(tool.parameters);
  const schema = properties[path[0]!];
  const description = isRecord(schema) && typeof schema.description === 'string' ? schema.description : '';
  const named = splitWords(tool.name)[0] ?? '';
  const whole = requestsIn(request, words);
  const object = whole && objectOf(splitWords(whole.rest));
  const sides = saidOfFlag(description) ?? whole?.sides ?? namedBy(words);
  const isOwn = sides && [sides.yes.verb, sides.no.verb].includes(named);
  return sides && (SETS.test(named) || isOwn) ? { ...sides, object } : null;
}

const verbs = (yes: string, no: string): { yes: Side; no: Side } => ({
  yes: { verb: yes, state: null },
  no: { verb: no, state: null },
});

/** "true to freeze, false to reactivate" */
function saidOfFlag(description: string): { yes: Side; no: Side } | null {
  const side = String.raw`\W+(?:(?:to|means|for|will|it)\W+)?([a-z]+)\b`;
  const [, yes, no] = new RegExp(`\\btrue${side}.*?\\bfalse${side}`, 'i').exec(description) ?? [];
  const [does, undoes] = [yes, no].map((word) => word && verbIn(word.toLowerCase()));
  return does && undoes && (pairOf(does) || pairOf(undoes)) ? verbs(does, undoes) : null;
}

/** A description that speaks of both sides, each of them alone: "freeze or unfreeze a card", "put a boat in/out of use". */
function requestsIn(
  request: string,
  words: string,
): { sides: { yes: Side; no: Side }; requests: { yes: string; no: string }; rest: string } | null {
  const [, before = '', use = '', after = ''] =
    /^(.*)\b(?:in(?:to)?(?: or | ?\/ ?)out of|out of(?: or | ?\/ ?)in(?:to)?) (\w+)(.*)$/.exec(request) ?? [];
  if (use) {
    const [yes, no] = [`in ${use}`, `out of ${use}`];
    const [is, isNot] = /\b(out|off)\b/.test(words) ? [no, yes] : [yes, no];
    return {
      sides: { yes: { verb: null, state: is }, no: { verb: null, state: isNot } },
      requests: { yes: before + is + after, no: before + isNot + after },
      rest: before.replace(/^\w+ /, ''),
    };
  }
  const [, first = '', second = '', rest = ''] = /^([a-z]+)(?: or | ?\/ ?)([a-z]+) (.+)$/.exec(request) ?? [];
  const [one, other] = [verbIn(first), verbIn(second)];
  const pair = one && other ? pairOf(one, other) : null;
  if (!pair) return null;
  if (!SAYS_NOTHING.test(words) && !pair.some((act) => isNamedAfter(words, act))) return null;
  const [does, undoes] = isNamedAfter(words, pair[1]) ? [pair[1], pair[0]] : pair;
  return { sides: verbs(does, undoes), requests: { yes: `${does} ${rest}`, no: `${undoes} ${rest}` }, rest };
}

/** The request with the side that is meant; null: it does not speak of both. */
export function requestWith(request: string, words: string, value: boolean): string | null {
  const both = requestsIn(request, words)?.requests;
  return both ? (value ? both.yes : both.no) : null;
}

/** By what the parameter is called: "frozen", "in service", "active". */
function namedBy(words: string): { yes: Side; no: Side } | null {
  const state = words.replace(/^(is|be|should be|set|as) /, '');
  const [, use] = /^in (\w+)$/.exec(state) ?? [];
  if (use) return { yes: { verb: null, state }, no: { verb: null, state: `out of ${use}` } };
  const pair = PAIRS.find((acts) => acts.some((act) => isNamedAfter(state, act)));
  if (!pair) return null;
  const at = pair.findIndex((act) => isNamedAfter(state, act));
  return at === 0 ? verbs(pair[0]!, pair[1]!) : verbs(pair[at]!, pair[0]!);
}

const SAYS_NOTHING = /^((is|set|turn|turned) )?(on|value|state|status|flag|toggle|yes)$/;

const isNamedAfter = (words: string, verb: string): boolean =>
  words === verb || words === participle(verb) || MADE_SO[words] === verb;

/** "freezes" -> "freeze"; null: no verb that anybody knows */
function verbIn(word: string): string | null {
  const bases = [word, word.replace(/s$/, ''), word.replace(/es$/, '')];
  return bases.find((base) => pairOf(base) ?? (actsOf(base).length > 0 || wordNet('v', base).length > 0)) ?? null;
}

/** What is done and what undoes it, of two verbs or of one and the plainest that goes with it; null: no such two. */
function pairOf(one: string, other?: string): [does: string, undoes: string] | null {
  const pair = PAIRS.find((acts) => acts.includes(one) && (other === undefined || acts.includes(other)));
  if (pair) return pair[0] === one ? [one, other ?? pair[1]!] : [pair[0]!, one];
  if (other === undefined) return null;
  const undoes = (a: string, b: string): boolean => /^(un|de|dis)$/.test(a.slice(0, -b.length)) && a.endsWith(b);
  return undoes(other, one) ? [one, other] : undoes(one, other) ? [other, one] : null;
}

/** So often it is done to what the id is of, where the description speaks of something else: "freeze m_1001". */
const TO_THING = 0.6;

function doing(
  talk: ToolTalk,
  flag: ParameterTalk,
  { side, object }: { side: Side; object: readonly string[] | null },
  random: Random,
): ToolTalk {
  const parameters = talk.parameters.filter((one) => one !== flag);
  const own = parameters.find(({ role, noun }) => role === 'id' && noun !== '')?.noun;
  const noun = (object && random.next() >= TO_THING ? object.join(' ') : (own ?? object?.join(' '))) ?? talk.nouns[0]!;
  const name = side.verb ? `${side.verb} ${noun}` : `put ${noun} ${side.state!}`;
  const request = side.verb ? `${side.verb} the ${noun}` : `put the ${noun} ${side.state!}`;
  return {
    ...talk,
    tool: { ...talk.tool, name, description: '' },
    verb: side.verb,
    acts: side.verb ? actsFor(side.verb, request, noun, true) : [actOf(side.state!)],
    nouns: nounsOf(noun),
    isPlural: false,
    request,
    parameters,
  };
}

function actOf(state: string): Act {
  const isOut = state.startsWith('out of ');
  return {
    verbs: [state, state, `put ${state}`],
    orders: [
      ...(isOut ? [`take {o} ${state}`, `pull {o} ${state}`] : [`put {o} back ${state}`]),
      `put {o} ${state}`,
      `set {o} to ${state}`,
      `mark {o} as ${state}`,
    ],
    questions: [`can you put {o} ${state}`, `can {o} be ${state}`, `could you mark {o} as ${state}`],
    statements: [
      `{o} is ${state}`,
      `{o} is ${state} now`,
      `{o} should be ${state}`,
      `{o} has to be ${state}`,
      `I want {o} ${state}`,
      isOut ? `{o} can't be used` : `{o} is back ${state}`,
    ],
  };
}
