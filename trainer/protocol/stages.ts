/** The stages of a pipeline: what a run of several methods, one after the other, says of each. */
import { z } from 'zod';
import { Method } from './settings/choices';

/** In the place of a list of stages: the rehearsal chooses them. */
export const AUTO = 'auto';

/** Validation tasks of a gate, where that is at most this share of all tasks. */
export const GATE_TASKS = 200;
export const GATE_SHARE = 0.3;

/** fractions 0..1, Wilson's interval */
const Measured = z.object({ n: z.number().int(), success: z.number(), ci95: z.tuple([z.number(), z.number()]) });

/** A stage that is over, as its gate judged it on validation tasks. */
export const StageResult = z.object({
  method: Method,
  steps: z.number().int(),
  before: Measured,
  after: Measured,
  /** paired over the same tasks */
  gain: z.object({ mean: z.number(), ci95: z.tuple([z.number(), z.number()]) }),
  /** what comes behind it goes on from what it learnt; false: from what it began with */
  passed: z.boolean(),
  /** why, in words */
  gate: z.string(),
});
export type StageResult = z.infer<typeof StageResult>;

/** One of a pipeline's stages, as far as it is. */
export interface StageState {
  method: Method;
  steps: number;
  /** steps of the stages before it */
  fromStep: number;
  /** null: not over */
  result: StageResult | null;
}

export interface StagePlan {
  method: Method;
  steps: number;
}

/** `sft:48,grpo:64`; null: it is no such list */
export function readStages(text: string): StagePlan[] | null {
  const stages = text.split(',').map((part) => {
    const [, method, steps] = /^\s*(\w+):(\d+)\s*$/.exec(part) ?? [];
    const known = Method.safeParse(method);
    return known.success && Number(steps) >= 1 ? { method: known.data, steps: Number(steps) } : null;
  });
  return stages.includes(null) ? null : (stages as StagePlan[]);
}
