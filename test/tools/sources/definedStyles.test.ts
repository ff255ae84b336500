/**
 * Show 2: the same three tools, written in each of the styles with the libraries' own packages, give the same schemas,
 * calls and results, as far as is said here.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { JsonSchema } from '../../../trainer/protocol/task';
import type { ToolHosts } from '../../../trainer/tools/hosts/callTool';
import { originOf } from '../../../trainer/tools/sources/toolSource';
import { type DiscoveredFiles, discoverAndDescribe } from '../../../trainer/tools/sources/typescript/discover';
import { FOLDER, openDefinedHosts, workspace } from './definedHosts';

const NAMES = ['convertMoney', 'findOrders', 'shipOrder'];
const STYLES = ['tagged', 'aiSdk', 'agentsSdk', 'langChain', 'mcpServer', 'openAi'];

/** Said: the Agents SDK's schemas, and zod 3's, close their objects; the other libraries leave them open. */
const asOpen = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'additionalProperties' ? undefined : value)));

const known = new Map<string, Promise<DiscoveredFiles>>();
function found(style: string): Promise<DiscoveredFiles> {
  const described = known.get(style) ?? discoverAndDescribe([join(FOLDER, `${style}.ts`)], { workspace });
  known.set(style, described);
  return described;
}

async function withHosts<T>(style: string, work: (hosts: ToolHosts) => Promise<T>): Promise<T> {
  await using hosts = await openDefinedHosts((await found(style)).tools);
  return await work(hosts);
}

describe('the same tools in six styles', () => {
  let expected: { name: string; description: string; parameters: JsonSchema }[];

  before(async () => {
    expected = (await found('tagged')).tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: asOpen(parameters),
    }));
    assert.deepEqual(
      expected.map(({ name }) => name),
      NAMES,
    );
  });

  for (const style of STYLES) {
    it(`${style}: schemas`, async () => {
      const { tools, diagnostics } = await found(style);
      assert.deepEqual(diagnostics, []);
      assert.deepEqual(
        tools.map(({ name, description, parameters }) => ({ name, description, parameters: asOpen(parameters) })),
        expected,
      );
      for (const tool of tools)
        assert.deepEqual(originOf(tool), {
          kind: style === 'tagged' ? 'typescript' : 'defined',
          file: join(FOLDER, `${style}.ts`),
          line: tool.source.line,
        });
      assert.deepEqual(
        tools.map(({ changesWorld }) => changesWorld),
        [false, false, true],
      );
    });

    it(`${style}: calls and results`, () =>
      withHosts(style, async (hosts) => {
        const session = hosts.open('one');
        const call = async (name: string, args: Record<string, unknown>) => {
          const { kind, content } = await session.call(name, args);
          return { kind, value: JSON.parse(content) as unknown };
        };
        assert.deepEqual(await call('convertMoney', { amount: 10, from: 'EUR', to: 'USD' }), {
          kind: 'ok',
          value: { amount: 12.5, currency: 'USD' },
        });
        const order = { id: 'A-100', customer: 'Ada Marsh', item: 'lamp' };
        const ship = { order: 'A-100', address: { street: 'Elm Road 1', city: 'York' } };
        assert.deepEqual(await call('shipOrder', ship), { kind: 'ok', value: { shipped: 'A-100', to: 'York' } });
        assert.deepEqual(await call('findOrders', { customer: 'Ada Marsh', limit: 1 }), {
          kind: 'ok',
          value: { orders: [{ ...order, shippedTo: 'Elm Road 1, York' }] },
        });
        const failed = await call('shipOrder', { ...ship, order: 'X-1' });
        assert.equal(failed.kind, 'threw');
        assert.match(JSON.stringify(failed.value), /there is no order X-1/);
        const refused = await call('convertMoney', { amount: 1, from: 'YEN', to: 'USD' });
        assert.equal(refused.kind, 'invalidArguments');
        session.close();
        // What the tools remember is the rollout's own.
        const other = hosts.open('two');
        const { content, origin } = await other.call('findOrders', { customer: 'Ada Marsh', limit: 1 });
        assert.deepEqual(JSON.parse(content), { orders: [{ ...order, shippedTo: null }] });
        assert.equal(origin?.kind, style === 'tagged' ? undefined : 'defined');
        other.close();
      }));
  }
});
