import type { Episode } from '../episode';
import { groupReward } from '../rule';

/** The most that the tool part gives, and what a right answer is worth, in the public code. */
const TOOLS = 4;
const RIGHT = 8;

/**
 * AdaReasoner's end-task reward with optional tools: 0 where the form is broken; 8 for the right answer, with tools or
 * without; for a wrong one, 0 to 4 by how
 * well the tools were used (1 called, 2 a tool that exists, 3 arguments that its schema allows, 4 it succeeded; mean
 * over the calls). All over 8: range [0, 1].
 * Source: Song et al. 2026, arXiv:2601.18631; github.com/ssmisya/AdaReasoner,
 * AdaTG/verl/utils/reward_score/unified_tool.py (8 right, else the tools' mean).
 * There each tool grades its own use; the four levels are ours. Ours too is the frequency term: where the members of
 * the group that called a tool are solved no
 * more often than those that did not, each member gives up to `frequency` of its score, by its share of the most calls.
 * So use falls where it does not help.
 * null where the task can't be told solved.
 */
export const adaReasoner = groupReward({
  row: 15,
  description: 'the end task; tools count where it failed, and cost where they do not help',
  source: 'AdaReasoner, arXiv:2601.18631; github.com/ssmisya/AdaReasoner',
  range: [0, 1],
  options: {
    frequency: {
      kind: 'number',
      default: 0.2,
      minimum: 0,
      maximum: 1,
      description: 'share of the score that needless calls cost; 0: as published',
    },
  },
  examples: [
    {
      what: 'right with a tool, wrong without: it helps, so it is free',
      gold: { answer: '7' },
      group: [{ calls: [['a', {}]], reply: '7' }, { reply: '8' }],
      scores: [1, 0],
    },
    {
      what: 'right either way: the call costs 0.2',
      gold: { answer: '7' },
      group: [{ calls: [['a', {}]], reply: '7' }, { reply: '7' }],
      scores: [0.8, 1],
    },
    {
      what: 'right either way, as published',
      gold: { answer: '7' },
      options: { frequency: 0 },
      group: [{ calls: [['a', {}]], reply: '7' }, { reply: '7' }],
      scores: [1, 1],
    },
    {
      what: 'wrong, with one good and one refused call: (4 + 2) / 2 / 8',
      gold: { answer: '7' },
      group: [
        {
          calls: [
            ['a', {}],
            ['a', { x: 1 }, 'invalidArguments'],
          ],
          reply: '8',
        },
      ],
      scores: [3 / 8],
    },
    { what: 'broken form', gold: { answer: '7' }, group: [{ garbled: true }], scores: [0] },
    { what: 'no gold', gold: {}, group: [{ reply: '7' }], scores: [null] },
  ],
  rule:
    ({ frequency }) =>
    (group) => {
      const most = Math.max(...group.map((episode) => episode.calls.length));
      const isNeedless = most > 0 && !helps(group);
      return group.map((episode) => {
        const { solved, calls, isWellFormed } = episode;
        if (solved === null) return null;
        const base = !isWellFormed ? 0 : solved ? 1 : toolUse(episode) / RIGHT;
        return isNeedless ? base * (1 - (frequency * calls.length) / most) : base;
      });
    },
});

/** Were those that called solved more often? True as long as the group can't tell. */
function helps(group: readonly Episode[]): boolean {
  const share = (members: readonly Episode[]): number =>
    members.filter((episode) => episode.solved).length / members.length;
  const [withCalls, without] = [
    group.filter((episode) => episode.calls.length > 0),
    group.filter((episode) => episode.calls.length === 0),
  ];
  return withCalls.length === 0 || without.length === 0 || share(withCalls) > share(without);
}

function toolUse({ calls }: Episode): number {
  if (calls.length === 0) return 0;
  const levels = calls.map(({ resultKind }): number =>
    resultKind === 'unknownTool' ? 1 : resultKind === 'invalidArguments' ? 2 : resultKind === 'ok' ? TOOLS : 3,
  );
  return levels.reduce((sum, level) => sum + level, 0) / levels.length;
}
