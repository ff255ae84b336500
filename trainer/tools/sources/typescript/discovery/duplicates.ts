/**
 * Names that several tools claim: two classes of a file get longer names, everything else is an error at each place.
 */
import { basename, dirname, relative } from 'node:path';
import type { Diagnostic, FileTool } from '../../../../protocol/task';

export interface ToolEntry {
  tool: FileTool;
  /** The author chose the name, so it is not changed. */
  isNamed: boolean;
  /** Of a method. */
  className: string | null;
  endColumn: number;
}

/** Methods of the same name in two classes of one file become `Class_method`. */
export function lengthenMethodNames(entries: readonly ToolEntry[]): ToolEntry[] {
  const classes = new Map<string, Set<string>>();
  for (const { tool, className, isNamed } of entries) {
    if (className !== null && !isNamed) classes.set(tool.name, (classes.get(tool.name) ?? new Set()).add(className));
  }
  return entries.map((entry) => {
    const clashes = entry.className !== null && !entry.isNamed && (classes.get(entry.tool.name)?.size ?? 0) > 1;
    return clashes
      ? { ...entry, tool: { ...entry.tool, name: `${entry.className}_${entry.tool.name}`.slice(0, 64) } }
      : entry;
  });
}

/**
 * Keeps the tools whose name is theirs alone. Of a name that is claimed twice, none can be called; but where the calls
 * of a library in one file define it twice, for two agents of it, the first counts.
 */
export function resolveDuplicates(entries: readonly ToolEntry[]): { kept: ToolEntry[]; problems: Diagnostic[] } {
  const byName = new Map<string, ToolEntry[]>();
  for (const entry of entries) byName.set(entry.tool.name, [...(byName.get(entry.tool.name) ?? []), entry]);
  const problems: Diagnostic[] = [];
  for (const [name, same] of byName) {
    if (same.length === 1) continue;
    const isForAgents = same.every(({ tool }) => isDefinedIn(tool, same[0]!.tool.source.file));
    for (const { tool, endColumn } of same) {
      const others = same
        .filter((other) => other.tool !== tool)
        .map(({ tool: { source } }) => {
          if (source.file === tool.source.file) return `line ${source.line}`;
          return `${relative(dirname(tool.source.file), source.file) || basename(source.file)}:${source.line}`;
        });
      const { file, line, column } = tool.source;
      problems.push({
        file,
        line,
        column,
        endColumn,
        severity: isForAgents ? 'warning' : 'error',
        message: `${name}: duplicate name, also at ${others.join(', ')}${isForAgents ? '; the first counts' : ''}`,
      });
    }
    byName.set(name, isForAgents ? same.slice(0, 1) : []);
  }
  return { kept: entries.filter((entry) => byName.get(entry.tool.name)!.includes(entry)), problems };
}

const isDefinedIn = ({ binding, source }: FileTool, file: string): boolean =>
  binding.kind === 'defined' && source.file === file;

/** A model has nothing but the words to tell two tools apart. A warning at each. */
export function sameDescriptions(tools: readonly FileTool[]): Diagnostic[] {
  const byText = new Map<string, FileTool[]>();
  for (const tool of tools) {
    const text = tool.description.trim().toLowerCase();
    if (text !== '') byText.set(text, [...(byText.get(text) ?? []), tool]);
  }
  return [...byText.values()]
    .filter((same) => same.length > 1)
    .flatMap((same) =>
      same.map(({ name, source }): Diagnostic => {
        const others = same
          .filter((other) => other.source !== source)
          .map((other) => other.name)
          .join(', ');
        return {
          ...source,
          severity: 'warning',
          message: `${name}: the same description as ${others}, so a model cannot tell them apart; say what each is for`,
        };
      }),
    );
}
