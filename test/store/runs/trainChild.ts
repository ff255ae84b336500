/**
 * A trainer with the scripted recipe that prints each event it reports, for the test that kills it. Arguments: folder,
 * 'new' | 'resume', steps, ms a step.
 */
import { parseSettings } from '../../../trainer/app/settings';
import { startRun } from '../../../trainer/app/startRun';
import { fakeDependencies } from './fakeDependencies';

const [dir = '', how, steps, stepMs] = process.argv.slice(2);
const stop = new AbortController();
void startRun({
  ...(how === 'resume'
    ? { resume: dir }
    : {
        runDir: dir,
        config: parseSettings({
          toolFile: `${dir}.tools.ts`,
          tasks: `${dir}.tasks.jsonl`,
          steps: Number(steps),
          checkpointEvery: 7,
          loraTargets: ['q_proj'],
          heldOutTasks: 2,
          evalTasks: 1,
        }),
      }),
  cwd: '/',
  signal: stop.signal,
  onStop: () => stop.abort(),
  now: Date.now,
  dependencies: fakeDependencies({ stepMs: Number(stepMs) }),
  onEvent: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
});
