/**
 * Makes `instanceof` on built-ins agree across realms: a rollout's Date is a Date to a package of node_modules, and an
 * error
 * of `node:fs` is an Error to the tool. Without it both sides take each other's values for strangers (Jest's best-known
 * trap).
 */

/** Prototype of a built-in, of any realm -> the built-in's name. Weak, so closed rollouts are freed. */
const nameOf = new WeakMap<object, string>();
const ordinary = Function.prototype[Symbol.hasInstance];

type Constructors = Record<string, new () => object>;

/** Registers the built-ins of one realm, and lets them recognise those of every other realm registered. */
export function shareInstanceof(constructors: Constructors): void {
  for (const [name, constructor] of Object.entries(constructors)) {
    nameOf.set(constructor.prototype as object, name);
    Object.defineProperty(constructor, Symbol.hasInstance, {
      configurable: true,
      // Subclasses inherit this function: for them `this` is another constructor, and the ordinary rule holds.
      value: function (this: unknown, value: unknown): boolean {
        if (ordinary.call(this as never, value)) return true;
        return this === constructor && isOfBuiltIn(value, name);
      },
    });
  }
}

function isOfBuiltIn(value: unknown, name: string): boolean {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  for (
    let proto = Object.getPrototypeOf(value) as object | null;
    proto;
    proto = Object.getPrototypeOf(proto) as object | null
  ) {
    if (nameOf.get(proto) === name) return true;
  }
  return false;
}
