/** What one conversion carries along, and what it finds on its way. */
import type { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import type { Memo } from './memo';

/**
 * `arguments`: what a caller sends. `returns`: what comes back, where a method or function is simply not in the JSON.
 */
export type Direction = 'arguments' | 'returns';

export interface Finding {
  /** `filter.since`, `items[]`; empty for the root. */
  path: string;
  what: string;
}

/** One type, with its parts, by the same context. */
export type Convert = (type: ts.Type, context: SchemaContext, node?: ts.TypeNode) => JsonSchema;

export interface SchemaContext {
  /** For the parts of a type: each family of types has a file of its own, and none imports the dispatch. */
  readonly convert: Convert;
  readonly checker: ts.TypeChecker;
  readonly isLibraryFile: (file: ts.SourceFile) => boolean;
  readonly direction: Direction;
  /** Where the type is used: the parameter or function. */
  readonly at: ts.Node;
  /** Recursive types, by name. */
  readonly defs: Map<string, JsonSchema>;
  /** Parts that no caller can send. */
  readonly unsendable: Finding[];
  /** Parts whose type is `any`. */
  readonly anys: Finding[];
  /** Tags whose text can't be read, types that are too large. */
  readonly remarks: Finding[];
  /** JSON path -> how the host revives the value before the call. In the order of the types, so outer paths first. */
  readonly revive: Map<string, string>;
  /** Types being converted now; a name once something inside refers back. */
  readonly open: Map<ts.Type, { name: string | null; depth: number }>;
  readonly named: Map<ts.Type, string>;
  /** Conversions kept from other tools of the program. */
  readonly memo: Memo;
  /**
   * How far the conversion under way referred back: depth of the outermost open type, place of the oldest named one.
   */
  outermost: number;
  oldestNamed: number;
  path: string;
  /** Conversions still allowed: a type that unfolds without end stops here. */
  budget: number;
}

/** What is the same for all tools of a program. */
export interface ProgramTypes {
  checker: ts.TypeChecker;
  isLibraryFile: (file: ts.SourceFile) => boolean;
  convert: Convert;
  memos: Record<Direction, Memo>;
}

/** A fresh context for one parameter list or return type. */
export function makeContext(
  { checker, isLibraryFile, convert, memos }: ProgramTypes,
  at: ts.Node,
  direction: Direction,
  budget: number,
): SchemaContext {
  return {
    checker,
    convert,
    at,
    direction,
    isLibraryFile,
    budget,
    memo: memos[direction],
    defs: new Map(),
    unsendable: [],
    anys: [],
    remarks: [],
    revive: new Map(),
    open: new Map(),
    named: new Map(),
    path: '',
    outermost: Infinity,
    oldestNamed: Infinity,
  };
}

/** Runs `body` one step deeper: `.name`, `[]` for each item, `.0` for a place in a tuple, `.*` for each value. */
export function within<T>(context: SchemaContext, step: string, body: () => T): T {
  const outer = context.path;
  context.path = outer === '' ? step.replace(/^\./, '') : outer + step;
  try {
    return body();
  } finally {
    context.path = outer;
  }
}

/** Notes that the value here can't be sent, and gives the schema that nothing satisfies. */
export function unsendable(context: SchemaContext, what: string): JsonSchema {
  context.unsendable.push({ path: context.path, what });
  return { not: {} };
}

export function isNever(schema: JsonSchema): boolean {
  const { not } = schema;
  return typeof not === 'object' && not !== null && Object.keys(not).length === 0;
}
