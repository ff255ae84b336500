/** Shared by ToolBrain's rewards. */
export const COMPAT = { kind: 'switch', default: false, description: "the original's value, faults included" } as const;
