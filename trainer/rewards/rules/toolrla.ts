import { violationsRule } from '../compliancePatterns';
import type { GoldCall } from '../../protocol/task';
import type { Episode } from '../episode';
import { matchCalls } from '../matchCalls';
import { traceReward, type Score } from '../rule';
import { CLASSIFIER, LAMBDA, PATTERNS } from './compliance';

/**
 * ToolRLA: R = format + name x coverage x accuracy + efficiency + compliance, in [-lambda, 3]. null where the task
 * gives no gold calls.
 *
 * - format: 1 where every turn could be parsed, ended by itself, and no call names a tool that does not exist; a trace
 * that fails it gets at most 0 in all.
 * - name: 0 where a call names a tool that does not exist (names=required: one that no gold call asks for), else 1.
 * - coverage: gold calls whose tool was called (doubles count) / gold calls. accuracy: mean share of right values over
 * those (accuracy=executed:
 *   share of the calls that succeeded; accuracy=anyTool: over all gold calls, in calls of whatever tool).
 * - efficiency: max(0, 1 - perExtra (T - T*) / T*); 0 without full coverage or with a wrong name. compliance: -lambda
 * for any forbidden pattern, or what a classifier calls a violation.
 *
 * Source: arXiv:2603.01620, section 3.3.2. Its formulas survive in words only: ours are the slope, the granularity of
 * accuracy, how the format gate
 * is enforced, that efficiency needs full coverage, and that any call at a task that wants none makes the correctness
 * 0.
 */
