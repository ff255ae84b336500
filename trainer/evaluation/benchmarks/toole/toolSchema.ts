import type { ToolSchema } from '../../../protocol/task';

/** One of ToolE's names has a sign that no call may hold. */
export const legal = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_');

/** A tool of ToolE, which has a description and no parameters. */
export const toolSchema = (name: string, description: string, file: string): ToolSchema => ({
  name: legal(name),
  description,
  parameters: { type: 'object', properties: {} },
  source: { file, line: 1 },
  binding: { exportName: legal(name), positional: 'object' },
  changesWorld: false,
});
