/** Tags of tasks: our own kinds, and what a task file says (a tool, a topic). Pure. */
export const KINDS = ['oneCall', 'chain', 'noTool', 'newPhrasing', 'findsNothing'] as const;

/** Our own first, in their order; then any other by name. */
export function compareTags(a: string, b: string): number {
  const place = (tag: string): number => {
    const at = (KINDS as readonly string[]).indexOf(tag);
    return at < 0 ? KINDS.length : at;
  };
  return place(a) - place(b) || (a < b ? -1 : a > b ? 1 : 0);
}
