import assert from 'node:assert/strict';
import { readPreferences, preferencesFile, recordPreferences } from '../../../trainer/store/preferences/store';
import { decisionBetween } from '../../../trainer/store/preferences/pairOf';
import { openPairs } from '../../../trainer/store/preferences/openPairs';
import { areDisputed, orderQueue, pairsOfGroup } from '../../../trainer/store/preferences/queue';
import type { QueuedPair } from '../../../trainer/protocol/preferenceState';
import type { Trace } from '../../../trainer/protocol/trace';
import { readManifest } from '../../../trainer/store/runs/readRun';
import { requestsFile, writeRequests } from '../../../trainer/store/requests';
import { summarizeTrace } from '../../../trainer/store/runs/traceSummary';
import { newRun, tempFolder } from '../runs/sample';
import { answers, calls, pair, says, traceOf, user } from './fixture';

const context = { toolFile: 'tools.ts' };
const summary = (trace: Trace) => summarizeTrace(trace, { file: 'traces/x.jsonl', offset: 0, length: 1 });
const recorded = (...traces: Trace[]) => traces.map((trace) => ({ trace, summary: summary(trace) }));
const search = (id: string, query: string, result = '[]') => [calls(id, 'search', { query }), answers(id, result)];

describe('preferences: the pair of two traces', () => {
  const a = traceOf('a', [user('Find'), ...search('1', 'rent'), says('found')]);

  it('is the first step in which they differ, with the ids that were sampled', () => {
    const b = traceOf('b', [user('Find'), ...search('9', 'rent'), says('nothing')]);
    const { pair: found, differs } = decisionBetween(a, b, context)!;
    assert.deepEqual(
      found.prompt.map((m) => m.role),
      ['user', 'assistant', 'tool'],
    );
    assert.deepEqual(
      found.sides.map((s) => s.messages[0]!.content),
      ['found', 'nothing'],
    );
    // tokens: user 10 | call 11 12 | tool 13 | answer 14 15
    assert.deepEqual(found.sides[0].tokens, { ids: [10, 11, 12, 13, 14, 15], start: 4, writer: 'psspss' });
    assert.equal(differs, 'words');
    const c = traceOf('c', [user('Find'), ...search('1', 'invoice')]);
    assert.deepEqual(
      [decisionBetween(a, c, context)!.differs, decisionBetween(a, c, context)!.tools],
      ['call', ['search']],
    );
  });

  it('has an id that depends neither on the order nor on the ids of calls', () => {
    const [x, y] = [
      traceOf('x', [user('Find'), ...search('5', 'rent')]),
      traceOf('y', [user('Find'), ...search('6', 'invoice')]),
    ];
    assert.equal(decisionBetween(a, y, context)!.pair.id, decisionBetween(y, x, context)!.pair.id);
  });

  it('is none for equal traces, for those that a tool parted, and where one just ends', () => {
    assert.equal(
      decisionBetween(a, traceOf('b', [user('Find'), ...search('9', 'rent'), says('found')]), context),
      null,
    );
    assert.equal(
      decisionBetween(a, traceOf('b', [user('Find'), ...search('9', 'rent', '["x"]'), says('no')]), context),
      null,
    );
    assert.equal(decisionBetween(a, traceOf('b', [user('Find'), ...search('9', 'rent')]), context), null);
    assert.equal(decisionBetween(a, { ...a, taskId: 'other' }, context), null);
  });
});

