/**
 * What tools import decides what they return: a run that goes on says which of these files are no longer what they
 * were.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realDependencies } from '../../trainer/app/dependencies';
import { listRuns } from '../../trainer/store/runs/listRuns';
import { readManifest } from '../../trainer/store/runs/readRun';
import { coach, makeWorkspace, quick } from '../app/cli/coach';
import { tempFolder } from '../store/runs/sample';

const FILES: Record<string, string> = {
  'tsconfig.json': '{ "compilerOptions": { "paths": { "@shop/*": ["./shop/*"] } } }',
  'tools.ts': `import { price } from './lib/prices';
import { shop } from '@shop/names';
import table from './data/table.json';
/** Search.
 * @param query what
 * @tool */
export async function search(query: string): Promise<string> {
  const { late } = await import('./lib/late');
  return [price(query), shop, table.rows, late].join();
}
`,
  'lib/prices.ts': "import { factor } from './factor';\nexport const price = (q: string) => q.length * factor;\n",
  'lib/factor.ts': 'export const factor = 3;\n',
  'lib/late.ts': 'export const late = 1;\n',
  'lib/unused.ts': 'export const unused = 1;\n',
  'shop/names.ts': "export const shop = 'a';\n",
  'data/table.json': '{ "rows": 2 }',
};

describe('attacks: files that the tools import', function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder('coach-attack-modules-');
  after(remove);
  const write = (name: string, text: string) => {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  const dependencies = { discover: realDependencies.discover, openHosts: realDependencies.openHosts };
  before(async () => {
    makeWorkspace(dir);
    for (const [name, text] of Object.entries(FILES)) write(name, text);
    const { code, stderr } = await coach(dir, ['train', 'tools.ts', ...quick], { dependencies, stopAt: /step 1\// });
    assert.equal(code, 130, stderr);
  });
  /** What the run says of its files when it goes on, and stops at once. */
  async function resumed(): Promise<string> {
    const args = ['train', '--resume', listRuns(dir)[0]!.id];
    const { stdout, stderr } = await coach(dir, args, { dependencies, stopAt: /Resumed/ });
    return (stdout + stderr).match(/^Warning: .* changed since the run began/m)?.[0] ?? '';
  }

  it('are all in run.json, with a hash each: imported by others, by an alias, late, as JSON', () => {
    const { modules } = readManifest(listRuns(dir)[0]!.dir).manifest!;
    assert.deepEqual(
      Object.keys(modules!).map((name) => name.replaceAll('\\', '/')),
      ['data/table.json', 'lib/factor.ts', 'lib/late.ts', 'lib/prices.ts', 'shop/names.ts', 'tools.ts'],
    );
  });
  it('say nothing while they are what they were', async () => {
    write('lib/unused.ts', 'export const unused = 2;\n');
    assert.equal(await resumed(), '');
  });
  for (const [name, text] of [
    ['lib/factor.ts', 'export const factor = 4;\n'],
    ['lib/late.ts', 'export const late = 2;\n'],
    ['shop/names.ts', "export const shop = 'b';\n"],
    ['data/table.json', '{ "rows": 3 }'],
  ] as const)
    it(`${name}: its change is told`, async () => {
      write(name, text);
      assert.equal(await resumed(), `Warning: ${join(name)} was changed since the run began`);
      write(name, FILES[name]!);
    });
  it('that are new, or no longer imported, are told, too', async () => {
    write('lib/prices.ts', "import { unused } from './unused';\nexport const price = (q: string) => unused;\n");
    assert.equal(
      (await resumed()).replaceAll('\\', '/'),
      'Warning: lib/prices.ts, lib/unused.ts (new), lib/factor.ts (no longer used) were changed since the run began',
    );
  });
});
