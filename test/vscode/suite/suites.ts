import { activationSuite } from './activation';
import { discoverySuite } from './discovery';
import { preferencesSuite } from './preferences';
import { runsSuite } from './runs';

/** Each suite describes itself; the order is the order in which they run in the one window. */
export function addSuites(): void {
  activationSuite();
  discoverySuite();
  runsSuite();
  preferencesSuite();
}
