/**
 * Which stages a rehearsal speaks for, and why. Pure.
 *
 * sft first, where the policy seldom finds by itself what could be reinforced (its rehearsal is under the bar of the
 * warm start) or a teacher's dialogues are given; grpo, where rewards differ within groups, or behind sft, which makes
 * them differ; dpo last, where pairs of answers are given.
 */
import type { Rehearsal } from '../../protocol/rehearsal';
import { UserError } from '../../protocol/result';
import type { StagePlan } from '../../protocol/stages';
import type { Task } from '../../protocol/task';
import { missedBar, WARM_SHARE } from '../rehearsal/report';

export interface StageChoice {
  stages: StagePlan[];
  /** a sentence a method */
  reasons: string[];
}

/** Of all steps dpo gets this share: what it has to learn from is few pairs. */
const DPO_SHARE = 0.25;

/**
 * @param given steps: of all stages together, at least LEAST_STEPS; pairs, dialogues: whether such are given
 * @throws UserError where there is nothing that any method could learn from
 */
export function autoStages(
  report: Pick<Rehearsal, 'greedy' | 'sampled' | 'rewards'>,
  { steps, tasks, pairs, dialogues }: { steps: number; tasks: readonly Task[]; pairs: boolean; dialogues: boolean },
): StageChoice {
  const missed = missedBar(report, tasks);
  const hasGold = tasks.some(({ calls = [] }) => calls.length > 0);
  const spread = spreadOf(report);
  const sft: Verdict = dialogues
    ? yes('dialogues are given')
    : !hasGold
      ? no('no task has gold calls to show')
      : missed !== null
        ? yes(missed)
        : spread.holds || pairs
          ? no('it finds enough by itself')
          : yes(spread.why);
  const grpo: Verdict =
    sft.holds && missed !== null ? yes(`${spread.why}; what sft shows makes rewards differ`) : spread;
  const dpo = pairs ? yes('pairs of answers are given') : no('no pairs of answers are given');
  const verdicts = { sft, grpo, dpo };
  const chosen = METHODS.filter((method) => verdicts[method].holds);
  if (chosen.length === 0)
    throw new UserError(
      'config',
      `stages auto: no method has anything to learn from: ${METHODS.map((method) => verdicts[method].why).join('; ')}`,
      'Give tasks gold calls, other rewards, or --pairs F.',
    );
  return { stages: shared(chosen, steps), reasons: METHODS.map((method) => reasonOf(method, verdicts[method])) };
}

const METHODS = ['sft', 'grpo', 'dpo'] as const;
type Stage = (typeof METHODS)[number];

interface Verdict {
  holds: boolean;
  why: string;
}
const yes = (why: string): Verdict => ({ holds: true, why });
const no = (why: string): Verdict => ({ holds: false, why });

const reasonOf = (method: Stage, { holds, why }: Verdict): string => `${holds ? method : `no ${method}`}: ${why}`;

/** What GRPO learns from is groups whose rewards differ. */
function spreadOf({ rewards }: Pick<Rehearsal, 'rewards'>): Verdict {
  if (rewards === null) return yes('rewards are not scored before training');
  const { groups, equal } = rewards;
  return equal < groups
    ? yes(`rewards differ in ${groups - equal} of ${groups} groups`)
    : no(`rewards are equal in all ${groups} groups`);
}

/** Each method its share of the steps, at least one. */
function shared(chosen: readonly Stage[], steps: number): StagePlan[] {
  const dpo = !chosen.includes('dpo') ? 0 : chosen.length === 1 ? steps : Math.max(1, Math.floor(DPO_SHARE * steps));
  const sft = !chosen.includes('sft')
    ? 0
    : chosen.includes('grpo')
      ? Math.floor(WARM_SHARE * (steps - dpo))
      : steps - dpo;
  const of = { sft, grpo: steps - dpo - sft, dpo };
  return chosen.map((method) => ({ method, steps: of[method] }));
}
