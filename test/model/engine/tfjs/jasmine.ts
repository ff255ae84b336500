/** Jasmine with its globals, before anything of tfjs-core's tests is loaded. */
export interface Spec {
  fullName: string;
  status: 'passed' | 'failed' | 'excluded' | 'pending';
  failedExpectations: { message: string; stack?: string }[];
}
interface Jasmine {
  getEnv(): {
    configure(options: { random: boolean; specFilter(spec: { getFullName(): string }): boolean }): void;
    clearReporters(): void;
    addReporter(reporter: { specStarted?(spec: Spec): void; specDone(spec: Spec): void }): void;
    execute(): Promise<{ overallStatus: string; failedExpectations: { message: string }[] }>;
  };
}
// Stays outside of the bundle: it reads its own folder
const core = require('jasmine-core') as { boot(core: unknown): Jasmine & { DEFAULT_TIMEOUT_INTERVAL: number } };
const jasmine = core.boot(core);
jasmine.DEFAULT_TIMEOUT_INTERVAL = 120_000; // ms; a busy machine is no failure
export const jasmineEnv = jasmine.getEnv();
