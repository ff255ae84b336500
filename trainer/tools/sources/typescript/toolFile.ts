/**
 * Finds a user's tools: files and folders -> tools with their schemas, and what is wrong with the rest. Static: nothing
 * of the user's is executed and no tsconfig plugin is loaded. Lines and columns count from 1.
 */
import type { Diagnostic, FileTool } from '../../../protocol/task';
import { analyseFiles, type FileResult } from './discovery/analyseFiles';
import { resolveDuplicates, sameDescriptions } from './discovery/duplicates';
import { listFiles } from './discovery/fileList';
import { FileStore } from './discovery/fileStore';
import { isGeneratedText } from './discovery/ignoreRules';
import { ModuleResolver } from './discovery/moduleResolver';
import { ParsedFiles } from './discovery/typeProgram';

export { discoverRewards, type RewardFunctionPlace } from './discovery/rewardFile';

export interface FoundTools {
  tools: FileTool[];
  diagnostics: Diagnostic[];
  /** Files that hold tools. */
  files: string[];
}

/**
 * Discovery that remembers: a file is looked at again only when its own text, or a file that its types come from,
 * has changed. One instance serves one workspace, one call at a time.
 */
export class Discovery {
  private readonly store = new FileStore();
  private readonly parsed = new ParsedFiles(this.store);
  private resolver = new ModuleResolver(this.store);
  private results = new Map<string, FileResult>();

  /**
   * @param paths files and folders, relative ones from the working folder. Ignored and generated files below a folder
   *   are left out; a file given by name is taken.
   * @param overlays unsaved texts by absolute path; they go before the disk, for types too
   * @param trainedBy what is trained on at once, so that within it no two tools may have one name: all that is found,
   * or each file
   */
  discover(paths: string[], overlays: Record<string, string> = {}, trainedBy: 'all' | 'file' = 'all'): FoundTools {
    const unsaved = new Map(Object.entries(overlays));
    this.store.startRound(unsaved);
    const list = listFiles(paths, unsaved.keys());
    if (this.resolver.isStale()) {
      this.resolver = new ModuleResolver(this.store);
      this.results.clear();
    }
    const marked = list.sources.filter((path) => this.store.hasMarker(path));
    const changed = marked.filter((path) => !this.isCurrent(path));
    if (changed.length > 0) {
      this.resolver.forgetMisses();
      const wanted = changed.filter(
        (path) => list.named.has(path) || !isGeneratedText(this.store.text(path) ?? '', path),
      );
      const unwanted = changed.filter((path) => !wanted.includes(path));
      for (const path of unwanted)
        this.results.set(path, {
          hash: this.store.hash(path)!,
          dependencies: [],
          misses: [],
          tools: [],
          diagnostics: [],
        });
      for (const [path, result] of analyseFiles(wanted, list.declarations, this.store, this.parsed, this.resolver))
        this.results.set(path, result);
    }
    this.forget(new Set(marked), list.sources);
    return this.collect(marked, list.missing, trainedBy);
  }

  /** Whether the remembered result still holds. */
  private isCurrent(path: string): boolean {
    const result = this.results.get(path);
    return (
      result !== undefined &&
      this.store.hash(path) === result.hash &&
      result.dependencies.every(({ path: each, hash }) => this.store.hash(each) === hash) &&
      result.misses.every(({ from, specifier, probe }) => this.resolver.probe(specifier, from) === probe)
    );
  }

  private collect(paths: readonly string[], missing: readonly string[], trainedBy: 'all' | 'file'): FoundTools {
    const diagnostics: Diagnostic[] = missing.map((file) => ({
      file,
      line: 1,
      severity: 'error',
      message: `${file}: no such file or folder`,
    }));
    const entries = paths.map((path) => this.results.get(path)?.tools ?? []);
    const resolved = (trainedBy === 'file' ? entries : [entries.flat()]).map(resolveDuplicates);
    const problems = resolved.flatMap((each) => [
      ...each.problems,
      ...sameDescriptions(each.kept.map(({ tool }) => tool)),
    ]);
    for (const path of paths) {
      const own = [...(this.results.get(path)?.diagnostics ?? []), ...problems.filter(({ file }) => file === path)];
      diagnostics.push(...own.sort((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0)));
    }
    const tools = resolved.flatMap(({ kept }) => kept.map(({ tool }) => tool));
    return { tools, diagnostics, files: [...new Set(tools.map(({ source }) => source.file))] };
  }

  private forget(marked: ReadonlySet<string>, sources: readonly string[]): void {
    for (const path of this.results.keys()) if (!marked.has(path)) this.results.delete(path);
    const needed = new Set(marked);
    for (const result of this.results.values()) for (const { path } of result.dependencies) needed.add(path);
    this.parsed.keepOnly(needed);
    this.store.keepOnly(new Set([...needed, ...sources, ...this.resolver.configs.keys()]));
    this.store.endRound();
  }
}
