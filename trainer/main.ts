/**
 * The trainer process: `node dist/trainer/main.js --config FILE`, started detached, one per run; it ends with the run.
 * FILE holds the settings as JSON; --resume DIR goes on with a run instead. The first line on stdout is JSON:
 * {"type":"started",…} once the run
 * exists and its socket listens, or {"type":"failed","error"}; nothing follows it, so the starter may close its end and
 * go.
 * `--play RUN_DIR` instead serves tries of that run's model over stdio, for one window.
 */
import { trainer } from './entry';

void trainer(process.argv.slice(2));
