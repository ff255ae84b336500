import assert from 'node:assert/strict';
import { AllowedServers } from '../../extension/mcp/allowed';
import { offeredServer } from '../../extension/mcp/offeredServer';
import { nodeCommand } from '../../extension/processes/programs';
import { MCP_SERVERS, type ConfiguredServer } from '../../trainer/protocol/mcp';

/** What VS Code keeps for an extension, in memory. */
function store() {
  const values = new Map<string, unknown>();
  return {
    values,
    get: (key: string) => values.get(key),
    set: async (key: string, value: unknown) =>
      void (value === undefined ? values.delete(key) : values.set(key, value)),
  };
}

const shop: ConfiguredServer = {
  name: 'shop',
  folder: '/w',
  file: '/w/mcp.json',
  reach: 'node shop.mjs',
  identity: 'a',
  inputs: [
    { id: 'api-key', isSecret: true },
    { id: 'size', isSecret: false },
  ],
  variables: ['SHOP_HOME', 'SHOP_TOKEN'],
};

describe('MCP servers that a person has allowed', () => {
  const memory = store();
  const secrets = store();
  const allowed = new AllowedServers({ memory, secrets });
  const asked: string[] = [];
  const answer =
    (value?: string) =>
    async (_: ConfiguredServer, { id }: { id: string }) => {
      asked.push(id);
      return value;
    };
  const nobody = async () => assert.fail('it is known');
  beforeEach(() => {
    for (const { values } of [memory, secrets]) values.clear();
    asked.length = 0;
  });

  it('are known by what is started: a changed one has to be allowed again', async () => {
    assert.equal(allowed.isAllowed(shop), false);
    await allowed.allow(shop);
    assert.equal(allowed.isAllowed(shop), true);
    assert.equal(allowed.isAllowed({ ...shop, reach: 'sh evil.sh', identity: 'b' }), false);
    assert.equal(new AllowedServers({ memory, secrets: store() }).isAllowed(shop), true, 'in the next window, too');
  });

  it('of the newest two hundred', async () => {
    await allowed.allow(shop);
    for (let i = 0; i < 199; i++) await allowed.allow({ ...shop, identity: `other ${i}` });
    await allowed.allow(shop); // used again, so it is the newest
    await allowed.allow({ ...shop, identity: 'one more' });
    assert.deepEqual([allowed.isAllowed(shop), allowed.isAllowed({ ...shop, identity: 'other 0' })], [true, false]);
  });

  it('are given the variables and values that they refer to, and each value is asked for once', async () => {
    const environment = { SHOP_TOKEN: 't', OTHER_TOKEN: 'not for it' };
    const wanted = { COACH_INPUT_API_KEY: 'v', COACH_INPUT_SIZE: 'v', SHOP_TOKEN: 't' };
    assert.deepEqual(await allowed.environmentFor([shop], {}, answer('v'), environment), wanted);
    assert.deepEqual(asked, ['api-key', 'size']);
    assert.deepEqual(await allowed.environmentFor([shop], {}, nobody, environment), wanted);
    assert.equal([...secrets.values.values()].join(), 'v', 'what is secret lies among the secrets');
    assert.ok(![...memory.values.keys()].some((key) => key.includes('api-key')), 'and nowhere else');
  });

  it('are not used where a value is not given; it is asked for again', async () => {
    assert.equal(await allowed.environmentFor([shop], {}, answer(undefined), {}), null);
    assert.equal(await allowed.environmentFor([shop], {}, answer(undefined), {}), null);
    assert.deepEqual(asked, ['api-key', 'api-key']);
  });

  it('are asked for other values once the old ones are forgotten', async () => {
    await allowed.environmentFor([shop], {}, answer('old'), {});
    await allowed.forgetValues(shop);
    assert.deepEqual(secrets.values.size + memory.values.size, 0);
    assert.equal((await allowed.environmentFor([shop], {}, answer('new'), {}))?.['COACH_INPUT_API_KEY'], 'new');
  });

  it('of the settings go along, those alone that are used', async () => {
    const { file: _, ...own } = { ...shop, inputs: [], variables: [] };
    const setting = { shop: { command: 'node' }, other: { command: 'x', env: { KEY: 'secret' } } };
    assert.deepEqual(await allowed.environmentFor([own], setting, nobody, {}), {
      [MCP_SERVERS]: '{"shop":{"command":"node"}}',
    });
  });
});

describe('a tool file that is offered to the editor', () => {
  const offered = {
    file: '/w/src/mail.ts',
    folder: '/w',
    tools: [],
    cli: '/x/dist/trainer/cli.js',
    node: nodeCommand('', '/opt/code', { PATH: '/bin', API_TOKEN: 'secret', VSCODE_PID: '7' }),
    settings: { toolPolicy: 'auto', toolNetwork: 'allow' },
  } as const;
  const inherited = { PATH: '/bin', API_TOKEN: 'secret', VSCODE_PID: '7' };

  it("is served by the extension's own program, by the Node that trains, without secrets", () => {
    const { version, ...server } = offeredServer(offered, inherited);
    assert.match(version, /^[\da-f]{12}$/);
    assert.deepEqual(server, {
      label: 'Coach: src/mail.ts',
      command: '/opt/code',
      args: ['/x/dist/trainer/cli.js', 'mcp', '/w/src/mail.ts'],
      env: { API_TOKEN: null, VSCODE_PID: null, ELECTRON_RUN_AS_NODE: '1' },
    });
  });

  it('keeps to the policy and the wall of the settings', () => {
    const args = (toolPolicy: 'real' | 'mock' | 'ask', toolNetwork: 'allow' | 'deny') =>
      offeredServer({ ...offered, settings: { toolPolicy, toolNetwork } }, inherited).args.slice(3);
    assert.deepEqual(args('real', 'deny'), ['--tool-policy', 'real', '--tool-network', 'deny']);
    assert.deepEqual(args('mock', 'allow'), ['--tool-policy', 'mock']);
    assert.deepEqual(args('ask', 'allow'), [], 'nobody can be asked there, so what changes the world is mocked');
  });

  it('has another version where its tools are others', () => {
    const tool = {
      name: 'send',
      description: 'Sends.',
      parameters: {},
      changesWorld: true,
      binding: { kind: 'memory' },
    } as const;
    const version = (tools: readonly (typeof tool)[]) => offeredServer({ ...offered, tools }, inherited).version;
    assert.equal(version([tool]), version([{ ...tool }]));
    assert.notEqual(version([tool]), version([]));
  });
});
