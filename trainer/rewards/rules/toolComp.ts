import { isSameCall } from '../../tasks/solved';
import type { Episode } from '../episode';
import { traceReward, type Score } from '../rule';

/**
 * What a step did: made the next gold call, changed nothing for it, or was a mistake (refused, failed, or an action
 * that nobody asked for).
 */
export type StepLabel = 'right' | 'idle' | 'wrong';

/**
 * A label for each call, by rule: right = the next gold call that is still missing, succeeded; wrong = it failed, or it
 * changes the world and no gold call asks for it;
 * idle = anything else. null where the task gives no gold calls.
 */
function stepLabels({ gold, calls, tools }: Episode): StepLabel[] | null {
  if (gold === null) return null;
  let next = 0;
  return calls.map((call) => {
    if (call.resultKind !== 'ok' && call.resultKind !== null) return 'wrong';
    const wanted = gold[next];
    if (wanted && isSameCall(wanted, call, tools)) return (next++, 'right');
    return tools.some((tool) => tool.name === call.name && tool.changesWorld) ? 'wrong' : 'idle';
  });
}

/**
 * Process reward beside the outcome: (1 - outcome) x right steps / (gold calls + wrong steps) + outcome x solved, in
 * [0, 1]. The two are parts of their own,
 * so that a view can show where they disagree: right steps to a wrong answer, or a lucky one. null where the task gives
 * no gold calls.
 * Source: ToolComp, Nath et al. 2025, arXiv:2501.01290, labels steps by people; these are by rule, the judge's are a
 * reward of their own.
 */
export const toolComp = traceReward({
  row: 13,
  description: 'right steps beside the outcome',
  source: 'ToolComp, arXiv:2501.01290',
  range: [0, 1],
  options: {
    outcome: {
      kind: 'number',
      default: 0.5,
      minimum: 0,
      maximum: 1,
      description: 'weight of the outcome; the rest is for the steps',
    },
  },
  examples: [
    {
      what: 'right steps, right answer',
      gold: { calls: [['a', {}]], answer: '7' },
      trace: { calls: [['a', {}]], reply: '7' },
      score: 1,
    },
    {
      what: 'right steps, wrong answer: steps only',
      gold: { calls: [['a', {}]], answer: '7' },
      trace: { calls: [['a', {}]], reply: '8' },
      score: 0.5,
    },
    {
      what: 'one of two steps: 1/2 x 1/2',
      gold: {
        calls: [
          ['a', {}],
          ['b', {}],
        ],
      },
      trace: { calls: [['a', {}]], reply: '' },
      score: 0.25,
    },
    {
      what: 'a failed call on the way: 1/2 x 1/(1 + 1) + 1/2',
      gold: { calls: [['a', { x: 1 }]] },
      trace: {
        calls: [
          ['a', { x: 2 }, 'threw'],
          ['a', { x: 1 }],
        ],
        reply: 'Done.',
      },
      score: 0.75,
    },
    { what: 'no step is needed, none taken', gold: { calls: [], answer: '7' }, trace: { reply: '7' }, score: 1 },
    { what: 'no gold calls', gold: { answer: '7' }, trace: { reply: '7' }, score: null },
  ],
  rule:
    ({ outcome }) =>
    (episode): Score => {
      const labels = stepLabels(episode);
      if (labels === null || episode.gold === null) return null;
      const [right, wrong] = [
        labels.filter((label) => label === 'right').length,
        labels.filter((label) => label === 'wrong').length,
      ];
      const steps = episode.gold.length + wrong === 0 ? 1 : right / (episode.gold.length + wrong);
      const solved = Number(episode.solved === true);
      return {
        score: (1 - outcome) * steps + outcome * solved,
        parts: { steps, outcome: solved, rightSteps: right, wrongSteps: wrong },
      };
    },
});
