import { traceReward } from '../rule';
import { searchFirstCompat, toolBrainTurns } from '../toolBrainTurns';
import { COMPAT } from './compat';

/**
 * 1 where the first call is of a tool whose name holds the word, else 0. null where the task needs no call. The
 * original reads the whole code.
 */
export const searchFirst = traceReward({
  row: 1,
  description: 'the first call is a search',
  source: 'ToolBrain, arXiv:2510.00023, reward_behavior_uses_search_first',
  range: [0, 1],
  options: {
    tool: { kind: 'text', default: 'search', description: "part of the tool's name, any case" },
    compat: COMPAT,
  },
  examples: [
    {
      what: 'search, then read',
      gold: {},
      trace: {
        calls: [
          ['searchMail', {}],
          ['read', {}],
        ],
        reply: '',
      },
      score: 1,
    },
    {
      what: 'the word in an argument only',
      gold: {},
      trace: { calls: [['read', { query: 'search' }]], reply: '' },
      score: 0,
    },
    {
      what: 'which is enough for the original',
      gold: {},
      options: { compat: true },
      trace: { calls: [['read', { query: 'search' }]], reply: '' },
      score: 1,
    },
    { what: 'no call', gold: {}, trace: { reply: '' }, score: 0 },
    { what: 'no call is wanted', gold: { calls: [] }, trace: { reply: '' }, score: null },
  ],
  rule:
    ({ tool, compat }) =>
    (episode) => {
      if (compat) return searchFirstCompat(toolBrainTurns(episode));
      if (episode.gold?.length === 0) return null;
      return Number(episode.calls[0]?.name.toLowerCase().includes(tool.toLowerCase()) ?? false);
    },
});
