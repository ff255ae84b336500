/** Whether a resumed run has the tools that it began with. */
import type { RunManifest } from '../protocol/messages';
import { UserError } from '../protocol/result';
import type { ToolSchema } from '../protocol/task';
import { changedNames, hashEach, hashFiles } from '../store/runs/hashes';
import type { Discovered } from '../tools/sources/typescript/discover';

/** Of a run of before only the tool files themselves are known. */
export function changedFiles({ config, hashes, modules }: RunManifest, found: Discovered, workspace: string): string[] {
  return modules
    ? changedNames(modules, hashEach(found.modules ?? found.files, workspace))
    : hashes['tools'] === hashFiles(found.files)
      ? []
      : [config.toolFile];
}

/** Gold calls, prompts and the measurement before were made with the tools as they were. */
export function checkSameTools(before: ToolSchema[], now: ToolSchema[], toolFile: string): void {
  const seen = (tools: ToolSchema[]) =>
    new Map(tools.map(({ name, description, parameters }) => [name, JSON.stringify({ description, parameters })]));
  const [old, current] = [seen(before), seen(now)];
  const changed = [...new Set([...old.keys(), ...current.keys()])].filter(
    (name) => old.get(name) !== current.get(name),
  );
  if (changed.length > 0) {
    throw new UserError(
      'tool',
      `${toolFile}: the policy would see other tools than when the run began: ` +
        `${changed.join(', ')} changed in name, description or parameters`,
      'Undo the change to resume, or start a new run.',
    );
  }
}
