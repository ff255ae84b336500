/**
 * What a tool resolved to -> the text that the policy reads, bounded before it is built, so that a flood cannot take
 * the host's memory.
 */
import { isAnyArrayBuffer, isArrayBufferView, isMap, isNativeError, isSet } from 'node:util/types';
import type { ToolResultKind } from '../../../protocol/trace';

/** A value this many times over the output limit is not cut down to an answer, it is an error. */
const FLOOD_FACTOR = 64;

export interface ResultText {
  kind: Extract<ToolResultKind, 'ok' | 'notJson' | 'outputTooLarge'>;
  content: string;
  isCut: boolean;
}

class Flood extends Error {}

/**
 * JSON text of a value. Map -> object (or pairs), Set -> array, bytes -> base64, Error -> its message; nothing returned
 * -> `null`; bigint -> its
 * digits as a string, as the schemas of arguments and results say it; JSON text of an object or list -> the JSON itself.
 * Over `limitBytes` (UTF-8) the text is cut in the middle and marked. Functions, symbols and cycles are `notJson`.
 *
 * May call user code (toJSON, getters): run it under a time limit.
 */
export function resultText(value: unknown, limitBytes: number): ResultText {
  if (value === undefined) return { kind: 'ok', content: 'null', isCut: false };
  const floodBytes = limitBytes * FLOOD_FACTOR;
  value = jsonIn(value, floodBytes);
  if (typeof value === 'string' && value.length > floodBytes) {
    const preview = JSON.stringify(cutMiddle(value, limitBytes).text);
    return {
      kind: 'outputTooLarge',
      content: JSON.stringify({
        error: `the result has ${value.length} characters, far over the limit of ${limitBytes} bytes`,
        preview,
      }),
      isCut: true,
    };
  }
  let sum = 0;
  const count = (length: number) => {
    sum += length;
    if (sum > floodBytes) throw new Flood();
  };
  let text: string | undefined;
  try {
    text = JSON.stringify(value, (key, item: unknown) => {
      count(key.length + 4);
      if (typeof item === 'bigint') item = item.toString();
      if (typeof item === 'string') count(item.length);
      return typeof item === 'object' && item !== null ? plain(item, count) : item;
    });
  } catch (error) {
    if (error instanceof Flood) {
      return {
        kind: 'outputTooLarge',
        content: errorText(`the result is far over the limit of ${limitBytes} bytes`, limitBytes),
        isCut: true,
      };
    }
    return {
      kind: 'notJson',
      content: errorText(`the result is not JSON: ${firstLine(messageOf(error))}`, limitBytes),
      isCut: false,
    };
  }
  if (text === undefined)
    return {
      kind: 'notJson',
      content: errorText(`the result is not JSON: it is a ${typeof value}`, limitBytes),
      isCut: false,
    };
  const cut = cutMiddle(text, limitBytes);
  return { kind: 'ok', content: cut.text, isCut: cut.isCut };
}

/** A tool that gives its result as JSON text, as many do, gives what the text says: the policy reads it once. */
function jsonIn(value: unknown, mostCharacters: number): unknown {
  if (typeof value !== 'string' || value.length > mostCharacters || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function plain(item: object, count: (length: number) => void): unknown {
  if (isMap(item)) {
    const pairs = [...(item as Map<unknown, unknown>)];
    return pairs.every(([key]) => typeof key === 'string') ? Object.fromEntries(pairs as [string, unknown][]) : pairs;
  }
  if (isSet(item)) return [...(item as Set<unknown>)];
  if (isNativeError(item)) return { error: messageOf(item) };
  if (isArrayBufferView(item) || isAnyArrayBuffer(item)) {
    count(item.byteLength);
    const bytes = isArrayBufferView(item)
      ? Buffer.from(item.buffer, item.byteOffset, item.byteLength)
      : Buffer.from(item);
    return bytes.toString('base64');
  }
  return item;
}

/** JSON text of `{"error": message}`, cut like any other answer. */
export function errorText(message: string, limitBytes: number): string {
  return JSON.stringify({ error: cutMiddle(message, limitBytes).text });
}

/** Name and message of what was thrown; never throws itself, whatever the value does. */
export function messageOf(error: unknown): string {
  try {
    if (isNativeError(error)) return error.message ? `${error.name}: ${error.message}` : error.name;
    return `thrown: ${typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error))}`;
  } catch {
    return 'an error that cannot be read was thrown';
  }
}

/** At most `limitBytes` of UTF-8 plus the mark; head and tail stay, and no character is split. */
export function cutMiddle(text: string, limitBytes: number): { text: string; isCut: boolean } {
  if (text.length * 3 <= limitBytes || Buffer.byteLength(text) <= limitBytes) return { text, isCut: false };
  const half = Math.floor(limitBytes / 2);
  // A UTF-16 unit is at least one byte, so `half` units of each end hold `half` bytes or more.
  const head = wholeCharacters(Buffer.from(text.slice(0, half)), half, 'head');
  const tail = wholeCharacters(Buffer.from(text.slice(-half)), half, 'tail');
  const left = text.length - head.length - tail.length;
  return { text: `${head}…[${left} characters cut]…${tail}`, isCut: true };
}

function wholeCharacters(bytes: Buffer, limit: number, end: 'head' | 'tail'): string {
  const isContinuation = (index: number) => ((bytes[index] ?? 0) & 0xc0) === 0x80;
  if (end === 'head') {
    let stop = Math.min(limit, bytes.length);
    while (stop > 0 && stop < bytes.length && isContinuation(stop)) stop--;
    return bytes.toString('utf8', 0, stop);
  }
  let start = Math.max(0, bytes.length - limit);
  while (start < bytes.length && isContinuation(start)) start++;
  return bytes.toString('utf8', start);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
