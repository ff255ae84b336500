// Mocha's own spec reporter, with last lines that a machine reads: `FAILED title: message` for each test that failed,
// `AGAIN title: message` for each that passed when it was run once more (--retries), and `N passed, N failed`.
const { reporters } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    const keep = (word) => (test, error) =>
      failed.push(
        `${word} ${test.fullTitle()}: ${String(error?.message ?? error)
          .slice(0, 500)
          .replace(/\s+/g, ' ')}`,
      );
    runner.on('fail', keep('FAILED'));
    runner.on('retry', keep('AGAIN'));
    runner.once('end', () => {
      for (const line of failed) console.log(line);
      const pending = this.stats.pending ? `, ${this.stats.pending} skipped` : '';
      console.log(`${this.stats.passes} passed, ${this.stats.failures} failed${pending}`);
    });
  }
};
