import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadedTools } from '../../../trainer/app/loadedTools';
import { findTools } from '../../../trainer/app/prepare/tools';
import { planLimits } from '../../../trainer/app/prepare/limits';
import { realDependencies, type Dependencies } from '../../../trainer/app/dependencies';
import { parseSettings } from '../../../trainer/app/settings';
import { coach } from './coach';

const TOOLS = `/** Find a book. @tool */
export async function findBook(title: 'Dune' | 'Emma'): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 30_000));
  return title;
}
`;

describe('tools that take half a minute', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-slow-'));
  const file = join(folder, 'tools.ts');
  before(() => writeFileSync(file, TOOLS));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const args of [
    ['tasks', file],
    ['evaluate', 'nano', '--tools', file],
    ['train', file],
  ])
    it(`coach ${args[0]} tells what it waits for, and a stop is obeyed within two seconds`, async () => {
      let toldAt = 0;
      const stopAt = {
        test: (text: string) => /findBook has been running/.test(text) && (toldAt = performance.now()) > 0,
      };
      const { code } = await coach(folder, args, { dependencies: realDependencies, stopAt: stopAt as RegExp });
      assert.ok(toldAt > 0 && performance.now() - toldAt < 2000, `${Math.round(performance.now() - toldAt)} ms`);
      assert.equal(code, 130);
    });

  it('a stop that comes while the tools are looked for starts no host', async () => {
    const stop = new AbortController();
    const dependencies: Partial<Dependencies> = {
      async discover(files) {
        const found = await realDependencies.discover(files);
        stop.abort(new Error('stopped'));
        return found;
      },
      openHosts: () => assert.fail('a host was started'),
    };
    const making = {
      cwd: folder,
      workspace: folder,
      note: () => undefined,
      dependencies: dependencies as Dependencies,
      signal: stop.signal,
    };
    const found = await findTools(file, folder, dependencies as Dependencies, () => undefined);
    await assert.rejects(loadedTools({ ...making, config: parseSettings({ toolFile: file }), found }), /stopped/);
  });

  it('results that are looked up for the limits are waited for in words, too', async () => {
    const told: string[] = [];
    const call = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1600));
      return { kind: 'ok', content: '"x"', policy: 'real', startedAt: 0, durationMs: 0 };
    };
    const dependencies = {
      openHosts: async () => ({ open: () => ({ call, close: () => undefined }), close: async () => undefined }),
      modelFolder: () => folder,
      planBudget: () => ({}),
    } as unknown as Dependencies;
    const task = (id: string) => ({ id, prompt: id, calls: [{ name: 'findBook', arguments: { title: 'Dune' } }] });
    await planLimits({
      config: parseSettings({ toolFile: file }),
      found: { tools: [], rewards: [], diagnostics: [], files: [] },
      workspace: folder,
      cwd: folder,
      dependencies,
      onProgress: (message) => void told.push(message),
      made: { tasks: [task('a'), task('b')], source: 'tools.tasks.jsonl', seen: [] },
    });
    assert.deepEqual(told.slice(0, 2), [
      'Looking at what the tools return: 0 calls made',
      'Looking at what the tools return: 1 call made',
    ]);
  });
});
