import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadedTools } from '../loadedTools';
import { findTools } from '../prepare/tools';
import { makeTasks } from '../prepare/tasks';
import { splitFor } from '../prepare/splits';
import type { TellNote } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import { STRATA, TOOLRLA_STRATA } from '../../protocol/strata';
import type { ToolWithoutTasks } from '../../protocol/task';
import { writeFileAtomic } from '../../base/storage';
import { workspaceOf } from '../../store/runs/workspace';
import { parseSettings } from '../settings';
import { settingFromText } from '../settingText';
import { tasksToJsonl } from '../../tasks/readTasks';
import { valueOf, type Command } from './command';
import { INPUT_OPTION } from './inputOption';
import { keyOfWriter, writerOf, WRITER_OPTIONS } from './writerOptions';

export const tasks: Command = {
  name: 'tasks',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  summary: 'Show the tasks that a run on this tool file would use: of the *.tasks.jsonl beside it, else generated.',
  options: {
    count: { value: 'N', help: 'generate so many, even where there is a *.tasks.jsonl (default 4000)' },
    out: { value: 'F', help: 'write them to a file, to be edited by hand' },
    seed: { value: 'S', help: 'same seed, same tasks (default 0)' },
    strata: {
      value: 'STRATUM:PERCENT,…',
      help: `of generated tasks: ${STRATA.join(', ')}, as in ${TOOLRLA_STRATA} (default: as a run has them)`,
    },
    'tool-policy': {
      value: 'real|mock|ask',
      help: 'for all tools (default: mock for those that change the world, real for the rest)',
    },
    'tool-network': { value: 'allow|deny', help: 'whether tools can reach the network (default allow)' },
    ...INPUT_OPTION,
    ...WRITER_OPTIONS,
  },
  examples: [
    'coach tasks src/tools.ts --count 20',
    'coach tasks src/tools.ts --out src/tools.tasks.jsonl',
    'coach tasks src/tools.ts --writer http://127.0.0.1:8080/v1 --writer-model qwen3 --out written.tasks.jsonl',
  ],

  async run(args, { cwd, dependencies, out, signal, environment }) {
    const file = valueOf(args, 'out');
    if (file !== undefined && existsSync(resolve(cwd, file)))
      throw new UserError(
        'storage',
        `${resolve(cwd, file)}: is there already and is not overwritten`,
        'Give another name, or remove it.',
      );
    const settings: Record<string, unknown> = { toolFile: resolve(cwd, args.positionals[0]!) };
    for (const [option, name] of [
      ['count', 'taskCount'],
      ['seed', 'seed'],
      ['strata', 'taskStrata'],
      ['tool-policy', 'toolPolicy'],
      ['tool-network', 'toolNetwork'],
    ] as const) {
      const text = valueOf(args, option);
      if (text !== undefined) settings[name] = settingFromText(name, text);
    }
    Object.assign(settings, writerOf(args, cwd));
    const config = parseSettings(settings);
    const toolsWithoutTasks: ToolWithoutTasks[] = [];
    const note: TellNote = (level, _, message, diagnostic) => {
      if (diagnostic?.withoutTasks) toolsWithoutTasks.push(diagnostic.withoutTasks);
      out.warn(`${level === 'warning' ? 'Warning: ' : ''}${message}`);
    };
    const onProgress = (message: string) => (out.hasBar ? out.showBar(message) : out.warn(message));
    const making = { config, workspace: workspaceOf(config.toolFile, cwd), cwd, dependencies, note, signal };
    const found = await loadedTools({
      ...making,
      found: await findTools(config.toolFile, cwd, dependencies, note, config.toolNetwork),
    });
    const made = await makeTasks({
      ...making,
      found,
      isFresh: valueOf(args, 'count') !== undefined || valueOf(args, 'writer') !== undefined,
      environment: keyOfWriter(args, environment),
      onProgress,
    });
    out.clearBar();
    const jsonl = tasksToJsonl(made.tasks);
    if (file !== undefined) writeFileAtomic(resolve(cwd, file), jsonl);
    const splits = splitFor(config, made, found.tools);
    const counts = { train: splits.train.length, validation: splits.validation.length, heldOut: splits.heldOut.length };
    const ids = Object.fromEntries(Object.entries(splits).map(([split, tasks]) => [split, tasks.map(({ id }) => id)]));
    if (out.isJson) out.json({ source: made.source, counts, toolsWithoutTasks, tasks: made.tasks, splits: ids });
    else if (file === undefined) out.data(jsonl);
    out.warn(
      `${made.tasks.length} tasks (${made.source}): ${counts.train} to train on, ` +
        `${counts.validation} for validation, ` +
        `${counts.heldOut} held out${file === undefined ? '' : `; written to ${file}`}`,
    );
    return 0;
  },
};
