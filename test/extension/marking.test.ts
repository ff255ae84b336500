import assert from 'node:assert/strict';
import { markingPair } from '../../extension/preferences/markingPair';
import { Sitting } from '../../extension/preferences/sitting';
import { FEW_PAIRS, LEAST_CHANGED, needsAsking } from '../../extension/preferences/trainOnPreferences';
import { parsePanelRequest } from '../../extension/panel/panelRequests';
import { decisionBetween } from '../../trainer/store/preferences/pairOf';
import { settledPairs } from '../../trainer/store/preferences/openPairs';
import { foldPreferences, trainingPairs, type QueuedPair } from '../../trainer/protocol/preferenceState';
import { summarizeTrace } from '../../trainer/store/runs/traceSummary';
import { fieldsOf, textOf, valueOf } from '../../webview/derive/rewriteFields';
import { answers, calls, line, mark, pair, says, traceOf, user } from '../store/preferences/fixture';
import { sampleTool } from '../store/runs/sample';

const queued = (id: string, tools = ['search']): QueuedPair => ({ pair: pair(id), tools }) as unknown as QueuedPair;

describe('a sitting of pairs', () => {
  it('counts down while they are marked, and up when one is taken back', () => {
    const sitting = new Sitting();
    const [p, q, r] = ['p', 'q', 'r'].map((id) => queued(id));
    sitting.start([p!, q!, r!], null);
    const counts = (): [number, number] => [sitting.left, sitting.total];
    assert.deepEqual([sitting.first(), ...counts()], [p, 3, 3]);
    sitting.settle(p!);
    sitting.settle(q!);
    assert.deepEqual([sitting.first(), ...counts()], [r, 1, 3]);
    sitting.put(p!);
    assert.deepEqual([sitting.first(), ...counts()], [p, 2, 3], 'taken back: the same three');
    sitting.put(queued('z'));
    assert.deepEqual(counts(), [3, 4], 'one that was asked for by itself');
    sitting.start([p!, queued('s', ['read'])], 'read');
    assert.deepEqual([sitting.first()!.pair.id, ...counts()], ['s', 1, 1]);
    const chosen = new Sitting();
    chosen.begin(q!, [p!, q!, r!]);
    assert.deepEqual([chosen.first(), chosen.left, chosen.total], [q, 3, 3], 'the others of the list come behind it');
    chosen.settle(q!);
    chosen.begin(r!, [p!, r!]);
    assert.deepEqual([chosen.first(), chosen.left, chosen.total], [r, 2, 3], 'who is marking goes on');
  });
});

describe('a pair as the page may know it', () => {
  const search = (id: string, query: string) => [calls(id, 'search', { query }), answers(id, '["m"]')];
  const a = traceOf('a', [user('Find'), ...search('1', 'rent'), ...search('2', 'invoice'), says('found')]);
  const b = traceOf('b', [user('Find'), ...search('3', 'rent'), ...search('4', 'bill'), says('nothing')]);
  const decision = decisionBetween(a, b, { toolFile: 'tools.ts' })!;
  const place = { file: 'traces/x.jsonl', offset: 0, length: 1 };
  const both = { ...decision, traces: [summarizeTrace(a, place), summarizeTrace(b, place)] } as unknown as QueuedPair;
  const shown = (side: 0 | 1, isBlind = true) => markingPair(both, [a, b], { a: side, isBlind, tools: [sampleTool] });

  it('what both have in common stands once, then each its own way, A as it was drawn', () => {
    const { before, sides } = shown(1);
    assert.deepEqual(
      before.map(({ title }) => title),
      ['Step 1 · calls search', 'Result of search'],
    );
    const ways = (['a', 'b'] as const).map((letter) => sides[letter].steps.map(({ lines }) => lines.join('|')));
    assert.deepEqual(
      ways.map(([first, , answer]) => [first, answer]),
      [
        ['query: "bill"', 'nothing'],
        ['query: "invoice"', 'found'],
      ],
    );
    assert.deepEqual(sides.a.draft, { content: '', calls: [{ name: 'search', arguments: { query: 'bill' } }] });
  });

  it('blind: nothing that tells which model it was or what it was worth', () => {
    const text = JSON.stringify(shown(0));
    assert.ok(!/reward|checkpoint|advantage|"a"|step-0|\d ms/.test(text.replace('"sides":{"a"', '')), text);
    assert.match(JSON.stringify(shown(0, false)), /checkpoint/);
  });
});

