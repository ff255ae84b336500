/** `find_tools`: a tool of Coach's own by which a policy looks up others (ScaleMCP, arXiv:2505.06416). */
import { UserError } from '../../protocol/result';
import type { ToolSchema } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';

export const FIND_TOOLS: ToolSchema = {
  name: 'find_tools',
  description: 'Find further tools, if none of these can do it. They can be called from the next turn on.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', minLength: 1, description: 'what has to be done' } },
    required: ['query'],
    additionalProperties: false,
  },
  binding: { kind: 'memory' },
  changesWorld: false,
};

/** So many are found at once (TheMCPCompany's find_tools, arXiv:2510.19286); of a small prompt half of its tools. */
export const FOUND = 5;

/** How many a look-up finds, where a prompt holds so many tools that were found. */
export const foundAtOnce = (room: number): number => Math.max(1, Math.min(FOUND, Math.ceil(room / 2)));

/** What is asked for; null: the arguments are not as the schema says. */
export function queryOf({ query }: Record<string, unknown>): string | null {
  return typeof query === 'string' && query.trim() !== '' ? query : null;
}

/** What a look-up answers: names and the first sentences of descriptions. */
export const foundResult = (found: readonly Pick<ToolSchema, 'name' | 'description'>[]): string =>
  JSON.stringify(found.map(({ name, description }) => ({ name, description: description.split('. ')[0] })));

/** A result of Coach's own, which traces know by its origin. */
export const lookUpResult = (kind: ToolResult['kind'], content: string, startedAt: number): ToolResult => ({
  kind,
  content,
  policy: 'real',
  origin: { kind: 'memory' },
  startedAt,
  durationMs: 0,
});

/** @throws UserError where one of the user's tools has the name */
export function checkNoClash(tools: readonly Pick<ToolSchema, 'name' | 'source'>[]): void {
  const other = tools.find(({ name }) => name === FIND_TOOLS.name);
  if (!other) return;
  const place = other.source ? `${other.source.file}:${other.source.line}` : 'a server';
  throw new UserError(
    'config',
    `findTools adds a tool called ${FIND_TOOLS.name}, and ${place} has one of that name`,
    'Rename it, or leave findTools out.',
  );
}
