/**
 * One rollout's world: a `vm` context with its own intrinsics, its own `process` and its own timers.
 * Not a wall (a tool that wants out gets out); it keeps state of one rollout from the next. The walls are the process
 * and its permissions.
 */
import { createContext, Script, type Context } from 'node:vm';
import { promisify } from 'node:util';
import { shareInstanceof } from './sharedInstanceof';
import { standInProcess } from './standInProcess';

/** Values of the context's own realm that the host needs, taken before user code can replace them. */
export interface RealmTools {
  parse(text: string): unknown;
  Date: DateConstructor;
  Map: MapConstructor;
  Set: SetConstructor;
  BigInt: BigIntConstructor;
  Uint8Array: Uint8ArrayConstructor;
  Reflect: object;
  /** Name -> constructor, for `instanceof` across realms. */
  constructors: Record<string, new () => object>;
}

export interface Realm {
  readonly context: Context;
  readonly tools: RealmTools;
  readonly process: object;
  /** Ends the timers; what else the tool left running sees a world that nobody reads. */
  dispose(): void;
}

export const INTRINSICS = [
  'Object',
  'Function',
  'Array',
  'Date',
  'RegExp',
  'Promise',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'EvalError',
  'URIError',
  'AggregateError',
  'ArrayBuffer',
  'SharedArrayBuffer',
  'DataView',
  'Uint8Array',
  'Int8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
] as const;

const setUp = new Script(
  `globalThis.global = globalThis;
({ parse: JSON.parse, Date, Map, Set, BigInt, Uint8Array, Reflect, constructors: { ${INTRINSICS.join(', ')} } })`,
  { filename: 'coach:realm' },
);

const ownGlobals = new Set(
  new Script('Object.getOwnPropertyNames(globalThis)').runInContext(createContext({})) as string[],
);
const perRollout = ['process', 'global', 'globalThis', 'console', 'setTimeout', 'setInterval', 'setImmediate'];
const shared = new Set<string>([...ownGlobals, ...perRollout]);
/**
 * Host globals that a context lacks (fetch, URL, Buffer, …): the prototype of every sandbox, so that a rollout's
 * assignment is its own.
 */
const sharedGlobals = Object.create(null) as object;
/** What packages have added to Reflect (reflect-metadata does). */
const reflectAdditions = new Map<PropertyKey, PropertyDescriptor>();
const plainReflect = new Set(Reflect.ownKeys(Reflect));
shareNewGlobals();

export function openRealm(env: Record<string, string>, workspace: string): Realm {
  const timers = new Set<NodeJS.Timeout | NodeJS.Immediate>();
  const standIn = standInProcess(env, workspace);
  const sandbox = Object.create(sharedGlobals) as Record<string, unknown>;
  sandbox.process = standIn;
  sandbox.console = silentConsole();
  Object.assign(sandbox, timerFunctions(timers));
  const context = createContext(sandbox, { name: 'rollout' });
  const tools = setUp.runInContext(context) as RealmTools;
  shareInstanceof(tools.constructors);
  addToReflect(tools);
  return {
    context,
    tools,
    process: standIn,
    dispose() {
      for (const timer of timers) {
        if ('refresh' in timer) clearTimeout(timer);
        else clearImmediate(timer);
      }
      timers.clear();
    },
  };
}

/** Lets globals that a package has just added reach this rollout and the later ones. */
export function adoptPolyfills(realm: Realm): void {
  shareNewGlobals();
  for (const key of Reflect.ownKeys(Reflect)) {
    if (!plainReflect.has(key))
      reflectAdditions.set(key, Object.getOwnPropertyDescriptor(Reflect, key) as PropertyDescriptor);
  }
  addToReflect(realm.tools);
}

function addToReflect(tools: RealmTools): void {
  for (const [key, descriptor] of reflectAdditions) Reflect.defineProperty(tools.Reflect, key, descriptor);
}

/** Looked up when first used: some of them load slowly. */
function shareNewGlobals(): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (shared.has(name)) continue;
    shared.add(name);
    Object.defineProperty(sharedGlobals, name, {
      configurable: true,
      get: () => (globalThis as unknown as Record<string, unknown>)[name],
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: false });
      },
    });
  }
}

/** Console methods do nothing, formatting included, so that a flood of logging is bounded by the call's time alone. */
function silentConsole(): object {
  const nothing = () => undefined;
  return Object.fromEntries(Object.keys(console).map((name) => [name, nothing]));
}

function timerFunctions(timers: Set<NodeJS.Timeout | NodeJS.Immediate>): Record<string, unknown> {
  type Callback = (...args: unknown[]) => void;
  const track = <T extends NodeJS.Timeout | NodeJS.Immediate>(
    start: (callback: Callback) => T,
    callback: Callback,
  ): T => {
    if (typeof callback !== 'function') throw new TypeError('the timer callback must be a function');
    const timer: T = start((...args) => {
      timers.delete(timer);
      callback(...args);
    });
    timers.add(timer);
    return timer;
  };
  const later = (callback: Callback, ms?: number, ...args: unknown[]) =>
    track((run) => setTimeout(run, ms, ...args), callback);
  const soon = (callback: Callback, ...args: unknown[]) => track((run) => setImmediate(run, ...args), callback);
  const every = (callback: Callback, ms?: number, ...args: unknown[]) => {
    const timer = setInterval(callback, ms, ...args);
    timers.add(timer);
    return timer;
  };
  Object.defineProperty(later, promisify.custom, { value: promisify(setTimeout) });
  Object.defineProperty(soon, promisify.custom, { value: promisify(setImmediate) });
  return { setTimeout: later, setInterval: every, setImmediate: soon };
}
