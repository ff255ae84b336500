import { resolve } from 'node:path';
import { describe, placeOf } from '../prepare/tools';
import { wayToTools } from '../prepare/wayToTools';
import { UserError } from '../../protocol/result';
import { isToolPath } from '../../tools/sources/mcp/config';
import { originOf } from '../../tools/sources/toolSource';
import type { Command } from './command';
import { INPUT_OPTION } from './inputOption';
import { table } from './output';

export const tools: Command = {
  name: 'tools',
  positionals: { usage: 'PATH…', min: 1, max: Infinity },
  summary: 'List the tools in files and folders, with what is wrong with the rest.',
  options: { ...INPUT_OPTION },
  examples: ['coach tools src/tools.ts', 'coach tools . --json', 'coach tools .vscode/mcp.json'],

  async run({ positionals }, { cwd, dependencies, out }) {
    const paths = positionals.map((path) => resolve(cwd, path));
    const missing = paths.find((path) => !isToolPath(path));
    if (missing !== undefined)
      throw new UserError(
        'tool',
        `${missing}: there is no such file or folder`,
        'Give TypeScript or JavaScript files, folders of them, mcp:NAME or an mcp.json.',
      );
    const found = await dependencies.discover(paths);
    out.json({
      tools: found.tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters,
        source: originOf(tool),
      })),
      diagnostics: found.diagnostics.map(({ file, line, severity, message }) => ({ file, line, severity, message })),
    });
    if (found.tools.length > 0) {
      out.text(
        table(
          found.tools.map((tool) => [
            tool.name,
            placeOf(tool, cwd),
            `${tool.changesWorld ? '(changes the world) ' : ''}${tool.description.split('\n')[0]}`,
          ]),
        ),
      );
    }
    for (const diagnostic of found.diagnostics) out.text(describe(diagnostic, cwd));
    if (found.tools.length > 0) return 0;
    const isTold = found.diagnostics.some(({ severity }) => severity === 'error');
    out.warn(
      isTold
        ? `${positionals.join(', ')}: no tool can be used\nCorrect what is said ${out.isJson ? 'in the diagnostics' : 'above'}.`
        : `${positionals.join(', ')}: no tool was found\n${await wayToTools(paths, cwd, dependencies)}`,
    );
    return 2;
  },
};
