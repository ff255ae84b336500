import type { Episode } from '../episode';
import { groupReward } from '../rule';

const weight = (value: number, description: string) =>
  ({ kind: 'number', default: value, minimum: 0, maximum: 100, description }) as const;

/**
 * ToolOrchestra: the preference vector times what a solved rollout spent, each quantity scaled by the least and the
 * most of the group:
 * outcome + cost (1 - cost') + latency (1 - latency') + prefer calls' of preferred tools, over the sum of the weights
 * in use; 0 where the task
 * was not solved. cost = perCall x calls + perToken x sampled tokens; latency = time in tools. Range [0, 1]. null where
 * it can't be told solved.
 * Source: Su et al. 2025, arXiv:2511.21689, section 3 (outcome, efficiency and preference rewards; min-max over the
 * rollouts; 0 for a wrong outcome).
 * Deviation: divided by the sum of the weights; a quantity that all share costs nobody anything.
 */
export const toolOrchestra = groupReward({
  row: 9,
  description: 'outcome, then cost, latency and preferred tools',
  source: 'ToolOrchestra, arXiv:2511.21689',
  range: [0, 1],
  options: {
    outcome: weight(1, 'weight of the outcome'),
    cost: weight(0.3, 'weight of low cost'),
    latency: weight(0.1, 'weight of little time in tools'),
    preference: weight(0.3, 'weight of preferred tools'),
    perCall: weight(1, 'cost of a call'),
    perToken: weight(0, 'cost of a sampled token'),
    prefer: { kind: 'text', default: '', description: 'preferred tools, separated by spaces' },
  },
  examples: [
    // weights 1, 0.3, 0.1 (no preference): (1 + 0.3 + 0.1) / 1.4; the dearer one (1 + 0 + 0.1) / 1.4
    {
      what: 'equal outcome, the cheaper wins',
      gold: { answer: '7' },
      group: [
        { calls: [['a', {}]], reply: '7' },
        {
          calls: [
            ['a', {}],
            ['a', {}],
          ],
          reply: '7',
        },
      ],
      scores: [1, 1.1 / 1.4],
    },
    {
      what: 'wrong and cheap',
      gold: { answer: '7' },
      group: [
        { reply: '8' },
        {
          calls: [
            ['a', {}],
            ['a', {}],
          ],
          reply: '7',
        },
      ],
      scores: [0, 1.1 / 1.4],
    },
    {
      what: 'the slower one loses',
      gold: { answer: '7' },
      group: [
        { calls: [['a', {}]], callMs: 10, reply: '7' },
        { calls: [['a', {}]], callMs: 90, reply: '7' },
      ],
      scores: [1, 1.3 / 1.4],
    },
    // weights 1, 0.3, 0.1, 0.3: the preferred tool gives 1.7 / 1.7, the other 1.4 / 1.7
    {
      what: 'equal cost, the preferred tool wins',
      gold: { answer: '7' },
      options: { prefer: 'local' },
      group: [
        { calls: [['local', {}]], reply: '7' },
        { calls: [['web', {}]], reply: '7' },
      ],
      scores: [1, 1.4 / 1.7],
    },
    { what: 'no gold', gold: {}, group: [{ reply: '7' }], scores: [null] },
  ],
  rule: ({ outcome, cost, latency, preference, perCall, perToken, prefer }) => {
    const preferred = new Set(prefer.split(/\s+/).filter(Boolean));
    const liking = preferred.size > 0 ? preference : 0;
    const total = outcome + cost + latency + liking;
    return (group) => {
      const costs = scaled(
        group,
        ({ calls, trace }) =>
          perCall * calls.length + (perToken === 0 ? 0 : perToken * sampledTokens(trace.tokens.writer)),
      );
      const times = scaled(group, ({ calls }) => calls.reduce((sum, call) => sum + call.durationMs, 0));
      const likes = scaled(group, ({ calls }) => calls.filter((call) => preferred.has(call.name)).length);
      return group.map(({ solved }, i) => {
        if (solved === null || total === 0) return null;
        return solved ? (outcome + cost * (1 - costs[i]!) + latency * (1 - times[i]!) + liking * likes[i]!) / total : 0;
      });
    };
  },
});

/** Each member between the group's least (0) and most (1); all 0 where they are equal. */
function scaled(group: readonly Episode[], quantity: (episode: Episode) => number): number[] {
  const values = group.map(quantity);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => (most > least ? (value - least) / (most - least) : 0));
}

function sampledTokens(writer: string): number {
  let count = 0;
  for (const letter of writer) if (letter === 's') count++;
  return count;
}
