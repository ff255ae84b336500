/**
 * What a model does on the questions of examples/email-search, one episode each, and what of it is right, made up, or
 * left open.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { NOT_FOUND } from '../../examples/email-search/questions';
import { runTasks, withModel } from '../../trainer/evaluation/evaluate';
import { openHosts } from '../../trainer/app/prepare/hosts';
import type { LimitedConfig } from '../../trainer/protocol/runConfig';
import type { Task } from '../../trainer/protocol/task';
import { realDependencies } from '../../trainer/app/dependencies';
import type { TrainedWeights } from '../../trainer/model/weights/trainedWeights';
import { localPolicy } from '../../trainer/rollout/policy/local';
import { answerOccurs, outcomeOf, type Outcome } from '../../trainer/tasks/solved';
import { round } from './measured';

/** One question. */
export interface Marked {
  id: string;
  isRight: boolean;
  /** it ended with an answer, other than that there is none */
  isAnswered: boolean;
  /** also the calls are the gold ones */
  isSolved: boolean;
  calls: number;
  reply: string;
}

const DECLINES = new RegExp(
  `${NOT_FOUND}|not (found|available)|no (such )?(e-?mail|message|result)|(can(no|')t|could not|couldn't|unable to) (find|locate)|(don't|do not) know`,
  'i',
);

/**
 * Right: the answer stands in the closing reply; where the mailbox has none, the reply says so. An episode that was
 * cut off has not answered.
 */
export function mark(task: Task, outcome: Outcome, isSolved: boolean): Marked {
  const reply = outcome.terminated ? outcome.lastReply : '';
  const declines = DECLINES.test(reply);
  const isRight = task.answer === NOT_FOUND ? declines : reply !== '' && answerOccurs(task.answer!, reply);
  return {
    id: task.id,
    isRight,
    isAnswered: reply.trim() !== '' && !declines,
    isSolved,
    calls: outcome.calls.length,
    reply: reply.slice(0, 200),
  };
}

/** success, wrong among answered (null: nothing was answered), calls a question. */
export function summaryOf(marks: readonly Marked[]): object {
  const share = (list: readonly Marked[], holds: (m: Marked) => boolean): number =>
    round(list.filter(holds).length / list.length);
  const answered = marks.filter((m) => m.isAnswered);
  return {
    n: marks.length,
    right: share(marks, (m) => m.isRight),
    goldCalls: share(marks, (m) => m.isSolved),
    answered: share(marks, (m) => m.isAnswered),
    hallucinated: answered.length === 0 ? null : share(answered, (m) => !m.isRight),
    calls: round(marks.reduce((sum, m) => sum + m.calls, 0) / marks.length, 2),
  };
}

/**
 * One episode a question: greedy where the settings' temperature is 0.
 * @param file where the marks are kept; marks that are there are not made again
 */
export async function measure({
  config,
  trained,
  tasks,
  file,
}: {
  config: LimitedConfig;
  trained: TrainedWeights | null;
  tasks: readonly Task[];
  file: string;
}): Promise<Marked[]> {
  if (existsSync(file))
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Marked);
  const found = await realDependencies.discover([config.toolFile]);
  const note = (_: string, message: string): void => console.error(message);
  const engine = await realDependencies.openEngine(config, (message) => console.error(message));
  const hosts = await openHosts({
    config,
    found,
    workspace: dirname(config.toolFile),
    note,
    dependencies: realDependencies,
    ask: async () => 'unavailable',
  });
  try {
    const startedAt = Date.now();
    const traces = await withModel(
      { modelFolder: realDependencies.modelFolder(config.model, process.cwd()), config, trained, engine },
      (base, graphs) =>
        runTasks(
          tasks,
          {
            base,
            policy: localPolicy(base, graphs, found.tools, config.constraint, config.model),
            tools: found.tools,
            hosts,
            config,
            runId: 'evaluate',
            phase: 'try',
            step: 0,
            signal: new AbortController().signal,
            now: Date.now,
            onTraces: (_, done) =>
              console.error(`${file}: ${done}/${tasks.length} after ${Math.round((Date.now() - startedAt) / 1000)} s`),
          },
          config.temperature === 0 ? 'greedy' : 1,
        ),
    );
    const marks = traces.map((trace, i) => mark(tasks[i]!, outcomeOf(trace), trace.solved === true));
    writeFileSync(file, marks.map((m) => `${JSON.stringify(m)}\n`).join(''));
    return marks;
  } finally {
    await hosts.close();
    await engine.dispose();
  }
}
