/** The fields of a tool's parameters, by its JSON Schema, and what a person typed into one as a value. Pure. */
import type { MarkingTool } from '../messages';

export interface RewriteField {
  name: string;
  /** json: an array, an object, or what has no single plain type; as JSON text */
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'json' | 'unknown';
  isRequired: boolean;
  description: string;
  /** of a choice */
  options: unknown[];
}

type Schema = Record<string, unknown>;
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param given names that the call has; those that the tool does not know stand last, to be taken out */
export function fieldsOf(tool: MarkingTool | undefined, given: readonly string[]): RewriteField[] {
  const { properties, required } = tool?.parameters ?? {};
  const known = isSchema(properties) ? properties : {};
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(known).map(
    ([name, schema]): RewriteField => ({ name, isRequired: needed.includes(name), ...shapeOf(schema) }),
  );
  const others = given.filter((name) => !Object.hasOwn(known, name));
  return [
    ...fields,
    ...others.map((name): RewriteField => ({ name, kind: 'unknown', isRequired: false, description: '', options: [] })),
  ];
}

function shapeOf(schema: unknown): Pick<RewriteField, 'kind' | 'description' | 'options'> {
  const of = isSchema(schema) ? schema : {};
  const description = typeof of['description'] === 'string' ? of['description'] : '';
  const choices = Array.isArray(of['enum']) ? of['enum'] : Object.hasOwn(of, 'const') ? [of['const']] : null;
  if (choices) return { kind: 'choice', description, options: choices };
  const kinds = { string: 'text', number: 'number', integer: 'number', boolean: 'boolean' } as const;
  const type = of['type'];
  const kind = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : 'json';
  return { kind, description, options: [] };
}

/**
 * What a control shows of a value. A value of another type than the field's is shown as JSON: nothing is changed
 * unseen.
 */
export function textOf({ kind }: RewriteField, value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'text' && typeof value === 'string') return value;
  return JSON.stringify(value, null, kind === 'json' ? 2 : 0);
}

export type Read = { ok: true; value: unknown } | { ok: false; why: 'number' | 'boolean' | 'json'; detail: string };

/** What was typed, as a value of the field's type; the schema's other rules are the host's to check. */
export function valueOf({ kind }: RewriteField, text: string): Read {
  switch (kind) {
    case 'text':
      return { ok: true, value: text };
    case 'number': {
      const value = Number(text);
      return text.trim() === '' || !Number.isFinite(value)
        ? { ok: false, why: 'number', detail: text }
        : { ok: true, value };
    }
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { ok: true, value: text === 'true' }
        : { ok: false, why: 'boolean', detail: text };
    case 'choice':
    case 'json':
    case 'unknown':
      try {
        return { ok: true, value: JSON.parse(text) as unknown };
      } catch (error) {
        return { ok: false, why: 'json', detail: (error as Error).message };
      }
  }
}

/** What a field starts with when it is taken in: the first that may be right, or nothing typed yet. */
export function startOf({ kind, options }: RewriteField): string {
  if (kind === 'boolean') return 'false';
  return kind === 'choice' ? JSON.stringify(options[0]) : '';
}
