import { judgeReward } from '../rule';
import { readSkills, routedCriteria } from '../skills';

/**
 * Each step is routed to a skill prototype and judged by its rubric, yes or no with evidence; the mean over the steps.
 * The router is by rule (the tool's name
 * and arguments), so the same step always meets the same rubric. null where there is no step, or no verdict.
 */
export const scribe = judgeReward({
  row: 8,
  description: 'each step judged by the rubric of the skill that it is an instance of',
  source: 'SCRIBE, arXiv:2601.03555',
  range: [0, 1],
  options: {
    skills: {
      kind: 'text',
      default: '',
      description: 'JSON file of prototypes [{name, when, rubric}]; default: search, read, act, answer',
    },
  },
  judging: ({ skills }) => {
    const prototypes = readSkills(skills);
    return { mode: 'checklist', criteriaOf: (episode) => routedCriteria(episode, prototypes) };
  },
});
