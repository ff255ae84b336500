/**
 * TypeScript's own library, as ts-morph carries it (no files on disk, so it survives bundling), in two sizes. The small
 * one is the language without the parts that hardly any tool's types touch; it takes a third of the time to parse and
 * bind. Files that do touch them get the whole, with the browser's types and Node's where they need those.
 */
import { Project } from 'ts-morph';

export const LIBRARY_FOLDER = '/node_modules/typescript/lib';
export const WHOLE_LIBRARY = 'lib.esnext.d.ts';
export const BROWSER_LIBRARY = 'lib.dom.d.ts';
export const SMALL_LIBRARY = 'lib.coach.d.ts';

const SMALL_PARTS = [
  'es5',
  'es2015.core',
  'es2015.collection',
  'es2015.generator',
  'es2015.iterable',
  'es2015.promise',
  'es2015.symbol',
  'es2015.symbol.wellknown',
  'es2016.array.include',
  'es2017.object',
  'es2017.string',
  'es2018.asynciterable',
  'es2018.promise',
  'es2019.array',
  'es2019.object',
  'es2019.string',
  'es2020.promise',
  'es2020.string',
  'es2020.symbol.wellknown',
  'es2021.promise',
  'es2021.string',
  'es2022.array',
  'es2022.error',
  'es2022.object',
  'es2022.string',
  'es2023.array',
  'es2024.object',
  'es2024.promise',
];

/** Globals that the small library goes without. A file that mentions one gets the whole. */
export const LEFT_OUT =
  /^(?:(?:Int8|Uint8Clamped|Int16|Uint16|Int32|Uint32|Float16|Float32|Float64|BigInt64|BigUint64)Array|DataView|Intl|Atomics|Reflect|Proxy|Temporal)(?:Constructor)?$/;

/** Globals of Node and the browser that tools mention most; stands in for both in the small library. */
const PRELUDE = `
interface BigInt { toString(radix?: number): string; valueOf(): bigint }
declare var BigInt: { (value: any): bigint };
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

let read: ((name: string) => string | undefined) | null = null;

/** Text of a library file by its full path; undefined where there is none of that name. */
export function libraryText(path: string): string | undefined {
  if (!read) {
    const host = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
    read = (each) => host.readFile!(`${LIBRARY_FOLDER}/${each}`);
  }
  const name = path.slice(LIBRARY_FOLDER.length + 1);
  return name === SMALL_LIBRARY ? smallLibrary(read) : read(name);
}

function smallLibrary(readPart: (name: string) => string | undefined): string {
  const parts = SMALL_PARTS.map((name) => withoutLeftOut(readPart(`lib.${name}.d.ts`) ?? ''));
  return [...parts, PRELUDE].join('\n');
}

/** Drops the top-level declarations of names that are left out. ts-morph's texts hold no comment and no odd brace. */
function withoutLeftOut(text: string): string {
  let kept = '';
  let from = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '{') depth++;
    else if (char === '}') depth--;
    if (depth > 0 || (char !== '}' && char !== ';')) continue;
    const statement = text.slice(from, i + 1);
    const name = /^\s*(?:declare )?(?:interface|type|var|namespace) ([\w$]+)/.exec(statement)?.[1];
    if (name === undefined || !LEFT_OUT.test(name)) kept += statement;
    from = i + 1;
  }
  return kept.replace(/^\/\/\/.*$/gm, '');
}

const namesOf = new Map<string, ReadonlySet<string>>();

/** Global names that a library declares. Read off the text, so that asking costs no parse. */
export function libraryNames(library: typeof SMALL_LIBRARY | typeof BROWSER_LIBRARY): ReadonlySet<string> {
  const known = namesOf.get(library);
  if (known) return known;
  const text = libraryText(`${LIBRARY_FOLDER}/${library}`) ?? '';
  const names = new Set(
    [...text.matchAll(/\b(?:interface|type|var|let|const|function|class|namespace) ([A-Za-z_$][\w$]*)/g)].map(
      (match) => match[1]!,
    ),
  );
  namesOf.set(library, names);
  return names;
}
