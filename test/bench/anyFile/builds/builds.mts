// tools for a build server, no types of their own
const builds = new Map<number, { branch: string; status: string; minutes: number; failed: string[] }>([
  [8841, { branch: 'main', status: 'passed', minutes: 12, failed: [] }],
  [8842, { branch: 'feature/login', status: 'failed', minutes: 7, failed: ['auth.spec.ts', 'session.spec.ts'] }],
  [8843, { branch: 'fix/typo', status: 'running', minutes: 3, failed: [] }],
  [8844, { branch: 'main', status: 'failed', minutes: 14, failed: ['e2e/checkout.spec.ts'] }],
]);

/** Latest builds, newest first. @tool
 * @param branch only of this branch
 * @param status passed, failed or running */
export const recentBuilds = (branch?: string, status?: 'passed' | 'failed' | 'running', limit = 5) =>
  [...builds].map(([id, b]) => ({ id, ...b })).filter((b) => (!branch || b.branch === branch) && (!status || b.status === status)).sort((a, b) => b.id - a.id).slice(0, limit);

/** Names of the tests that failed in a build. @tool */
export function failedTests(build: number): string[] {
  const found = builds.get(build);
  if (!found) throw new RangeError(`Build ${build} does not exist`);
  return found.failed;
}

/** Starts a build again. @tool */
export function retryBuild(build: number, onlyFailed: boolean = false): { queued: boolean } {
  return { queued: builds.has(build) || onlyFailed };
}

/** Cancels a running build. @tool */
export function cancelBuild(build: number) { return { cancelled: builds.get(build)?.status === 'running' }; }

/** Silences alerts of a branch. @tool
 *  @param hours 1 to 72
 *  @minimum 1 */
export function muteBranch(branch: string, hours: number) { return `muted ${branch} for ${hours} h`; }
