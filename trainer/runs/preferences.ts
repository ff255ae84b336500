import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PreferencePair } from '../protocol/reward';
import { LineWriter, repairTail } from './jsonLines';
import { storing } from './storage';
import { ensureCoachFolder, workspaceAt } from './workspace';

/** Appends one preference of the user to `.coach/preferences.jsonl`. */
export function appendPreference(workspace: string, pair: PreferencePair): void {
  const path = join(ensureCoachFolder(workspaceAt(workspace)), 'preferences.jsonl');
  endLastLine(path);
  const lines = LineWriter.open(path);
  try {
    lines.append(PreferencePair.parse(pair));
    lines.sync();
  } finally {
    lines.close();
  }
}

/** A half line that a killed service left is cut off; a whole one without newline, from an editor, is the user's and gets its newline. */
function endLastLine(path: string): void {
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const last = text.slice(text.lastIndexOf('\n') + 1);
  if (last === '') return;
  try {
    JSON.parse(last);
  } catch {
    repairTail(path, () => true);
    return;
  }
  storing(path, () => appendFileSync(path, '\n'));
}
