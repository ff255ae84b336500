/** `coach evaluate --requests`: what a person keeps to measure on, and what is said of it. */
import { mcnemar, pairedChange, verdictOf } from '../../evaluation/statistics';
import type { Success } from '../../protocol/messages';
import { UserError } from '../../protocol/result';
import { trainedTasks } from '../../store/runs/readRun';
import { notTrainedOn, ownRequests } from '../../tasks/ownRequests';
import type { MadeTasks, MakingTasks } from '../prepare/tasks';
import { points, type Output } from './output';
import { changedWords, intervalWords, successWords } from './progress';

/**
 * The kept requests of a tool file; of a run without those that it was trained on.
 * @throws UserError where none is kept that the tools can do
 */
export function keptTasks({
  workspace,
  config,
  found,
  note,
  runDir,
}: Pick<MakingTasks, 'workspace' | 'config' | 'found' | 'note'> & { runDir: string | null }): MadeTasks {
  const own = ownRequests(workspace, config.toolFile, found.tools);
  const { file, requests, problems } = runDir === null ? own : notTrainedOn(own, trainedTasks(runDir));
  for (const problem of problems) note('warning', 'requestsKept', `${file}: left out: ${problem}`);
  if (requests.length === 0)
    throw new UserError(
      'task',
      `${file}: no request is kept there${problems.length > 0 ? ' that can be measured' : ''}`,
      'Open the run in VS Code, choose Try It, type a request, and accept an answer as right.',
    );
  return { tasks: requests, source: file, seen: [] };
}

/** The same requests before and after training, in the same order; with the change and what it may be called. */
export function sayBeforeAfter(
  out: Output,
  of: { before: Success; after: Success; solvedBefore: readonly boolean[]; solvedAfter: readonly boolean[] },
): void {
  const { solvedBefore, solvedAfter } = of;
  const gain = { ...pairedChange(solvedBefore, solvedAfter), changed: mcnemar(solvedBefore, solvedAfter) };
  const verdict = verdictOf(gain);
  const plain = ({ n, success, ci95, verdicts, rule }: Success) => ({ n, success, ci95, verdicts, rule });
  out.clearBar();
  out.json({ before: plain(of.before), after: plain(of.after), gain, verdict });
  out.text(`Before  ${successWords(of.before)}`);
  out.text(`After   ${successWords(of.after)}`);
  out.text(`Gain    ${points(gain.mean)} points on your own requests ${intervalWords(gain)}: ${verdict}`);
  out.text(changedWords(gain.changed));
}
