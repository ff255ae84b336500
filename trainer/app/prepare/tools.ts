/** The tools of a path that a user gave, and how they are named in messages. */
import { resolve } from 'node:path';
import { shortPath } from '../../base/shortPath';
import type { TellNote } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { ToolNetwork } from '../../protocol/settings/choices';
import { isFileTool, type Diagnostic, type ToolSchema } from '../../protocol/task';
import { isToolPath } from '../../tools/sources/mcp/config';
import type { Discovered } from '../../tools/sources/typescript/discover';
import { sameDescriptions } from '../../tools/sources/typescript/discovery/duplicates';
import type { Dependencies } from '../dependencies';
import { wayToTools } from './wayToTools';

/**
 * The tools of a file or folder; those that are broken are left out, and said.
 * @throws UserError where there is no tool to train on, with what discovery said about those that are none
 */
export async function findTools(
  path: string,
  cwd: string,
  dependencies: Pick<Dependencies, 'discover'>,
  note: TellNote,
  network?: ToolNetwork,
): Promise<Discovered> {
  const file = resolve(cwd, path);
  if (!isToolPath(file))
    throw new UserError(
      'tool',
      `${file}: there is no such file or folder`,
      'Give a TypeScript or JavaScript file with tools, or a folder of them.',
    );
  const found = await dependencies.discover([file], network);
  const errors = found.diagnostics.filter((d) => d.severity === 'error');
  // Where nothing was found, what was not taken is all there is to say.
  const reasons = errors.length > 0 ? errors : found.diagnostics;
  if (found.tools.length > 0) {
    for (const error of errors) note('warning', 'toolLeftOut', `left out: ${describe(error, cwd)}`);
    for (const { file, line, message } of sameDescriptions(found.tools.filter(isFileTool)))
      note('warning', 'sameDescription', `${shortPath(resolve(cwd, file), cwd)}:${line}: ${message}`);
    return found;
  }
  const shown = reasons
    .slice(0, 5)
    .map((d) => `\n  ${describe(d, cwd)}`)
    .join('');
  const more = reasons.length > 5 ? `\n  … and ${reasons.length - 5} more` : '';
  throw new UserError(
    'tool',
    `${file}: there is no tool in it${shown}${more}`,
    reasons.length > 0 ? 'Correct what is said above.' : await wayToTools([file], cwd, dependencies),
  );
}

/** `src/tools.ts:12: error: …` */
export function describe(d: Diagnostic, cwd: string): string {
  return `${shortPath(resolve(cwd, d.file), cwd)}:${d.line}: ${d.severity}: ${d.message}`;
}

/** Where it stands, or its name where it stands in no file. */
export const placeOf = ({ name, source, binding }: ToolSchema, cwd: string): string =>
  source
    ? `${shortPath(source.file, cwd)}:${source.line}`
    : binding.kind === 'mcp'
      ? `mcp:${binding.server}: ${name}`
      : name;
