// Mocha's own spec reporter, with a last line that a machine reads: `N passed, N failed`.
const { reporters } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const pending = this.stats.pending ? `, ${this.stats.pending} skipped` : '';
      console.log(`${this.stats.passes} passed, ${this.stats.failures} failed${pending}`);
    });
  }
};
