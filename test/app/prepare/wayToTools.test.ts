import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wayToTools } from '../../../trainer/app/prepare/wayToTools';
import { discover } from '../../../trainer/tools/sources/typescript/discover';

describe('what to do about a file without tools', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'coach-way-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const way = (name: string): Promise<string> =>
    wayToTools([join(folder, name)], folder, { discover: async (paths) => discover(paths) });

  before(() => {
    mkdirSync(join(folder, 'tools'));
    const tagged = '/** Adds. @tool @param a - one */\nexport function add(a: number): number { return a; }\n';
    writeFileSync(join(folder, 'tools', 'add.ts'), tagged);
    writeFileSync(join(folder, 'index.ts'), `import { add } from './tools/add';\nexport const all = [add];\n`);
    writeFileSync(join(folder, 'plain.ts'), 'export const nothing = 1;\n');
    writeFileSync(
      join(folder, 'server.ts'),
      'server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [] }));\n',
    );
  });

  it('names the files that it imports its tools from', async () => {
    assert.equal(await way('index.ts'), `Its tools stand in ${join('tools', 'add.ts')}: take them, or their folder.`);
  });

  it('sends a server that answers by itself to mcp.json', async () => {
    assert.match(await way('server.ts'), /\.vscode\/mcp\.json, .*"args":\["tsx","server\.ts"\].*take mcp:own\.$/);
  });

  it('says how to write a tool, else, and of a folder', async () => {
    assert.match(await way('plain.ts'), /^Put @tool into the JSDoc/);
    assert.match(await way('tools'), /^Put @tool into the JSDoc/);
  });
});
