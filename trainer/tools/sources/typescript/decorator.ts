/** The decorator that users paste into their project, or that a command of the editor inserts. */

/**
 * Works at run time as `@tool`, `@tool()` and `@tool({ … })`, as a standard decorator and under
 * `experimentalDecorators`, and leaves the method as it is: both forms accept a decorator that returns nothing. The
 * overloads keep the method's own type under `strict`.
 */
export const DECORATOR_SOURCE = `/** What Coach shows the model of a tool, where it differs from the method's name and JSDoc. */
export interface ToolOptions {
  name?: string;
  description?: string;
}

type MethodDecoratorOfEitherKind = (target: any, context: any, descriptor?: any) => void;

/**
 * Marks a public method as a tool for Coach: \`@tool\`, \`@tool()\` or \`@tool({ name, description })\`. It changes
 * nothing at run time.
 */
export function tool(options?: ToolOptions): MethodDecoratorOfEitherKind;
export function tool(target: any, context: any, descriptor?: any): void;
export function tool(...args: unknown[]): MethodDecoratorOfEitherKind | void {
  if (args.length < 2) return () => {};
}
`;
