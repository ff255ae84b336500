/** Values that a configuration asks its user for: `${input:id}`. */
import { z } from 'zod';
import { suggest } from '../../../base/nearest';
import { inputVariable } from '../../../protocol/mcp';
import { UserError } from '../../../protocol/result';

/** An input as `.vscode/mcp.json` declares it. */
export const McpInput = z.object({
  id: z.string(),
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.string().optional(),
  password: z.boolean().optional(),
  /** of `pickString` */
  options: z.array(z.union([z.string(), z.object({ value: z.string() })])).optional(),
});
export type McpInput = z.infer<typeof McpInput>;

/** Where values come from. */
export interface InputValues {
  /** by id */
  given?: Readonly<Record<string, string>> | undefined;
  /** asks a person, where there is one, about what nothing else says */
  ask?: ((input: McpInput) => Promise<string>) | undefined;
  /** where `${env:NAME}` and, as COACH_INPUT_<ID>, inputs are read; default: this process's */
  environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Of `pickString`, the values to choose from; undefined: any text is one. */
export const optionsOf = ({ options }: McpInput): string[] | undefined =>
  options?.map((option) => (typeof option === 'string' ? option : option.value));

/** In the order in which they stand there. */
export const inputsIn = (entry: unknown): string[] => [
  ...new Set([...(JSON.stringify(entry) ?? '').matchAll(/\$\{input:([^}]+)\}/g)].map(([, id]) => id!)),
];

/**
 * The value of an input: given, of the environment, its default, or asked for; the first of them.
 * @param place of the configuration, for messages
 * @throws UserError where there is none, or it is not among the options
 */
export async function valueOfInput(
  id: string,
  declared: readonly McpInput[],
  { given = {}, ask, environment = process.env }: InputValues,
  place: string,
): Promise<string> {
  const input = declared.find((one) => one.id === id);
  if (!input)
    throw new UserError('config', `${place}: there is no input "${id}"`, 'Add it to "inputs" of the same file.');
  const value =
    (Object.hasOwn(given, id) ? given[id] : environment[inputVariable(id)]) ?? input.default ?? (await ask?.(input));
  if (value === undefined || value === '')
    throw new UserError(
      'config',
      `${place}: the input "${id}" is missing${input.description ? ` (${input.description})` : ''}`,
      `Give it: --input ${id}=VALUE, or in the environment: ${inputVariable(id)}=VALUE.`,
    );
  const options = optionsOf(input);
  if (options && !options.includes(value))
    throw new UserError('config', `${place}: the input "${id}" is none of its options`, suggest(value, options));
  return value;
}

/** @throws UserError where a value was given that nothing asks for */
export function checkGiven(given: Readonly<Record<string, string>> = {}, declared: readonly McpInput[]): void {
  const ids = declared.map(({ id }) => id);
  const unknown = Object.keys(given).find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new UserError(
      'config',
      `--input ${unknown}: the configuration has no such input`,
      ids.length === 0 ? 'It has no inputs: leave it out.' : suggest(unknown, ids),
    );
}
