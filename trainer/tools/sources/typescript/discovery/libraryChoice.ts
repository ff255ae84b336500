/** Which library the types of each file need: nearly always the small one. */
import type { FileStore } from './fileStore';
import { BROWSER_LIBRARY, LEFT_OUT, libraryNames, SMALL_LIBRARY } from './libraryFiles';
import type { ModuleResolver } from './moduleResolver';
import type { DemandWalk } from './typeDemand';
import type { LibraryChoice, ParsedFiles } from './typeProgram';

export interface ProgramPlan {
  roots: string[];
  /** Declaration files of the project that declare global types in use. */
  extra: string[];
  library: LibraryChoice;
}

/** At most two programs: one for the files that the small library is enough for, one for the others together. */
export function chooseLibrary(
  paths: readonly string[],
  declarations: readonly string[],
  demand: DemandWalk,
  parsed: ParsedFiles,
  store: FileStore,
  resolver: ModuleResolver,
): ProgramPlan[] {
  const small: ProgramPlan = { roots: [], extra: [], library: { isSmall: true, hasBrowser: false, nodeTypes: null } };
  const large: ProgramPlan = { roots: [], extra: [], library: { isSmall: false, hasBrowser: false, nodeTypes: null } };
  const extra = new Set<string>();
  for (const path of paths) {
    const unknown = unknownNames(path, demand);
    if (unknown.length === 0) {
      small.roots.push(path);
      continue;
    }
    large.roots.push(path);
    for (const name of unknown) {
      const declared = declarations.filter((each) => declares(store.text(each) ?? '', name));
      declared.forEach((each) => extra.add(each));
      if (declared.length > 0) continue;
      if (libraryNames(BROWSER_LIBRARY).has(name)) large.library.hasBrowser = true;
      else if (!LEFT_OUT.test(name)) large.library.nodeTypes ??= resolver.nodeTypes(path);
    }
  }
  for (const path of extra) {
    const file = parsed.get(path);
    if (file) demand.addNode(file, file);
  }
  large.extra = [...extra];
  return [small, large].filter(({ roots }) => roots.length > 0);
}

function unknownNames(path: string, demand: DemandWalk): string[] {
  const names = new Set<string>();
  for (const each of [path, ...demand.dependenciesOf(path)]) {
    for (const name of demand.globals.get(each) ?? []) if (!libraryNames(SMALL_LIBRARY).has(name)) names.add(name);
  }
  return [...names];
}

function declares(text: string, name: string): boolean {
  return (
    text.includes(name) &&
    new RegExp(
      `\\b(?:interface|type|class|enum|namespace|module|var|let|const|function)\\s+${name.replace(/\$/g, '\\$')}\\b`,
    ).test(text)
  );
}
