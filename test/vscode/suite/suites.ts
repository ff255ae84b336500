import { activationSuite } from './activation';
import { beforeAfterSuite } from './beforeAfter';
import { discoverySuite } from './discovery';
import { preferencesSuite } from './preferences';
import { runsSuite } from './runs';

const suites = {
  activation: activationSuite,
  discovery: discoverySuite,
  runs: runsSuite,
  preferences: preferencesSuite,
  beforeAfter: beforeAfterSuite,
};

/**
 * Each suite describes itself; the order is the order in which they run in the one window. COACH_SUITES names some of
 * them: `preferences,runs`.
 */
export function addSuites(): void {
  const named = process.env['COACH_SUITES']?.split(',');
  for (const [name, add] of Object.entries(suites)) if (!named || named.includes(name)) add();
}
