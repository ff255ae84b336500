import { constants, setPriority } from 'node:os';

/** Below normal, so that the editor stays quick; the tool hosts, as children, inherit it. */
export function yieldToOthers(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here: then at normal priority.
  }
}
