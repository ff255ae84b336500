/** The trainer process with scripted dependencies. FAKE: JSON {stepMs, asks, failAt, crashAt}. */
import { UserError } from '../../../trainer/protocol/result';
import { runTrainer } from '../../../trainer/app/runTrainer';
import { fakeDependencies } from './fakeDependencies';

const { stepMs, asks, failAt, crashMs } = JSON.parse(process.env['FAKE'] ?? '{}') as {
  stepMs?: number;
  asks?: boolean;
  failAt?: number;
  crashMs?: number;
};
if (crashMs !== undefined)
  setTimeout(() => {
    throw new Error('out of the blue');
  }, crashMs);
void runTrainer(
  process.argv.slice(2),
  fakeDependencies({
    ...(stepMs === undefined ? {} : { stepMs }),
    ...(asks === undefined ? {} : { asks }),
    ...(failAt === undefined
      ? {}
      : {
          fail: {
            step: failAt,
            error: new UserError('policy', 'the model folder /m: config.json is missing', 'Give another.'),
          },
        }),
  }),
).then((code) => process.exit(code));
