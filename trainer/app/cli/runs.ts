import { headlineOf, sourcesText } from '../../protocol/headline';
import type { RunInfo, RunResult, Success } from '../../protocol/messages';
import { standingOf } from '../../protocol/runMethod';
import { listRuns } from '../../store/runs/listRuns';
import { shortPath } from '../../base/shortPath';
import type { Command } from './command';
import { percent, points, table } from './output';

/** "44.2 % -> 69.2 % (+25.0 points, a real gain; written by people)" */
function resultLine(result: RunResult): string {
  const { before, after, gain, verdict, sources } = headlineOf(result);
  if (before.success === null || after.success === null) return '';
  return (
    `${percent(before.success)} -> ${percent(after.success)} (${points(gain.mean)} points, ` +
    `${verdict}${sources.length > 0 ? `; ${sourcesText(sources)}` : ''})`
  );
}

/** "81.0 % of 240 tasks"; of a run that only measures */
const measuredLine = ({ success, n }: Success): string =>
  success === null ? 'no task' : `${percent(success)} of ${n} ${n === 1 ? 'task' : 'tasks'}`;

function resultText({ result, measured, reward }: RunInfo): string {
  if (result) return resultLine(result);
  if (measured) return measuredLine(measured);
  return reward === null ? '' : `reward ${reward.toFixed(2)}`;
}

/** "first good one #email #q3: longer steps", or why it can't be read */
function labelText({ label, labelProblem }: RunInfo): string {
  if (labelProblem) return labelProblem;
  if (!label) return '';
  const [note = ''] = label.notes.split('\n');
  return [label.name, ...label.tags.map((tag) => `#${tag}`)].filter(Boolean).join(' ') + (note ? `: ${note}` : '');
}

export const runs: Command = {
  name: 'runs',
  positionals: { usage: '', min: 0, max: 0 },
  summary: 'List the runs of this workspace, newest first.',
  options: {},
  examples: ['coach runs', 'coach runs --json'],

  async run(_args, { cwd, out }) {
    const all = listRuns(cwd);
    out.json({ runs: all });
    if (all.length === 0) out.text('No runs yet. Start one: coach train FILE');
    else {
      const isLabelled = all.some(({ label, labelProblem }) => label ?? labelProblem);
      const rows = all.map((run) => [
        run.id,
        standingOf(run, run.status),
        run.steps === 0 ? '-' : `${run.step}/${run.steps}`,
        run.method,
        shortPath(run.toolFile, cwd),
        run.problem ?? resultText(run),
        ...(isLabelled ? [labelText(run)] : []),
      ]);
      out.text(
        table([['run', 'state', 'step', 'method', 'tools', 'result', ...(isLabelled ? ['label'] : [])], ...rows]),
      );
    }
    return 0;
  },
};
