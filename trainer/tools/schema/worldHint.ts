/** What a tool's MCP annotations say of the world. */

interface Hints {
  readOnlyHint?: unknown;
  destructiveHint?: unknown;
}

/** Does it change the world? undefined: they do not say. */
export function worldHint({ readOnlyHint, destructiveHint }: Hints): boolean | undefined {
  if (readOnlyHint === true) return false;
  return destructiveHint === true || readOnlyHint === false ? true : undefined;
}
