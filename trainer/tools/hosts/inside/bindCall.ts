/**
 * From a module's exports and an arguments object to a call: finds the function, revives the values, orders the
 * parameters.
 */
import type { TypeScriptBinding } from '../../../protocol/task';
import type { RealmTools } from './realm';

/** Class instances of one rollout: constructed without arguments, once. */
export type Instances = Map<string, object>;
type Callable = (...parameters: unknown[]) => unknown;

/**
 * @param instances where the rollout keeps its class instances; key: file and export
 * @returns the function and its `this`
 * @throws Error in words for the user when the export or the member is not there
 */
export function findFunction(
  exports: unknown,
  binding: TypeScriptBinding,
  file: string,
  instances: Instances,
): { self: unknown; call: Callable } {
  const exported = (exports as Record<string, unknown> | undefined)?.[binding.exportName];
  if (exported === undefined) throw new Error(`${file} has no export '${binding.exportName}'`);
  if (binding.member === undefined) return { self: undefined, call: callable(exported, binding.exportName) };
  let self = exported as object;
  if (!binding.isStatic && !binding.isInstance) {
    const key = `${file}\n${binding.exportName}`;
    const present = instances.get(key);
    self = present ?? new (exported as new () => object)();
    instances.set(key, self);
  }
  return {
    self,
    call: callable((self as Record<string, unknown>)[binding.member], `${binding.exportName}.${binding.member}`),
  };
}

function callable(value: unknown, name: string): Callable {
  if (typeof value !== 'function')
    throw new Error(`'${name}' is not a function but ${value === null ? 'null' : typeof value}`);
  return value as Callable;
}

/** @param signal passed last when the tool asks for one */
export function parametersOf(args: Record<string, unknown>, binding: TypeScriptBinding, signal: unknown): unknown[] {
  const parameters: unknown[] = [];
  if (binding.positional === 'object') parameters.push(args);
  else {
    for (const { name, isRest } of binding.positional) {
      const value = args[name];
      if (isRest) parameters.push(...((value as unknown[] | undefined) ?? []));
      else parameters.push(value);
    }
  }
  if (binding.injectsSignal) parameters.push(signal);
  return parameters;
}

/**
 * Replaces JSON values by what the tool's types say, in place, in the order given (inner paths first). A path is as
 * schema/context.ts writes
 * it: `filter.since`, `items[]` for each item, `pair.0` for a place, `table.*` for each value.
 *
 * @throws Error naming the path when a value does not fit
 */
export function revive(
  args: Record<string, unknown>,
  how: Record<string, string> | undefined,
  realm: RealmTools,
): void {
  for (const [path, type] of Object.entries(how ?? {})) {
    const names = path
      .replaceAll('[]', '.*')
      .split('.')
      .filter((name) => name !== '');
    reviveAt(args, names, type, realm, path);
  }
}

function reviveAt(container: unknown, names: string[], type: string, realm: RealmTools, path: string): void {
  const [name, ...rest] = names;
  if (name === undefined || typeof container !== 'object' || container === null) return;
  const record = container as Record<string, unknown>;
  for (const key of name === '*' ? Object.keys(record) : [name]) {
    if (!Object.hasOwn(record, key) || record[key] === null) continue;
    if (rest.length > 0) reviveAt(record[key], rest, type, realm, path);
    else record[key] = revived(record[key], type, realm, path);
  }
}

function revived(value: unknown, type: string, realm: RealmTools, path: string): unknown {
  switch (type) {
    case 'Date': {
      const date = new realm.Date(value as string);
      if (Number.isNaN(date.getTime())) throw new TypeError(`${path}: '${String(value)}' is not a date`);
      return date;
    }
    case 'Map':
      return new realm.Map(Array.isArray(value) ? (value as [unknown, unknown][]) : Object.entries(value as object));
    case 'Set':
      return new realm.Set(value as unknown[]);
    case 'bigint':
      return realm.BigInt(value as string | number);
    case 'bytes':
      return new realm.Uint8Array(Buffer.from(String(value), 'base64'));
    default:
      throw new TypeError(`${path}: a value of type ${type} cannot be made from JSON`);
  }
}

/**
 * An AbortSignal that also answers as a VS Code CancellationToken, since the schema says only that one of them is
 * wanted.
 */
export function signalAndToken(signal: AbortSignal): AbortSignal {
  const onCancellationRequested = (listener: (event: unknown) => void) => {
    const run = () => listener(undefined);
    signal.addEventListener('abort', run, { once: true });
    return { dispose: () => signal.removeEventListener('abort', run) };
  };
  Object.defineProperty(signal, 'isCancellationRequested', { get: () => signal.aborted });
  return Object.assign(signal, { onCancellationRequested });
}
