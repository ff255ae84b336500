/** What a tool may say of itself; without it, the method's name and JSDoc speak. */
export interface ToolOptions {
  name?: string;
  description?: string;
}

type Method = (...args: never[]) => unknown;

/**
 * Marks a public method as a tool: `@tool`, `@tool()` or `@tool({ name, description })`, with standard decorators and with
 * `experimentalDecorators`. It marks only: the method stays as it is.
 */
export function tool(options?: ToolOptions): (target: unknown, context?: unknown, descriptor?: PropertyDescriptor) => void;
export function tool(target: Method | object, context: unknown, descriptor?: PropertyDescriptor): void;
export function tool(...args: unknown[]): unknown {
  return args.length > 1 ? undefined : (): void => undefined;
}
