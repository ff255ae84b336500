/** A program of exactly the given files and what their types need, over parsed files that outlive it. */
import { ts } from 'ts-morph';
import { PROVIDER_MARK } from '../../../../protocol/toolMarks';
import type { FileStore } from './fileStore';
import { BROWSER_LIBRARY, LIBRARY_FOLDER, libraryText, SMALL_LIBRARY, WHOLE_LIBRARY } from './libraryFiles';
import { COMPILER_OPTIONS } from './moduleResolver';
import { linkParents, trimBodies } from './trimBodies';
import type { Demand } from './typeDemand';

/** Parsed files by path, renewed when the text changes. */
export class ParsedFiles {
  private readonly files = new Map<string, { hash: string; file: ts.SourceFile; isLinked: boolean }>();
  private readonly library = new Map<string, ts.SourceFile>();

  constructor(private readonly store: FileStore) {}

  /**
   * TypeScript's JSDoc is parsed for JavaScript alone, whose types it holds; for descriptions there is `jsDoc.ts`.
   *
   * @param isLinked parent pointers are wanted before there is a program
   * @returns null for what can't be read
   */
  get(path: string, isLinked = false): ts.SourceFile | null {
    const hash = this.store.hash(path);
    if (hash === null) return null;
    const known = this.files.get(path);
    if (known?.hash === hash) {
      if (isLinked && !known.isLinked) linkParents(known.file); // met as a dependency before
      known.isLinked ||= isLinked;
      return known.file;
    }
    const text = this.store.text(path);
    if (text === null) return null;
    const isScript = /\.[mc]?jsx?$/.test(path);
    const jsDocParsingMode = isScript ? ts.JSDocParsingMode.ParseAll : ts.JSDocParsingMode.ParseNone;
    const file = ts.createSourceFile(path, text, { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode });
    // what answers a provider's tool may be in any body
    if (!isScript && !file.isDeclarationFile && !PROVIDER_MARK.test(text)) trimBodies(file, /tool/i);
    if (isLinked) linkParents(file);
    this.files.set(path, { hash, file, isLinked });
    return file;
  }

  /** A file of TypeScript's own library. */
  getLibrary(path: string): ts.SourceFile | undefined {
    let file = this.library.get(path);
    if (file) return file;
    const text = libraryText(path);
    if (text === undefined) return undefined;
    file = ts.createSourceFile(path, text, {
      languageVersion: ts.ScriptTarget.ESNext,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    });
    this.library.set(path, file);
    return file;
  }

  /** Forgets files that nothing needs any more. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.files.keys()) if (!paths.has(path)) this.files.delete(path);
  }
}

export interface LibraryChoice {
  /** The small library is enough; the other two fields say nothing then. */
  isSmall: boolean;
  /** Path of Node's types, null where they are not needed or not installed. */
  nodeTypes: string | null;
  hasBrowser: boolean;
}

/**
 * @param roots files whose types are asked for
 * @param extra declaration files of the project with global types
 */
export function createTypeProgram(
  roots: readonly string[],
  extra: readonly string[],
  demand: Demand,
  parsed: ParsedFiles,
  store: FileStore,
  library: LibraryChoice,
): ts.Program {
  const main = library.isSmall ? SMALL_LIBRARY : WHOLE_LIBRARY;
  const host: ts.CompilerHost = {
    getSourceFile: (path) =>
      path.startsWith(LIBRARY_FOLDER) ? parsed.getLibrary(path) : (parsed.get(path) ?? undefined),
    getDefaultLibFileName: () => `${LIBRARY_FOLDER}/${main}`,
    getDefaultLibLocation: () => LIBRARY_FOLDER,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => {},
    fileExists: (path) =>
      path.startsWith(LIBRARY_FOLDER) ? parsed.getLibrary(path) !== undefined : store.exists(path),
    readFile: (path) => store.text(path) ?? undefined,
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const path = demand.imports.get(from)?.get(text);
        if (path === undefined) return { resolvedModule: undefined };
        return {
          resolvedModule: {
            resolvedFileName: path,
            extension: extensionOf(path),
            isExternalLibraryImport: path.includes('/node_modules/'),
          },
        };
      }),
    resolveTypeReferenceDirectiveReferences: (references) =>
      references.map(() => ({ resolvedTypeReferenceDirective: undefined })),
  };
  const rootNames = [...roots, ...extra, ...(library.nodeTypes === null ? [] : [library.nodeTypes])];
  const lib = library.hasBrowser ? [main, BROWSER_LIBRARY] : [main];
  return ts.createProgram({ rootNames, options: { ...COMPILER_OPTIONS, lib }, host });
}

/** True for TypeScript's library and Node's types: their classes have a meaning of their own in JSON. */
export function isLibraryFile(file: ts.SourceFile): boolean {
  return (
    file.fileName.startsWith(LIBRARY_FOLDER) ||
    /\/node_modules\/(@types\/node|undici-types|buffer)\//.test(file.fileName)
  );
}

function extensionOf(path: string): string {
  return /\.d\.[mc]?ts$|\.[^./]+$/.exec(path)?.[0] ?? ts.Extension.Ts;
}
