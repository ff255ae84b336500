/**
 * TypeScript's own library, as ts-morph carries it (no files on disk, so it survives bundling), in two sizes: the
 * language alone, which nearly every tool file can do with, and the same with the browser's types and Node's.
 */
import { Project } from 'ts-morph';

export const LIBRARY_FOLDER = '/node_modules/typescript/lib';
export const LANGUAGE_LIBRARY = 'lib.esnext.d.ts';
export const BROWSER_LIBRARY = 'lib.dom.d.ts';

/** Globals of Node and the browser that tools mention most; stands in for both in the small size. */
export const PRELUDE_FILE = `${LIBRARY_FOLDER}/lib.coach-globals.d.ts`;
export const PRELUDE = `
interface Buffer extends Uint8Array { toString(encoding?: string): string }
declare var Buffer: any; declare var console: any; declare var process: any; declare var fetch: any; declare var crypto: any;
declare var setTimeout: any; declare var clearTimeout: any; declare var performance: any; declare var structuredClone: any;
interface AbortSignal { readonly aborted: boolean; throwIfAborted(): void }
interface AbortController { readonly signal: AbortSignal; abort(): void }
declare var AbortController: { new (): AbortController }; declare var AbortSignal: any;
interface URL { readonly href: string; toJSON(): string }
declare var URL: { new (url: string, base?: string): URL };
interface URLSearchParams { get(name: string): string | null }
declare var URLSearchParams: { new (init?: any): URLSearchParams };
interface Blob { readonly size: number; text(): Promise<string> }
interface File extends Blob { readonly name: string }
interface FormData { get(name: string): any }
interface Headers { get(name: string): string | null }
interface Request { readonly url: string; json(): Promise<any> }
interface Response { readonly ok: boolean; readonly status: number; json(): Promise<any>; text(): Promise<string> }
interface ReadableStream<R = any> { cancel(): Promise<void> }
`;

let read: ((path: string) => string | undefined) | null = null;

/** Text of a library file by its full path; undefined where there is none of that name. */
export function libraryText(path: string): string | undefined {
  if (path === PRELUDE_FILE) return PRELUDE;
  if (!read) {
    const host = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
    read = (each) => host.readFile!(each);
  }
  return read(path);
}

const namesOf = new Map<string, ReadonlySet<string>>();

/** Global names that the small size declares. */
export function languageNames(): ReadonlySet<string> {
  return declaredNames(LANGUAGE_LIBRARY, PRELUDE_FILE);
}

/** Global names that the browser's library declares. */
export function browserNames(): ReadonlySet<string> {
  return declaredNames(BROWSER_LIBRARY);
}

/** Read off the text, so that asking costs no parse: members of the library's namespaces are in it too. */
function declaredNames(library: string, ...more: string[]): ReadonlySet<string> {
  const known = namesOf.get(library);
  if (known) return known;
  const names = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = libraryText(path) ?? '';
    for (const match of text.matchAll(/\b(?:interface|type|var|let|const|function|class|namespace) ([A-Za-z_$][\w$]*)/g)) names.add(match[1]!);
    for (const match of text.matchAll(/<reference lib="([^"]+)"/g)) visit(`${LIBRARY_FOLDER}/lib.${match[1]}.d.ts`);
  };
  for (const path of [...more, `${LIBRARY_FOLDER}/${library}`]) visit(path);
  namesOf.set(library, names);
  return names;
}