describe('preferences: the queue', () => {
  const queued = (id: string, more: Partial<QueuedPair> = {}): QueuedPair => {
    const trace = traceOf(id, [user('x'), says('y')]);
    return {
      pair: pair(id, { groupId: id }),
      traces: [summary(trace), summary(trace)],
      differs: 'call',
      gap: 0,
      isDisputed: false,
      tools: ['search'],
      ...more,
    };
  };
  const order = (candidates: QueuedPair[], more: Partial<Parameters<typeof orderQueue>[1]> = {}) =>
    orderQueue(candidates, { settled: new Set(), limit: 50, ...more }).map((q) => q.pair.id);

  it('a differing call before words, then the smallest gap, unknown gaps last, then what the judge disputes', () => {
    assert.deepEqual(
      order([
        queued('words', { differs: 'words' }),
        queued('unknown', { gap: null }),
        queued('far', { gap: 0.8 }),
        queued('near', { gap: 0.1 }),
        queued('disputed', { gap: 0.1, isDisputed: true }),
      ]),
      ['disputed', 'near', 'far', 'unknown', 'words'],
    );
  });

  it('among equals turns to the tools that were asked about least, those marked before included', () => {
    const [s1, s2, r1, r2] = [
      queued('s1'),
      queued('s2'),
      queued('r1', { tools: ['read'] }),
      queued('r2', { tools: ['read'] }),
    ];
    assert.deepEqual(order([s1, s2, r1, r2]), ['s1', 'r1', 's2', 'r2']);
    assert.deepEqual(order([s1, s2, r1, r2], { asked: new Map([['search', 5]]) }), ['r1', 'r2', 's1', 's2']);
  });

  it('leaves out what is settled, takes two of a group, each decision once, and no more than asked for', () => {
    assert.deepEqual(order([queued('a'), queued('a'), queued('b')], { settled: new Set(['b']) }), ['a']);
    const group = ['a', 'b', 'c'].map((id) => queued(id, { pair: pair(id, { groupId: 'g' }) }));
    assert.deepEqual(order(group), ['a', 'b']);
    assert.deepEqual(order([queued('a'), queued('b')], { limit: 1 }), ['a']);
  });

  it('of a group: every two that part, each decision once, never equal ones', () => {
    const trace = (id: string, query: string, reward: number | null) =>
      traceOf(id, [user('Find'), ...search(id, query)], { reward });
    const pairs = pairsOfGroup(
      recorded(trace('a', 'rent', 1), trace('b', 'rent', 0.5), trace('c', 'bill', 0.25), trace('d', 'cat', null)),
      context,
    );
    assert.deepEqual(
      pairs.map((p) => [p.traces.map((t) => t.id).join(), p.gap]),
      [
        ['a,c', 0.75],
        ['a,d', null],
        ['c,d', null],
      ],
    );
  });

  it('the judge disputes two traces that its two orders rank the other way round', () => {
    const verdict = (ranks: number[] | null) => ({
      taskId: 't',
      traceIds: ['a', 'b'],
      ranks,
      reasons: [],
      model: 'j',
      rawReply: '',
    });
    assert.deepEqual(
      [
        areDisputed('a', 'b', [verdict([1, 2]), verdict([2, 1])]),
        areDisputed('a', 'b', [verdict([1, 2]), verdict([1, 2])]),
        areDisputed('a', 'b', [verdict([1, 2]), verdict(null)]),
      ],
      [true, false, false],
    );
    const vote = (ranks: number[] | null) => ({ order: ['a', 'b'], ranks, rawReply: '' });
    assert.deepEqual(
      [
        [
          [1, 2],
          [2, 1],
        ],
        [[1, 2], null],
        [
          [1, 1],
          [1, 2],
        ],
      ].map((votes) => areDisputed('a', 'b', [{ ...verdict([1, 1]), votes: votes.map(vote) }])),
      [true, false, false],
    );
  });

  it('of a run on disk: training traces only, latest steps first; a deleted trace is left out; a mark takes its pair away', () => {
    const { dir, remove } = tempFolder();
    const run = newRun(dir);
    const record = (trace: Trace) => run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
    for (const phase of ['train', 'validation', 'after'] as const)
      for (const [id, query] of [
        ['a', 'rent'],
        ['b', 'bill'],
      ])
        record(traceOf(`${phase}-${id}`, [user(phase), ...search('1', query!)], { phase, groupId: phase }));
    run.append({
      type: 'traceRecorded',
      trace: { ...summary(traceOf('gone', [user('train')], { groupId: 'train' })), file: 'traces/gone.jsonl' },
    });
    run.close();
    const { pairs, toolsId } = openPairs(dir, run.dir);
    assert.deepEqual(
      pairs.map((p) => [p.pair.prompt[0]!.content, p.traces.map((t) => t.id)]),
      [['train', ['train-a', 'train-b']]],
    );
    recordPreferences(dir, [{ type: 'mark', pair: pairs[0]!.pair, verdict: 'skip', shown: { a: 1, isBlind: true } }], {
      author: { name: 'Ada' },
    });
    assert.deepEqual(openPairs(dir, run.dir), {
      pairs: [],
      tools: [
        {
          type: 'function',
          function: {
            name: 'search',
            description: 'Search the inbox.',
            parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
          },
        },
      ],
      toolsId,
    });
    assert.equal(readPreferences(preferencesFile(dir)).problems.length, 0);
    remove();
  });

  it('asks about no request that is kept to measure on', () => {
    const { dir, remove } = tempFolder();
    const run = newRun(dir);
    for (const id of ['c', 'd'])
      run.append({
        type: 'traceRecorded',
        trace: run.recordTrace(
          traceOf(`try-${id}`, [user('Typed by me'), ...search('1', id)], { phase: 'try', groupId: 'try-1' }),
        ),
      });
    run.close();
    assert.equal(openPairs(dir, run.dir).pairs.length, 1);
    const task = { id: 'request-1', prompt: 'typed  by me', calls: [], source: 'person' as const };
    writeRequests(dir, requestsFile(dir, readManifest(run.dir).manifest!.config.toolFile), [task]);
    assert.deepEqual(openPairs(dir, run.dir).pairs, []);
    remove();
  });
});
