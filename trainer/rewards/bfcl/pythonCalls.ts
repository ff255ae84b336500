/**
 * `[f(a=1), g(b="x")]` -> calls, as BFCL reads its own prompt format (bfcl-eval 2026.3.23,
 * default_decode_ast_prompting, ast_parse and resolve_ast_by_type in
 * model_handler/utils.py), oddities kept: arguments without a name are dropped, a variable is its name, a call without
 * named arguments its text, +5 is -5.
 */
import { arithmetic } from './pythonArithmetic';
import { parseExpression, type Node } from './pythonExpression';
import { written } from './pythonText';
import { PythonError } from './pythonTokens';
import { Tuple, type Call, type Dict, type Value } from './values';

/** @throws PythonError where BFCL finds no calls in the text */
export function pythonCalls(text: string): Call[] {
  const bare = text.replace(/^[`\n ]+|[`\n ]+$/g, '');
  const list = `${bare.startsWith('[') ? '' : '['}${bare}${bare.endsWith(']') ? '' : ']'}`;
  const root = parseExpression(list);
  if (root.kind !== 'list') throw new PythonError('it must be a list of calls');
  return root.items.map((item) => {
    if (item.kind !== 'call') throw new PythonError('each item must be a call');
    return callOf(item);
  });
}

type CallNode = Extract<Node, { kind: 'call' }>;

function callOf({ callee, keywords }: CallNode): Call {
  const parts: string[] = [];
  let node = callee;
  for (; node.kind === 'attribute'; node = node.of) parts.unshift(node.name);
  if (node.kind === 'name') parts.unshift(node.name);
  return { name: parts.join('.'), arguments: new Map(keywords.map(({ name, value }) => [name, valueOf(value)])) };
}

function valueOf(node: Node): Value {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'ellipsis':
      return '...';
    case 'name':
      return node.name;
    case 'list':
      return node.items.map(valueOf);
    case 'tuple':
      return new Tuple(node.items.map(valueOf));
    case 'dict':
      return dictOf(node.entries);
    case 'unary':
      return negated(node.operand);
    case 'binary':
      return arithmetic(node);
    case 'call':
      return node.keywords.length === 0 ? written(node) : nestedCall(node);
    case 'index':
      return written(node);
    case 'attribute':
      throw new PythonError(`${written(node)} is no value`);
  }
}

const nestedCall = (node: CallNode): Dict => {
  const { name, arguments: args } = callOf(node);
  return new Map([[name, args]]);
};

function dictOf(entries: readonly { key: Node; value: Node }[]): Dict {
  return new Map(
    entries.map(({ key, value }) => {
      const name = valueOf(key);
      // BFCL's answers are JSON: no other key is ever right
      if (typeof name !== 'string') throw new PythonError('a key must be a text');
      return [name, valueOf(value)];
    }),
  );
}

/** Whatever the sign is, BFCL takes the negative; of a constant alone. */
function negated(operand: Node): Value {
  if (operand.kind !== 'constant') throw new PythonError('a sign stands before something else than a number');
  const { value } = operand;
  if (typeof value === 'boolean') return value ? -1n : 0n;
  if (typeof value !== 'bigint' && typeof value !== 'number')
    throw new PythonError('a sign stands before something else than a number');
  return -value;
}
