import { groupReward } from '../rule';

/**
 * OTC-PO: alpha r_tool where the task was solved, else 0, in [0, alpha]. With m calls, and n the fewest calls of a
 * solved rollout of the group:
 * r_tool = 1 for m = n = 0; cos(m pi / (2m + c)) for n = 0; sin(f pi / (2n)) else, f = 2nm / (m + n). So m = n gives 1,
 * and more calls give less.
 * Source: Wang et al. 2025, arXiv:2504.14870, OTC-GRPO. Deviation: n is the group's, not a running minimum over the
 * run.
 * null where the task can't be told solved.
 */
export const otc = groupReward({
  row: 5,
  description: 'among solved rollouts, fewer calls get more',
  source: 'OTC-PO, arXiv:2504.14870',
  range: [0, 1],
  options: {
    alpha: { kind: 'number', default: 1, minimum: 0, maximum: 100, description: 'the most it gives' },
    smoothing: {
      kind: 'number',
      default: 4,
      minimum: 0.001,
      maximum: 1000,
      description: 'c, how slowly calls cost where none was needed',
    },
  },
  examples: [
    // n = 1; m = 1: sin(pi / 2) = 1; m = 3: f = 2 x 1 x 3 / 4 = 1.5, sin(1.5 pi / 2) = sqrt(1/2); wrong: 0
    {
      what: 'one call, three calls, a wrong answer',
      gold: { answer: '7' },
      group: [
        { calls: [['a', {}]], reply: '7' },
        {
          calls: [
            ['a', {}],
            ['a', {}],
            ['a', {}],
          ],
          reply: '7',
        },
        { reply: '8' },
      ],
      scores: [1, Math.SQRT1_2, 0],
    },
    // n = 0; m = 0: 1; m = 2, c = 4: cos(2 pi / 8) = sqrt(1/2)
    {
      what: 'no call was needed',
      gold: { answer: '7' },
      group: [
        { reply: '7' },
        {
          calls: [
            ['a', {}],
            ['a', {}],
          ],
          reply: '7',
        },
      ],
      scores: [1, Math.SQRT1_2],
    },
    {
      what: 'none is solved: nothing to prefer',
      gold: { answer: '7' },
      group: [{ reply: '8' }, { calls: [['a', {}]], reply: '8' }],
      scores: [0, 0],
    },
    { what: 'no gold', gold: {}, group: [{ reply: '7' }], scores: [null] },
  ],
  rule:
    ({ alpha, smoothing }) =>
    (group) => {
      const fewest = Math.min(
        ...group.filter((episode) => episode.solved === true).map((episode) => episode.calls.length),
      );
      return group.map(({ solved, calls }) =>
        solved === null ? null : solved ? alpha * toolShare(calls.length, fewest, smoothing) : 0,
      );
    },
});

function toolShare(made: number, fewest: number, smoothing: number): number {
  if (fewest > 0) return Math.sin((((2 * fewest * made) / (made + fewest)) * Math.PI) / (2 * fewest));
  return made === 0 ? 1 : Math.cos((made * Math.PI) / (2 * made + smoothing));
}
