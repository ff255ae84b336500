/** What is known of a definition before it becomes a tool. */
import type { ts } from 'ts-morph';
import type { DefinedBinding } from '../../../protocol/task';

export interface Definition {
  node: ts.Node;
  name: string;
  description: string;
  /** Where it is pointed at. */
  nameNode: ts.Node;
  binding: DefinedBinding;
  /** What runs it, where it stands beside the node. */
  runs?: ts.Expression;
  /** Why nothing answers it. */
  mockOnly?: string;
}

/** Why a definition can't be read, and what to write. */
export type Unread = { problem: string; at: ts.Node };

export type Defining = ts.CallExpression | ts.NewExpression | ts.ObjectLiteralExpression;
