/**
 * Every kind of tool file, found and run in a real host, in packages of both types; and what is said of files that
 * cannot be loaded.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeLoadProblem } from '../../trainer/tools/hosts/loadProblem';
import { Discovery } from '../../trainer/tools/sources/typescript/toolFile';
import { openFixtureHosts, valueOf } from './hostsFixture';

const PACKAGES = {
  'esm-only/package.json': '{ "name": "esm-only", "type": "module", "exports": { "import": "./index.js" } }',
  'esm-only/index.js': 'export default "esm"; export const named = "named";',
  'awaits/package.json': '{ "name": "awaits", "type": "module", "exports": { "import": "./index.js" } }',
  'awaits/index.js': 'export const late = await Promise.resolve("late"); globalThis.awaitsWasHere = "yes";',
  'cjs-only/package.json': '{ "name": "cjs-only", "main": "main.js" }',
  'cjs-only/main.js':
    'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = "inner"; exports.value = "cjs";',
  'dual/package.json':
    '{ "name": "dual", "exports": { ".": { "import": "./index.mjs", "require": "./index.cjs" }, "./data.json": "./data.json" } }',
  'dual/index.mjs': 'export const kind = "import";',
  'dual/index.cjs': 'exports.kind = "require";',
  'dual/data.json': '{ "n": 7 }',
  'react/package.json': '{ "name": "react", "exports": { "./jsx-runtime": "./jsx.js" } }',
  'react/jsx.js': 'exports.jsx = (type, props) => ({ type, ...props }); exports.jsxs = exports.jsx;',
};

const OWN = {
  'data.json': '\uFEFF{ "answer": 42 }',
  'lib/esm.mjs':
    'import { readFileSync } from "node:fs"; const __filename = "mine"; export const from = __filename; export let n = 0; export const up = () => ++n;',
  'lib/old.cjs': 'mode = typeof this; module.exports = { old: "old", mode, file: __filename.length > 0 };',
  'lib/late.mjs': 'export default "dynamic"; export const up = await Promise.resolve(1);',
};

/** An ES module with all that such files do; `type` is a TypeScript annotation or nothing. */
const esText = (type: string, element: string) => `#!/usr/bin/env node
import esm, { named } from 'esm-only';
import { late } from 'awaits';
import cjs from 'cjs-only';
import { kind } from 'dual';
import packaged from 'dual/data.json' with { type: 'json' };
import data, { answer } from './data.json';
import { from, up, n } from './lib/esm.mjs';
import old from './lib/old.cjs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
const __filename${type} = fileURLToPath(import.meta.url);
const __dirname = path.dirname(__filename);
const require = createRequire(import.meta.url);
const again = require('./data.json');
const waited = await Promise.resolve('waited');
${element}
/** Says all.
 * @tool
 */
export async function all() {
  const dynamic = await import('./lib/late.mjs');
  const { kind: kindLater } = await import('dual');
  const gone = await import('not-there').catch((error) => error.code);
  up();
  return {
    esm, named, late, cjs, kind, packaged: packaged.n, data: data.answer, answer, from, n, old: old.old, again: again.answer, waited, dynamic: dynamic.default, kindLater, gone,
    meta: [import.meta.url === ${'`file://${__filename}`'}, import.meta.dirname === __dirname, import.meta.filename === __filename, import.meta.resolve('./x.js').endsWith('/x.js'), import.meta.resolve('dual').endsWith('dual/index.mjs')],
    ${element === '' ? '' : 'element: shown.type,'}
  };
}
`;

const cjsText = `const { kind } = require('dual');
const { answer } = require('./data.json');
const old = require('./lib/old.cjs');
let calls = 0;
/** Says all.
 * @tool
 */