describe('both bad', () => {
  it('is an opinion: the pair is not asked about again, nothing is trained on it, and who differs disputes it', () => {
    const alone = foldPreferences([line(mark('p', 'bothBad'))]);
    assert.deepEqual([alone.pairs[0]!.verdict, trainingPairs(alone), [...settledPairs(alone)]], ['bothBad', [], ['p']]);
    const other = { author: { name: 'Bo' } };
    const two = foldPreferences([line(mark('p', 'bothBad')), line(mark('p', 'first'), other)]);
    assert.deepEqual([two.pairs[0]!.verdict, trainingPairs(two)], ['disputed', []]);
  });
});

describe('the fields of a rewritten call', () => {
  const tool = {
    name: 'f',
    description: '',
    parameters: {
      properties: {
        text: { type: 'string', description: 'words' },
        n: { type: 'integer' },
        is: { type: 'boolean' },
        one: { enum: ['x', 2] },
        list: { type: 'array' },
        any: { type: ['string', 'null'] },
      },
      required: ['text'],
    },
  };

  it('are by type; what the tool does not know stands last, to be taken out', () => {
    assert.deepEqual(
      fieldsOf(tool, ['text', 'made up']).map(({ name, kind, isRequired }) => [name, kind, isRequired]),
      [
        ['text', 'text', true],
        ['n', 'number', false],
        ['is', 'boolean', false],
        ['one', 'choice', false],
        ['list', 'json', false],
        ['any', 'json', false],
        ['made up', 'unknown', false],
      ],
    );
    assert.deepEqual(
      fieldsOf(undefined, ['x']).map(({ kind }) => kind),
      ['unknown'],
    );
  });

  it('come back as they were, and say what is no value of theirs', () => {
    const [text, n, is, one, list] = fieldsOf(tool, []);
    for (const [field, value] of [
      [text, 'a "b"\n'],
      [n, -2.5],
      [is, false],
      [one, 2],
      [list, [{ a: 1 }]],
    ] as const)
      assert.deepEqual(valueOf(field!, textOf(field!, value)), { ok: true, value });
    const why = (field: typeof text, typed: string) => {
      const read = valueOf(field!, typed);
      return read.ok ? null : read.why;
    };
    assert.deepEqual(
      [why(n, ''), why(n, '5 a'), why(n, 'Infinity'), why(is, 'yes'), why(list, '[1'), why(text, '')],
      ['number', 'number', 'number', 'boolean', 'json', null],
    );
  });
});

describe('before training on preferences', () => {
  it('asks below the stated number, and where something is left out', () => {
    const forecast = (taken: number, dropped: string[] = []) => ({ taken, dropped, ties: 0, bothBad: 0, skipped: 0 });
    assert.deepEqual(
      [needsAsking(forecast(FEW_PAIRS)), needsAsking(forecast(FEW_PAIRS - 1)), needsAsking(forecast(99, ['x']))],
      [false, true, true],
    );
    // McNemar's exact test, all changes for the better: two-sided p = 2 * 0.5^n
    assert.ok(2 * 0.5 ** LEAST_CHANGED < 0.05 && 2 * 0.5 ** (LEAST_CHANGED - 1) > 0.05);
    assert.ok(FEW_PAIRS / 3 >= LEAST_CHANGED);
  });
});

describe('what the page of marking asks for', () => {
  it('comes through as it is, and nothing of another shape', () => {
    const draft = { content: '', calls: [{ name: 'f', arguments: { x: [1] } }] };
    for (const one of [
      { type: 'openMarking' },
      { type: 'markingShown', isShown: true, hasFocus: false },
      { type: 'mark', pairId: 'p', answer: 'bothBad' },
      { type: 'undoMark', lineId: 'l' },
      { type: 'rewrite', pairId: 'p', of: 'b', draft, isSave: true, number: 3 },
      { type: 'addReason', pairId: 'p', of: 'a', turn: 0, text: 'x', thumb: null },
      { type: 'trainOnPreferences' },
    ])
      assert.deepEqual(parsePanelRequest(one), one);
    assert.throws(() => parsePanelRequest({ type: 'mark', pairId: 'p', answer: 'first' }), /\(mark\)/);
    assert.throws(() => parsePanelRequest({ type: 'rewrite', pairId: 'p', of: 'c', draft }), /\(rewrite\)/);
  });
});
