/**
 * A model on MetaTool's questions: it is shown a list of tools without parameters, and what it calls is what it chose;
 * no call means that none fits. Nothing is run.
 */
import type { ToolSchema } from '../../../protocol/task';
import type { ToolResult, Trace } from '../../../protocol/trace';
import { Random } from '../../../base/random';
import type { Environment } from '../../../rollout/environment/environment';
import { rollOut } from '../../../rollout/group';
import { localPolicy } from '../../../rollout/policy/local';
import { samplingOf } from '../../../rollout/policy/sampling';
import type { EpisodeRequest } from '../../../rollout/record';
import { lanesFor, withModel } from '../../evaluate';
import { summaryOf as summed, type BenchmarkOptions, type BenchmarkSuccess } from '../benchmark';
import type { Choice } from './entries';
import { legal, toolSchema } from './toolSchema';

/** What came of a question; `right` of `reliable`: none was called; `unread`: what looked like a call was none. */
export type Chosen = 'right' | 'noTool' | 'anotherTool' | 'oneOfTwo' | 'tooMany' | 'unread' | 'cutOff' | 'noRoom';

/** Share of right selections (MetaTool's CSR), greedy. */
export type EvaluateToolE = (
  options: BenchmarkOptions & {
    choices: readonly Choice[];
    /** description by tool */
    tools: ReadonlyMap<string, string>;
  },
) => Promise<BenchmarkSuccess>;

/** For two tools, each in a turn of its own, and a last word. */
const TURNS = 3;

export const evaluateToolE: EvaluateToolE = (options) =>
  withModel(options, async (base, graphs) => {
    const { config, choices, tools, signal, now, onProgress } = options;
    const policy = localPolicy(base, graphs, [], config.constraint, config.model);
    const lanes = lanesFor(base.model.config, config);
    const outcomes: Chosen[] = [];
    for (let from = 0; from < choices.length && !signal.aborted; from += lanes) {
      const part = choices.slice(from, from + lanes).map((choice) => {
        const list = choice.candidates.map((name) => toolSchema(name, tools.get(name) ?? '', config.toolFile));
        const messages = [{ role: 'user' as const, content: choice.query }];
        return { choice, list, hasRoom: policy.lengthOf({ messages, tools: list }) < config.maxTokens };
      });
      const asked = part.filter(({ hasRoom }) => hasRoom);
      const lists = new Map(asked.map(({ choice, list }) => [choice.id, { list, isOne: choice.subtask !== 'multi' }]));
      const rollouts = await rollOut(
        asked.map(({ choice }) => requestOf(choice, config.seed)),
        {
          policy,
          environmentFor: ({ id }) => choosing(lists.get(id)!),
          sampling: samplingOf(config, 0),
          maxTurns: TURNS,
          runId: 'evaluate',
          phase: 'try',
          step: 0,
          seed: config.seed,
          signal,
          now,
        },
      );
      if (signal.aborted) break;
      const traces = new Map(asked.map(({ choice }, i) => [choice, rollouts[i]!.trace]));
      outcomes.push(
        ...part.map(({ choice }): Chosen => (traces.has(choice) ? chosenIn(choice, traces.get(choice)!) : 'noRoom')),
      );
      onProgress(outcomes.length, choices.length);
    }
    return summaryOf(choices.slice(0, outcomes.length), outcomes);
  });

const requestOf = ({ id, query }: Choice, seed: number): EpisodeRequest => ({
  id,
  task: { id, prompt: query },
  groupId: id,
  indexInGroup: 0,
  random: Random.fromSeed(seed).fork(id),
});

/** Where one tool is wanted the first turn decides; where two are, a call is answered, and the next may follow. */
const choosing = ({ list, isOne }: { list: readonly ToolSchema[]; isOne: boolean }): Environment => ({
  reset: async ({ prompt }) => ({ messages: [{ role: 'user', content: prompt }], tools: list }),
  step: async ({ calls }) => ({
    messages: calls.map(({ name, id }) => ({ role: 'tool', name, tool_call_id: id, content: DONE.content })),
    done: isOne || calls.length === 0,
    info: { results: calls.map(() => DONE) },
  }),
  close() {
    // nothing was opened
  },
});

const DONE: ToolResult = { kind: 'ok', content: '"done"', policy: 'mock', startedAt: 0, durationMs: 0 };

/** What was called against what is right; a call of one and the same tool again is no other choice. */
export function chosenIn({ answer }: Pick<Choice, 'answer'>, { turns }: Pick<Trace, 'turns'>): Chosen {
  if (turns.length === 0) return 'cutOff';
  const called = [...new Set(turns.flatMap(({ calls }) => calls.map(({ name }) => name)))];
  const right = answer.map(legal);
  const wrong = called.filter((name) => !right.includes(name));
  if (called.length === 0 && turns.some(({ parseError }) => parseError !== undefined)) return 'unread';
  if (called.length === 0) return right.length === 0 ? 'right' : 'noTool';
  if (right.length === 0 || wrong.length === called.length) return 'anotherTool';
  if (wrong.length > 0) return 'tooMany';
  return called.length === right.length ? 'right' : 'oneOfTwo';
}

/** @param outcomes of the choices, in their order */
export const summaryOf = (choices: readonly Choice[], outcomes: readonly Chosen[]): BenchmarkSuccess =>
  summed(
    choices.map(({ subtask }, i) => ({ tag: subtask, fault: outcomes[i] === 'right' ? null : outcomes[i]! })),
    'noRoom',
  );
