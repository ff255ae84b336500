/** Composite tools from traces: which pairs, and a diff whose code is a tool that does both. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compositeOf } from '../../../trainer/app/composites/compositeCode';
import { placed, unifiedDiff } from '../../../trainer/app/composites/placeCode';
import { linkedPairs } from '../../../trainer/app/composites/findPairs';
import { Discovery } from '../../../trainer/tools/sources/typescript/toolFile';
import type { Trace } from '../../../trainer/protocol/trace';
import type { TypeScriptTool } from '../../../trainer/protocol/task';
import { EXAMPLES, openHosts } from '../../tasks/fixtures';
import { newRun, sampleTrace, tempFolder } from '../../store/runs/sample';
import { coach } from './coach';

const SHOP = `interface Order { id: string; customer: { name: string }; state: 'paid' | 'open' }
const orders: Order[] = [
  { id: 'A-1', customer: { name: 'Ada' }, state: 'paid' },
  { id: 'A-2', customer: { name: 'Bo' }, state: 'open' },
];

/** Find orders in a state.
 *  @param state what state
 *  @tool */
export function findOrders(state: 'paid' | 'open', limit = 3): Order[] {
  return orders.filter((one) => one.state === state).slice(0, limit);
}

/** Letters to a customer.
 *  @param first who
 *  @tool */
export async function listLetters(first: string, limit: number, topic?: string): Promise<string[]> {
  return [first + ' writes' + (topic ? ' on ' + topic : '')].slice(0, limit);
}

/** Cancel an order.
 *  @param orderId which
 *  @tool */
