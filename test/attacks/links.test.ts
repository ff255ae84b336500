/**
 * Links in a workspace: Node's permission model follows them wherever they lead, so those that leave must not be
 * granted.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ToolResult } from '../../trainer/protocol/trace';
import { readablePaths } from '../../trainer/tools/hosts/readable';
import { FIXTURES, fixtureTool, openFixtureHosts, type TestHosts } from '../tools/hostsFixture';

const SECRET = 'sk-not-for-tools';

describe('attacks: links that lead out of the workspace', function () {
  this.timeout(60_000);
  let base: string;
  let workspace: string;
  let outside: string;
  const open: TestHosts[] = [];
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'coach-attack-links-')));
    workspace = join(base, 'ws');
    outside = join(base, 'outside');
    for (const folder of [join(workspace, 'data'), outside]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(outside, 'secret.txt'), SECRET);
    writeFileSync(join(workspace, 'data', 'mine.txt'), 'mine');
    copyFileSync(join(FIXTURES, 'escapes.ts'), join(workspace, 'escapes.ts'));
  });
  afterEach(async () => {
    for (const { hosts } of open.splice(0)) await hosts.close();
    rmSync(base, { recursive: true });
  });
  const link = (path: string, target: string): string => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    symlinkSync(target, join(workspace, path));
    return join(workspace, path);
  };
  async function call(name: string, args: Record<string, unknown>): Promise<ToolResult & { notes: string[] }> {
    const tools = ['readsFile', 'listsFolder', 'readsThroughOwnLink'].map((tool) =>
      fixtureTool('escapes.ts', tool, { source: { file: join(workspace, 'escapes.ts'), line: 1 } }),
    );
    const opened = await openFixtureHosts(tools, { workspace, timeoutMs: 20_000, size: 1 });
    open.push(opened);
    const session = opened.hosts.open('links');
    return { ...(await session.call(name, args)), notes: opened.notes };
  }
  /** @param path lies behind a link; reading it must be refused, and told */
  async function refused(path: string, notes: RegExp): Promise<void> {
    const result = await call('readsFile', { path });
    assert.equal(result.kind, 'threw', result.content);
    assert.match(result.content, /restricted|ERR_ACCESS_DENIED/);
    assert.match(result.notes.join('\n'), notes);
    const mine = await open
      .at(-1)!
      .hosts.open('after')
      .call('readsFile', { path: join(workspace, 'data', 'mine.txt') });
    assert.equal(mine.content, '"mine"', 'the rest stays readable');
  }

  it('ws/rootlink -> / does not read out another process', async function () {
    if (process.platform !== 'linux') this.skip(); // other systems have no /proc
    const path = link('rootlink', '/');
    await refused(
      join(path, `proc/${process.pid}/environ`),
      /not readable by the tools: the link .*rootlink leads out of the workspace, to \/(;|$)/m,
    );
  });
  it('an absolute link to a file is refused', async () =>
    refused(link('secret', join(outside, 'secret.txt')), /link .*secret leads out/));
  it('a relative link to a folder is refused', async () =>
    refused(join(link('data/up', '../../outside'), 'secret.txt'), /data\/up leads out/));
  it('a link to the folder above is refused', async () =>
    refused(join(link('above', '..'), 'outside/secret.txt'), /above leads out/));
  it('a link deep in node_modules is refused', async () =>
    refused(join(link('node_modules/pkg/lib/deep', outside), 'secret.txt'), /deep leads out/));
  it('a link in node_modules to a folder that is no package is refused', async () =>
    refused(join(link('node_modules/pkg', outside), 'secret.txt'), /pkg leads out/));
  it('a link in node_modules to a parent of the workspace is refused, package.json or not', async () => {
    writeFileSync(join(base, 'package.json'), '{}');
    await refused(join(link('node_modules/pkg', '../..'), 'outside/secret.txt'), /pkg leads out/);
  });
  it('a node_modules that is itself a link to / is not followed', async () =>
    refused(join(link('node_modules', '/'), join(outside, 'secret.txt')), /node_modules leads out/));
  it('a link whose end is not there yet is refused, too', async () => {
    const path = link('later', join(base, 'later'));
    const { refused: told } = readablePaths(workspace, []);
    assert.deepEqual([...told.keys()], [path]);
  });
  it('a link by way of a link is refused', async () => {
    link('first', outside);
    await refused(join(link('second', 'first'), 'secret.txt'), /second leads out/);
  });

  it('a link inside the workspace is followed, and nothing is told', async () => {
    const result = await call('readsFile', { path: join(link('same', 'data'), 'mine.txt') });
    assert.deepEqual([result.content, result.notes], ['"mine"', []]);
  });
  it("a link in node_modules to a package's folder is followed (npm's workspaces)", async () => {
    const sibling = join(base, 'sibling');
    mkdirSync(sibling);
    writeFileSync(join(sibling, 'package.json'), '{}');
    const result = await call('readsFile', {
      path: join(link('node_modules/@scope/sibling', sibling), 'package.json'),
    });
    assert.deepEqual([result.content, result.notes], ['{}', []]);
  });
  it('a link that such a package holds is held to the same', async () => {
    const sibling = join(base, 'sibling');
    mkdirSync(sibling);
    writeFileSync(join(sibling, 'package.json'), '{}');
    symlinkSync(outside, join(sibling, 'out'));
    await refused(join(link('node_modules/sibling', sibling), 'out/secret.txt'), /sibling\/out leads out/);
  });
  it('nor is one reached by another name of its folder, or by a link to the folder around it', async () => {
    link('data/out', outside);
    const round = link('data/round', workspace);
    await refused(join(link('alias', 'data'), 'out/secret.txt'), /alias is another way to .*data\/out/);
    await refused(join(round, 'data/out/secret.txt'), /round is another way/);
  });
  it('without a link the folder itself is granted, and can be listed', async () => {
    assert.deepEqual(
      readablePaths(workspace, []).paths.filter((path) => path.startsWith(workspace)),
      [workspace],
    );
    assert.equal((await call('listsFolder', { path: workspace })).content, '["data","escapes.ts"]');
  });
  it('a name with a * is no pattern that grants its neighbours', () => {
    link('linked', outside);
    writeFileSync(join(workspace, 'link*'), '');
    assert.ok(readablePaths(workspace, []).paths.every((path) => !path.includes('*')));
  });
  it('beside 20,000 files the folder that holds the link is left out, in one command line', () => {
    for (let i = 0; i < 20_000; i++) writeFileSync(join(workspace, 'data', `file-${i}.txt`), '');
    link('data/out', outside);
    const { paths } = readablePaths(workspace, []);
    assert.ok(
      paths.length < 10 && !paths.some((path) => path.startsWith(join(workspace, 'data'))),
      paths.slice(0, 9).join(),
    );
  });
  it('a link that a tool makes in its own folder leads nowhere', async () => {
    const { kind, content } = await call('readsThroughOwnLink', { target: join(outside, 'secret.txt') });
    assert.equal(kind, 'threw', content);
    assert.ok(!content.includes(SECRET));
  });
  it('code that is imported from a hidden folder of the user is not handed over', async () => {
    mkdirSync(join(base, '.aws'));
    writeFileSync(join(base, '.aws', 'keys.json'), JSON.stringify({ key: SECRET }));
    writeFileSync(
      join(workspace, 'thief.ts'),
      "import keys from '../.aws/keys.json';\nexport const steals = (): unknown => keys;\n",
    );
    const opened = await openFixtureHosts(
      [fixtureTool('thief.ts', 'steals', { source: { file: join(workspace, 'thief.ts'), line: 1 } })],
      { workspace, size: 1 },
    );
    open.push(opened);
    const { kind, content } = await opened.hosts.open('thief').call('steals', {});
    assert.equal(kind, 'threw', content);
    assert.match(content, /hidden folder outside of the workspace/);
    assert.ok(!content.includes(SECRET));
  });

  it('code from more folders than a command line holds is one error, and no crash', () => {
    const long = join(outside, ...Array<string>(15).fill('f'.repeat(200)));
    const files = Array.from({ length: 150 }, (_, i) => join(long, String(i), 'code.ts'));
    for (const file of files) mkdirSync(dirname(file), { recursive: true });
    assert.throws(() => readablePaths(workspace, files), {
      name: 'UserError',
      message: 'the code is imported from 151 folders, too many to name one by one',
    });
  });
});
