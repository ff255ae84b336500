/**
 * `coach` as a process, with scripted dependencies. STEP_MS: how long a step takes; BLOCK_MS: how long of it nothing is
 * heard.
 */
import { runProgram } from '../../../trainer/app/cli/program';
import { fakeDependencies } from '../../store/runs/fakeDependencies';

void runProgram(
  process.argv.slice(2),
  fakeDependencies({
    stepMs: Number(process.env['STEP_MS'] ?? 0),
    blockMs: Number(process.env['BLOCK_MS'] ?? 0),
  }),
);
