import { pyStrip } from '../python';
import { traceReward, type RewardRule } from '../rule';
import { exactMatchCompat, toolBrainTurns } from '../toolBrainTurns';
import { COMPAT } from './compat';

/**
 * 1 where the closing reply is the gold answer and nothing else, else 0; numbers compare as numbers. null where the
 * task gives no answer.
 */
export const exactMatch = traceReward({
  row: 1,
  description: 'the last reply is the gold answer, nothing else',
  source: 'ToolBrain, arXiv:2510.00023, reward_exact_match',
  range: [0, 1],
  options: { compat: COMPAT },
  examples: [
    { what: '12.0 is 12', gold: { answer: '12' }, trace: { reply: ' 12.0\n' }, score: 1 },
    {
      what: '12.0 is not 12 to the original',
      gold: { answer: '12' },
      options: { compat: true },
      trace: { reply: ' 12.0\n' },
      score: 0,
    },
    { what: '1,234.50 is 1234.5', gold: { answer: '1234.5' }, trace: { reply: '1,234.50' }, score: 1 },
    { what: 'words around it', gold: { answer: '12' }, trace: { reply: 'It is 12.' }, score: 0 },
    {
      what: 'the tool said it, the reply did not',
      gold: { answer: '12' },
      trace: { calls: [['add', {}, 'ok', '12']], reply: 'I do not know.' },
      score: 0,
    },
    {
      what: 'which the original pays',
      gold: { answer: '12' },
      options: { compat: true },
      trace: { calls: [['add', {}, 'ok', '12']], reply: 'I do not know.' },
      score: 1,
    },
    { what: 'no gold answer', gold: {}, trace: { reply: '12' }, score: null },
    { what: 'no gold answer, original', gold: {}, options: { compat: true }, trace: { reply: '12' }, score: 0 },
  ],
  rule: ({ compat }) =>
    compat ? (episode) => exactMatchCompat(toolBrainTurns(episode), episode.task.answer) : exactMatchRule,
});

export const exactMatchRule: RewardRule = ({ task, reply }) =>
  task.answer === undefined ? null : Number(isSame(pyStrip(task.answer), pyStrip(reply)));

function isSame(gold: string, reply: string): boolean {
  if (gold === reply) return true;
  const [a, b] = [numberOf(gold), numberOf(reply)];
  return a !== null && a === b;
}

/** A whole number or decimal, with thousands separators or without; null for other text. */
function numberOf(text: string): number | null {
  return /^[-+]?(\d{1,3}(,\d{3})+|\d+)(\.\d*)?([eE][-+]?\d+)?$/.test(text) ? Number(text.replace(/,/g, '')) : null;
}
