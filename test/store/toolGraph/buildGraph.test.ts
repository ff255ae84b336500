import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANSWER, START, ToolGraph } from '../../../trainer/protocol/toolGraph';
import { buildGraph } from '../../../trainer/store/toolGraph/buildGraph';
import { readGraph } from '../../../trainer/store/toolGraph/readGraph';
import { episode, listed, tracked } from '../../fixtures/toolGraph';
import { tempFolder } from '../runs/sample';
import { isUserError } from '../../tasks/fixtures';

const edgeOf = (graph: ToolGraph, from: string, to: string) => graph.edges.find((e) => e.from === from && e.to === to);

describe('a tool graph', () => {
  const three = [tracked('a', 'Abernathy', 'K1'), tracked('b', 'Drummond', 'K2'), listed('c', 'Hathaway')];

  it('counts tools and transitions, from the request to the answer', () => {
    const graph = ToolGraph.parse(buildGraph([...three, tracked('d', 'Gallagher', 'K3', { solved: false })]));
    assert.equal(graph.traces, 4);
    assert.deepEqual(graph.nodes, [
      { tool: 'findOrders', calls: 4, failed: 0, judged: 4, solved: 3 },
      { tool: 'trackOrder', calls: 3, failed: 0, judged: 3, solved: 2 },
    ]);
    assert.deepEqual(
      graph.edges.map(({ from, to, count, solved, good }) => [from, to, count, solved, good]),
      [
        ['findOrders', ANSWER, 1, 1, { count: 1, bonus: 1 }],
        ['findOrders', 'trackOrder', 3, 2, { count: 2, bonus: 1 }], // two solved, of two calls each: 1/2 + 1/2
        ['trackOrder', ANSWER, 3, 2, { count: 2, bonus: 1 }],
        [START, 'findOrders', 4, 3, { count: 3, bonus: 2 }], // 1/2 + 1/2 + 1
      ].sort(),
    );
  });

  it('says where arguments came from: words, an earlier result by its path, or always the same', () => {
    const graph = buildGraph([
      ...three,
      episode('d', 'Refund the order K4 of Ironside', [
        ['findOrders', { customer: 'Ironside', limit: 5 }, []],
        ['refund', { order: 'K4', customer: 'Ironside', why: 'late', note: 'x1' }, 1],
      ]),
      episode('e', 'Refund K6, of Hathaway', [
        ['findOrders', { customer: 'Hathaway', limit: 5 }, []],
        ['refund', { order: 'K6', customer: 'Hathaway', why: 'late', note: 'x2' }, 1],
      ]),
    ]);
    assert.deepEqual(edgeOf(graph, START, 'findOrders')!.arguments, {
      customer: [{ kind: 'user', count: 5 }],
      limit: [
        { kind: 'absent', count: 3 },
        { kind: 'constant', value: 5, count: 2 },
      ],
    });
    assert.deepEqual(edgeOf(graph, 'findOrders', 'trackOrder')!.arguments, {
      order: [{ kind: 'result', tool: 'findOrders', path: '[0].order', count: 2 }],
    });
    assert.deepEqual(edgeOf(graph, 'findOrders', 'refund')!.arguments, {
      customer: [{ kind: 'argument', tool: 'findOrders', path: 'customer', count: 2 }],
      note: [{ kind: 'unknown', count: 2 }],
      order: [{ kind: 'user', count: 2 }],
      why: [{ kind: 'constant', value: 'late', count: 2 }],
    });
  });

  it('a value that an earlier result gives counts from the latest call, and nothing of a turn feeds the same turn', () => {
    const both = episode('p', 'Look', [
      ['first', {}, { id: 'K1' }],
      ['second', {}, { list: [{ id: 'K1' }] }],
      ['use', { id: 'K1' }, 1],
    ]);
    assert.deepEqual(edgeOf(buildGraph([both]), 'second', 'use')!.arguments['id'], [
      { kind: 'result', tool: 'second', path: 'list[0].id', count: 1 },
    ]);
    const [first, , use] = both.turns;
    const together = { ...both, turns: [{ ...first!, calls: [...first!.calls, ...use!.calls] }] };
    assert.deepEqual(edgeOf(buildGraph([together]), 'first', 'use')!.arguments['id'], [{ kind: 'unknown', count: 1 }]);
  });

  it('what follows one or two tools weighs 1, -0.5 where the call failed, -1 where the graph had made it', () => {
    const failed = episode('f', 'x', [
      ['findOrders', { customer: 'x' }, []],
      ['trackOrder', { order: 'K' }, { error: 'none' }, 'threw'],
    ]);
    const byGraph = {
      ...failed,
      turns: failed.turns.map((turn, i) => (i === 1 ? { ...turn, policy: 'autotool' } : turn)),
    };
    const weightOf = (graph: ToolGraph, after: string[], next: string) =>
      graph.follows.find((follow) => follow.after.join() === after.join() && follow.next === next)?.weight;
    const graph = buildGraph([...three, failed, byGraph]);
    assert.equal(weightOf(graph, ['findOrders'], 'trackOrder'), 1 + 1 - 0.5 - 1);
    assert.equal(weightOf(graph, ['findOrders'], ANSWER), 1);
    assert.equal(weightOf(graph, ['findOrders', 'trackOrder'], ANSWER), 4);
  });

  it('states are said by rule, without the values, and those of failed episodes are left out', () => {
    const graph = buildGraph([...three, tracked('d', 'Gallagher', 'K3', { solved: false })]);
    assert.deepEqual(edgeOf(graph, 'findOrders', 'trackOrder')!.summaries, [
      {
        text: 'asked "What is the status of <customer>\'s order?"; findOrders(customer) gave a list of several {article, order}',
        count: 2,
      },
    ]);
  });

  it('is the same in any order of the traces, in time linear in them', () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => tracked(`t${i}`, `Name${i}`, `K${i}`));
    assert.deepEqual(buildGraph(three), buildGraph([...three].reverse()));
    const took = (n: number): number => {
      const traces = many(n);
      const from = process.cpuUsage();
      buildGraph(traces);
      return process.cpuUsage(from).user;
    };
    const least = (n: number): number => Math.min(took(n), took(n), took(n));
    took(200);
    const [small, large] = [least(200), least(1600)];
    assert.ok(large < 24 * small, `8 times the traces took ${(large / small).toFixed(1)} times as long`);
  });
});

