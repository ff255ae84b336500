/** The value that a definition gave: the object of the library, or a function that answers for it. */
import type { DefinedBinding, DefinedHandler } from '../../../../protocol/task';
import { OWN_FUNCTIONS } from '../../../../protocol/toolMarks';
import type { ModuleLoader } from '../moduleLoader';

export interface DefinedIn {
  file: string;
  loader: Pick<ModuleLoader, 'keptValue' | 'packageOf'>;
}

export type Callable = (...args: unknown[]) => unknown;

/** @throws Error where the file, loaded, did not get to the definition */
export async function definitionOf(
  { span, isClass, maker }: DefinedBinding,
  place: DefinedIn,
): Promise<Record<string, unknown>> {
  const { file, loader } = place;
  if (maker && loader.keptValue(file, span) === undefined) await make(maker, place);
  const value = loader.keptValue(file, span);
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
    throw new Error('its definition is not reached when the file is loaded; define it at the top level of the file');
  return (isClass ? instanceOf(value as new () => object) : value) as Record<string, unknown>;
}

/** What makes tools is called once in a rollout, which has a loader of its own. */
const made = new WeakMap<object, Map<string, Promise<unknown>>>();

function make({ span, takes }: NonNullable<DefinedBinding['maker']>, place: DefinedIn): Promise<unknown> {
  const { file, loader } = place;
  const known = made.get(loader) ?? new Map<string, Promise<unknown>>();
  made.set(loader, known);
  const key = `${file} ${span.join()}`;
  const maker = loader.keptValue(file, span);
  const run = async (): Promise<unknown> =>
    typeof maker === 'function'
      ? await (maker as Callable)(...takes.map((each) => (each === 'server' ? newServer(place) : {})))
      : undefined;
  let making = known.get(key);
  if (!making) known.set(key, (making = run()));
  return making;
}

/** An McpServer of the package that the file has. @throws Error where it has none */
function newServer({ file, loader }: DefinedIn): object {
  for (const name of ['@modelcontextprotocol/sdk/server/mcp.js', '@modelcontextprotocol/server']) {
    try {
      const { McpServer } = loader.packageOf(name, file) as { McpServer?: new (info: object) => object };
      if (McpServer) return new McpServer({ name: 'tools', version: '1.0.0' });
    } catch {
      // The file has the other of them.
    }
  }
  throw new Error('the MCP SDK can\u2019t be loaded from the file');
}

/** One a class; a rollout has classes of its own. */
const instances = new WeakMap<object, object>();

function instanceOf(own: new () => object): object {
  let instance = instances.get(own);
  if (!instance) instances.set(own, (instance = new own()));
  return instance;
}

/** What runs a tool, with its `this`; undefined where nothing does. */
export function functionOf(
  { library, handler }: DefinedBinding,
  value: Record<string, unknown>,
  { file, loader }: DefinedIn,
): { self: unknown; call: Callable } | undefined {
  if (handler?.dispatch) return dispatched(loader.keptValue(file, handler.span), handler);
  if (handler?.isAlone) return alone(loader.keptValue(file, handler.span), handler);
  const self = handler ? (loader.keptValue(file, handler.span) as Record<string, unknown> | undefined) : value;
  const names = handler ? [handler.member] : MEMBERS[library];
  const name = names.find((each) => typeof self?.[each] === 'function');
  if (name === undefined) return undefined;
  const call = self![name] as Callable;
  return { self, call: inOwnOrder(call, self, handler) };
}

const alone = (value: unknown, handler: DefinedHandler): ReturnType<typeof functionOf> =>
  typeof value === 'function'
    ? { self: undefined, call: inOwnOrder(value as Callable, undefined, handler) }
    : undefined;

function inOwnOrder(call: Callable, self: unknown, handler: DefinedHandler | undefined): Callable {
  const order = handler?.positional;
  return order ? (args) => Reflect.apply(call, self, inOrder(args, order)) : call;
}

const inOrder = (args: unknown, order: readonly string[]): unknown[] =>
  order.map((name) => (args as Record<string, unknown>)[name]);

/** A function that answers several tools, as one that takes the arguments of this one. */
function dispatched(value: unknown, { member: name, dispatch }: DefinedHandler): ReturnType<typeof functionOf> {
  if (typeof value !== 'function') return undefined;
  const call = value as Callable;
  if (dispatch === 'call') return { self: undefined, call: async (args) => contentOf(await call(asCall(name, args))) };
  const isText = dispatch === 'nameAndText';
  return { self: undefined, call: (args) => call(name, isText ? JSON.stringify(args) : args) };
}

/** A call of a tool in all the forms that providers send: OpenAI's two, Anthropic's, MCP's. */
function asCall(name: string, args: unknown): object {
  const openAi = { name, arguments: JSON.stringify(args) };
  const mcp = { name, arguments: args };
  return { id: 'call', call_id: 'call', type: 'function', ...openAi, input: args, args, function: openAi, params: mcp };
}

/** Of the message that such a function makes for the model; everything else is the result itself. */
function contentOf(result: unknown): unknown {
  const { role, type, content } = (result ?? {}) as Record<string, unknown>;
  return role === 'tool' || type === 'tool_result' ? content : result;
}

/** The member of each library's object that runs it. MCP: `handler`, before version 1.24 `callback`. */
const MEMBERS: Record<DefinedBinding['library'], readonly string[]> = {
  ai: ['execute'],
  'openai-agents': ['invoke'],
  langchain: ['invoke'],
  mcp: ['handler', 'callback'],
  openai: [],
  anthropic: [],
  gemini: [],
  bedrock: [],
  own: OWN_FUNCTIONS,
};
