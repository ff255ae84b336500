import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { configOptions, nearestConfig } from '../../trainer/base/tsconfig';
import { moduleGraph } from '../../trainer/tools/values/moduleGraph';
import { importResolver } from '../../trainer/tools/hosts/importResolver';
import { Discovery } from '../../trainer/tools/sources/typescript/toolFile';

let folder: string;
const at = (path: string): string => join(folder, path);
function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
}

describe('a project that extends other configs', () => {
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'coach-tsconfig-')));
    write({
      // paths count from the config that says them, comments and trailing commas are usual
      'shared/config/base.json':
        '{\n  // of all apps\n  "extends": "@acme/config",\n  "compilerOptions": { "paths": { "@lib/*": ["../lib/*"] }, "outDir": "../../app/built", },\n}',
      'shared/node_modules/@acme/config/package.json': '{ "name": "@acme/config" }',
      'shared/node_modules/@acme/config/tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
      'app/tsconfig.json': '{ "extends": "../shared/config/base.json", "include": ["src"] }',
      'shared/lib/city.ts': 'export interface City { name: string }\nexport const HOME = "Ulm";',
      'app/src/a.ts':
        'import { HOME, type City } from "@lib/city";\n/** A. @tool */\nexport function a(city: City, count: number): string { return HOME + city.name + count; }',
      'app/built/b.js': '/** B. @tool */\nexport function b(x) {}',
    });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is read with all of them, each path from where it is said', () => {
    const config = nearestConfig(at('app/src'));
    assert.equal(config, at('app/tsconfig.json'));
    const { outDir, experimentalDecorators, pathsBasePath } = configOptions(config);
    assert.deepEqual([outDir, experimentalDecorators, pathsBasePath], [at('app/built'), true, at('shared/config')]);
  });

  it('leads imports to the same file for discovery, for the host that runs the tool, and for what its data are', () => {
    const [tool, ...others] = new Discovery().discover([at('app')]).tools;
    assert.deepEqual(others, [], 'what lies in the output folder of a config that is extended is not read');
    assert.deepEqual((tool!.parameters.properties as Record<string, object>)['city'], {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
    assert.equal(importResolver().resolve('@lib/city', at('app/src/a.ts')), at('shared/lib/city.ts'));
    assert.equal(importResolver().optionsFor(at('app/src/a.ts')).experimentalDecorators, true);
    assert.deepEqual(
      moduleGraph([at('app/src/a.ts')]).map(({ path }) => path),
      [at('app/src/a.ts'), at('shared/lib/city.ts')],
    );
  });

  it('a jsconfig.json speaks where there is no tsconfig.json', () => {
    rmSync(at('app/tsconfig.json'));
    write({ 'app/jsconfig.json': '{ "compilerOptions": { "paths": { "@lib/*": ["../shared/lib/*"] } } }' });
    const { diagnostics } = new Discovery().discover([at('app/src')]);
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === 'error'),
      [],
    );
    assert.equal(importResolver().resolve('@lib/city', at('app/src/a.ts')), at('shared/lib/city.ts'));
  });

  it('with a mistake the rest counts: no JSON, extends itself, extends what is not there', () => {
    write({
      'no/tsconfig.json': '{ "compilerOptions": { "outDir": "out" ',
      'self/tsconfig.json': '{ "extends": "./tsconfig.json", "compilerOptions": { "outDir": "out" } }',
      'gone/tsconfig.json': '{ "extends": "./gone.json", "compilerOptions": { "outDir": "out" } }',
      'list/tsconfig.json': '[1]',
    });
    const outs = ['no', 'self', 'gone', 'list'].map((name) => configOptions(at(`${name}/tsconfig.json`)).outDir);
    assert.deepEqual(outs, [at('no/out'), at('self/out'), at('gone/out'), undefined]);
    assert.equal(configOptions(at('none/tsconfig.json')).outDir, undefined);
  });
});
