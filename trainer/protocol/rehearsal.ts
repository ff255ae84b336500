import { z } from 'zod';
import { ToolResultKind } from './trace';

/** What a few tasks showed before step 1; shares are 0..1. */
export const Rehearsal = z.object({
  greedy: z.object({ n: z.number().int(), solved: z.number().int() }),
  /** each of `tasks` tasks sampled k times */
  sampled: z.object({ tasks: z.number().int(), k: z.number().int(), pass1: z.number(), passK: z.number() }),
  episodes: z.number().int(),
  /** ended by a limit */
  cutOff: z.number().int(),
  /** whose last reply could not be read */
  parseErrors: z.number().int(),
  /** calls that failed, by tool and how; first: what the first of them was told */
  errors: z.array(z.object({ tool: z.string(), kind: ToolResultKind, n: z.number().int(), first: z.string() })),
  /** gold calls that failed, by tool: how many of how many */
  goldErrors: z.array(z.object({ tool: z.string(), n: z.number().int(), of: z.number().int(), first: z.string() })),
  /** tools that no episode called */
  untried: z.array(z.string()),
  /** groups whose rewards are all equal; null: not scored here */
  rewards: z
    .object({
      groups: z.number().int(),
      equal: z.number().int(),
      least: z.number(),
      most: z.number(),
      gold: z.number().nullable(),
    })
    .nullable(),
  /** why nothing could be learnt */
  problems: z.array(z.object({ what: z.string(), wayOut: z.string() })),
  /**
   * steps of SFT that come first, since the policy seldom finds by itself what could be reinforced; absent in runs of
   * before
   */
  warmSteps: z.number().int().optional(),
  seconds: z.number(),
});
export type Rehearsal = z.infer<typeof Rehearsal>;

/** `42 %` */
export const percent = (share: number): string => `${Math.round(100 * share)} %`;
/** The first of some words, and how many more there are: a list of hundreds tells nobody anything. */
export const few = (words: readonly string[], most: number, between = '; '): string =>
  [...words.slice(0, most), ...(words.length > most ? [`and ${words.length - most} more`] : [])].join(between);
export const fewTools = (names: readonly string[]): string => few(names, 30, ', ');

/** Name and words of each finding, for the terminal and the panel alike. */
export function rehearsalRows(r: Rehearsal): [name: string, words: string][] {
  const errors = r.errors.map(({ tool, kind, n, first }) => `${tool} ${kind} ${n} times (${first})`);
  const gold = r.goldErrors.map(({ tool, n, of, first }) => `${tool} in ${n} of ${of} calls (${first})`);
  const { rewards } = r;
  return [
    [
      'Solved',
      `${r.greedy.solved} of ${r.greedy.n} greedily; of ${r.sampled.tasks} tasks sampled ` +
        `${r.sampled.k} times pass@1 ${percent(r.sampled.pass1)}, pass@${r.sampled.k} ` +
        `${percent(r.sampled.passK)}`,
    ],
    ['Cut off', `${r.cutOff} of ${r.episodes} episodes`],
    ['Not readable', `${r.parseErrors} of ${r.episodes} episodes`],
    ['Tool errors', errors.length === 0 ? 'none' : few(errors, 3)],
    ...(gold.length > 0 ? [['Gold calls that failed', few(gold, 3)] as [string, string]] : []),
    ['Tools never tried', r.untried.length === 0 ? 'none' : fewTools(r.untried)],
    [
      'Rewards',
      rewards === null
        ? 'not scored here'
        : `equal in ${rewards.equal} of ${rewards.groups} groups; from ${+rewards.least.toFixed(3)} to ` +
          `${+rewards.most.toFixed(3)}${rewards.gold === null ? '' : `, gold calls ${+rewards.gold.toFixed(3)}`}`,
    ],
    [
      'Before step 1',
      r.problems.length > 0
        ? r.problems.map(({ what }) => what).join('; ')
        : r.warmSteps
          ? `the first ${r.warmSteps} steps show the right calls (SFT): it seldom finds them by itself`
          : 'nothing speaks against it',
    ],
  ];
}
