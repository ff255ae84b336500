/** What the host keeps per rollout: its realm, its module instances, its class instances. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PrepareMessage } from './hostMessages';
import type { Instances } from './bindCall';
import { ModuleLoader, type ModuleLibrary } from './moduleLoader';
import { openRealm, type Realm } from './realm';
import { restoreSharedState } from './sharedState';

export interface Rollout {
  readonly realm: Realm;
  readonly loader: ModuleLoader;
  readonly instances: Instances;
  /** Ends its timers, deletes its scratch folder, puts back what it patched. */
  close(): void;
}

/** @param id names the scratch folder; unique in this host */
export function openRollout(id: number | string, library: ModuleLibrary, prepared: PrepareMessage): Rollout {
  const scratch = join(prepared.scratch, `rollout-${id}`);
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const realm = openRealm({ ...prepared.env, TMPDIR: scratch, TMP: scratch, TEMP: scratch }, prepared.workspace);
  return {
    realm,
    loader: new ModuleLoader(library, realm),
    instances: new Map(),
    close() {
      realm.dispose();
      restoreSharedState();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
