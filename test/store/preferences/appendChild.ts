/** `node --import tsx appendChild.ts FOLDER NAME COUNT`: another window that marks. */
import { recordPreferences } from '../../../trainer/store/preferences/store';

const [workspace = '.', name = 'x', count = '1'] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++)
  recordPreferences(
    workspace,
    [{ type: 'note', runId: 'r', traceId: `${name}-${i}`, turn: null, text: 'x'.repeat(5000) }],
    { author: { name } },
  );
