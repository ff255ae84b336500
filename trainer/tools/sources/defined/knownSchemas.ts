/**
 * The schemas of defined tools in a window: a file runs again only when it, or a file of the user's that it imports,
 * has changed on disk. While it is being written, what it said last holds.
 */
import { statSync } from 'node:fs';
import { sep } from 'node:path';
import type { FoundTools } from '../typescript/toolFile';
import { type DescribedFile, describeFiles, type DescribeOptions, isDefined, withSchemas } from './describeDefined';

interface Known extends DescribedFile {
  /** Of each of `modules`. */
  stamps: string[];
}

export class KnownSchemas {
  private readonly known = new Map<string, Known>();

  /**
   * @param folders trusted ones; files outside of them are not run
   * @param unsaved files whose text is not what lies on disk
   */
  async describe(
    found: FoundTools,
    folders: readonly string[],
    unsaved: ReadonlySet<string>,
    options: Omit<DescribeOptions, 'workspace'>,
  ): Promise<FoundTools> {
    const defined = found.tools.filter(isDefined);
    const stale = defined.filter(({ source: { file } }) => !unsaved.has(file) && !this.isCurrent(file));
    for (const folder of folders) {
      const own = stale.filter(({ source: { file } }) => file.startsWith(folder + sep));
      const described = await describeFiles(own, { ...options, workspace: folder });
      for (const [file, each] of described) this.known.set(file, { ...each, stamps: each.modules.map(stampOf) });
    }
    return withSchemas(found, this.usable(defined, unsaved));
  }

  private isCurrent(file: string): boolean {
    const known = this.known.get(file);
    // What could not be loaded may lack a package, which is installed without a change of any file of the user's.
    if (!known || known.problems.length > 0) return false;
    return known.modules.every((path, i) => stampOf(path) === known.stamps[i]);
  }

  /** Of a file that is being written, only what it said of the tools that it had. */
  private usable(
    defined: readonly { name: string; source: { file: string } }[],
    unsaved: ReadonlySet<string>,
  ): Map<string, DescribedFile> {
    const usable = new Map<string, DescribedFile>();
    for (const file of new Set(defined.map(({ source }) => source.file))) {
      const known = this.known.get(file);
      const names = defined.filter(({ source }) => source.file === file).map(({ name }) => name);
      if (known && (!unsaved.has(file) || names.every((name) => known.said.has(name)))) usable.set(file, known);
    }
    return usable;
  }
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.size} ${stat.mtimeMs} ${stat.ino}` : '';
}
