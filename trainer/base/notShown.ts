/** What stands in a result for a picture or a file that a model can't read. */
export const notShown = (what: string): string => `[${what}, not shown]`;

/** It is no value of a tool's. */
export const isNotShown = (text: string): boolean => text.startsWith('[') && text.endsWith(', not shown]');
