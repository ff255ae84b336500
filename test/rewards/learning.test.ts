import assert from 'node:assert/strict';
import { computeAdvantages } from '../../trainer/learning/advantages';
import { addChannels, scoreColumns } from '../../trainer/learning/channels';
import { episodesOf, type ExampleTrace } from '../../trainer/rewards/examples';
import { parseRewards } from '../../trainer/rewards/parseRewards';
import { scoreEpisodes } from '../../trainer/rewards/score';
import { rewardWarnings } from '../../trainer/rewards/warnings';
import { Random } from '../../trainer/base/random';

/**
 * The smallest policy that can learn: for each task a softmax over the number of calls it makes first (0, 1 or 2),
 * trained by group-relative advantages.
 * "needed" tasks are answered right only after one call at least; "needless" ones always. So success is about calling
 * where it helps, and waste is calling where not.
 */
async function train(
  spec: string,
  { steps = 150, groupSize = 8, rate = 0.3 } = {},
): Promise<{ success: number; needlessCalls: number; neededCalls: number }> {
  const random = Random.fromSeed(`learning ${spec}`);
  const specs = parseRewards(spec);
  const logits = { needed: [0, 0, 0], needless: [0, 0, 0] };
  const softmax = (values: number[]): number[] => {
    const exponents = values.map(Math.exp);
    const sum = exponents.reduce((a, b) => a + b, 0);
    return exponents.map((value) => value / sum);
  };
  for (let step = 0; step < steps; step++) {
    for (const kind of ['needed', 'needless'] as const) {
      const chances = softmax(logits[kind]);
      const counts = Array.from({ length: groupSize }, () => {
        const draw = random.next();
        return draw < chances[0] ? 0 : draw < chances[0] + chances[1] ? 1 : 2;
      });
      const group = counts.map(
        (calls): ExampleTrace => ({
          calls: Array.from({ length: calls }, () => ['look', {}] as const),
          reply: kind === 'needless' || calls > 0 ? '7' : '8',
        }),
      );
      const rows = (
        await scoreEpisodes(
          episodesOf({
            what: '',
            gold: {
              ...(kind === 'needed' ? { calls: [['look', {}]] } : /smart/.test(spec) ? { calls: [] } : {}),
              answer: '7',
            },
            tools: ['look'],
            group,
            scores: [],
          }),
          specs,
        )
      ).map((trace) => trace.rewards);
      const columns = scoreColumns(rows);
      const base = computeAdvantages(columns.scores, {
        ...columns,
        groupSize,
        scaleRewards: 'group',
        aggregation: 'sumThenNormalize',
      });
      addChannels(base, rows, groupSize).advantages.forEach((advantage, i) =>
        logits[kind].forEach(
          (_, k) => (logits[kind][k] += (rate / groupSize) * advantage * (Number(counts[i] === k) - chances[k])),
        ),
      );
    }
  }
  const [needed, needless] = [softmax(logits.needed), softmax(logits.needless)];
  return {
    success: (1 - needed[0] + 1) / 2,
    needlessCalls: needless[1] + 2 * needless[2],
    neededCalls: needed[1] + 2 * needed[2],
  };
}

describe('what a policy learns from a reward, on tasks of which half need no tool', () => {
  it('from the answer alone: success, and calls stay where they do not help', async () => {
    const { success, needlessCalls } = await train('answer');
    assert.ok(success > 0.95, `${success}`);
    assert.ok(needlessCalls > 0.5, `${needlessCalls}`); // 1 at the start, and no reason to change
  });
  for (const spec of ['smart', 'otc', 'answer,hdpo*0.15', 'adaReasoner', 'toolOrchestra']) {
    it(`from ${spec}: needless calls fall, success does not`, async () => {
      const { success, needlessCalls, neededCalls } = await train(spec);
      assert.ok(success > 0.9, `success ${success}`);
      assert.ok(needlessCalls < 0.3, `calls where none is needed ${needlessCalls}`);
      assert.ok(neededCalls > 0.85 && neededCalls < 1.6, `calls where one is needed ${neededCalls}`);
    });
  }
});

/**
 * A policy that chooses how long it writes (1 to 8 lines of 10 tokens), paid for length alone. A long answer is right
 * less often (90 % to 20 %), so
 * what is learnt costs success. The curve goes to the warnings as a run's does, with a validation every 10 steps.
 */
describe('a reward made hackable on purpose: length', () => {
  const chances = (logits: readonly number[]): number[] => {
    const exponents = logits.map(Math.exp);
    return exponents.map((value) => value / exponents.reduce((a, b) => a + b, 0));
  };
  const successOf = (policy: readonly number[]): number =>
    policy.reduce((sum, chance, lines) => sum + chance * (0.9 - 0.1 * lines), 0);

  for (const seed of [0, 1, 2]) {
    it(`is warned of before success has fallen by ten points, seed ${seed}`, () => {
      const random = Random.fromSeed(`length ${seed}`);
      const logits = [1.5, 1, 0.5, 0, -0.5, -1, -1.5, -2];
      const start = successOf(chances(logits));
      const curve: { step: number; metrics: Record<string, number | null> }[] = [];
      const validation: { step: number; success: number }[] = [];
      let warned: { step: number; kinds: string[]; success: number } | null = null;
      for (let step = 1; step <= 120 && warned === null; step++) {
        const policy = chances(logits);
        const drawn = Array.from({ length: 64 }, () => {
          let draw = random.next();
          return policy.findIndex((chance) => (draw -= chance) < 0);
        }).map((lines) => Math.max(0, lines));
        const lengths = drawn.map((lines) => 10 * (lines + 1));
        const { advantages, metrics } = computeAdvantages(
          lengths.map((length) => [length / 80]),
          { weights: [1], groupSize: 8, scaleRewards: 'group', aggregation: 'sumThenNormalize', names: ['length'] },
        );
        advantages.forEach((advantage, i) =>
          logits.forEach((_, k) => (logits[k] += (0.1 / 64) * advantage * (Number(drawn[i] === k) - policy[k]))),
        );
        curve.push({
          step,
          metrics: {
            ...metrics,
            'completions/mean_length': lengths.reduce((a, b) => a + b, 0) / 64,
            'tools/call_frequency': 1,
            'coach/solved': successOf(policy),
          },
        });
        if (step % 10 === 0) validation.push({ step, success: successOf(chances(logits)) });
        const warnings = rewardWarnings({ curve, validation, weights: { length: 1 } });
        if (warnings.length > 0)
          warned = { step, kinds: warnings.map((warning) => warning.kind), success: successOf(chances(logits)) };
      }
      assert.ok(warned !== null, 'no warning');
      assert.ok(
        start - warned.success < 0.1,
        `step ${warned.step} (${warned.kinds.join(', ')}): success ${start} -> ${warned.success}`,
      );
    });
  }
});
