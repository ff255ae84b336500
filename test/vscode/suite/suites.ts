import { activationSuite } from './activation';

/** Each suite describes itself; the order is the order in which they run in the one window. */
export function addSuites(): void {
  activationSuite();
}
