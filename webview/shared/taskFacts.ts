import { isMachineTag, sourceOf, type Task, type TaskSource } from '../../trainer/protocol/task';

/** What a run's tasks say of a trace of theirs; nothing of their words. */
export interface TaskFacts {
  id: string;
  /** names of the tools that the gold calls call, in their order; null: the task names no calls */
  wanted: string[] | null;
  source: TaskSource;
  tags: string[];
}

export const taskFacts = (task: Task): TaskFacts => ({
  id: task.id,
  wanted: task.calls?.map(({ name }) => name) ?? null,
  source: sourceOf(task),
  tags: (task.tags ?? []).filter((tag) => !isMachineTag(tag)),
});
