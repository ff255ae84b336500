/** What the grammar says for a tool, over many seeds. */
import { Random } from '../../../trainer/base/random';
import type { ToolSchema } from '../../../trainer/protocol/task';
import { sayCall } from '../../../trainer/tasks/generate/grammar/say';
import { toolTalk } from '../../../trainer/tasks/generate/grammar/toolTalk';

/** All of its parameters may be left out. */
export const tool = (
  name: string,
  description: string,
  properties: Record<string, unknown>,
  changesWorld = true,
): ToolSchema => ({
  name,
  description,
  parameters: { type: 'object', properties, required: [] },
  source: { file: 'tools.ts', line: 1 },
  binding: { exportName: name, positional: 'object' },
  changesWorld,
});

/** @param seed begins the seeds of its 300 draws; @returns what could be said */
export const saidWith =
  (seed: string) =>
  (schema: ToolSchema, args: Record<string, unknown>): string[] =>
    Array.from(
      { length: 300 },
      (_, i) => sayCall(toolTalk(schema), args, { random: Random.fromSeed(`${seed} ${i}`) })?.text ?? '',
    ).filter(Boolean);

export const share = (texts: readonly string[], mark: RegExp): number =>
  texts.filter((text) => mark.test(text)).length / texts.length;
