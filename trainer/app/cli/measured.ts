/** How an evaluation tells its progress and its result, whoever answered. */
import { metricRows } from '../../protocol/agentMetrics';
import { SOURCE_WORDS } from '../../protocol/headline';
import type { Success } from '../../protocol/messages';
import { TASK_SOURCES } from '../../protocol/task';
import { VERDICT_WORDS, VERDICTS, type VerdictShares } from '../../protocol/verdicts';
import { percent, table, type Output } from './output';

export function sayProgress(out: Output, done: number, total: number): void {
  if (out.hasBar) out.showBar(`Measuring ${done}/${total}`);
  else out.progress(`Measured ${done}/${total}`);
}

/** "calls right 80 %, answer right 62 %, finished 100 %" */
export const verdictWords = (shares: VerdictShares): string =>
  VERDICTS.map((name) => `${VERDICT_WORDS[name]} ${shares[name] === null ? '-' : percent(shares[name])}`).join(', ');

/** An evaluation's last words. @param more in its JSON */
export function saySuccess(out: Output, result: Success, more: object = {}): void {
  const { n, success, ci95, verdicts, rule, byTag = {}, bySource = {}, metrics } = result;
  out.clearBar();
  out.json({ n, success, ci95, verdicts, rule, byTag, bySource, ...(metrics && { metrics }), ...more });
  out.text(
    success === null
      ? 'no task'
      : `${percent(success)} of ${n} ` +
          `solved${ci95 ? ` (95 % interval ${percent(ci95[0])} to ${percent(ci95[1])})` : ''}`,
  );
  if (verdicts && success !== null) out.text(verdictWords(verdicts));
  const bySources = TASK_SOURCES.flatMap((source) =>
    bySource[source]
      ? [[`  ${SOURCE_WORDS[source]}`, percent(bySource[source].success), `n ${bySource[source].n}`]]
      : [],
  );
  out.text(
    table([
      ...bySources,
      ...Object.entries(byTag).map(([tag, part]) => [`  ${tag}`, percent(part.success), `n ${part.n}`]),
    ]),
  );
  if (metrics) out.text(table(metricRows([metrics]).map(([words, value]) => [`  ${words}`, value!])));
}
