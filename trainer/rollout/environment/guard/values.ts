import type { ToolSchema } from '../../../protocol/task';
import { resolveRef } from '../../../protocol/arguments';
import { factsIn } from './facts';
import type { Seen } from './seen';

type Schema = Record<string, unknown>;

/** Whole numbers up to here are how many, which page, which place: seldom written out. */
const SMALL = 10;
/** A text of so many words is written by the policy itself (a message, a note): only what it states is looked up. */
const PROSE_WORDS = 6;
const LONGEST_SHOWN = 80;
const MAX_DEPTH = 16;
const MAX_SHOWN = 5;
const WRITTEN = ['description', 'title', 'default', 'examples'];

/**
 * Which arguments hold a value that nobody gave the policy. A value is allowed where the schema lists it (enum, const);
 * where it lists no values, a text or a
 * number must have been said by the user, answered by a tool, or written by the tool's author (descriptions, defaults,
 * examples). A text may put seen words
 * together; of one with six words or more only numbers, days, times, ids and quoted names are looked up. Free are:
 * true, false, null, empty texts, whole
 * numbers up to 10, and days and times where the user spoke of them by words such as "tomorrow". Signs are not
 * compared, and nothing is calculated.
 * Not from ToolRLA, arXiv:2603.01620, whose defence (appendix A) ends at the tool's name; it is meant against what its
 * failure analysis finds most often, wrong values.
 *
 * @returns one sentence for each such argument: where, rule, value, way out
 */
export function unseenArguments(tool: ToolSchema, args: Record<string, unknown>, seen: Seen): string[] {
  const out: string[] = [];
  const walk = (value: unknown, schemas: readonly Schema[], path: string): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      const problem = problemOf(value, schemas, seen);
      if (problem !== null) out.push(`${path || 'arguments'} ${problem}`);
    } else if (Array.isArray(value)) {
      value.forEach((item, i) =>
        walk(
          item,
          inner(
            schemas,
            tool.parameters,
            (schema) => (schema.prefixItems as Schema[] | undefined)?.[i] ?? schema.items,
          ),
          `${path}.${i}`,
        ),
      );
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        walk(
          item,
          inner(
            schemas,
            tool.parameters,
            (schema) =>
              (schema.properties as Record<string, unknown> | undefined)?.[key] ?? schema.additionalProperties,
          ),
          path === '' ? key : `${path}.${key}`,
        );
      }
    }
  };
  walk(args, alternatives(tool.parameters, tool.parameters), '');
  return out.length > MAX_SHOWN ? [...out.slice(0, MAX_SHOWN), `and ${out.length - MAX_SHOWN} more`] : out;
}

function problemOf(value: string | number, schemas: readonly Schema[], seen: Seen): string | null {
  const fitting = schemas.filter(
    ({ type }) =>
      type === undefined ||
      [type].flat().some((one) => one === typeof value || (one === 'integer' && typeof value === 'number')),
  );
  const lists = fitting.map((schema) =>
    Array.isArray(schema.enum) ? (schema.enum as unknown[]) : schema.const !== undefined ? [schema.const] : null,
  );
  if (lists.some((list) => list?.includes(value))) return null;
  const shown = JSON.stringify(
    typeof value === 'string' && value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value,
  );
  if (lists.length > 0 && lists.every((list) => list !== null))
    return `must be one of ${JSON.stringify(lists.flat())}, got ${shown}; choose one of these`;
  const missing = typeof value === 'number' ? unseenNumber(value, seen) : unseenParts(value, seen);
  if (missing.length === 0) return null;
  const which =
    missing.length === 1 && missing[0] === String(value)
      ? ''
      : `, of which ${missing.map((part) => JSON.stringify(part)).join(', ')} was not seen`;
  return (
    `must be a value that the user gave or that a tool returned, got ${shown}${which}; copy it ` +
    'from there, or ask for it'
  );
}

function unseenNumber(value: number, seen: Seen): string[] {
  return (Number.isInteger(value) && Math.abs(value) <= SMALL) || seen.hasNumber(value) ? [] : [String(value)];
}

function unseenParts(text: string, seen: Seen): string[] {
  if (seen.hasText(text)) return [];
  const { facts, rest } = factsIn(text, { quotes: true });
  const unseen = facts.filter((fact) => !seen.has(fact, { mayRound: false })).map((fact) => fact.text);
  if (wordsOf(text).length >= PROSE_WORDS) return unseen;
  return [...unseen, ...wordsOf(rest).filter((word) => !seen.hasText(word))];
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** What the author wrote about a tool, as text: the names that JSON Schema itself uses are left out. */
export function writtenAbout({ description, parameters, examples = [] }: ToolSchema): string[] {
  const out = [description, ...examples];
  const leaves = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') out.push(String(value));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(leaves);
  };
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if (Array.isArray(schema)) return schema.forEach(walk);
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties' || key === '$defs')
        Object.values(value as Schema).forEach(walk); // names, not keywords
      else if (WRITTEN.includes(key)) leaves(value);
      else walk(value);
    }
  };
  walk(parameters);
  return out;
}

/** The schemas that may hold a place, one of several: references followed, unions laid open. */
function alternatives(schema: unknown, root: Schema, depth = 0): Schema[] {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return [];
  const { $ref, anyOf, oneOf, allOf, ...own } = schema as Schema;
  if (typeof $ref === 'string') return alternatives(resolveRef(root, $ref), root, depth + 1);
  const parts = [anyOf, oneOf, allOf].flatMap((union) => (Array.isArray(union) ? (union as unknown[]) : []));
  const open = parts.flatMap((part) => alternatives(part, root, depth + 1));
  // what stands beside a union says only what all of its parts share
  return open.length > 0 ? [...open, ...(own.enum !== undefined || own.properties !== undefined ? [own] : [])] : [own];
}

function inner(schemas: readonly Schema[], root: Schema, of: (schema: Schema) => unknown): Schema[] {
  return schemas.flatMap((schema) => alternatives(of(schema), root));
}
