import { join } from 'node:path';
import { appendWhole } from './store';
import { PreferencePair } from '../../protocol/reward';
import { ensureCoachFolder, workspaceAt } from '../runs/workspace';

/** Appends one bare pair to `.coach/preferences.jsonl`. */
export function appendPreference(workspace: string, pair: PreferencePair): void {
  appendWhole(join(ensureCoachFolder(workspaceAt(workspace)), 'preferences.jsonl'), [PreferencePair.parse(pair)]);
}
