/**
 * Entry of the suites that run inside VS Code's extension host: the payload of the rig, and of @vscode/test-electron.
 * The promise rejects when a test failed, or when none ran.
 */
import Mocha from 'mocha';
import { addSuites } from './suites';

export function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 240_000, color: false, reporter: 'spec' });
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, 'suites', mocha);
  addSuites();
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      const { passes } = runner.stats ?? { passes: 0 };
      console.log(`${passes} passed, ${failures} failed`);
      if (failures === 0 && passes > 0) resolve();
      else reject(new Error(passes > 0 ? `${failures} tests failed` : 'no test ran'));
    });
  });
}
