import { PyError, toPython } from '../python';
import { traceReward, type Score } from '../rule';
import { toolRl, toolRlOfCalls, type ToolRlScore } from '../toolrl';

const flag = (description: string) => ({ kind: 'switch', default: false, description }) as const;

/**
 * ToolRL's reward: format {0, 1} + call correctness [-3, 3] (+ length). Text in ToolRL's tags is scored as its public
 * code does, value for
 * value (see toolrl.ts). A trace of ours has no such tags: format = every turn parsed and ended by itself, the calls of
 * all turns are compared
 * at once, and the reasoning is what the policy wrote beside its calls. null where the task gives no gold calls.
 */
export const toolrl = traceReward({
  row: 2,
  description: "ToolRL's format + correctness (+ length)",
  source: 'ToolRL, arXiv:2504.13958; github.com/qiancheng0/ToolRL, verl/utils/reward_score/rlla.py',
  range: [-3, 4],
  options: {
    withLength: flag('adds the length of the reasoning, 0 to 1'),
    scheduleLength: flag('with withLength: full marks at 384 + 256 step / 105 words, not at 512'),
    correctMax1: flag('correctness in [-1, 1]'),
    max1Step30Max3: flag('a third of the correctness before step 30, half of the format from there on'),
    scheduleReward: flag('over 150 steps from format to correctness'),
    refined: flag('names, and parameter names, count only where the whole lists are equal'),
    intermediate: flag('a gold call counts only where it was made exactly'),
    coarse: flag('all calls equal, or the least'),
    template: {
      kind: 'choice',
      default: 'qwen',
      choices: ['qwen', 'llama'],
      description: 'whose marks are cut off raw text',
    },
  },
  examples: [
    {
      what: 'format 1 + all calls 3',
      gold: { calls: [['mail', { to: 'Ada', text: 'hi' }]] },
      trace: { calls: [['mail', { to: 'Ada', text: 'hi' }]], reply: '' },
      score: 4,
    },
    {
      what: 'one of two values wrong: 1 + 6 x 3/4 - 3',
      gold: { calls: [['mail', { to: 'Ada', text: 'hi' }]] },
      trace: { calls: [['mail', { to: 'Ada', text: 'ho' }]], reply: '' },
      score: 2.5,
    },
    {
      what: 'a wrong tool, cut off: 0 - 3',
      gold: { calls: [['mail', { to: 'Ada' }]] },
      trace: { calls: [['post', { to: 'Ada' }]] },
      score: -3,
    },
    {
      what: 'no call where one is wanted: 1 - 3',
      gold: { calls: [['mail', { to: 'Ada' }]] },
      trace: { reply: 'Hi.' },
      score: -2,
    },
    {
      what: 'no call is wanted: correctness stays 0',
      gold: { calls: [] },
      trace: { calls: [['mail', { to: 'Ada' }]], reply: '' },
      score: 1,
    },
    {
      what: 'true is 1 in Python',
      gold: { calls: [['set', { on: 1 }]] },
      trace: { calls: [['set', { on: true }]], reply: '' },
      score: 4,
    },
    {
      what: 'max1Step30Max3 before step 30: 1 + 3/3',
      gold: { calls: [['now', {}]] },
      options: { max1Step30Max3: true },
      step: 29,
      trace: { calls: [['now', {}]], reply: '' },
      score: 2,
    },
    {
      what: 'and from there on: 1/2 + 3',
      gold: { calls: [['now', {}]] },
      options: { max1Step30Max3: true },
      step: 30,
      trace: { calls: [['now', {}]], reply: '' },
      score: 3.5,
    },
    { what: 'no gold calls to compare with', gold: { answer: '7' }, trace: { reply: '7' }, score: null },
  ],
  rule:
    (options) =>
    ({ raw, gold, calls, trace, texts, isWellFormed }): Score => {
      const scored = (score: ToolRlScore): Score => ({
        score: score.score,
        parts: {
          format: score.format,
          correctness: score.correctness,
          ...(options.withLength ? { length: score.length } : {}),
        },
      });
      if (raw) {
        try {
          return scored(toolRl(raw.completion, raw.answer, trace.step, options));
        } catch (error) {
          if (error instanceof PyError) throw new Error(`the gold calls of the answer can't be read: ${error.message}`);
          throw error;
        }
      }
      if (gold === null) return null;
      const python = (list: readonly { name: string; arguments: Record<string, unknown> }[]) =>
        list.map((call) => toPython({ name: call.name, parameters: call.arguments }));
      return scored(
        toolRlOfCalls(
          python(gold),
          python(calls),
          { isWellFormed, reasoning: options.withLength ? texts.join('\n') : null, step: trace.step },
          options,
        ),
      );
    },
});
