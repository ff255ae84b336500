/** Expressions as Python itself would write them. */
import { PRECEDENCE, type Node } from './pythonExpression';

/**
 * `ast.unparse(node)`: how BFCL writes an argument that it takes as text. @param least how tightly what stands around
 * it binds: what binds less is put in brackets
 */
export function written(node: Node, least = 0): string {
  const bound = (strength: number, text: string): string => (strength < least ? `(${text})` : text);
  switch (node.kind) {
    case 'constant':
      return constant(node.value);
    case 'ellipsis':
      return '...';
    case 'name':
      return node.name;
    case 'attribute':
      return `${written(node.of, 9)}.${node.name}`;
    case 'index':
      return `${written(node.of, 9)}[${node.index.kind === 'tuple' && node.index.items.length > 0 ? node.index.items.map((item) => written(item)).join(', ') + (node.index.items.length === 1 ? ',' : '') : written(node.index)}]`;
    case 'call':
      return `${written(node.callee, 9)}(${[...node.positional.map((item) => written(item)), ...node.keywords.map(({ name, value }) => `${name}=${written(value)}`)].join(', ')})`;
    case 'list':
      return `[${node.items.map((item) => written(item)).join(', ')}]`;
    case 'tuple':
      return `(${node.items.map((item) => written(item)).join(', ')}${node.items.length === 1 ? ',' : ''})`;
    case 'dict':
      return `{${node.entries.map(({ key, value }) => `${written(key)}: ${written(value)}`).join(', ')}}`;
    case 'unary':
      return bound(7, `${node.operator}${written(node.operand, 7)}`);
    case 'binary': {
      if (node.operator === '**') return bound(8, `${written(node.left, 9)} ** ${written(node.right, 7)}`);
      const strength = PRECEDENCE[node.operator]!;
      return bound(strength, `${written(node.left, strength)} ${node.operator} ${written(node.right, strength + 1)}`);
    }
  }
}

function constant(value: null | boolean | bigint | number | string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return float(value);
  return typeof value === 'bigint' ? `${value}` : quoted(value);
}

/** `repr(x)` of a float */
function float(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2');
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
}

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(
    /[\\\n\r\t\x00-\x1f\x7f]/g,
    (c) =>
      ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[c] ??
      `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `${mark}${mark === "'" ? body.replaceAll("'", "\\'") : body}${mark}`;
}
