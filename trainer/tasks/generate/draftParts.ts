import { equalJson, isRecord, type Arguments } from '../../protocol/arguments';
import type { Seen } from './harvest';

/** "Move what Ann has to Ann" is nothing that one asks for. */
export const isOneOf = (value: unknown, args: Arguments): boolean =>
  typeof value === 'string' && Object.values(args).includes(value);

/** Does every text and number of the arguments stand in the prompt, save the one that comes from a result? */
export function isSaid(value: unknown, prompt: string, fromResult: unknown): boolean {
  if (fromResult !== undefined && equalJson(value, fromResult)) return true;
  if (typeof value === 'string') return prompt.includes(value);
  if (typeof value === 'number')
    return new RegExp(`(?<![\\d.])${String(value).replace('.', '\\.')}(?!\\d|\\.\\d)`).test(prompt);
  if (Array.isArray(value)) return value.every((item) => isSaid(item, prompt, fromResult));
  return isRecord(value) ? Object.values(value).every((item) => isSaid(item, prompt, fromResult)) : true;
}

/** The scalar that a call returned for real: itself, or the only one in an object that was not given to the call. */
export function answerOf(seen: Seen): { answer?: string } {
  if (!seen.isReal) return {};
  const given = new Set(Object.values(seen.args).map(String));
  const value = isRecord(seen.value)
    ? onlyScalar(Object.values(seen.value).filter((member) => !given.has(String(member))))
    : seen.value;
  const text =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value).trim() : '';
  return text !== '' && text.length <= 40 && !text.includes('\n') ? { answer: text } : {};
}

const onlyScalar = (members: unknown[]): unknown => (members.length === 1 ? members[0] : undefined);