export const toolrla = traceReward({
  row: 3,
  description: 'format + name x coverage x accuracy + efficiency + compliance',
  source: 'ToolRLA, arXiv:2603.01620, eq. 5-7',
  range: [-10, 3],
  options: {
    lambda: LAMBDA,
    patterns: PATTERNS,
    classifier: CLASSIFIER,
    perExtra: {
      kind: 'number',
      default: 1,
      minimum: 0,
      maximum: 10,
      description: 'what each further call costs, as a share of the gold calls',
    },
    names: {
      kind: 'choice',
      default: 'existing',
      choices: ['existing', 'required'],
      description: 'which tools may be called: those that exist, or those of the gold calls',
    },
    composition: {
      kind: 'choice',
      default: 'multiplied',
      choices: ['multiplied', 'averaged'],
      description: 'how name, coverage and accuracy make the correctness (averaged: the additive arm of its ablation)',
    },
    withEfficiency: { kind: 'switch', default: true, description: 'adds the efficiency' },
    accuracy: {
      kind: 'choice',
      default: 'values',
      choices: ['values', 'anyTool', 'executed'],
      description:
        'accuracy by right values, by those in a call of whatever tool, or by calls that succeeded; with anyTool the ' +
        'additive arm pays a wrong tool for its arguments, which is what the multiplied one vetoes',
    },
  },
  examples: [
    {
      what: 'perfect: 1 + 1 + 1',
      gold: { calls: [['search', { q: 'rent' }]] },
      trace: { calls: [['search', { q: 'rent' }]], reply: 'Done.' },
      score: 3,
    },
    {
      what: "the paper's worked number: perfect but violating, 3 - 10",
      gold: { calls: [['search', { q: 'rent' }]] },
      trace: { calls: [['search', { q: 'rent' }]], reply: 'It has guaranteed returns.' },
      score: -7,
    },
    {
      what: 'which is below a clean failure: 1 + 0 + 0',
      gold: { calls: [['search', { q: 'rent' }]] },
      trace: { reply: 'I can not.' },
      score: 1,
    },
    {
      what: 'a tool that does not exist zeroes correctness and fails the format: at most 0',
      gold: { calls: [['search', { q: 'rent' }]] },
      tools: ['search'],
      trace: {
        calls: [
          ['search', { q: 'rent' }],
          ['serch', {}, 'unknownTool'],
        ],
        reply: '',
      },
      score: 0,
    },
    {
      what: 'half covered, all right: 1 + 1 x 1/2 x 1 + 0',
      gold: {
        calls: [
          ['a', { x: 1 }],
          ['b', {}],
        ],
      },
      trace: { calls: [['a', { x: 1 }]], reply: '' },
      score: 1.5,
    },
    {
      what: 'covered, one of two values: 1 + 1 x 1 x 1/2 + 1',
      gold: { calls: [['mail', { to: 'Ada', text: 'hi' }]] },
      trace: { calls: [['mail', { to: 'Ada', text: 'ho' }]], reply: '' },
      score: 2.5,
    },
    {
      what: 'one call too many for two: 1 + 1 + 1/2',
      gold: {
        calls: [
          ['a', {}],
          ['b', {}],
        ],
      },
      trace: {
        calls: [
          ['a', {}],
          ['b', {}],
          ['b', {}],
        ],
        reply: '',
      },
      score: 2.5,
    },
    {
      what: 'a tool that exists but was not asked for, names=required: 1 + 0 + 0',
      gold: { calls: [['a', {}]] },
      tools: ['a', 'c'],
      options: { names: 'required' },
      trace: {
        calls: [
          ['a', {}],
          ['c', {}],
        ],
        reply: '',
      },
      score: 1,
    },
    {
      what: 'a tool that was not asked for, averaged: 1 + (0 + 1 + 1)/3 + 0; multiplied it is 1',
      gold: { calls: [['a', {}]] },
      tools: ['a', 'c'],
      options: { names: 'required', composition: 'averaged' },
      trace: {
        calls: [
          ['a', {}],
          ['c', {}],
        ],
        reply: '',
      },
      score: 1 + 2 / 3,
    },
    {
      what: 'a wrong tool with the right arguments, averaged over anyTool: 1 + (0 + 0 + 1)/3 + 0',
      gold: { calls: [['a', { x: 1 }]] },
      tools: ['a', 'c'],
      options: { names: 'required', composition: 'averaged', accuracy: 'anyTool' },
      trace: { calls: [['c', { x: 1 }]], reply: '' },
      score: 1 + 1 / 3,
    },
    {
      what: 'the same, multiplied: 1 + 0 x 0 x 1 + 0',
      gold: { calls: [['a', { x: 1 }]] },
      tools: ['a', 'c'],
      options: { names: 'required', accuracy: 'anyTool' },
      trace: { calls: [['c', { x: 1 }]], reply: '' },
      score: 1,
    },
    {
      what: 'perfect, without the efficiency: 1 + 1',
      gold: { calls: [['search', { q: 'rent' }]] },
      options: { withEfficiency: false },
      trace: { calls: [['search', { q: 'rent' }]], reply: 'Done.' },
      score: 2,
    },
    { what: 'cut off: at most 0', gold: { calls: [['a', {}]] }, trace: { calls: [['a', {}]] }, score: 0 },
    { what: 'no gold calls', gold: { answer: '7' }, trace: { reply: '7' }, score: null },
  ],
  rule: ({ lambda, patterns, classifier, perExtra, names, accuracy, composition, withEfficiency }) => {
    const violations = violationsRule({ patterns, classifier });
    return (episode): Score => {
      const { gold, calls } = episode;
      if (gold === null) return null;
      const format = Number(episode.isWellFormed && calls.every((call) => exists(call.name, episode)));
      const name = Number(
        calls.every((call) =>
          names === 'required' ? gold.some((wanted) => wanted.name === call.name) : exists(call.name, episode),
        ),
      );
      const matches = matchCalls(gold, calls).filter((match) => match !== null);
      const coverage = gold.length === 0 ? Number(calls.length === 0) : matches.length / gold.length;
      const succeeded = calls.length === 0 ? 1 : calls.filter((call) => call.resultKind === 'ok').length / calls.length;
      const right = matches.length === 0 ? 1 : matches.reduce((sum, match) => sum + match.share, 0) / matches.length;
      const accurate =
        accuracy === 'executed' ? succeeded : accuracy === 'anyTool' ? ofAnyTool(gold, calls, coverage) : right;
      const counted = coverage > 0 || accuracy === 'anyTool' ? accurate : 0;
      const correctness = composition === 'averaged' ? (name + coverage + counted) / 3 : name * coverage * accurate;
      const efficiency =
        coverage < 1 || !withEfficiency
          ? 0
          : Math.max(0, 1 - (perExtra * (calls.length - gold.length)) / Math.max(1, gold.length)) * name;
      const penalty = violations(episode).length > 0 ? 0 - lambda : 0;
      const total = format + correctness + efficiency + penalty;
      return {
        score: format === 0 ? Math.min(0, total) : total,
        parts: {
          format,
          name,
          coverage,
          accuracy: accurate,
          correctness,
          efficiency,
          compliance: penalty,
        },
      };
    };
  },
});

/** Mean share of right values over the gold calls, each against a call of its own, whatever its tool. */
function ofAnyTool(gold: readonly GoldCall[], calls: readonly GoldCall[], coverage: number): number {
  if (gold.length === 0) return coverage;
  const shares = matchCalls(gold, calls, { byName: false }).map((match) => match?.share ?? 0);
  return shares.reduce((sum, share) => sum + share, 0) / gold.length;
}

/** Without tools to look at, what the host said of the call decides. */
function exists(name: string, { tools, calls }: Episode): boolean {
  return tools.length > 0
    ? tools.some((tool) => tool.name === name)
    : !calls.some((call) => call.name === name && call.resultKind === 'unknownTool');
}
