import type { RunManifest } from './messages';

/** How a run came about: by training, or without. */
export const runMethod = ({ config, imported, evaluated }: RunManifest): string =>
  imported ? 'imported' : evaluated ? 'evaluated' : config.method;

/** Traces of another agent, or of a policy behind a server: there are no steps. */
export const isTrained = ({ imported, evaluated }: RunManifest): boolean =>
  imported === undefined && evaluated === undefined;
