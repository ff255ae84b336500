import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MCP_SERVERS, namedServers, serversAsToolFile } from '../../../../trainer/protocol/mcp';
import { configuredServers } from '../../../../trainer/tools/sources/mcp/configured';
import { findServers } from '../../../../trainer/tools/sources/mcp/config';

describe('MCP servers as they are configured', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coach-configured-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(name: string, content: unknown): string {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }
  const one = (content: object, name = 'mcp.json') => configuredServers([write(name, content)]).servers[0]!;

  it('are told with what stands there, nothing filled in', () => {
    const file = write('.vscode/mcp.json', {
      inputs: [
        { id: 'key', type: 'promptString', description: 'Key of the shop', password: true },
        { id: 'unused', type: 'promptString' },
        { id: 'size', type: 'pickString', options: ['small', { label: 'Large', value: 'large' }], default: 'small' },
      ],
      servers: {
        shop: {
          command: 'node',
          args: ['${workspaceFolder}/shop.mjs', '--size', '${input:size}'],
          env: { KEY: '${input:key}', HOME: '${env:SHOP_HOME}' },
        },
        remote: { url: 'https://shop.example/mcp' },
      },
    });
    const { servers, problems } = configuredServers([file]);
    assert.deepEqual(problems, []);
    const [{ identity, ...shop }, remote] = servers as [(typeof servers)[0], (typeof servers)[0]];
    assert.match(identity, /^[\da-f]{64}$/);
    assert.deepEqual(shop, {
      name: 'shop',
      folder,
      file,
      reach: 'node ${workspaceFolder}/shop.mjs --size ${input:size}',
      inputs: [
        { id: 'key', description: 'Key of the shop', isSecret: true },
        { id: 'size', default: 'small', isSecret: false, options: ['small', 'large'] },
      ],
      variables: ['SHOP_HOME'],
    });
    assert.equal(remote.reach, 'https://shop.example/mcp');
  });

  it('have an identity that changes with whatever decides what is started', () => {
    const entry = { command: 'node', args: ['shop.mjs'], env: { A: '1' } };
    const identity = (changes: object, name = 'mcp.json') =>
      one({ servers: { shop: { ...entry, ...changes } } }, name).identity;
    const first = identity({});
    assert.equal(identity({}), first);
    assert.equal(identity({ coach: { reset: 'never' } }), first, 'how it is put back is no matter of trust');
    for (const changes of [
      { command: 'sh' },
      { args: ['evil.mjs'] },
      { env: { A: '2' } },
      { cwd: '..' },
      { url: 'http://a' },
    ])
      assert.notEqual(identity(changes), first, JSON.stringify(changes));
    assert.notEqual(identity({}, 'sub/mcp.json'), first, 'elsewhere the same words start something else');
  });

  it('that a run would not find by their name say which one it finds', () => {
    const first = write('.vscode/mcp.json', { servers: { shop: { command: 'a' } } });
    const second = write('mcp.json', { servers: { shop: { command: 'b' }, other: { command: 'c' } } });
    const setting = { servers: { other: { command: 'd' }, third: { command: 'e' } }, folder };
    const { servers } = configuredServers([first, second], setting);
    assert.deepEqual(
      servers.map(({ name, reach, problem }) => [name, reach, problem?.split(':')[0]]),
      [
        ['shop', 'a', undefined],
        ['shop', 'b', first],
        ['other', 'c', undefined],
        ['other', 'd', second],
        ['third', 'e', undefined],
      ],
    );
  });

  it('that are not right say what is wrong, and leave the others as they are', () => {
    const bad = write('a/mcp.json', '{ "servers": { ');
    const file = write('b/mcp.json', {
      inputs: [{ id: 'x', type: 'command', command: 'ask' }],
      servers: {
        wrong: { command: 7 },
        asks: { command: 'a', args: ['${input:x}'] },
        'a,b': { command: 'a' },
        fine: { command: 'a' },
      },
    });
    const { servers, problems } = configuredServers([bad, file]);
    assert.match(problems[0]!.message, /a\/mcp\.json: is not JSON/);
    assert.deepEqual(
      servers.map(({ name, problem }) => [name, problem?.slice(file.length + 2)]),
      [
        ['wrong', 'wrong: command: Invalid input: expected string, received number'],
        ['asks', 'the input x is of the type command; make it promptString'],
        ['a,b', 'a,b: its name has a comma; give it another'],
        ['fine', undefined],
      ],
    );
  });

  it('of a window are found where no file has them', async () => {
    const environment = {
      [MCP_SERVERS]: JSON.stringify({ shop: { command: 'node', args: ['${workspaceFolder}/s.mjs'] } }),
    };
    const found = async () => (await findServers([{ folder, names: ['shop'] }], { environment }))[0]!;
    const { reach } = await found();
    assert.deepEqual(reach.kind === 'stdio' && [reach.cwd, reach.args], [folder, [`${folder}/s.mjs`]]);
    write('mcp.json', { servers: { shop: { command: 'other' } } });
    const own = (await found()).reach;
    assert.equal(own.kind === 'stdio' && own.command, 'other');
  });

  it('are named together by one tool file', () => {
    assert.deepEqual(namedServers(serversAsToolFile('/a b', ['one', 'two'])), {
      folder: '/a b',
      names: ['one', 'two'],
    });
    assert.deepEqual(namedServers('mcp:one,mcp:two,one'), { folder: '.', names: ['one', 'two'] });
    assert.equal(namedServers('/a/mcp.json'), null);
  });
});
