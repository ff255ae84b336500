/** `coach` as a process, with scripted rooms. STEP_MS: how long a step takes. */
import { runProgram } from '../../trainer/cli/program';
import { fakeRooms } from '../runs/fakeRooms';

void runProgram(process.argv.slice(2), fakeRooms({ stepMs: Number(process.env['STEP_MS'] ?? 0) }));
