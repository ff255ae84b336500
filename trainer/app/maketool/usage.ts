/**
 * A use of a made tool in its own comment (LATM wraps a tool with usage examples): whoever reads the file sees it
 * called.
 */
import type { TypeScriptTool } from '../../protocol/task';
import type { Use } from './runCalls';

/** Of a call in a comment, characters; a longer one says no more. */
const MOST = 120;

/** The code with the shortest of the uses as an `@example`; as it is where the comment has no line for it. */
export function withExample(code: string, tool: TypeScriptTool, uses: readonly Use[]): string {
  const calls = uses.map((use) => callOf(tool, use)).sort((a, b) => a.length - b.length);
  const tag = /^([^\S\n]*\*[^\S\n]*)@tool\b/m.exec(code);
  const [call] = calls;
  if (!tag || call === undefined || call.length > MOST) return code;
  return `${code.slice(0, tag.index)}${tag[1]}@example ${call}\n${code.slice(tag.index)}`;
}

/** `sortWords(["pear", "fig"])`, with nothing in it that would end a comment. */
function callOf({ name, binding: { positional } }: TypeScriptTool, { arguments: args }: Use): string {
  const values =
    positional === 'object'
      ? [args]
      : positional.flatMap(({ name: key, isRest }) => (isRest ? ((args[key] ?? []) as unknown[]) : [args[key]]));
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  const texts = values.map((value) => JSON.stringify(value) ?? 'undefined');
  return `${name}(${texts.join(', ')})`.replaceAll('*/', '*\\/');
}
