import { traceReward, type RewardRule } from '../rule';
import { toolBrainTurns, toolSuccessCompat } from '../toolBrainTurns';
import { COMPAT } from './compat';

/**
 * Share of the calls whose result is of kind ok; an "error" in a result's words is no failure. null where no call was
 * made.
 */
export const toolSuccess = traceReward({
  row: 1,
  description: 'share of calls that succeeded',
  source: 'ToolBrain, arXiv:2510.00023, reward_tool_execution_success',
  range: [0, 1],
  options: { compat: COMPAT },
  examples: [
    {
      what: 'one of two failed',
      gold: {},
      trace: {
        calls: [
          ['read', {}],
          ['read', {}, 'threw', '{"error":"no such mail"}'],
        ],
        reply: '',
      },
      score: 0.5,
    },
    {
      what: 'the original looks at the first output only',
      gold: {},
      options: { compat: true },
      trace: {
        calls: [
          ['read', {}],
          ['read', {}, 'threw', '{"error":"no such mail"}'],
        ],
        reply: '',
      },
      score: 1,
    },
    {
      what: 'a mail about an error',
      gold: {},
      trace: { calls: [['read', {}, 'ok', '"Error on the invoice"']], reply: '' },
      score: 1,
    },
    {
      what: 'which is an error to the original',
      gold: {},
      options: { compat: true },
      trace: { calls: [['read', {}, 'ok', '"Error on the invoice"']], reply: '' },
      score: 0,
    },
    { what: 'no call', gold: {}, trace: { reply: 'Hi.' }, score: null },
    { what: 'no call, original', gold: {}, options: { compat: true }, trace: { reply: 'Hi.' }, score: 0 },
  ],
  rule: ({ compat }) => (compat ? (episode) => toolSuccessCompat(toolBrainTurns(episode)) : toolSuccessRule),
});

export const toolSuccessRule: RewardRule = ({ calls }) =>
  calls.length === 0 ? null : calls.filter((call) => call.resultKind === 'ok').length / calls.length;
