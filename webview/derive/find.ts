/** Where a trace says something: the needle's places in the order in which they are read. Case does not count. */
import type { Trace } from '../../trainer/protocol/trace';
import { opening, prose, saidAfter } from './traceSteps';

export interface Hit {
  /** the step that holds it, as the conversation names its places */
  anchor: string;
  /** how often, in what that step shows */
  count: number;
}

export function findInTrace(trace: Trace, needle: string): Hit[] {
  const wanted = needle.toLowerCase();
  if (wanted === '') return [];
  const hits: Hit[] = [];
  const look = (anchor: string, texts: readonly string[]): void => {
    const count = texts.reduce((sum, text) => sum + occurrences(text.toLowerCase(), wanted), 0);
    if (count > 0) hits.push({ anchor, count });
  };
  opening(trace).forEach((message, i) => look(`opening-${i}`, [message.content]));
  trace.turns.forEach((turn, i) => {
    const said = prose(trace, i);
    look(`turn-${i + 1}`, turn.parseError === undefined ? [said] : [turn.parseError, turn.text]);
    turn.calls.forEach((call, j) =>
      look(`call-${i + 1}-${j}`, [
        call.name,
        ...leaves(call.arguments),
        ...(call.result ? resultLeaves(call.result.content) : []),
      ]),
    );
    saidAfter(trace, i).forEach((message, j) => look(`said-${i + 1}-${j}`, [message.content]));
  });
  return hits;
}

export const hitCount = (hits: readonly Hit[]): number => hits.reduce((sum, hit) => sum + hit.count, 0);

export function occurrences(text: string, needle: string): number {
  let count = 0;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) count++;
  return count;
}

function resultLeaves(content: string): string[] {
  try {
    return leaves(JSON.parse(content) as unknown);
  } catch {
    return [content];
  }
}

/** Names and values of a JSON tree as the page prints them. */
function leaves(value: unknown): string[] {
  if (typeof value !== 'object' || value === null)
    return [typeof value === 'string' ? JSON.stringify(value) : String(value)];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return Object.entries(value).flatMap(([name, member]) => [name, ...leaves(member)]);
}
