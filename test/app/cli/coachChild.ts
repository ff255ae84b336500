/** `coach` as a process, with scripted rooms. STEP_MS: how long a step takes. */
import { runProgram } from '../../../trainer/app/cli/program';
import { fakeRooms } from '../../store/runs/fakeRooms';

void runProgram(process.argv.slice(2), fakeRooms({ stepMs: Number(process.env['STEP_MS'] ?? 0) }));
