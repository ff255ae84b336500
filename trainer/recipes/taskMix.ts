import type { RunConfig } from '../protocol/runConfig';
import type { Task } from '../protocol/task';
import type { Random } from '../random';

/** What a task's group came to: rewards that differ, or all equal (nothing to learn), be it that every rollout solved the task. */
export type GroupOutcome = 'differed' | 'equal' | 'solved';

/** What a mix has learnt; JSON, for a checkpoint. */
export interface MixState {
  /** by kind: how often its groups had anything to teach of late, 0..1: a moving average over groups, 1 at first */
  live: Record<string, number>;
  /** by task's id: when it is due again, in rounds of its kind; 0 where it was not trained on */
  due: Record<string, number>;
}

/** Weight of the newest group in `live`. */
const NEWEST = 0.15;
/** What a kind that has nothing to teach at present keeps of its share: it is looked at again, should it be forgotten. */
const FLOOR = 0.2;
/** Rounds until a task that all of its group solved is due again: it comes a third as often as the others (stride scheduling). */
const SOLVED_ROUNDS = 3;

/** Tasks with the same gold tools and the same arguments' names are one kind. */
export const kindOf = (task: Task): string => task.calls?.map((call) => `${call.name}(${Object.keys(call.arguments).sort().join()})`).join(' ') ?? 'answer';

/**
 * Which tasks a step trains on.
 * - asGiven: each task once an epoch, shuffled.
 * - learnable: a kind by how many tasks it has, times how often its groups differed in reward of late (a group of equal rewards has advantage 0 and
 *   teaches nothing); of its tasks those that are due, where one that is solved comes a third as often. After the sampling by learnability of
 *   arXiv:2502.12272, here from the groups that are rolled out anyway.
 * What is drawn depends on the seed, the step and `state()` alone.
 */
export class TaskMix {
  private readonly kinds = new Map<string, Task[]>();
  private seen: MixState = { live: {}, due: {} };

  constructor(tasks: readonly Task[], private readonly mix: RunConfig['taskMix'], private readonly random: Random) {
    for (const task of tasks) {
      const name = this.nameOf(task);
      const known = this.kinds.get(name);
      if (known) known.push(task);
      else this.kinds.set(name, [task]);
    }
  }

  /** The tasks of a step; changes nothing, as a step may be stopped. */
  draw(step: number, count: number): Task[] {
    const random = this.random.fork(`mix ${step}`);
    const kinds = [...this.kinds].map(([name, tasks]) => ({ queue: this.queue(tasks, random), weight: tasks.length * (FLOOR + (1 - FLOOR) * (this.seen.live[name] ?? 1)) }));
    const total = kinds.reduce((sum, k) => sum + k.weight, 0);
    return Array.from({ length: count }, () => {
      let left = random.next() * total;
      const { queue } = kinds.find((k) => (left -= k.weight) < 0) ?? kinds[0];
      const next = queue.shift()!;
      queue.push(next);
      return next;
    });
  }

  /** A step on these tasks is done. @param outcomes by task; null where there are no groups */
  done(tasks: readonly Task[], outcomes: readonly GroupOutcome[] | null): void {
    const { live, due } = this.seen;
    tasks.forEach((task, i) => {
      due[task.id] = (due[task.id] ?? 0) + (outcomes?.[i] === 'solved' && this.mix === 'learnable' ? SOLVED_ROUNDS : 1);
      if (!outcomes) return;
      const name = this.nameOf(task);
      const before = live[name] ?? 1;
      live[name] = before + NEWEST * (Number(outcomes[i] === 'differed') - before);
    });
  }

  state(): MixState {
    return this.seen;
  }

  restore(state: MixState): void {
    this.seen = structuredClone(state);
  }

  private nameOf(task: Task): string {
    return this.mix === 'asGiven' ? 'all' : kindOf(task);
  }

  /** Those due first, in an order that is shuffled anew each step. */
  private queue(tasks: readonly Task[], random: Random): Task[] {
    const due = ({ id }: Task): number => this.seen.due[id] ?? 0;
    return random.shuffle(tasks).sort((a, b) => due(a) - due(b));
  }
}
