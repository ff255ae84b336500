/** Schemas taken from the objects themselves, in a tool host; what can't be said or used is told at its tool. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { FileTool, JsonSchema } from '../../../trainer/protocol/task';
import { KnownSchemas } from '../../../trainer/tools/sources/defined/knownSchemas';
import { Discovery } from '../../../trainer/tools/sources/typescript/toolFile';
import {
  type DiscoveredFiles,
  discover,
  discoverAndDescribe,
} from '../../../trainer/tools/sources/typescript/discover';
import { FOLDER, openDefinedHosts, workspace } from './definedHosts';

const FILE = join(FOLDER, 'schemas.ts');

describe('schemas of defined tools', () => {
  let found: DiscoveredFiles;
  const named = (name: string): FileTool | undefined => found.tools.find((tool) => tool.name === name);
  const parametersOf = (name: string): { properties?: JsonSchema; required?: string[] } =>
    named(name)?.parameters ?? assert.fail(`no tool ${name}`);
  const saidOf = (name: string): string[] =>
    found.diagnostics.filter(({ message }) => message.startsWith(name)).map((d) => `${d.severity}: ${d.message}`);

  before(async () => {
    found = await discoverAndDescribe([FILE], { workspace });
  });

  it('are taken from JSON Schema, functions, zod 3 and Standard JSON Schema', () => {
    const a = { type: 'object', properties: { a: { type: 'string', description: 'A' } } };
    assert.deepEqual(named('plain')?.parameters, a);
    assert.deepEqual(named('lazy')?.parameters, { ...a, required: ['a'] });
    assert.deepEqual(named('standard')?.parameters, a);
    const { properties } = parametersOf('zod3');
    assert.deepEqual(properties, {
      a: { type: 'string', default: 'x', description: 'A' },
      n: { type: 'integer', description: 'N' },
    });
  });

  it('say what goes in, and what they can\u2019t say', () => {
    const { properties = {}, required } = parametersOf('changed');
    assert.deepEqual(properties['city'], { type: 'string', description: 'City' });
    assert.deepEqual(properties['when'], { description: 'When' });
    assert.deepEqual(required, ['city']);
    assert.deepEqual(saidOf('changed'), [
      'warning: changed: city: it is transformed; the schema says what goes in',
      'warning: changed: count: its refinement can\u2019t be said in JSON Schema; the tool checks it by itself',
      'warning: changed: when: a date has no form in JSON Schema, so any value is taken for it there',
    ]);
  });

  it('may hold themselves, but not lead in a circle or nowhere', () => {
    assert.ok(named('tree'));
    assert.deepEqual(saidOf('circle'), [
      'error: circle: its schema has references that lead in a circle (#/definitions/a -> #/definitions/b -> #/definitions/a); let one of them lead to a type',
    ]);
    assert.deepEqual(saidOf('nowhere'), [
      'error: nowhere: its schema refers to #/$defs/missing, which is not in it; write it below $defs',
    ]);
    assert.deepEqual(saidOf('list'), [
      'error: list: its schema is of type "array"; a tool takes an object of named arguments',
    ]);
    assert.deepEqual(saidOf('endless'), [
      'error: endless: its schema holds itself, and not by a $ref, so it can\u2019t be written as JSON',
    ]);
    assert.deepEqual(saidOf('unreached'), [
      'error: unreached: its definition is not reached when the file is loaded; define it at the top level of the file',
    ]);
    for (const name of ['circle', 'nowhere', 'list', 'endless', 'unreached']) assert.equal(named(name), undefined);
  });

  it('are run as their library does: defaults, transforms, checks, generators', async () => {
    await using hosts = await openDefinedHosts(found.tools);
    const session = hosts.open('one');
    const call = async (name: string, args: Record<string, unknown>) => {
      const { kind, content } = await session.call(name, args);
      return [kind, JSON.parse(content) as unknown];
    };
    assert.deepEqual(await call('changed', { city: 'York' }), ['ok', { input: { city: 'YORK', count: 2 } }]);
    const [kind, refused] = await call('changed', { city: 'York', count: 3 });
    assert.equal(kind, 'threw');
    assert.match(JSON.stringify(refused), /invalid arguments: count: Invalid input/);
    assert.deepEqual(await call('standard', { a: 'b' }), ['ok', { input: { a: 'b', checked: true } }]);
    assert.deepEqual(await call('zod3', {}), ['ok', { input: { a: 'x' } }]);
    assert.deepEqual(await call('stream', {}), ['ok', { part: 2 }]);
    assert.deepEqual(saidOf('ask'), ['warning: ask: it has no execute, so its results are always mocked']);
    const asked = await session.call('ask', { question: 'Now?' });
    assert.deepEqual([asked.policy, asked.mockSource, asked.content], ['mock', 'example', '"yes"']);
    assert.deepEqual(asked.origin, { kind: 'defined', file: FILE, line: named('ask')?.source.line });
    session.close();
  });

  it('of a file that can\u2019t be loaded: its tools are left out, and the import is told', async () => {
    const { tools, diagnostics } = await discoverAndDescribe([join(FOLDER, 'broken.ts')], { workspace });
    assert.deepEqual(tools, []);
    assert.deepEqual(
      diagnostics.map(({ line, severity }) => [line, severity]),
      [[5, 'error']],
    );
    assert.match(diagnostics[0]!.message, /Install it \(npm install a-package-that-is-not-there\)/);
  });

  it('what two files fail at alike is told once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coach-shared-'));
    writeFileSync(join(folder, 'store.ts'), "import store from 'no-such-store';\nexport { store };\n");
    for (const name of ['add', 'drop'])
      writeFileSync(
        join(folder, `${name}.ts`),
        `import { store } from './store';
export const ${name}Tool = { name: '${name}', description: 'A tool.', inputSchema: { type: 'object', properties: {} },
  execute: async () => store.${name}() };\n`,
      );
    const { tools, diagnostics } = await discoverAndDescribe([folder], { workspace: folder });
    rmSync(folder, { recursive: true });
    assert.deepEqual(tools, []);
    assert.deepEqual(
      diagnostics.flatMap(({ file, line, severity }) => (severity === 'error' ? [[basename(file), line]] : [])),
      [['store.ts', 1]],
    );
  });
});

describe('schemas of defined tools in a window', () => {
  let folder: string;
  let file: string;
  const write = (city: string) =>
    writeFileSync(
      file,
      `globalThis.loads = 1;
export const tools = [{ type: 'function', function: { name: 'find', description: 'Find.', parameters: { type: 'object', properties: { ${city}: { type: 'string', description: 'C' } } } } }];
export const handlers = { find: async () => 1 };`,
    );
  const properties = ({ tools }: { tools: FileTool[] }) =>
    Object.keys((tools[0]!.parameters['properties'] ?? {}) as object);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coach-defined-'));
    file = join(folder, 'tools.ts');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are taken of each file, where several have a tool of one name', async () => {
    write('city');
    const text = readFileSync(file, 'utf8');
    const other = join(folder, 'other.ts');
    writeFileSync(other, text.replace('city', 'town'));
    const found = new Discovery().discover([folder], {}, 'file');
    const { tools, diagnostics } = await new KnownSchemas().describe(found, [folder], new Set(), {});
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(
      tools.map(({ source, parameters }) => [source.file, Object.keys(parameters['properties'] ?? {})]),
      [
        [other, ['town']],
        [file, ['city']],
      ],
    );
  });

  it('are not taken before trust, and after it only where the file has changed', async () => {
    write('city');
    const schemas = new KnownSchemas();
    const none = new Set<string>();
    const untrusted = await schemas.describe(discover([file]), [], none, {});
    assert.deepEqual(untrusted.tools[0]?.parameters, { type: 'object' });
    const trusted = await schemas.describe(discover([file]), [folder], none, {});
    assert.deepEqual(properties(trusted), ['city']);
    const from = performance.now();
    assert.deepEqual(properties(await schemas.describe(discover([file]), [folder], none, {})), ['city']);
    assert.ok(performance.now() - from < 100, 'no host was started');
    write('town');
    const written = await schemas.describe(discover([file]), [folder], new Set([file]), {});
    assert.deepEqual(properties(written), ['city'], 'what it said last, while it is being written');
    assert.deepEqual(properties(await schemas.describe(discover([file]), [folder], none, {})), ['town']);
  });
});