describe('the traces of a tool graph', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const write = (name: string, lines: unknown[]): string => {
    const file = join(dir, name);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  };

  it('are none that were recorded while measuring, and none of a request that is measured now', () => {
    const file = write('traces.jsonl', [
      tracked('a', 'Abernathy', 'K1'),
      tracked('b', 'Drummond', 'K2', { phase: 'before' }),
      listed('c', 'Hathaway', { phase: 'after' }),
      listed('d', 'Ironside'),
    ]);
    const { graph, leftOut } = readGraph(file, dir, new Set(['which orders  has IRONSIDE?']));
    assert.deepEqual([graph.traces, leftOut], [1, { measured: 2, sameRequest: 1 }]);
  });

  it('where none is left, it says why', () => {
    const file = write('measured.jsonl', [listed('c', 'Hathaway', { phase: 'after' }), listed('d', 'Ironside')]);
    const read = () => readGraph(file, dir, new Set(['Which orders has Ironside?']));
    assert.throws(read, isUserError(/no training trace .*1 are of the requests that are measured.*1 were recorded/));
    assert.throws(
      () => readGraph(write('bad.jsonl', [listed('a', 'x'), { version: 2 }]), dir),
      isUserError(/bad.jsonl:2/),
    );
    assert.throws(() => readGraph('nowhere', dir), isUserError(/no run "nowhere"/));
  });

  it("are other agents' as well, from their logs", () => {
    const call = { id: 'c', type: 'function', function: { name: 'findOrders', arguments: '{"customer":"Abernathy"}' } };
    const file = write('log.jsonl', [
      {
        messages: [
          { role: 'user', content: 'Which orders has Abernathy?' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'c', content: '[]' },
          { role: 'assistant', content: 'None.' },
        ],
      },
    ]);
    const { graph } = readGraph(file, dir);
    assert.deepEqual(
      graph.edges.map(({ from, to, count }) => [from, to, count]),
      [
        [START, 'findOrders', 1],
        ['findOrders', ANSWER, 1],
      ],
    );
  });
});
