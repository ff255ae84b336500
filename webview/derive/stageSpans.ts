/** Where the stages of a pipeline lie among its run's steps. Pure. */
import type { RunManifest } from '../../trainer/protocol/messages';
import type { StageState } from '../../trainer/protocol/stages';
import type { Method } from '../../trainer/protocol/runConfig';

export interface StageSpan {
  /** as it is shown: `2. grpo` */
  name: string;
  /** in a sentence: `2 (grpo)` */
  inWords: string;
  method: Method;
  steps: number;
  /** steps of the stages before it */
  fromStep: number;
}

/** Empty: it is no pipeline, or its stages are not chosen yet. */
export function stageSpans(manifest: Pick<RunManifest, 'stages'> | null | undefined): StageSpan[] {
  let fromStep = 0;
  return (manifest?.stages ?? []).map(({ method, steps }, i) => {
    const span = { name: `${i + 1}. ${method}`, inWords: `${i + 1} (${method})`, method, steps, fromStep };
    fromStep += steps;
    return span;
  });
}

/** The stage that a step belongs to; undefined: there is none. */
export const stageAt = (spans: readonly StageSpan[], step: number): StageSpan | undefined =>
  spans.find(({ fromStep, steps }) => step > fromStep && step <= fromStep + steps);

/** Of the first `count` stages the last one that its gate passed on: what comes behind goes on from it. */
export const lastPassed = (
  spans: readonly StageSpan[],
  states: readonly StageState[],
  count = spans.length,
): StageSpan | undefined => spans.filter((_, i) => i < count && states[i]?.result?.passed).at(-1);

/** What a run trains by, in order, each once. */
export const methodsOf = ({ config, stages }: Pick<RunManifest, 'config' | 'stages'>): Method[] =>
  stages ? [...new Set(stages.map(({ method }) => method))] : [config.method];
