/**
 * Demonstrations of recovery for SFT: a gold dialogue in which a wrong call comes first, with what the tool really
 * answers to it, and then what is right. The
 * wrong call itself is not learnt. Source: ToolRLA's third layer against hallucination (appendix A); without any, a
 * policy that has seen nothing but right calls
 * does not know what to do behind its first empty result, or behind a name of a tool that it invented.
 */
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import type { Message, ToolResult } from '../../protocol/trace';
import type { Random } from '../../base/random';
import { unknownTool } from '../../tools/sources/toolSource';
import type { Gold } from './gold';
import { drawNames } from './otherNames';

/** Other tasks that are looked at for a value; one call of theirs in a handful has another one. */
const LOOKED_AT = 20;

/**
 * A task's first gold call with one value as another task has it for the same argument. Null where there is none, or
 * no call.
 */
export function wrongCall(task: Task, tasks: readonly Task[], random: Random): GoldCall | null {
  const right = task.calls?.[0];
  if (!right) return null;
  for (let i = 0; i < LOOKED_AT; i++) {
    const other = tasks[random.int(tasks.length)]!.calls?.find(({ name }) => name === right.name);
    const differing = Object.entries(other?.arguments ?? {}).filter(
      ([name, value]) => name in right.arguments && JSON.stringify(value) !== JSON.stringify(right.arguments[name]),
    );
    if (differing.length === 0) continue;
    const [name, value] = differing[random.int(differing.length)]!;
    return { ...right, arguments: { ...right.arguments, [name]: value } };
  }
  return null;
}

/**
 * Whether one can tell from a result that the call was wrong: it failed, or found nothing. What it found may be right
 * all the same.
 */
export function isInVain({ kind, content }: Pick<ToolResult, 'kind' | 'content'>): boolean {
  return kind !== 'ok' || ['', '""', '[]', '{}', 'null'].includes(content.trim());
}

/**
 * A dialogue in which the first call goes by an invented name first, as plausible as the tool's own, and is answered as
 * the environment answers it. Null where it makes no call, or shows another mistake already.
 */
export function inventedFirst(
  { messages, trainFrom }: Gold,
  tools: readonly ToolSchema[],
  random: Random,
): Gold | null {
  const at = messages.findIndex(({ tool_calls = [] }) => tool_calls.length > 0);
  if (at < 0 || trainFrom > 0) return null;
  const [right] = messages[at]!.tool_calls!;
  const name = drawNames(tools, random).tools[right!.function.name];
  if (name === undefined) return null;
  const id = `${right!.id}-invented`;
  const { content } = unknownTool(tools.map((tool) => tool.name));
  const mistake: Message[] = [
    { role: 'assistant', content: '', tool_calls: [{ ...right!, id, function: { ...right!.function, name } }] },
    { role: 'tool', name, tool_call_id: id, content },
  ];
  return { messages: [...messages.slice(0, at), ...mistake, ...messages.slice(at)], trainFrom: at + mistake.length };
}