async function all() {
  const { default: esm } = await import('esm-only');
  return { kind, answer, esm, old: old.old, calls: ++calls, file: __filename.length > 0 };
}
module.exports = { all };
`;

describe('tool hosts: every kind of tool file', function () {
  this.timeout(120_000);
  let root: string;
  before(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'coach-every-')))));
  after(() => rmSync(root, { recursive: true, force: true }));

  const write = (folder: string, files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, folder, path)), { recursive: true });
      writeFileSync(join(root, folder, path), text);
    }
  };
  /** Calls the tool `all` of the one file twice, in rollouts of their own. */
  const run = async (folder: string, file: string) => {
    const { tools, diagnostics } = new Discovery().discover([join(root, folder, file)]);
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === 'error'),
      [],
    );
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['all'],
      file,
    );
    const { hosts, notes } = await openFixtureHosts(tools, {
      workspace: join(root, folder),
      timeoutMs: 10_000,
      size: 1,
    });
    const results = [];
    for (const id of ['one', 'two']) {
      const session = hosts.open(id);
      results.push(await session.call('all', {}));
      session.close();
    }
    await hosts.close();
    assert.deepEqual(notes, [], file);
    for (const result of results) assert.equal(result.kind, 'ok', `${file}: ${result.content}`);
    assert.equal(results[0]!.content, results[1]!.content, `${file}: its module state is fresh in each rollout`);
    return valueOf(results[0]!) as Record<string, unknown>;
  };
  const expected = (isNodeEsModule: boolean) => ({
    esm: 'esm',
    named: 'named',
    late: 'late',
    cjs: isNodeEsModule ? { default: 'inner', value: 'cjs' } : 'inner',
    kind: isNodeEsModule ? 'import' : 'require',
    packaged: 7,
    data: 42,
    answer: 42,
    from: 'mine',
    n: 1,
    old: 'old',
    again: 42,
    waited: 'waited',
    dynamic: 'dynamic',
    kindLater: isNodeEsModule ? 'import' : 'require',
    gone: 'ERR_MODULE_NOT_FOUND',
    meta: [true, true, true, true, true],
  });
  const packages = (folder: string) => write(`${folder}/node_modules`, PACKAGES);

  it('takes style sheets and pictures beside a tool, as bundlers do', async () => {
    write('assets', {
      'card.css': '.card {}',
      'logo.svg': '<svg/>',
      'tools.tsx':
        "import './card.css';\nimport styles from './card.css';\nimport logo from './logo.svg';\n" +
        '/** All. @tool */\nexport const all = (): object => ({ styles, logo, card: styles.card ?? null });\n',
    });
    const made = await run('assets', 'tools.tsx');
    assert.deepEqual(made, { styles: {}, logo: join(root, 'assets', 'logo.svg'), card: null });
  });

  for (const type of ['module', 'commonjs', undefined]) {
    const folder = `type-${type}`;
    it(`runs .ts .mts .tsx .js .mjs .jsx as ES modules where package.json says "type": ${type}`, async () => {
      packages(folder);
      write(folder, { ...OWN, 'package.json': JSON.stringify({ name: 'app', type }) });
      for (const extension of ['ts', 'mts', 'tsx', 'js', 'mjs', 'jsx']) {
        const isTyped = extension.includes('ts');
        const hasElement = extension.endsWith('x');
        write(folder, {
          [`tools.${extension}`]: esText(isTyped ? ': string' : '', hasElement ? 'const shown = <b>text</b>;' : ''),
        });
        const isNodeEsModule = type === 'module' || extension.startsWith('m');
        assert.deepEqual(
          await run(folder, `tools.${extension}`),
          { ...expected(isNodeEsModule), ...(hasElement ? { element: 'b' } : {}) },
          `tools.${extension}`,
        );
      }
    });

    it(`runs .cjs and .cts where package.json says "type": ${type}`, async () => {
      packages(folder);
      write(folder, { ...OWN, 'package.json': JSON.stringify({ name: 'app', type }), 'old.cjs': cjsText });
      assert.deepEqual(await run(folder, 'old.cjs'), {
        kind: 'require',
        answer: 42,
        esm: 'esm',
        old: 'old',
        calls: 1,
        file: true,
      });
      write(folder, {
        'typed.cts':
          "import dual = require('dual');\n/** Says all.\n * @tool\n */\nexport function all(): unknown { return { kind: dual.kind, file: __filename.length > 0 }; }",
      });
      assert.deepEqual(await run(folder, 'typed.cts'), { kind: 'require', file: true });
    });
  }

  it("says in the loader's own words and at the line why a file cannot be loaded", async () => {
    packages('broken');
    const tool = '/** A tool.\n * @tool\n */\nexport function NAME() { return 1; }\n';
    const files: Record<string, string> = {
      'pack.mjs':
        'interface_ = 1;\n'.replace('interface_', 'globalThis.x') +
        "import foo from 'foo';\nexport const used = foo;\n",
      'path.ts':
        "type Long = { a: 1 };\ninterface More { b: 2 }\nimport { x } from './nowhere';\nexport const y = x;\n",
      'throws.ts':
        "interface A { a: 1 }\ninterface B { b: 1 }\nconst a: A = { a: 1 };\nif (a) throw new Error('no key');\n",
      'through.ts': "import { helper } from './helper';\nexport const h = helper;\n",
      'syntax.js': 'const a = = 1;\n',
      'early.mjs': 'export const a = b;\nconst b = 1;\n',
      'thrown.mjs': 'if (globalThis) throw "a text";\n',
      'exits.cjs': 'process.exit(3);\nmodule.exports = {};\n',
      'keyless.mjs': "if (!process.env.SHOP_KEY) throw new Error('SHOP_KEY is not set');\n",
      'hangs.mjs': 'for (;;);\n',
      'waits.mjs': 'await new Promise(() => {});\n',
      'json.mjs': "import x from './bad.json';\nexport const y = x;\n",
      'unexported.mjs': "import x from 'dual/secret.js';\nexport const y = x;\n",
      'newer.mjs': "import x from 'node:from_the_future';\nexport const y = x;\n",
      'lacking.mjs': "import x from 'lacking';\nexport const y = x;\n",
      'outside.mjs': "import fs from 'node:fs';\nexport const y = fs.readFileSync('/etc/hostname', 'utf8');\n",
    };
    write('broken', {
      'node_modules/lacking/package.json': JSON.stringify({ name: 'lacking', type: 'module', main: 'index.js' }),
      'node_modules/lacking/index.js': "export { default } from '@other/peer/part.js';\n",
      'helper.ts': 'type T = 1;\nexport const helper = undefinedName;\n',
      'bad.json': '{ x',
      ...Object.fromEntries(
        Object.entries(files).map(([path, text]) => [
          path,
          text + (path === 'exits.cjs' ? '' : tool.replace('NAME', path.split('.')[0]!)),
        ]),
      ),
    });
    const tools = Object.keys(files).map((path) => {
      const name = path.split('.')[0]!;
      return {
        name,
        description: name,
        parameters: { type: 'object', properties: {} },
        source: { file: join(root, 'broken', path), line: 1 },
        binding: { exportName: name, positional: [] },
        changesWorld: false,
      };
    });
    const { hosts } = await openFixtureHosts(tools, {
      workspace: join(root, 'broken'),
      timeoutMs: 1000,
      loadTimeoutMs: 1500,
    });
    const said = Object.fromEntries(
      hosts.loadProblems.map((problem) => [
        problem.entry.slice(root.length + '/broken/'.length),
        describeLoadProblem(problem).replaceAll(`${join(root, 'broken')}/`, ''),
      ]),
    );
    await hosts.close();
    assert.deepEqual(said, {
      'pack.mjs':
        "pack.mjs:2: cannot be loaded: Cannot find package 'foo' imported from pack.mjs. Install it (npm install foo), or leave the import out.",
      'newer.mjs': `newer.mjs:1: cannot be loaded: No such built-in module: node:from_the_future. Node ${process.versions.node} runs the tools, and has no node:from_the_future: take a newer one (in VS Code agentCoach.nodePath).`,
      'lacking.mjs':
        "lacking.mjs:1: cannot be loaded: Cannot find package '@other/peer' imported from node_modules/lacking/index.js. Install it (npm install @other/peer), or leave the import out.",
      'path.ts': "path.ts:3: cannot be loaded: Cannot find module './nowhere' imported from path.ts. Correct the path.",
      'throws.ts':
        'throws.ts:4: cannot be loaded: no key. A tool host loads the file as Node does: correct what it does while it loads.',
      'through.ts':
        'helper.ts:2: cannot be loaded (loaded by through.ts): ReferenceError: undefinedName is not defined. A tool host loads the file as Node does: correct what it does while it loads.',
      'syntax.js': 'syntax.js:1: cannot be loaded: Expression expected. Correct the syntax.',
      'early.mjs':
        "early.mjs:1: cannot be loaded: ReferenceError: Cannot access 'b' before initialization. A tool host loads the file as Node does: correct what it does while it loads.",
      'thrown.mjs':
        'thrown.mjs: cannot be loaded: thrown: a text. A tool host loads the file as Node does: correct what it does while it loads.',
      'exits.cjs':
        'exits.cjs:1: cannot be loaded: ExitRequested: the tool called process.exit(3). A tool host loads the file as Node does: correct what it does while it loads.',
      'keyless.mjs':
        'keyless.mjs:1: cannot be loaded: SHOP_KEY is not set. Tools are given no keys of yours: make what needs one in the function that uses it, not while the file loads.',
      'hangs.mjs':
        'hangs.mjs: cannot be loaded: it did not finish loading in 1500 ms. Move what waits or takes long from the top of the file into the functions that need it.',
      'waits.mjs':
        'waits.mjs: cannot be loaded: it did not finish loading in 1500 ms. Move what waits or takes long from the top of the file into the functions that need it.',
      'outside.mjs': said['outside.mjs'],
      'json.mjs': `bad.json: cannot be loaded (loaded by json.mjs): ${said['json.mjs']!.split('): ')[1]}`,
      'unexported.mjs': `unexported.mjs:1: cannot be loaded: Package subpath './secret.js' is not defined by "exports" in node_modules/dual/package.json imported from unexported.mjs. A tool host loads the file as Node does: correct what it does while it loads.`,
    });
    assert.match(said['json.mjs']!, /is not JSON/);
    assert.match(
      said['outside.mjs']!,
      /^outside\.mjs:2: .* \(FileSystemRead of \/etc\/hostname\)\. A tool host reads the/,
    );
  });

  it('passes a lone table of any keys as the parameter that it is', async () => {
    write('table', {
      'tools.ts':
        '/** Sums. @tool */\nexport function total(amounts: Record<string, number>): number { return Object.values(amounts).reduce((a, b) => a + b, 0); }',
    });
    const { tools } = new Discovery().discover([join(root, 'table/tools.ts')]);
    const { hosts } = await openFixtureHosts(tools, { workspace: join(root, 'table') });
    const session = hosts.open('one');
    assert.equal((await session.call('total', { amounts: { pears: 2, figs: 3 } })).content, '5');
    assert.equal((await session.call('total', { pears: 2 })).kind, 'invalidArguments');
    await hosts.close();
  });

  it('keeps the order of a graph that awaits, loads a file of import() only when it is asked for, and shares no state', async () => {
    write('order', {
      'package.json': '{ "type": "module" }',
      'first.js': "globalThis.order = ['first']; await 1;",
      'second.js': "globalThis.order.push('second');",
      'lazy.js': "globalThis.order.push('lazy'); await 1; export const order = globalThis.order;",
      'tools.js':
        "import './first.js';\nimport './second.js';\nglobalThis.order.push('tools');\n/** All.\n * @tool */\nexport async function all() { const before = [...globalThis.order]; const { order } = await import('./lazy.js'); return { before, order }; }",
    });
    assert.deepEqual(await run('order', 'tools.js'), {
      before: ['first', 'second', 'tools'],
      order: ['first', 'second', 'tools', 'lazy'],
    });
  });
});