export function cancelOrder(orderId: string): string { return orderId + ' is cancelled'; }`;

type Made = [name: string, args: Record<string, unknown>, result: unknown, kind?: 'ok' | 'threw'];
const traceOf = (id: string, asked: string, made: Made[], more: Partial<Trace> = {}): Trace =>
  sampleTrace(id, {
    messages: [{ role: 'user', content: asked }],
    turns: made.map(([name, args, result, kind = 'ok'], i) => ({
      ...{ start: 2 * i, end: 2 * i + 1, text: '', sampleMs: 1 },
      calls: [
        {
          ...{ id: `c${i}`, name, arguments: args },
          result: { kind, content: JSON.stringify(result), policy: 'real', startedAt: 0, durationMs: 0 },
        },
      ],
    })),
    ...{ solved: true, terminated: true },
    ...more,
  });
const found = [{ id: 'A-1', customer: { name: 'Ada' }, state: 'paid' }];
const letters = (id: string, more: Partial<Trace> = {}): Trace =>
  traceOf(
    id,
    'What did who has paid write?',
    [
      ['findOrders', { state: 'paid' }, found],
      ['listLetters', { first: 'Ada', limit: 2 }, ['Hello']],
    ],
    more,
  );

describe('coach composites', function () {
  this.timeout(20_000);
  const { dir, remove } = tempFolder();
  before(() => {
    mkdirSync(join(dir, '.git'));
    writeFileSync(join(dir, 'shop.ts'), SHOP);
  });
  after(() => remove());

  it('a pair is linked by what the first gave and nobody had said', () => {
    const of = (...traces: Trace[]) => linkedPairs(traces, { least: 1, share: 0.25 });
    const [pair] = of(letters('a'), letters('b'));
    const linked = { first: 'findOrders', second: 'listLetters', path: [0, 'customer', 'name'], parameter: 'first' };
    assert.deepEqual(pair, { ...linked, linked: 2, calls: 2 });
    const said = traceOf('c', 'What did Ada write, who has paid?', [
      ['findOrders', { state: 'paid' }, found],
      ['listLetters', { first: 'Ada', limit: 2 }, []],
    ]);
    const failed = traceOf('d', 'And?', [
      ['findOrders', { state: 'paid' }, found],
      ['listLetters', { first: 'Ada' }, { error: 'no' }, 'threw'],
    ]);
    const other = traceOf('e', 'And?', [['findOrders', { state: 'open' }, []]]);
    assert.deepEqual(of(said, failed, other), []);
    assert.equal(of(letters('a'), said, failed, other)[0]!.calls, 4);
    assert.deepEqual(linkedPairs([letters('a'), said, failed, other, other], { least: 1, share: 0.25 }), [], 'seldom');
    assert.deepEqual(linkedPairs([letters('a')], { least: 2, share: 0.25 }), []);
  });

  it('prints a diff that adds a tool which makes both calls, and tells clashes', async () => {
    const { tools } = new Discovery().discover([join(dir, 'shop.ts')]);
    const method = {
      ...tools.find(({ name }) => name === 'cancelOrder')!,
      ...{ name: 'ring', parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
      binding: { exportName: 'Desk', member: 'ring', positional: [{ name: 'name' }] },
    };
    const run = newRun(dir, { tools: [...tools, method] });
    const ring = (id: string): Trace =>
      traceOf(id, 'Ring who has paid', [
        ['findOrders', { state: 'paid' }, found],
        ['ring', { name: 'Ada' }, 'Ada'],
      ]);
    const cancel = (id: string): Trace =>
      traceOf(id, 'Cancel what is paid', [
        ['findOrders', { state: 'paid' }, found],
        ['cancelOrder', { orderId: 'A-1' }, 'A-1 is cancelled'],
      ]);
    const traces = [
      ...[1, 2, 3].map((i) => letters(`l-${i}`)),
      ...[1, 2].map((i) => ring(`r-${i}`)),
      ...[1, 2].map((i) => cancel(`c-${i}`)),
      letters('h-1', { phase: 'after' }),
      letters('h-2', { solved: false }),
    ];
    for (const trace of traces) run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
    run.close();
    const { code, stdout, stderr } = await coach(dir, ['composites', run.id, '--least', '2']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /listLetters follows 3 of 7 calls of findOrders, with its first\.customer\.name as first\n/);
    assert.match(stderr, /both take limit: that of listLetters is listLettersLimit/);
    assert.match(
      stderr,
      /ring follows 2 of 7 .*; left out: findOrders and ring are not of one class: neither can call the other/,
    );
    const text = applied(SHOP, stdout);
    assert.match(
      text,
      /export async function findOrdersAndListLetters\(state: "paid" \| "open", listLettersLimit: number, /,
    );
    writeFileSync(join(dir, 'shop.ts'), text);
    const now = new Discovery().discover([join(dir, 'shop.ts')]);
    assert.deepEqual(
      now.diagnostics.filter(({ severity }) => severity === 'error'),
      [],
    );
    const made = now.tools.find(({ name }) => name === 'findOrdersAndListLetters')!;
    assert.deepEqual(made.parameters.required, ['state', 'listLettersLimit']);
    assert.equal(now.tools.find(({ name }) => name === 'findOrdersAndCancelOrder')!.changesWorld, true);
    const hosts = await openHosts(now.tools as TypeScriptTool[], [], dir);
    try {
      const session = hosts.open('r');
      const args = { state: 'open', listLettersLimit: 2, topic: 'rent' };
      const result = await session.call('findOrdersAndListLetters', args);
      assert.equal(result.kind, 'ok', result.content);
      assert.deepEqual(JSON.parse(result.content).listLetters, ['Bo writes on rent']);
      session.close();
    } finally {
      await hosts.close();
    }
    // they are there now
    const newer = newRun(dir, { tools: [...now.tools, method] });
    for (const trace of traces) newer.append({ type: 'traceRecorded', trace: newer.recordTrace(trace) });
    newer.close();
    const again = await coach(dir, ['composites', newer.id, '--least', '2', '--json']);
    const { composites, left, diff, traces: n } = JSON.parse(again.stdout);
    assert.deepEqual([composites, left.length, diff, n], [[], 3, '', 7]);
    assert.match(left[0].why, /there is a tool findOrdersAndListLetters already/);
    assert.match((await coach(dir, ['composites', newer.id])).stderr, /No two calls go together 5 times or more/);
    assert.match((await coach(dir, ['composites', newer.id, '--least', 'x'])).stderr, /--least must be a whole number/);
    assert.match(readFileSync(join(dir, 'shop.ts'), 'utf8'), /findOrdersAndCancelOrder/);
  });

  it('two methods of one class become a method of it, marked as the others are', () => {
    const text = `import { tool as handy } from './tool';
