// Mocha's own spec reporter, with last lines that a machine reads: `FAILED title: message` for each test that failed, and `N passed, N failed`.
const { reporters } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    runner.on('fail', (test, error) => failed.push(`FAILED ${test.fullTitle()}: ${String(error?.message ?? error).slice(0, 500).replace(/\s+/g, ' ')}`));
    runner.once('end', () => {
      for (const line of failed) console.log(line);
      const pending = this.stats.pending ? `, ${this.stats.pending} skipped` : '';
      console.log(`${this.stats.passes} passed, ${this.stats.failures} failed${pending}`);
    });
  }
};
