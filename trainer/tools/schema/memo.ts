/**
 * Converts each object type once per program: tools of one project share their types. A conversion is kept with what
 * it found, its paths relative to where it began, and played back under the next parameter that has the type.
 */
import type { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import type { Finding, SchemaContext } from './context';

export interface Kept {
  schema: JsonSchema;
  defs: [string, JsonSchema][];
  named: [ts.Type, string][];
  unsendable: Finding[];
  anys: Finding[];
  remarks: Finding[];
  revive: [string, string][];
  cost: number;
}

export type Memo = Map<ts.Type, Kept>;

/** The kept conversion, written into the context; null where there is none, or its names are taken by other types. */
export function playBack(type: ts.Type, context: SchemaContext): JsonSchema | null {
  const kept = context.memo.get(type);
  if (!kept) return null;
  for (const [each, name] of kept.named) if (context.named.get(each) !== name && isTaken(name, context)) return null;
  for (const [name, schema] of kept.defs) context.defs.set(name, schema);
  for (const [each, name] of kept.named) context.named.set(each, name);
  for (const list of ['unsendable', 'anys', 'remarks'] as const) {
    for (const { path, what } of kept[list]) context[list].push({ path: join(context.path, path), what });
  }
  for (const [path, how] of kept.revive) context.revive.set(join(context.path, path), how);
  context.budget -= kept.cost;
  return kept.schema;
}

/**
 * Runs a conversion and keeps it, unless it refers back to a type around it or to a definition made before it: those
 * are this context's own.
 */
export function keep(type: ts.Type, context: SchemaContext, body: () => JsonSchema): JsonSchema {
  const begun = {
    unsendable: context.unsendable.length,
    anys: context.anys.length,
    remarks: context.remarks.length,
    revive: context.revive.size,
    defs: context.defs.size,
    named: context.named.size,
    budget: context.budget,
    outermost: context.outermost,
    oldestNamed: context.oldestNamed,
    depth: context.open.size,
  };
  context.outermost = Infinity;
  context.oldestNamed = Infinity;
  const schema = body();
  if (context.outermost >= begun.depth && context.oldestNamed >= begun.named && context.budget > 0) {
    const findings = (list: 'unsendable' | 'anys' | 'remarks') =>
      context[list].slice(begun[list]).map(({ path, what }) => ({ path: relativeTo(context.path, path), what }));
    context.memo.set(type, {
      schema,
      defs: [...context.defs].slice(begun.defs),
      named: [...context.named].slice(begun.named),
      unsendable: findings('unsendable'),
      anys: findings('anys'),
      remarks: findings('remarks'),
      revive: [...context.revive].slice(begun.revive).map(([path, how]) => [relativeTo(context.path, path), how]),
      cost: begun.budget - context.budget,
    });
  }
  context.outermost = Math.min(context.outermost, begun.outermost);
  context.oldestNamed = Math.min(context.oldestNamed, begun.oldestNamed);
  return schema;
}

function isTaken(name: string, context: SchemaContext): boolean {
  return context.defs.has(name) || [...context.open.values()].some((entry) => entry.name === name);
}

/** '' stays '', a first name gets its dot. */
function relativeTo(prefix: string, path: string): string {
  const rest = path.slice(prefix.length);
  return rest === '' || rest.startsWith('.') || rest.startsWith('[') ? rest : `.${rest}`;
}

function join(prefix: string, path: string): string {
  return prefix === '' ? path.replace(/^\./, '') : prefix + path;
}
