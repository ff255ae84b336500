/** Switches whose two sides people call by a word each: a light is "off", not "without on". */
import { splitWords } from '../../../base/words';
import type { Arguments } from '../../../protocol/arguments';
import { requestWith } from './sides';

/** By the parameter's words: what true and false are called. */
const STATES: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  on: ['on', 'off'],
  off: ['off', 'on'],
  power: ['on', 'off'],
  enable: ['on', 'off'],
  enabled: ['on', 'off'],
  disabled: ['off', 'on'],
  active: ['active', 'inactive'],
  open: ['open', 'closed'],
  closed: ['closed', 'open'],
  lock: ['locked', 'unlocked'],
  locked: ['locked', 'unlocked'],
  mute: ['muted', 'unmuted'],
  muted: ['muted', 'unmuted'],
  visible: ['visible', 'hidden'],
  hidden: ['hidden', 'visible'],
  public: ['public', 'private'],
  private: ['private', 'public'],
  done: ['done', 'not done'],
  completed: ['completed', 'not completed'],
  finished: ['finished', 'not finished'],
  read: ['read', 'unread'],
  available: ['available', 'not available'],
};

/** How a state is added to a sentence. */
export const STATE_CUES: readonly string[] = ['{v}', '{v}', '{v}', '{v}', '{v} please', 'to {v}', 'it should be {v}'];

/** What the switch is called in that state; null: it is none that has words for both. */
export const stateOf = (words: string, value: boolean): string | null =>
  STATES[words.replace(/^(is|should be|set|turn|turned|switch|switched) /, '')]?.[value ? 0 : 1] ?? null;

/**
 * A description that speaks of both sides, for one of them: "switch a light on or off" -> "switch a light off", "lock or
 * unlock a door" -> "unlock a door". null: it speaks of neither, so the state is to be said behind it.
 */
export function inState(request: string, words: string, state: string): string | null {
  const both = /\b(?:on(?: or |\/)off|off(?: or |\/)on)\b/;
  if (/^(on|off)$/.test(state) && both.test(request)) return request.replace(both, state);
  return requestWith(request, words, state === stateOf(words, true));
}

/** The same for a request and its arguments: what the request says of a state is not said again. */
export function stated<W extends { request: string }>(words: W, args: Arguments): { words: W; args: Arguments } {
  for (const [name, value] of Object.entries(args)) {
    const own = splitWords(name).join(' ');
    if (typeof value !== 'boolean') continue;
    const state = stateOf(own, value);
    const request = state ? inState(words.request, own, state) : requestWith(words.request, own, value);
    if (!request) continue;
    const { [name]: _said, ...others } = args;
    return { words: { ...words, request }, args: others };
  }
  return { words, args };
}
