/** The value that a definition gave: the object of the library, or a function that answers for it. */
import type { DefinedBinding } from '../../../../protocol/task';
import type { ModuleLoader } from '../moduleLoader';

export interface DefinedIn {
  file: string;
  loader: Pick<ModuleLoader, 'keptValue' | 'packageOf'>;
}

export type Callable = (...args: unknown[]) => unknown;

/** @throws Error where the file, loaded, did not get to the definition */
export function definitionOf({ span }: DefinedBinding, { file, loader }: DefinedIn): Record<string, unknown> {
  const value = loader.keptValue(file, span);
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
    throw new Error('its definition is not reached when the file is loaded; define it at the top level of the file');
  return value as Record<string, unknown>;
}

/** What runs a tool, with its `this`; undefined where nothing does. */
export function functionOf(
  { library, handler }: DefinedBinding,
  value: Record<string, unknown>,
  { file, loader }: DefinedIn,
): { self: unknown; call: Callable } | undefined {
  const self = handler ? (loader.keptValue(file, handler.span) as Record<string, unknown> | undefined) : value;
  const names = handler ? [handler.member] : MEMBERS[library];
  const name = names.find((each) => typeof self?.[each] === 'function');
  return name === undefined ? undefined : { self, call: self![name] as Callable };
}

/** The member of each library's object that runs it. MCP: `handler`, before version 1.24 `callback`. */
const MEMBERS: Record<DefinedBinding['library'], string[]> = {
  ai: ['execute'],
  'openai-agents': ['invoke'],
  langchain: ['invoke'],
  mcp: ['handler', 'callback'],
  openai: [],
};