export class Desk {
  /** Who is there.
   *  @param room where */
  @handy()
  who(room: string): string { return room; }

  /** Ring somebody.
   *  @param name who */
  @handy({ name: 'ringUp' })
  ring(name: string): string { return name; }
}

export const last = 1;
`;
    writeFileSync(join(dir, 'tool.ts'), readFileSync(join(EXAMPLES, 'orders/tool.ts')));
    writeFileSync(join(dir, 'desk.ts'), text);
    const { tools } = new Discovery().discover([join(dir, 'desk.ts')]);
    const [who, ring] = ['who', 'ringUp'].map((name) => tools.find((one) => one.name === name)!);
    const pair = { first: 'who', second: 'ringUp', path: [], parameter: 'name', linked: 5, calls: 5 };
    const made = compositeOf(pair, who!, ring!, new Set(['who', 'ringUp']));
    assert.ok('code' in made, JSON.stringify(made));
    const addition = placed(made, text)!;
    writeFileSync(join(dir, 'desk.ts'), applied(text, unifiedDiff('desk.ts', text, [addition])));
    const now = new Discovery().discover([join(dir, 'desk.ts')]);
    assert.deepEqual(now.tools.map(({ name }) => name).sort(), ['ringUp', 'who', 'whoAndRingUp']);
    assert.equal(placed(made, 'export class Desk { who() {} }'), null, 'it ends on its one line');
    assert.equal(placed(made, 'export class Other {\n}\n'), null);
  });

  it('a diff of several places: one part where they are near, two where they are not', () => {
    const text = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');
    const far = unifiedDiff('a.ts', text, [
      { at: 20, lines: ['end'] },
      { at: 4, lines: ['x', 'y'] },
    ]);
    assert.deepEqual(far.match(/^@@.*$/gm), ['@@ -2,6 +2,8 @@', '@@ -18,3 +20,4 @@']);
    assert.match(far, / line 3\n\+x\n\+y\n line 4\n/);
    assert.match(far, /-line 19\n\\ No newline at end of file\n\+line 19\n\+end\n$/);
    const near = unifiedDiff('a.ts', `${text}\n`, [
      { at: 16, lines: ['x'] },
      { at: 20, lines: ['end'] },
    ]);
    assert.deepEqual(near.match(/^@@.*$/gm), ['@@ -14,7 +14,9 @@']);
    assert.deepEqual(unifiedDiff('a.ts', '', [{ at: 0, lines: ['x'] }]).match(/^@@.*$/gm), ['@@ -0,0 +1,1 @@']);
  });
});

/**
 * What `patch` would make of it: context and added lines in the place of context and removed ones, at the file's end.
 */
function applied(text: string, diff: string): string {
  const hunk = diff.slice(diff.indexOf('@@')).split('\n');
  const [, from, count, , added] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(hunk[0]!)!.map(Number) as number[];
  const body = hunk.slice(1).filter((line) => line !== '' && !line.startsWith('\\'));
  const old = body.filter((line) => /^[ -]/.test(line)).map((line) => line.slice(1));
  const now = body.filter((line) => /^[ +]/.test(line)).map((line) => line.slice(1));
  assert.deepEqual([old.length, now.length], [count, added]);
  const lines = text.split('\n');
  assert.deepEqual(lines.slice(from! - 1, from! - 1 + count!), old);
  const rest = lines.slice(from! - 1 + count!).filter((line, i, all) => line !== '' || i < all.length - 1);
  return [...lines.slice(0, from! - 1), ...now, ...rest, ''].join('\n');
}
