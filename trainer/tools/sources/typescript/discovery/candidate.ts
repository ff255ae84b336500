/** What the syntax of one file says of its tools, before any type is looked at. */
import type { ts } from 'ts-morph';
import type { Mend } from '../../../../protocol/task';
import type { JsDoc } from './jsDoc';

/** A function or method that is marked as a tool and can be called from outside. */
export interface Candidate {
  /** Its own name, or the one that `@tool other_name` gives. A decorator's `{ name }` is read later, with types. */
  name: string;
  /** True when the author chose the name: it is not lengthened to `Class_method` then. */
  isNamed: boolean;
  /** Where diagnostics point. */
  nameNode: ts.Node;
  /** The signature whose parameters are the tool's. */
  node: ts.SignatureDeclaration;
  docs: JsDoc | undefined;
  /** Text after `@tool` that is description. */
  tagDescription: string;
  exportName: string;
  method?: MethodPlace;
}

export interface MethodPlace {
  classNode: ts.ClassLikeDeclaration;
  className: string;
  member: string;
  isStatic: boolean;
  /** Exported name of the class, null when only an instance of it is exported. */
  classExport: string | null;
  instanceExport: string | null;
  /** The argument of `@tool({ … })`. */
  options?: ts.ObjectLiteralExpression;
}

/** A diagnostic before its place is a line and column. Subject first in the message. */
export interface Problem {
  start: number;
  end: number;
  severity: 'error' | 'warning';
  message: string;
  mend?: Mend;
  isSyntax?: true;
}

export interface Found {
  candidates: Candidate[];
  problems: Problem[];
}

/** A problem at a node's own text, without the comments before it. */
export function problemAt(
  file: ts.SourceFile,
  node: ts.Node,
  message: string,
  severity: Problem['severity'] = 'error',
  mend?: Mend,
): Problem {
  return { start: node.getStart(file), end: node.getEnd(), severity, message, ...(mend && { mend }) };
}
