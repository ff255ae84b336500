import { listRuns } from '../runs/listRuns';
import { shortPath } from '../shortPath';
import type { Command } from './command';
import { percent, points, table } from './output';

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
      const rows = all.map((run) => {
        const gain = run.result && run.result.before.success !== null && run.result.after.success !== null
          ? `${percent(run.result.before.success)} -> ${percent(run.result.after.success)} (${points(run.result.gain.mean)} points, ${run.result.verdict})`
          : run.reward === null ? '' : `reward ${run.reward.toFixed(2)}`;
        return [run.id, run.status, `${run.step}/${run.steps}`, run.method, shortPath(run.toolFile, cwd), run.problem ?? gain];
      });
      out.text(table([['run', 'status', 'step', 'method', 'tools', 'result'], ...rows]));
    }
    return 0;
  },
};
