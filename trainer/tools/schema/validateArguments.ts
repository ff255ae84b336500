/**
 * Arguments that the policy wrote -> arguments that the tool gets: checked against its schema (JSON Schema 2020-12),
 * defaults filled in.
 */
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { ajvPattern } from '../../base/boundedPattern';
import { UserError } from '../../protocol/result';
import type { ToolSchema } from '../../protocol/task';

/** args: with defaults, so far as they could be filled in */
export type Validated = { args: Record<string, unknown> } & (
  | { ok: true }
  | { ok: false; message: string; problems: ArgumentProblem[] }
);
/** field: the argument that it is about; null: all of them together */
export interface ArgumentProblem {
  field: string | null;
  message: string;
}
/** Works on a copy; the given arguments stay as they are. */
export type ArgumentValidator = (args: unknown) => Validated;

const MAX_ERRORS = 5;

/** @throws UserError naming the tool when its schema cannot be compiled */
export function argumentValidator(tool: Pick<ToolSchema, 'name' | 'parameters'>): ArgumentValidator {
  let validate: ValidateFunction;
  try {
    validate = compiler().compile(tool.parameters);
    compiler().removeSchema(tool.parameters); // it is not kept, and another tool's may have its $id
  } catch (error) {
    throw new UserError(
      'tool',
      `${tool.name}: the schema of its parameters can't be used: ` +
        `${error instanceof Error ? error.message : String(error)}`,
      'Give its parameters simpler types.',
    );
  }
  return (args) => {
    const copy = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
    if (validate(copy)) return { ok: true, args: copy };
    const errors = validate.errors ?? [];
    const shown = errors.slice(0, MAX_ERRORS).map(inWords);
    const more = errors.length > MAX_ERRORS ? `; and ${errors.length - MAX_ERRORS} more` : '';
    return {
      ok: false,
      args: copy,
      message: `invalid arguments: ${shown.join('; ')}${more}`,
      problems: errors.map((error) => ({ field: fieldOf(error), message: inWords(error) })),
    };
  };
}

/** One for all tools: each compiles JSON Schema's own schema first, which takes longer than a hundred tools'. */
function compiler(): Ajv2020 {
  if (shared) return shared;
  shared = new Ajv2020({
    strict: false,
    useDefaults: true,
    allErrors: true,
    validateFormats: true,
    logger: false,
    code: { regExp: ajvPattern },
  });
  for (const format of ['date-time', 'date'])
    shared.addFormat(format, (text: string) => !Number.isNaN(Date.parse(text)));
  return shared;
}
let shared: Ajv2020 | null = null;

function inWords({ instancePath, message, keyword, params }: ErrorObject): string {
  const place = instancePath === '' ? 'arguments' : instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'enum')
    return `${place} must be one of ${JSON.stringify((params as { allowedValues: unknown[] }).allowedValues)}`;
  if (keyword === 'additionalProperties')
    return `${place} must not have '${String((params as { additionalProperty: string }).additionalProperty)}'`;
  return `${place} ${message ?? keyword}`;
}

function fieldOf({ instancePath, params }: ErrorObject): string | null {
  const [, field] = instancePath.split('/');
  const { missingProperty, additionalProperty } = params as { missingProperty?: string; additionalProperty?: string };
  return field?.replaceAll('~1', '/').replaceAll('~0', '~') ?? missingProperty ?? additionalProperty ?? null;
}
