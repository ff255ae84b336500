/**
 * Notices when a rollout gets a way into the host's own realm, where what it leaves can't all be found: such a host is
 * not given to the next rollout. `Buffer.constructor('return globalThis')()` is one, `node:vm` another, a package of
 * node_modules a third: its state is its own.
 */

let isEntered = false;

/** Built-ins that compile code in this realm, or show what others run in it. */
const WAYS_IN = new Set(['vm', 'module', 'repl', 'async_hooks', 'diagnostics_channel', 'domain', 'test', 'v8']);

export function noteEntered(): void {
  isEntered = true;
}

/** @param name without `node:` */
export function noteBuiltIn(name: string): void {
  if (WAYS_IN.has(name)) isEntered = true;
}

/** Since it was last asked. */
export function takeEntered(): boolean {
  const was = isEntered;
  isEntered = false;
  return was;
}

/** Function and its like, of this realm: they go on working, and each use is seen. Before any code of the user's. */
export function watchEntrances(): void {
  const plain = watched(Function);
  globalThis.Function = plain;
  for (const sample of [async () => undefined, function* () {}, async function* () {}]) {
    const other = Object.getPrototypeOf(sample).constructor as FunctionConstructor;
    Object.setPrototypeOf(other, plain); // which was Function itself
    watched(other);
  }
}

function watched(constructor: FunctionConstructor): FunctionConstructor {
  const { apply, construct } = Reflect;
  const seen: FunctionConstructor = new Proxy(constructor, {
    apply(target, self, args) {
      isEntered = true;
      return apply(target, self, args) as unknown;
    },
    construct(target, args, newTarget) {
      isEntered = true;
      return construct(target, args, newTarget === seen ? target : newTarget) as object;
    },
  });
  Object.defineProperty(constructor.prototype, 'constructor', { value: seen, configurable: true, writable: true });
  return seen;
}
