/** toolNetwork=deny: nothing of the user's reaches the network, or nothing of the user's runs. */
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { hashConfig } from '../../trainer/model/weights/checkpoint';
import { UserError } from '../../trainer/protocol/result';
import { RunConfig } from '../../trainer/protocol/runConfig';
import { valueOf, type TestHosts } from '../tools/hostsFixture';
import { IN_HOST, toolWorkspace } from './toolWorkspace';

describe('attacks: the network', function () {
  this.timeout(60_000);
  let tcp: Server;
  let udp: Socket;
  let [heard, datagrams] = [0, 0];
  let [port, udpPort] = [0, 0];
  let workspace: ReturnType<typeof toolWorkspace>;
  before(async () => {
    tcp = createServer(
      (socket) => (
        heard++, socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')
      ),
    );
    await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done));
    port = (tcp.address() as AddressInfo).port;
    udp = createSocket('udp4').on('message', () => datagrams++);
    await new Promise<void>((done) => udp.bind(0, '127.0.0.1', done));
    udpPort = udp.address().port;
    workspace = toolWorkspace({
      'tools.ts': `${IN_HOST}
import * as net from 'node:net';
let atStart = 'waiting';
net.connect(${port}, '127.0.0.1').on('connect', () => (atStart = 'spoke')).on('error', () => (atStart = 'refused'));
export const atImport = () => new Promise((done) => setTimeout(() => done(atStart), 300));
`,
      'net.rewards.ts': `export const calls = () => fetch('http://127.0.0.1:${port}/').then(() => 1);`,
    });
  });
  beforeEach(() => ([heard, datagrams] = [0, 0]));
  after(() => {
    tcp.close();
    udp.close();
    workspace.remove();
  });
  const NAMES = ['tools.ts inHost', 'tools.ts atImport', 'tools.ts truth'];

  /** Null where no wall can be put up on this machine; then it is refused, in these words. */
  async function denied(): Promise<TestHosts | null> {
    try {
      return await workspace.open(NAMES, { network: 'deny', rewardNames: ['net.rewards.ts calls'] });
    } catch (error) {
      assert.ok(error instanceof UserError);
      assert.match(error.message, /toolNetwork is deny, and no wall can be put around the network/);
      assert.match(error.hint ?? '', /Node 25/);
      return null;
    }
  }
  const ways = (): [string, string][] => [
    [
      'TCP',
      `return new Promise((done, failed) => load('net').connect(${port}, '127.0.0.1').on('connect', () => done('spoke')).on('error', failed))`,
    ],
    [
      'HTTP',
      `return new Promise((done, failed) => load('http').get('http://127.0.0.1:${port}/', () => done('spoke')).on('error', failed))`,
    ],
    [
      'fetch',
      `const g = Buffer.constructor('return globalThis')(); return g.fetch('http://127.0.0.1:${port}/').then(() => 'spoke')`,
    ],
    [
      'UDP',
      `return new Promise((done, failed) => load('dgram').createSocket('udp4').on('error', failed).send('x', ${udpPort}, '127.0.0.1', (error) => (error ? failed(error) : done('sent'))))`,
    ],
    [
      'a name',
      `return new Promise((done, failed) => { const { Resolver } = load('dns'); const r = new Resolver({ timeout: 300, tries: 1 }); r.setServers(['127.0.0.1:${udpPort}']); r.resolve4('example.com', (error, list) => (error ? failed(error) : done(list))); })`,
    ],
  ];

  it('denied: no way leads out, in the host or its own realm, at import or in a reward', async () => {
    const opened = await denied();
    if (opened) {
      assert.equal(opened.hosts.walls.network, true, opened.hosts.walls.why);
      assert.deepEqual(opened.network, ['the tools cannot reach the network: proven by trying']);
      const session = opened.hosts.open('net');
      assert.equal(valueOf(await session.call('truth', {})), 'true');
      assert.notEqual(valueOf(await session.call('atImport', {})), 'spoke');
      for (const [name, code] of ways())
        assert.notEqual((await session.call('inHost', { code })).kind, 'ok', `${name} is refused`);
      const [score] = await opened.hosts.scoreReward('calls', { id: 't', prompt: '', calls: [] } as never, [
        {} as never,
      ]);
      assert.equal(score!.score, null);
      await opened.hosts.close();
    }
    assert.deepEqual([heard, datagrams], [0, 0]);
  });

  it('denied where no wall stands: refused, with the way out, and nothing of the user has run', async function () {
    if (Number(process.versions.node.split('.')[0]) >= 25) this.skip(); // there Node's own wall always stands
    const path = process.env.PATH;
    process.env.PATH = '/nowhere'; // no `unshare`
    try {
      await assert.rejects(
        workspace.open(NAMES, { network: 'deny' }),
        (error: UserError) =>
          /toolNetwork is deny/.test(error.message) && /set toolNetwork to allow/.test(error.hint ?? ''),
      );
    } finally {
      process.env.PATH = path;
    }
    assert.equal(heard, 0);
  });

  it('allowed: it is said', async () => {
    const { hosts, network } = await workspace.open(NAMES);
    assert.equal(hosts.walls.network, false);
    assert.equal(network.length, 1);
    assert.match(network[0]!, /^the tools can reach the network: there is no wall around it/);
    const session = hosts.open('open');
    assert.equal((await session.call('inHost', { code: ways()[0]![1] })).kind, 'ok');
    await hosts.close();
  });

  it('is a setting, allow by default, that stands in run.json; runs of before go on', () => {
    const config = RunConfig.parse({ toolFile: 'tools.ts' });
    assert.equal(config.toolNetwork, 'allow');
    const { toolNetwork: _later, ...before } = config;
    assert.equal(hashConfig(config), hashConfig(before as RunConfig));
    assert.notEqual(hashConfig({ ...config, toolNetwork: 'deny' }), hashConfig(config));
    assert.throws(() => RunConfig.parse({ toolFile: 'tools.ts', toolNetwork: 'maybe' }));
  });
});
