/** How long one update on demonstrations is, before any was made: by it a run says how many a warm step makes. */
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import { examplesPerStep } from '../../recipes/steps/examplesPerStep';
import { promptLengths } from '../../recipes/steps/longest';
import type { TextLengths } from './measureTexts';

/** Tasks that are looked at, evenly spread. */
const LOOKED_AT = 64;
/** Rows of examples are as long as the longest of them. */
const PADDING = 1.1;
const LEAST_TOLD = 6;
const TOLD_SHARE = 1 / 4;

/**
 * Tokens of an update: what all its examples begin with, once, and what each has of its own. Where a task has no
 * answer, its demonstration tells a part of the last result, the longer the longer it is.
 * @param tools that one request is shown
 * @param resultOf tokens of what a gold call returns; null: nobody saw it, and a mock sends back what it was sent
 * @returns null: there are no tasks
 */
export function updateTokens(
  config: RunConfig,
  tools: readonly ToolSchema[],
  tasks: readonly Task[],
  lengths: TextLengths,
  { resultOf, mostTold }: { resultOf(call: GoldCall): number | null; mostTold: number },
): number | null {
  if (tasks.length === 0) return null;
  const { tokenizer, template } = lengths.reader;
  const { renameTools = DEFAULTS.renameTools, shownTools = 0 } = config;
  // with tools of their own prompts begin with the same no more
  const shared = renameTools > 0 || shownTools > 0 ? 0 : promptLengths(tokenizer, template, tools, tasks).shared;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const opening = lengths.opening(tools) - shared;
  // behind the last call no more is computed on average, whatever it returns
  const most = config.sftAnswerTokens ?? DEFAULTS.sftAnswerTokens({ ...config, isGenerated: true });
  const every = Math.max(1, Math.floor(tasks.length / LOOKED_AT));
  const some = tasks.filter((_, i) => i % every === 0);
  const own = some.reduce((sum, task) => {
    const calls = (task.calls ?? []).filter(({ name }) => byName.has(name));
    let [called, last] = [0, 0];
    for (const one of calls) {
      const call = lengths.call(one, byName.get(one.name)!);
      last = resultOf(one) ?? call;
      called += call + last;
    }
    const told =
      task.answer === undefined ? Math.min(mostTold, LEAST_TOLD + last * TOLD_SHARE) : lengths.answer(task.answer);
    const behind = calls.length > 0 && most > 0 ? Math.max(0, last + told - most) : 0;
    return sum + opening + lengths.text(task.prompt) + called + told - behind;
  }, 0);
  const examples = examplesPerStep(config, tokenizer, template, tools, tasks);
  return Math.round(shared + (PADDING * examples * own) / some.length);
}
