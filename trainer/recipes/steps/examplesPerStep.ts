import type { Message } from '../../protocol/trace';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Task, ToolSchema } from '../../protocol/task';
import type { ChatTemplate } from '../../model/tokenizer/chatTemplate';
import type { Tokenizer } from '../../model/tokenizer/tokenizer';
import { MOST_EXAMPLES, promptLengths } from './longest';

/** Tasks whose lengths are looked at. */
const LOOKED_AT = 32;
/**
 * What is computed once a step takes two forward passes and one backward, as much as 4/3 of what is computed with its
 * gradient.
 */
const ONCE = 4 / 3;
/** The most that it should be of the step. */
const SHARE = 1 / 3;

/**
 * How many examples an SFT step takes: what the settings say; else as many as make what all begin with (system line and
 * tools), which is computed once a step, no more than
 * a third of it, from 16 to 64. Of a run's tasks alone, so that a resumed run takes as many.
 */
export function examplesPerStep(
  {
    batchSize,
    renameTools = DEFAULTS.renameTools,
    shownTools = 0,
  }: Pick<RunConfig, 'batchSize' | 'renameTools' | 'shownTools'>,
  tokenizer: Tokenizer,
  template: ChatTemplate,
  tools: readonly ToolSchema[],
  tasks: readonly Task[],
): number {
  if (batchSize !== undefined) return batchSize;
  if (renameTools > 0 || shownTools > 0) return DEFAULTS.batchSize; // then they begin with the same no more
  const { shared } = promptLengths(tokenizer, template, tools, tasks);
  const own = tasks
    .slice(0, LOOKED_AT)
    .map((task) => template.encodeDialogue(tokenizer, withoutResults(task), tools).ids.length - shared);
  const mean = Math.max(1, own.reduce((sum, n) => sum + n, 0) / Math.max(1, own.length));
  return Math.round(Math.min(MOST_EXAMPLES, Math.max(DEFAULTS.batchSize, (ONCE * shared * (1 / SHARE - 1)) / mean)));
}

/** A task's dialogue as long as it is known before anything is called. */
function withoutResults({ id, prompt, calls = [], answer }: Task): Message[] {
  const called = calls.map(
    ({ name, arguments: given }, i): Message => ({
      role: 'assistant',
      content: '',
      tool_calls: [{ id: `${id}-${i}`, type: 'function', function: { name, arguments: given } }],
    }),
  );
  return [{ role: 'user', content: prompt }, ...called, { role: 'assistant', content: answer ?? '' }];
}
