/** Questions to who sits at the terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { visible } from '../../protocol/visible';
import type { Ask } from './inputOption';

/** Undefined: nobody sits there. Ctrl-C while it asks is one of the program. */
export function terminalAsk(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  signal: AbortSignal,
): Ask | undefined {
  if (!input.isTTY || !output.isTTY) return undefined;
  return async (question, isSecret) => {
    output.write(visible(question));
    const unseen = new Writable({ write: (_, __, done) => done() });
    const lines = createInterface({ input, output: isSecret ? unseen : output, terminal: true });
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    try {
      return await lines.question('', { signal });
    } finally {
      lines.close();
      if (isSecret) output.write('\n');
    }
  };
}
