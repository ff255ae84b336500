/** Ids that stand written in the tools' own files, by the words of their names: made-up ones keep their form. */
import type { ToolSchema } from '../../protocol/task';
import { literalFacts } from '../values/literals';
import { wordsOf } from '../values/facts';
import { isPointer } from '../values/fit';

/**
 * @returns 'order id' -> the ids of orders; [] where none is known. Read at the first question: real ids come from
 * files alone, so that answers don't depend on the order of calls.
 */
export function realIdsOf(
  tools: readonly ToolSchema[],
  workspace: string | undefined,
): (words: string) => readonly (string | number)[] {
  let known: Map<string, (string | number)[]> | undefined;
  return (words) => (known ??= collect(tools, workspace)).get(words) ?? [];
}

function collect(tools: readonly ToolSchema[], workspace: string | undefined): Map<string, (string | number)[]> {
  const ids = new Map<string, (string | number)[]>();
  const add = (name: string, value: string | number): void => {
    const list = ids.get(name) ?? [];
    if (!list.includes(value) && list.length < 200) ids.set(name, [...list, value]);
  };
  for (const { key, nouns, value } of literalFacts(tools, workspace)) {
    const words = wordsOf(key);
    const isId =
      isPointer(key) ||
      (typeof value === 'string' && /^\S*\d\S*$/.test(value) && !/^\d{4}-\d\d|^\d\d:|^\d+$/.test(value));
    if (!isId || words.length === 0) continue;
    add(words.join(' '), value);
    if (words.length === 1) for (const noun of nouns) add(`${noun} ${words[0]}`, value);
  }
  return ids;
}
