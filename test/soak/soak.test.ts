import { soak } from './soak';

describe('twenty kills of trainer, tool hosts and service, over all methods', function () {
  this.timeout(300_000);
  it('lose nothing that was acknowledged, and change no byte', async () => {
    await soak(20, 1, (line) => console.log(`      ${line}`));
  });
});
