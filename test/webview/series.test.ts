import assert from 'node:assert/strict';
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
    const data = chartData(spec('loss'), run({ loss: 1 }, { loss: 3 }), 0.5, null);
    assert.deepEqual(data.lines[0]!.raw, [1, 3]);
    assert.deepEqual(data.lines[0]!.values, [1, (0.5 * 0.5 + 0.5 * 3) / 0.75]);
  });

  it('tells not measured from 0', () => {
    assert.equal(chartData(spec('kl'), run({ kl: null }, { kl: null }), 0, null).isMeasured, false);
    assert.equal(chartData(spec('kl'), run({}, {}), 0, null).isMeasured, false);
    const zero = chartData(spec('kl'), run({ kl: 0 }, { kl: null }), 0, null);
    assert.equal(zero.isMeasured, true);
    assert.equal(zero.isPositive, false); // no log axis
    assert.deepEqual(zero.lines[0]!.values, [0, null]);
  });

  it('draws reward components when there are several, not DPO’s rewards', () => {
    assert.deepEqual(componentNames({ 'rewards/a/b/mean': 1, 'rewards/chosen': 2, reward: 1 }), ['a/b']);
    assert.equal(chartData(spec('reward'), run({ reward: 1, 'rewards/a/mean': 1 }), 0, null).lines.length, 1);
    assert.deepEqual(
      chartData(spec('reward'), run({ reward: 1, 'rewards/a/mean': 1, 'rewards/b/mean': 0 }), 0, null).lines.map(
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
    const data = chartData(spec('loss'), run({ loss: 1 }, { loss: 2 }), 0, other);
    assert.deepEqual(data.steps, [1, 2, 3]);
    assert.deepEqual(
      data.lines.map((l) => [l.slot, l.values]),
      [
        [0, [1, 2, null]],
        [-1, [null, 9, 8]],
      ],
    );
  });

  it('never smooths a validation, and carries its interval', () => {
    const data = chartData(
      spec('solved'),
      { curve: [], validation: [{ step: 10, result: { n: 64, success: 0.5, ci95: [0.38, 0.62] } }] },
      0.9,
      null,
    );
    assert.deepEqual([data.lines[0]!.values, data.lines[0]!.raw, data.band], [[0.5], null, { lo: [0.38], hi: [0.62] }]);
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
      otherCharts('grpo', curve).map((s) => [s.id, s.unit]),
      [
        ['metric:step_time', 'seconds'],
        ['metric:clip_ratio/low_mean', 'fraction'],
        ['metric:entropy', 'number'],
      ],
    );
    assert.ok(!otherCharts('sft', curve).some((s) => s.id === 'metric:entropy'));
  });
});
