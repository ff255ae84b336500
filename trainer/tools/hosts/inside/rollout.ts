/** What the host keeps of its rollout: its realm, its module instances, its class instances, its own scratch folder. */
import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PrepareMessage } from './hostMessages';
import type { Instances } from './bindCall';
import { STATUS_FILE } from './currentCall';
import { ModuleLoader, type ModuleLibrary } from './moduleLoader';
import { openRealm, type Realm } from './realm';
import { restoreSharedState } from './sharedState';

export interface Rollout {
  readonly realm: Realm;
  readonly loader: ModuleLoader;
  readonly instances: Instances;
  /** Ends its timers, deletes what it wrote, puts back the environment and what it patched. */
  close(): void;
}

const SCRATCH = 'rollout';

export function openRollout(library: ModuleLibrary, prepared: PrepareMessage): Rollout {
  const scratch = join(prepared.scratch, SCRATCH);
  mkdirSync(scratch, { mode: 0o700 });
  const environment = { ...prepared.env, TMPDIR: scratch, TMP: scratch, TEMP: scratch };
  const before = { ...process.env };
  Object.assign(process.env, environment); // os.tmpdir and packages look there
  const realm = openRealm(environment, prepared.workspace);
  return {
    realm,
    loader: new ModuleLoader(library, realm),
    instances: new Map(),
    close() {
      realm.dispose();
      restoreSharedState();
      restoreEnvironment(before);
      for (const name of readdirSync(prepared.scratch)) if (name !== STATUS_FILE) remove(join(prepared.scratch, name));
    },
  };
}

function remove(path: string): void {
  try {
    rmdirSync(path); // empty, as most are: removing with all inside takes ten times as long
  } catch {
    rmSync(path, { recursive: true, force: true });
  }
}

function restoreEnvironment(before: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}
