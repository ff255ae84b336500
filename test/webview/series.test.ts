import assert from 'node:assert/strict';
import { pairedChange } from '../../trainer/protocol/interval';
import { pairedRuns } from '../../webview/derive/pairedRuns';
import type { RunState } from '../../trainer/protocol/runState';
import { mainCharts, otherCharts } from '../../webview/derive/chartCatalogue';
import { chartData, componentNames, smooth } from '../../webview/derive/series';

const spec = (id: string) => mainCharts('grpo').find((s) => s.id === id)!;
const run = (...metrics: Record<string, number | null>[]): Pick<RunState, 'curve' | 'validation'> => ({
  curve: metrics.map((m, i) => ({ step: i + 1, t: i, metrics: m })),
  validation: [],
});

describe('webview: what the charts show', () => {
  it('smooths with a mean that is right from the first value on, and leaves gaps as gaps', () => {
    // weight 0.5: m1 = 1·0.5/0.5 = 1; m3 = (0.5·0.5 + 0.5·4)/0.75 = 2.25/0.75 = 3
    assert.deepEqual(smooth([1, null, 4], 0.5), [1, null, 3]);
    assert.deepEqual(smooth([1, 2], 0), [1, 2]);
  });

  it('keeps the measured values behind a moving mean', () => {
    const data = chartData(spec('loss'), run({ loss: 1 }, { loss: 3 }), 0.5, []);
    assert.deepEqual(data.lines[0]!.raw, [1, 3]);
    assert.deepEqual(data.lines[0]!.values, [1, (0.5 * 0.5 + 0.5 * 3) / 0.75]);
  });

  it('tells not measured from 0', () => {
    assert.equal(chartData(spec('kl'), run({ kl: null }, { kl: null }), 0, []).isMeasured, false);
    assert.equal(chartData(spec('kl'), run({}, {}), 0, []).isMeasured, false);
    const zero = chartData(spec('kl'), run({ kl: 0 }, { kl: null }), 0, []);
    assert.equal(zero.isMeasured, true);
    assert.equal(zero.isPositive, false); // no log axis
    assert.deepEqual(zero.lines[0]!.values, [0, null]);
  });

  it('draws reward components when there are several, not DPO’s rewards', () => {
    assert.deepEqual(componentNames({ 'rewards/a/b/mean': 1, 'rewards/chosen': 2, reward: 1 }), ['a/b']);
    assert.equal(chartData(spec('reward'), run({ reward: 1, 'rewards/a/mean': 1 }), 0, []).lines.length, 1);
    assert.deepEqual(
      chartData(spec('reward'), run({ reward: 1, 'rewards/a/mean': 1, 'rewards/b/mean': 0 }), 0, []).lines.map(
        (l) => l.label,
      ),
      ['', 'a', 'b'],
    );
  });

  it('puts another run on the same steps', () => {
    const other = {
      curve: [
        { step: 2, t: 0, metrics: { loss: 9 } },
        { step: 3, t: 0, metrics: { loss: 8 } },
      ],
      validation: [],
    };
    const data = chartData(spec('loss'), run({ loss: 1 }, { loss: 2 }), 0, [other]);
    assert.deepEqual(data.steps, [1, 2, 3]);
    assert.deepEqual(
      data.lines.map((l) => [l.slot, l.values]),
      [
        [0, [1, 2, null]],
        [-1, [null, 9, 8]],
      ],
    );
  });

  it('lays any number of runs over it, and never the losses of different methods on one axis', () => {
    const other = (method: string, value: number) => ({
      curve: [{ step: 1, t: 0, metrics: { loss: value, reward: value } }],
      validation: [],
      label: `${method}${value}`,
      method,
    });
    const here = { ...run({ loss: 1, reward: 2 }), manifest: { config: { method: 'grpo' } } as never };
    const lines = (id: string) =>
      chartData(spec(id), here, 0, [other('grpo', 3), other('dpo', 4), other('grpo', 5)]).lines.map((line) => [
        line.slot,
        line.label,
      ]);
    assert.deepEqual(lines('loss'), [
      [0, ''],
      [-1, 'grpo3'],
      [-3, 'grpo5'],
    ]);
    assert.equal(lines('reward').length, 4);
  });

  it('compares two runs on the tasks that both have', () => {
    const one = (taskId: string, solved: boolean, prompt = 'p') => ({ taskId, prompt, solved });
    const told = pairedRuns(
      [one('a', true), one('b', true), one('c', false), one('d', true, 'other words')],
      [one('c', false), one('a', false), one('b', true), one('d', false)],
    )!;
    assert.equal(told.n, 3);
    assert.ok(Math.abs(told.change.difference! - 1 / 3) < 1e-12);
    assert.deepEqual(told.change.ci95, pairedChange([false, true, false], [true, true, false]).ci95);
    assert.equal(pairedRuns([one('a', true)], []), null);
  });

  it('never smooths a validation, and carries its interval', () => {
    const data = chartData(
      spec('solved'),
      { curve: [], validation: [{ step: 10, result: { n: 64, success: 0.5, ci95: [0.38, 0.62] } }] },
      0.9,
      [],
    );
    assert.deepEqual([data.lines[0]!.values, data.lines[0]!.raw, data.band], [[0.5], null, { lo: [0.38], hi: [0.62] }]);
  });

  it('beside validation stand the held-out tasks, before and after: one validation has the base beside it', () => {
    const result = { n: 64, success: 0.5, ci95: [0.38, 0.62] as [number, number] };
    const validation = [{ step: 10, result }];
    const before = { which: 'before' as const, name: 'held-out', result: { ...result, success: 0.2 } };
    const after = { which: 'after' as const, name: 'held-out', result: { ...result, success: 0.6 } };
    const of = (evaluations: (typeof before | typeof after)[]) => {
      const { steps, lines, band } = chartData(
        spec('solved'),
        { curve: [], validation, evaluations, step: 10 },
        0.9,
        [],
      );
      return { steps, lines: lines.map(({ label, values }) => [label, values]), band: band!.lo };
    };
    assert.deepEqual(of([before, after]), {
      steps: [0, 10],
      lines: [
        ['validation', [null, 0.5]],
        ['held-out', [0.2, 0.6]],
      ],
      band: [null, 0.38],
    });
    assert.deepEqual(of([before]).lines[1], ['held-out', [0.2, null]]);
    assert.deepEqual(of([]).lines, [['', [0.5]]]);
    const forgotten = { ...before, name: 'no-tool' };
    assert.equal(of([forgotten]).lines.length, 1);
  });

  it('shows every other metric under its own name, and none twice', () => {
    const { curve } = run({
      loss: 1,
      reward: 1,
      'rewards/a/mean': 1,
      step_time: 2,
      'clip_ratio/low_mean': 0,
      entropy: 1,
    });
    assert.deepEqual(
      otherCharts(['grpo'], curve).map((s) => [s.id, s.unit]),
      [
        ['metric:step_time', 'seconds'],
        ['metric:clip_ratio/low_mean', 'fraction'],
        ['metric:entropy', 'number'],
      ],
    );
    assert.ok(!otherCharts(['sft'], curve).some((s) => s.id === 'metric:entropy'));
  });

  it('a pipeline has the curves of all its methods, once each, and a loss for each', () => {
    const ids = mainCharts('sft', 'grpo', 'dpo').map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(ids.slice(0, 4), ['loss:sft', 'loss:grpo', 'loss:dpo', 'solved']);
    assert.ok(
      !otherCharts(['sft', 'grpo'], run({ loss: 1, reward: 1, entropy: 1 }).curve).some((s) => s.id === 'metric:loss'),
    );
    const stages = (['sft', 'grpo'] as const).map((method) => ({ method, steps: 2 }));
    const curve = run({ loss: 1 }, { loss: 2 }, { loss: 3 }, { loss: 4 });
    const ofStages = { ...curve, manifest: { config: { method: 'sft' }, stages } as never };
    const of = (method: 'sft' | 'grpo') =>
      chartData(mainCharts('sft', 'grpo').find((s) => s.id === `loss:${method}`)!, ofStages, 0, []);
    assert.deepEqual(
      [of('sft').steps, of('grpo').steps],
      [
        [1, 2],
        [3, 4],
      ],
    );
    assert.deepEqual(of('grpo').lines[0]!.values, [3, 4]);
    assert.deepEqual(
      of('sft').stages.map(({ name, fromStep }) => [name, fromStep]),
      [
        ['1. sft', 0],
        ['2. grpo', 2],
      ],
    );
    assert.deepEqual(chartData(spec('reward'), curve, 0, []).stages, []);
  });
});
