/**
 * What a policy makes up, caught while it runs: three layers, each a switch. The first (a call's name and arguments are
 * held to the tool's schema) is the tool
 * hosts' own, `guardSchema`; here are the other two. Whether they are on is the same before, while and after training.
 * No reward reads them unless it wants to.
 */
import type { RunConfig } from '../../../protocol/runConfig';
import { DEFAULTS } from '../../../protocol/settings/defaults';
import type { GoldCall, ToolSchema } from '../../../protocol/task';
import type { ToolResult } from '../../../protocol/trace';
import { withoutThought } from '../../parser';
import { factsIn } from './facts';
import { Seen, sourcesOf, type SoFar } from './seen';
import { unseenArguments, writtenAbout } from './values';

export interface Guards {
  /** a call whose arguments hold values that were neither allowed nor seen is not run */
  values: boolean;
  /** what an answer states and nobody said or returned is noted on the trace */
  answers: boolean;
}

export const guardsOf = ({
  guardValues = DEFAULTS.guardValues,
  guardAnswers = DEFAULTS.guardAnswers,
}: Pick<RunConfig, 'guardValues' | 'guardAnswers'>): Guards => ({ values: guardValues, answers: guardAnswers });

/**
 * The results of those calls that may not run, by their place in `calls`; null: it may. Calls of one turn don't know of
 * each other's results. A tool that does
 * not exist is the hosts' to refuse.
 */
export function refuseUnseen(
  calls: readonly GoldCall[],
  episode: SoFar,
  tools: readonly ToolSchema[],
  now: number,
): (ToolResult | null)[] {
  const sources = sourcesOf(episode);
  return calls.map(({ name, arguments: args }) => {
    const tool = tools.find((known) => known.name === name);
    if (tool === undefined) return null;
    const problems = unseenArguments(tool, args, new Seen({ ...sources, written: writtenAbout(tool) }));
    if (problems.length === 0) return null;
    return {
      kind: 'unseenValue',
      content: JSON.stringify({ error: `unseen value: ${problems.join('; ')}` }),
      policy: 'real',
      startedAt: now,
      durationMs: 0,
    };
  });
}

/**
 * What an answer states (numbers, days, times, ids, quoted names) and neither the user nor a tool's result holds, each
 * once, in the answer's own words. Numbers may be
 * rounded, and may count the items of a result's list; sums and conversions are found nowhere, and noted. Words that
 * are not quoted are not looked up: that takes a judge.
 * A check of this project's own: ToolRLA, arXiv:2603.01620, leaves "fabricated data" to the checker of its compliance
 * reward (eq. 7).
 */
export function ungroundedIn(answer: string, episode: SoFar): string[] {
  const text = withoutThought(answer).replace(/^\s*\d{1,3}[.)]\s/gm, ''); // a list's own numbers
  const seen = new Seen({ ...sourcesOf(episode), written: [] });
  return [
    ...new Set(
      factsIn(text, { quotes: true })
        .facts.filter((fact) => !seen.has(fact, { mayRound: true }))
        .map((fact) => fact.text),
    ),
  ];
}
