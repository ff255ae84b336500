/**
 * How keys and tokens reach a process of ours: through a pipe, since whoever can read /proc/PID/environ (or `ps e`)
 * reads what a process was started with
 * as long as it lives, whatever it deletes of it later.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SECRETS_FROM } from '../protocol/secretNames';

/**
 * What whoever started this process hands over, put into `environment`, where nothing outside of the process sees it.
 */
export async function receiveSecrets(environment: Record<string, string | undefined> = process.env): Promise<void> {
  const from = environment[SECRETS_FROM];
  delete environment[SECRETS_FROM];
  if (from === 'stdin') Object.assign(environment, parse(JSON.parse(readFileSync(0, 'utf8'))));
  if (from === 'ipc' && process.channel !== undefined) {
    Object.assign(
      environment,
      parse(
        await new Promise((resolve, reject) => {
          process.once('message', resolve);
          process.once('disconnect', () => reject(new Error('receiveSecrets: the starter has ended')));
        }),
      ),
    );
  }
}

const parse = (value: unknown): Record<string, string> => z.record(z.string(), z.string()).parse(value);
