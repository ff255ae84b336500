/**
 * What all rollouts of a host share by necessity (built-in modules, the main realm's prototypes, web globals) is put
 * back
 * when a rollout ends, so that a tool which patches `fs.readFileSync` or `Buffer.prototype` does so for itself only.
 * Packages may patch while they load: what they did then is kept, and polyfills reach the rollouts.
 */
import { EventEmitter } from 'node:events';
import * as net from 'node:net';
import * as stream from 'node:stream';

const { ownKeys, defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;

interface Watched {
  object: Record<PropertyKey, unknown>;
  known: PropertyKey[];
  /** Kept apart, since comparing values is several times faster than comparing descriptors. */
  data: { key: PropertyKey; value: unknown; descriptor: PropertyDescriptor }[];
  accessors: { key: PropertyKey; descriptor: PropertyDescriptor }[];
}

let watched: Watched[] | undefined;
let isChanged = false;
/** Built-in modules that the user's files have asked for, and those that the host itself speaks through. */
const builtIns = new Map<string, unknown>([
  ['events', EventEmitter],
  ['net', net],
  ['stream', stream],
]);

/** A built-in module as a tool gets it; from now on it is among what is put back. */
export function watchBuiltIn(name: string, exports: unknown): void {
  if (builtIns.has(name)) return;
  builtIns.set(name, exports);
  for (const object of partsOf(exports)) watched?.push(watch(object));
}

/** What a package that only defines tools exports. */
const packages = new Set<unknown>();

/** From now on it is among what is put back, too. */
export function watchPackage(exports: unknown): void {
  if (packages.has(exports)) return;
  packages.add(exports);
  for (const object of partsOf(exports)) watched?.push(watch(object));
}

/** Whether anything had to be put back since it was last asked. */
export function takeChanged(): boolean {
  const was = isChanged;
  isChanged = false;
  return was;
}

/** Takes the present state for the right one. */
export function keepSharedState(): void {
  watched = watchedObjects().map(watch);
}

function watch(object: object): Watched {
  const known = ownKeys(object);
  const all = known.map((key) => ({ key, descriptor: getOwnPropertyDescriptor(object, key) as PropertyDescriptor }));
  const changeable = all.filter(({ descriptor }) => descriptor.configurable || descriptor.writable);
  return {
    object: object as Record<PropertyKey, unknown>,
    known,
    data: changeable
      .filter(({ descriptor }) => 'value' in descriptor)
      .map((property) => ({ ...property, value: property.descriptor.value as unknown })),
    accessors: changeable.filter(({ descriptor }) => !('value' in descriptor)),
  };
}

/**
 * Puts back what was changed, added or deleted since. Written with plain loops, since any method may be what was
 * changed.
 * Cost: about 0.2 ms.
 */
export function restoreSharedState(): void {
  if (!watched) return;
  for (let i = 0; i < watched.length; i++) restore(watched[i] as Watched);
}

function restore({ object, data, accessors, known }: Watched): void {
  for (let i = 0; i < data.length; i++) {
    const property = data[i] as Watched['data'][number];
    if (object[property.key] === property.value) continue;
    isChanged = true;
    defineProperty(object, property.key, property.descriptor);
  }
  for (let i = 0; i < accessors.length; i++) {
    const { key, descriptor } = accessors[i] as Watched['accessors'][number];
    const now = getOwnPropertyDescriptor(object, key);
    if (now?.get === descriptor.get && now?.set === descriptor.set) continue;
    isChanged = true;
    defineProperty(object, key, descriptor);
  }
  const present = ownKeys(object);
  if (present.length === known.length) return;
  for (let i = 0; i < present.length; i++) {
    const key = present[i] as PropertyKey;
    let isKnown = false;
    for (let j = 0; j < known.length && !isKnown; j++) isKnown = known[j] === key;
    if (isKnown) continue;
    isChanged = true;
    deleteProperty(object, key);
  }
}

function watchedObjects(): object[] {
  const globals = [
    'Buffer',
    'URL',
    'URLSearchParams',
    'AbortController',
    'AbortSignal',
    'Event',
    'EventTarget',
    'TextEncoder',
    'TextDecoder',
  ];
  const intrinsics = [
    'Object',
    'Function',
    'Array',
    'Date',
    'RegExp',
    'Promise',
    'Map',
    'Set',
    'Error',
    'TypeError',
    'String',
    'Number',
    'Boolean',
    'Symbol',
    'BigInt',
    'Uint8Array',
    'ArrayBuffer',
  ];
  const all = globalThis as unknown as Record<string, unknown>;
  const objects = [
    ...[...builtIns.values(), ...packages].flatMap(partsOf),
    ...globals.map((name) => all[name]),
    ...intrinsics.map((name) => all[name]),
    JSON,
    Math,
    Reflect,
  ];
  return [...new Set(objects.flatMap(withPrototype))];
}

/** A module with its classes, and one level of what hangs below it (fs.promises, net.Socket's methods). */
function partsOf(exports: unknown): object[] {
  const below = withPrototype(exports).flatMap((object) =>
    ownKeys(object).map((key) => {
      const { value, get } = getOwnPropertyDescriptor(object, key) as PropertyDescriptor;
      return key === 'promises' && get ? (get.call(object) as unknown) : (value as unknown);
    }),
  );
  return [...withPrototype(exports), ...below.filter(holdsOthers).flatMap(withPrototype)];
}

/** A class with methods, or an object that can be changed: a plain function has nothing worth a look. */
function holdsOthers(value: unknown): boolean {
  if (typeof value !== 'function') return !Object.isFrozen(value);
  const { prototype } = value as { prototype?: unknown };
  return typeof prototype === 'object' && prototype !== null && ownKeys(prototype).length > 1;
}

function withPrototype(value: unknown): object[] {
  if (typeof value === 'function')
    return [value, ...(typeof value.prototype === 'object' && value.prototype ? [value.prototype as object] : [])];
  return typeof value === 'object' && value !== null ? [value] : [];
}
