/** The limits of episodes, planned on what the tools return. */
import type { Task } from '../../protocol/task';
import type { PlannedBudget, SeenResult } from '../budget/planBudget';
import type { Dependencies } from '../dependencies';
import { openHosts } from './hosts';
import type { MadeTasks, MakingTasks } from './tasks';
import { telling } from './telling';

/** Of a file's tasks so many are solved by their gold calls, to see how long the tools' results are. */
const SEEN_TASKS = 32;

/**
 * The limits of episodes on these tools and tasks, and the tools as the policy is to read them. Of tasks that were not
 * generated some are tried, in hosts of their own.
 * @throws UserError where the tools don't fit into the model
 */
export async function planLimits({
  made: { tasks, source, seen },
  ...seeing
}: Seeing & { made: MadeTasks }): Promise<PlannedBudget> {
  const { config, found, dependencies } = seeing;
  const results = source === 'generated' ? seen : await seeResults(seeing, tasks);
  return dependencies.planBudget(
    { config, tools: found.tools, tasks, seen: results },
    dependencies.modelFolder(config.model, seeing.cwd),
  );
}

type Seeing = Pick<MakingTasks, 'config' | 'found' | 'workspace' | 'cwd' | 'signal' | 'onProgress'> & {
  dependencies: Pick<Dependencies, 'modelFolder' | 'openHosts' | 'planBudget'>;
};

async function seeResults(
  { config, found, workspace, dependencies, signal, onProgress }: Seeing,
  tasks: readonly Task[],
): Promise<SeenResult[]> {
  const withCalls = tasks.filter(({ calls = [] }) => calls.length > 0);
  const some = withCalls.filter(
    (_, i) => Math.floor((i * SEEN_TASKS) / withCalls.length) !== Math.floor(((i - 1) * SEEN_TASKS) / withCalls.length),
  );
  if (some.length === 0) return [];
  const policy = config.toolPolicy === 'ask' ? 'mock' : config.toolPolicy;
  const hosts = await openHosts({
    config: { ...config, toolPolicy: policy, guardSchema: true },
    found,
    workspace,
    note: () => undefined,
    ask: async () => 'unavailable',
    dependencies,
    ...(signal ? { signal } : {}),
  });
  const seen: SeenResult[] = [];
  const see = async (): Promise<void> => {
    for (const { id, calls = [] } of some) {
      if (signal?.aborted) break;
      const session = hosts.open(`seen-${id}`);
      for (const call of calls)
        seen.push({ ...call, content: (await session.call(call.name, call.arguments, signal)).content });
      session.close();
    }
  };
  try {
    await telling(
      onProgress,
      () => `Looking at what the tools return: ${seen.length} call${seen.length === 1 ? '' : 's'} made`,
      see(),
    );
    return seen;
  } finally {
    await hosts.close();
  }
}
