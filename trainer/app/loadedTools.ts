/**
 * Before anything is made of tool and reward files, a host loads them: what cannot be loaded is left out, and said at
 * its place; nothing left is an error.
 */
import { existsSync, realpathSync } from 'node:fs';
import { openHosts } from './prepare/hosts';
import type { TellNote } from '../protocol/note';
import { UserError } from '../protocol/result';
import type { RunConfig } from '../protocol/runConfig';
import type { Diagnostic } from '../protocol/task';
import type { Dependencies } from './dependencies';
import type { Discovered } from '../tools/sources/typescript/discover';
import { shortPath } from '../base/shortPath';
import { loadDiagnostic, type LoadProblem } from '../tools/hosts/loadProblem';
import { policyOf } from './mockTools';

export interface LoadOptions {
  config: RunConfig;
  found: Discovered;
  workspace: string;
  cwd: string;
  note: TellNote;
  dependencies: Pick<Dependencies, 'openHosts'>;
  signal?: AbortSignal;
  /** Resumed runs need the tools that they began with. */
  needsAll?: boolean;
}

/**
 * @returns what was found without the tools and rewards of files that cannot be loaded. Files whose tools are all
 * mocked are never run, so they stay.
 * @throws UserError with the loader's words, file and line where no tool, or a reward that the run asks for, could be
 * used
 */
export async function loadedTools(options: LoadOptions): Promise<Discovered> {
  const { config, found, note, cwd, needsAll = false } = options;
  options.signal?.throwIfAborted(); // a stop that came while the tools were looked for
  if (found.servers) return found; // listing the tools has shown that they can be used
  // the run's own hosts note the same
  const hosts = await openHosts({ ...options, note: () => undefined, ask: async () => 'unavailable' });
  await hosts.close();
  const policy = policyOf(config);
  const isMocked = (file: string) => {
    const tools = found.tools.filter(({ source }) => source?.file === file);
    return tools.length > 0 && tools.every((tool) => policy(tool) === 'mock');
  };
  const fileOf = fileFinder(found);
  const problems = hosts.loadProblems.filter(({ entry }) => !isMocked(fileOf(entry)));
  const { modules } = hosts;
  if (problems.length === 0) return { ...found, modules };
  const broken = new Set(problems.map(({ entry }) => fileOf(entry)));
  const tools = found.tools.filter(({ source }) => !source || !broken.has(source.file));
  const isWanted = ({ name, file }: Discovered['rewards'][number]) =>
    broken.has(file) && (config.rewards ?? '').includes(name);
  if (needsAll || tools.length === 0 || found.rewards.some(isWanted)) throw loadError(problems, cwd);
  for (const problem of problems)
    note('warning', 'toolNotLoaded', `left out: ${describe(problem, cwd)}`, loadDiagnostic(problem));
  return {
    ...found,
    modules,
    tools,
    files: found.files.filter((file) => !broken.has(file)),
    rewards: found.rewards.filter(({ file }) => !broken.has(file)),
  };
}

/** Hosts follow links; what was found is named as the user named it. */
function fileFinder(found: Discovered): (entry: string) => string {
  const named = [...found.tools.flatMap(({ source }) => source?.file ?? []), ...found.rewards.map(({ file }) => file)];
  return (entry) => named.find((file) => file === entry) ?? named.find((file) => realPath(file) === entry) ?? entry;
}

const realPath = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

function describe({ entry, file, line, message }: LoadProblem, cwd: string): string {
  const via = entry === file ? '' : ` (loaded by ${shortPath(entry, cwd)})`;
  return `${shortPath(file, cwd)}${line === undefined ? '' : `:${line}`}: cannot be loaded${via}: ${message}`;
}

function loadError(problems: readonly LoadProblem[], cwd: string): UserError {
  const [first, ...others] = problems.map((problem) => describe(problem, cwd));
  const more = others.map((other) => `\n  ${other}`).join('');
  const diagnostics: Diagnostic[] = problems.map(loadDiagnostic);
  return new UserError(
    'tool',
    `${first}${more}`,
    [...new Set(problems.map(({ wayOut }) => wayOut))].join(' '),
    diagnostics,
  );
}
