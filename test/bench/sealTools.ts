/** Definitions of Seal-Tools, none of its requests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../trainer/base/random';
import type { ToolSchema } from '../../trainer/protocol/task';

/** JSON Schema's words for Seal-Tools' types. */
const TYPES: Record<string, string> = { str: 'string', int: 'integer', float: 'number', bool: 'boolean' };
interface SealTool {
  name: string;
  description: string;
  parameters: Record<string, { type: string; description: string }>;
  required: string[];
}

/** @param folder of public data @param own tools whose names are taken @returns all of them, shuffled by the seed */
export function sealTools(folder: string, own: readonly ToolSchema[], seed: number): ToolSchema[] {
  const taken = new Set(own.map(({ name }) => name));
  const lines = readFileSync(join(folder, 'seal-tools', 'tools.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const tools = lines
    .map((line) => JSON.parse(line) as SealTool)
    .filter(({ name }) => !taken.has(name))
    .map(
      ({ name, description, parameters, required }): ToolSchema => ({
        name,
        description,
        parameters: {
          type: 'object',
          properties: Object.fromEntries(
            Object.entries(parameters).map(([key, { type, ...rest }]) => [
              key,
              { type: TYPES[type] ?? 'string', ...rest },
            ]),
          ),
          required,
        },
        source: { file: 'seal-tools', line: 1 },
        binding: { exportName: name, positional: 'object' },
        changesWorld: false,
      }),
    );
  return Random.fromSeed(seed).fork('others').shuffle(tools);
}
