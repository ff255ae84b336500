import type { SettledConfig } from '../../protocol/runConfig';
import type { Task } from '../../protocol/task';
import type { Random } from '../../base/random';

/** What a mix has learnt about one kind of task. */
export interface KindState {
  /** tasks taken from it so far */
  drawn: number;
  /** how often its groups had anything to teach of late, 0..1: a moving average over groups, 1 at first */
  live: number;
  /** share of its rollouts that solved their task of late, 0..1: a moving average, too, 0 at first */
  solved: number;
}

/** Weight of the newest group in `live` and `solved`. */
const NEWEST = 0.15;
/** What a kind that is solved keeps of its share: it is looked at again, should it be forgotten. */
const FLOOR = 0.2;

/** Tasks with the same gold tools and the same arguments' names are one kind. */
export const kindOf = (task: Task): string =>
  task.calls?.map((call) => `${call.name}(${Object.keys(call.arguments).sort().join()})`).join(' ') ?? 'answer';

/**
 * Which tasks a step trains on.
 * - asGiven: each task once an epoch, shuffled, the kinds spread evenly over it: a run of steps on one kind makes a
 * habit of what is right for that kind alone
 *   (email search, 2 tasks a step: to read always, or never), and once all rollouts have it their rewards are equal and
 *   nothing leads back.
 * - balanced: a tool's share goes with the square root of its tasks, so that a tool that is seldom asked for, or no
 * tool at all, is not drowned.
 * - learnable: the balanced share times what is left to learn of the kind: how often its groups differed in reward of
 * late (a group of equal rewards has
 *   advantage 0 and teaches nothing; the sampling by learnability of arXiv:2502.12272, here from the groups that are
 *   rolled out anyway), or how many of its
 *   rollouts failed. A kind that is failed by all alike is not given up: `stuck` says how much hotter it is to be
 *   sampled.
 * A person's own tasks come as they are given: they are as many of each kind as will be asked for, and with more of
 * some the seldom ones were drowned or
 * learnt by heart. How many of each kind are generated says nothing.
 * What is drawn depends on the seed, the step and `state()` alone.
 */
export class TaskMix {
  private readonly kinds = new Map<string, { tasks: Task[]; share: number } & KindState>();
  private epoch: { number: number; tasks: Task[] } = { number: -1, tasks: [] };

  constructor(
    private readonly tasks: readonly Task[],
    private readonly mix: SettledConfig['taskMix'],
    private readonly random: Random,
  ) {
    for (const task of tasks) {
      const kind = kindOf(task);
      const known = this.kinds.get(kind) ?? { tasks: [], share: 0, drawn: 0, live: 1, solved: 0 };
      known.tasks.push(task);
      this.kinds.set(kind, known);
    }
    this.setShares();
  }

  /**
   * Of the tools that are called as the square root of their tasks, and of each argument list within that likewise:
   * a tool with many optional arguments has many kinds, and would drown what has only one.
   */
  private setShares(): void {
    const byTools = new Map<string, { tasks: Task[]; share: number }[]>();
    for (const kind of this.kinds.values()) {
      const tools = kind.tasks[0]!.calls?.map(({ name }) => name).join(' ') ?? 'answer';
      byTools.set(tools, [...(byTools.get(tools) ?? []), kind]);
    }
    for (const kinds of byTools.values()) {
      const total = Math.sqrt(kinds.reduce((sum, { tasks }) => sum + tasks.length, 0));
      const roots = kinds.reduce((sum, { tasks }) => sum + Math.sqrt(tasks.length), 0);
      for (const kind of kinds) kind.share = (total * Math.sqrt(kind.tasks.length)) / roots;
    }
  }

  /** The tasks of a step; changes nothing, as a step may be stopped. */
  draw(step: number, count: number): Task[] {
    if (this.mix === 'asGiven') return Array.from({ length: count }, (_, i) => this.given((step - 1) * count + i));
    const random = this.random.fork(`mix ${step}`);
    const kinds = [...this.kinds].map(([name, k]) => ({
      name,
      tasks: k.tasks,
      next: k.drawn,
      weight: k.share * (this.mix === 'learnable' ? FLOOR + (1 - FLOOR) * Math.max(k.live, 1 - k.solved) : 1),
    }));
    const total = kinds.reduce((sum, k) => sum + k.weight, 0);
    return Array.from({ length: count }, () => {
      let left = random.next() * total;
      const kind = kinds.find((k) => (left -= k.weight) < 0) ?? kinds[0];
      if (kind === undefined) throw new Error('taskMix: there is no task');
      return inTurn(kind.tasks, kind.next++, this.random, kind.name);
    });
  }

  /** The place-th task of one epoch behind another. */
  private given(place: number): Task {
    const number = Math.floor(place / this.tasks.length);
    if (this.epoch.number !== number)
      this.epoch = {
        number,
        tasks: spread(
          [...this.kinds].map(([name, { tasks }]) => ({ name, tasks })),
          this.random.fork(`epoch ${number}`),
        ),
      };
    return this.epoch.tasks[place % this.tasks.length]!;
  }

  /**
   * How far a kind is failed by all rollouts alike, 0..1: nothing is learnt from it until one of them does something
   * else.
   */
  stuck(task: Task): number {
    const { live, solved } = this.kinds.get(kindOf(task))!;
    return (1 - live) * (1 - solved);
  }

  /**
   * A step on these tasks is done. @param groups by task: whether all rewards were equal, and which share solved it;
   * null where there are no groups
   */
  done(tasks: readonly Task[], groups: readonly { isDead: boolean; solved: number }[] | null): void {
    tasks.forEach((task, i) => {
      const kind = this.kinds.get(kindOf(task))!;
      kind.drawn++;
      const group = groups?.[i];
      if (group === undefined) return;
      kind.live += NEWEST * (Number(!group.isDead) - kind.live);
      kind.solved += NEWEST * (group.solved - kind.solved);
    });
  }

  /** For a checkpoint, and from one. */
  state(): Record<string, KindState> {
    return Object.fromEntries(
      [...this.kinds].map(([name, { drawn, live, solved }]) => [name, { drawn, live, solved }]),
    );
  }

  restore(state: Record<string, KindState>): void {
    for (const [name, saved] of Object.entries(state)) Object.assign(this.kinds.get(name) ?? {}, saved);
  }
}

/**
 * All tasks, each kind's shuffled and at equal distances from each other, so that any part holds about the shares of
 * the whole.
 */
function spread(kinds: readonly { name: string; tasks: readonly Task[] }[], random: Random): Task[] {
  return kinds
    .flatMap(({ name, tasks }) => {
      const own = random.fork(name);
      const first = own.next();
      return own.shuffle([...tasks]).map((task, i) => ({ task, at: (i + first) / tasks.length }));
    })
    .sort((a, b) => a.at - b.at)
    .map(({ task }) => task);
}

/** The place-th of tasks that come round in turn, in an order that is shuffled anew each round. */
function inTurn(tasks: readonly Task[], place: number, random: Random, name: string): Task {
  const round = Math.floor(place / tasks.length);
  return random.fork(`${name} ${round}`).shuffle([...tasks])[place % tasks.length]!;
}
