export interface ScheduleConfig {
  schedule: 'constant' | 'linear' | 'cosine';
  /** Peak learning rate. */
  learningRate: number;
  /** Optimiser steps in which the rate rises linearly from 0. */
  warmupSteps: number;
  /** Optimiser steps of the whole run, warm-up included; linear and cosine reach 0 there. */
  totalSteps: number;
}

/**
 * Learning rate of one optimiser step.
 * Source: Hugging Face transformers `optimization.py`: constant_with_warmup, linear, cosine (half a cosine). As there,
 * the first step of a warm-up has rate 0, and the peak is reached at step index warmupSteps.
 *
 * @param step  optimiser steps done before this one: 0 for the first
 */
export function learningRateAt(
  step: number,
  { schedule, learningRate, warmupSteps, totalSteps }: ScheduleConfig,
): number {
  if (step < warmupSteps) return learningRate * (step / Math.max(1, warmupSteps));
  const decaySteps = Math.max(1, totalSteps - warmupSteps);
  switch (schedule) {
    case 'constant':
      return learningRate;
    case 'linear':
      return learningRate * Math.max(0, (totalSteps - step) / decaySteps);
    case 'cosine':
      return learningRate * Math.max(0, 0.5 * (1 + Math.cos((Math.PI * (step - warmupSteps)) / decaySteps)));
  }
}
