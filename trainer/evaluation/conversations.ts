/** Tasks asked one after the other, in long conversations whose tools come and go: MemTool (arXiv:2507.21428). */
import { Lanes } from '../base/lanes';
import { Random } from '../base/random';
import { modelConfig } from '../model/weights/describeModel';
import type { Success } from '../protocol/messages';
import type { Task } from '../protocol/task';
import type { Message, Trace } from '../protocol/trace';
import type { Environment } from '../rollout/environment/environment';
import { environmentsOf } from '../rollout/environment/runEnvironment';
import { runEpisode } from '../rollout/episode';
import { samplingOf } from '../rollout/policy/sampling';
import { writeVerdicts } from '../rollout/verdicts/verdicts';
import type { ToolHosts } from '../tools/hosts/callTool';
import type { MemoryChange, ToolMemory } from '../tools/retrieval/toolMemory';
import { violationRule } from './compliance';
import { lanesFor, measuringOf, withModel, type EvaluateOptions, type Measuring } from './evaluate';
import { successOf } from './success';

export interface Conversations {
  /** requests of each; the last one may have fewer */
  requests: number;
  /** so many requests before it the policy still reads, with what came of them */
  remembers: number;
  /** of one conversation; null: all tools are shown all along, or as `Measuring.shown` has it */
  openMemory: (() => ToolMemory) | null;
}

export interface Conversed {
  /** one a request, in the order of the tasks; fewer where it was cancelled */
  traces: Trace[];
  /** by conversation, what came of the memory at each request; none without a memory */
  changes: MemoryChange[][];
}

/** `coach evaluate --conversation`. */
export type EvaluateConversations = (
  options: EvaluateOptions & { conversations: Conversations },
) => Promise<{ result: Success; changes: MemoryChange[][] }>;

/** As evaluateModel, with room for what is remembered. */
export const evaluateConversations: EvaluateConversations = ({ conversations, ...given }) => {
  const longest = given.config.maxTokens * (1 + conversations.remembers);
  const maxTokens = Math.min(modelConfig(given.modelFolder).maxPositions, longest);
  const options = { ...given, config: { ...given.config, maxTokens } };
  const { config, tools, tasks } = options;
  return withModel(options, async (base, graphs) => {
    const { traces, changes } = await runConversations(tasks, measuringOf(base, graphs, options), conversations);
    return { result: successOf(tasks, traces, { tools, isViolation: violationRule(config, tools) }), changes };
  });
};

/** Greedily; conversations side by side, each request an episode of its own behind those before it. */
async function runConversations(tasks: readonly Task[], m: Measuring, o: Conversations): Promise<Conversed> {
  const parts = Array.from({ length: Math.ceil(tasks.length / o.requests) }, (_, i) =>
    tasks.slice(i * o.requests, (i + 1) * o.requests),
  );
  const lanes = new Lanes(lanesFor(m.base.model.config, m.config));
  let done = 0;
  const onTrace = async (trace: Trace): Promise<void> => m.onTraces?.([trace], ++done);
  const all = await Promise.all(parts.map((part, i) => lanes.run(() => converse(part, i, m, o, onTrace))));
  return {
    traces: all.flatMap(({ traces }) => traces),
    changes: all.flatMap(({ memory }) => (memory ? [memory.changes] : [])),
  };
}

async function converse(
  tasks: readonly Task[],
  index: number,
  m: Measuring,
  { openMemory, remembers }: Conversations,
  onTrace: (trace: Trace) => Promise<void>,
): Promise<{ traces: Trace[]; memory: ToolMemory | null }> {
  const memory = openMemory?.() ?? null;
  const traces: Trace[] = [];
  /** by request, what was said and done */
  const said: Message[][] = [];
  const session = m.hosts.open(`${m.phase}-${m.step}-conversation-${index}`);
  // one session for all of its requests
  const hosts: Pick<ToolHosts, 'open'> = {
    open: () => ({ call: (...given) => session.call(...given), close: () => undefined }),
  };
  const shown = memory && {
    of: () => memory.shown,
    begin: ({ prompt }: Pick<Task, 'prompt'>) => {
      memory.ask(prompt);
      return memory;
    },
  };
  const environmentFor = environmentsOf({ ...m, hosts, ...(shown && { shown }) });
  try {
    for (const [i, task] of tasks.entries()) {
      if (m.signal.aborted) break;
      const before = said.slice(-remembers).flat();
      const groupId = `${m.phase}-${m.step}-conversation-${index}-${i}`;
      const random = Random.fromSeed(m.config.seed).fork(groupId);
      const { trace } = await runEpisode(
        { id: `${groupId}-0`, task, groupId, indexInGroup: 0, random },
        {
          policy: m.policy,
          environmentFor: (request) => behind(remembers > 0 ? before : [], environmentFor(request)),
          maxTurns: m.config.maxTurns,
          sampling: samplingOf(m.config, 0),
          runId: m.runId,
          phase: m.phase,
          step: m.step,
          seed: m.config.seed,
          signal: m.signal,
          now: m.now,
        },
      );
      if (trace.truncated === 'cancelled') break;
      writeVerdicts(trace, task, m.tools);
      traces.push(trace);
      said.push(trace.messages.slice(remembers > 0 ? before.length : 0));
      await onTrace(trace);
    }
  } finally {
    session.close();
  }
  return { traces, memory };
}

/** An environment whose episode goes on from what was said before it. */
const behind = (before: readonly Message[], inner: Environment): Environment => ({
  async reset(task, random) {
    const opening = await inner.reset(task, random);
    return before.length === 0 ? opening : { ...opening, messages: [...before, ...opening.messages], goesOn: true };
  },
  step: (turn, signal) => inner.step(turn, signal),
  close: () => inner.close(),
});
