import { traceReward, type Score } from '../rule';

/**
 * TGRL's two components, outcome + format, each in {-1, 0, 1}; range [-2, 2]. Outcome: 1 solved, -1 not, and 0 without
 * an explicit end, however right
 * what was done is. Format: 1 where every turn is a standard call or a reply (parsed, a tool that exists, arguments
 * that its schema allows), -1 where
 * a turn could not be parsed, 0 between. null where the task can't be told solved.
 * Source: Chen et al. 2025, arXiv:2510.11184 (R = R_outcome + R_format, values -2 to 2, an answer tool that ends the
 * episode). Our end is the closing reply.
 */
export const tgrl = traceReward({
  row: 10,
  description: 'outcome + format; no explicit end, no outcome',
  source: 'TGRL, arXiv:2510.11184',
  range: [-2, 2],
  options: {},
  examples: [
    {
      what: 'solved, well formed',
      gold: { calls: [['a', {}]] },
      trace: { calls: [['a', {}]], reply: 'Done.' },
      score: 2,
    },
    {
      what: 'the right call, but no end: 0 + 1',
      gold: { calls: [['a', {}]] },
      trace: { calls: [['a', {}]] },
      score: 1,
    },
    { what: 'wrong, well formed: -1 + 1', gold: { answer: '7' }, trace: { reply: '8' }, score: 0 },
    {
      what: 'solved after a call that its schema refused: 1 + 0',
      gold: { answer: '7' },
      trace: { calls: [['a', { x: 1 }, 'invalidArguments']], reply: '7' },
      score: 1,
    },
    { what: 'garbled: 0 - 1', gold: { answer: '7' }, trace: { garbled: true }, score: -1 },
    { what: 'no gold', gold: {}, trace: { reply: '7' }, score: null },
  ],
  rule:
    () =>
    ({ solved, terminated, trace, calls }): Score => {
      if (solved === null) return null;
      const outcome = !terminated ? 0 : solved ? 1 : -1;
      const isGarbled = trace.turns.some((turn) => turn.parseError !== undefined);
      const format = isGarbled
        ? -1
        : calls.some((call) => call.resultKind === 'unknownTool' || call.resultKind === 'invalidArguments')
          ? 0
          : 1;
      return { score: outcome + format, parts: { outcome, format } };
    },
});
