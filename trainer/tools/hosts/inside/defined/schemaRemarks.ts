/** What a zod schema says and JSON Schema can't: the model is not told of it, though the tool still holds to it. */

type Json = Record<string, unknown>;

/** Kinds of zod without a form in JSON Schema; zod 4's own names, and zod 3's without `Zod`. */
const WITHOUT_FORM = new Set([
  'date',
  'bigint',
  'symbol',
  'map',
  'set',
  'function',
  'custom',
  'file',
  'nan',
  'promise',
]);
const MOST = 5;

/** One sentence for each place, `when: …`, five at most; of zod 3 and 4, empty for every other schema. */
export function schemaRemarks(schema: unknown): string[] {
  const remarks = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const def = definitionOf(value as Json);
    if (!def) return;
    const at = path === '' ? '' : `${path}: `;
    const kind = kindOf(def);
    if (WITHOUT_FORM.has(kind))
      remarks.add(`${at}a ${kind} has no form in JSON Schema, so any value is taken for it there`);
    if (isRefined(def))
      remarks.add(`${at}its refinement can\u2019t be said in JSON Schema; the tool checks it by itself`);
    if (isTransformed(def)) remarks.add(`${at}it is transformed; the schema says what goes in`);
    for (const [key, child] of childrenOf(def)) visit(child, key === '' ? path : path === '' ? key : `${path}.${key}`);
  };
  visit(schema, '');
  return [...remarks].slice(0, MOST);
}

function definitionOf(schema: Json): Json | undefined {
  const { _zod: zod4, _def: zod3 } = schema as { _zod?: { def?: Json }; _def?: Json };
  return zod4?.def ?? (typeof zod3?.['typeName'] === 'string' ? zod3 : undefined);
}

const kindOf = (def: Json): string =>
  String(def['typeName'] ?? def['type'])
    .replace(/^Zod/, '')
    .toLowerCase();

/** `.refine()`: zod 4 keeps it as a check, zod 3 as an effect. */
function isRefined(def: Json): boolean {
  const checks = Array.isArray(def['checks']) ? (def['checks'] as Json[]) : [];
  const isCustom = (check: Json) => (check['_zod'] as { def?: Json } | undefined)?.def?.['check'] === 'custom';
  return checks.some(isCustom) || (def['effect'] as Json | undefined)?.['type'] === 'refinement';
}

const isTransformed = (def: Json): boolean =>
  kindOf(def) === 'transform' ||
  ['transform', 'preprocess'].includes(String((def['effect'] as Json | undefined)?.['type']));

/** Schemas inside: properties by their names, everything else under the path of its owner. */
function childrenOf(def: Json): [string, unknown][] {
  const shape = typeof def['shape'] === 'function' ? (def['shape'] as () => Json)() : def['shape'];
  const named = typeof shape === 'object' && shape !== null ? Object.entries(shape) : [];
  const inner = [
    'innerType',
    'element',
    'schema',
    'in',
    'out',
    'left',
    'right',
    'valueType',
    'keyType',
    'items',
    'options',
    'type',
  ];
  const others = inner.flatMap((key) => (Array.isArray(def[key]) ? (def[key] as unknown[]) : [def[key]]));
  return [...named, ...others.map((child): [string, unknown] => ['', child])];
}
