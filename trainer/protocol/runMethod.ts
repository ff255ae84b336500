import type { RunManifest } from './messages';

/** How a run came about: by training, or without. */
export const runMethod = ({ config, stages, candidates, imported, evaluated, distilled }: RunManifest): string =>
  stages
    ? stages.map(({ method }) => method).join(' → ')
    : candidates
      ? 'pipeline (auto)'
      : imported
        ? 'imported'
        : evaluated
          ? 'evaluated'
          : distilled
            ? 'distilled'
            : config.method;

/** Traces of another agent, of a policy behind a server, or of a teacher: there are no steps. */
export const isTrained = ({ imported, evaluated, distilled }: RunManifest): boolean =>
  imported === undefined && evaluated === undefined && distilled === undefined;
