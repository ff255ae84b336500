/** `coach evaluate … --benchmark toole-…`: MetaTool's subtasks from the user's own copy of ToolE. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  readChoices,
  readToolETools,
  subtaskOf,
  type Choice,
  type ChoiceFile,
} from '../../evaluation/benchmarks/toole/entries';
import { toolSchema } from '../../evaluation/benchmarks/toole/toolSchema';
import { modelConfig } from '../../model/weights/describeModel';
import type { TrainedWeights } from '../../model/weights/trainedWeights';
import { UserError } from '../../protocol/result';
import type { Dependencies } from '../dependencies';
import { parseSettings, withLimits } from '../settings';
import { settingsFromPairs } from '../settingText';
import { countOf, measureBenchmark } from './benchmarkWords';
import { valueOf, type Arguments, type CommandContext } from './command';

/** Fifteen descriptions and a request take more than an episode's least room. */
const ROOM = 2048;

export async function evaluateToolEOf(
  names: readonly string[],
  args: Arguments,
  { settings, trained }: { settings: Record<string, unknown>; trained: TrainedWeights | null },
  context: CommandContext,
): Promise<number> {
  const { cwd, dependencies, out, environment } = context;
  const subtasks = names.map(subtaskOf);
  const count = countOf(valueOf(args, 'count'));
  const named = valueOf(args, 'data') ?? environment['COACH_TOOLE_DATA'];
  if (!named || !existsSync(resolve(cwd, named)))
    throw new UserError(
      'config',
      named ? `${named}: there is no such folder with ToolE's data` : `--benchmark ${names[0]} needs --data FOLDER`,
      'Give the folder of ToolE as JSON lines (tools.jsonl, candidates.jsonl, similar.jsonl, …), or COACH_TOOLE_DATA.',
    );
  const folder = resolve(cwd, named);
  // a run's own tools are not asked
  const { shownTools } = parseSettings({ toolFile: folder, ...settingsFromPairs(args.values['set'] ?? []) });
  const { model, seed } = parseSettings({ ...settings, toolFile: folder });
  const files = subtasks.map((subtask) => readChoices(folder, subtask, count, seed));
  const config = withLimits(
    parseSettings({
      ...settings,
      toolFile: folder,
      shownTools,
      maxTokens: 'max-tokens' in args.values ? settings['maxTokens'] : roomOf(dependencies.modelFolder(model, cwd)),
      engine: valueOf(args, 'engine') ?? settings['engine'] ?? 'auto',
    }),
  );
  for (const { made } of files) if (made !== null) out.warn(made);
  const tools = readToolETools(folder);
  const all = files.flatMap(({ choices }) => choices);
  const choices = shownTools ? await retrieved(all, shownTools, tools, dependencies) : all;
  const asked = {
    benchmark: files.map(({ subtask, choices: { length }, total }) => ({
      subtask,
      n: length,
      of: total,
      ...(shownTools ? { shownTools, found: foundShare(choices.filter((choice) => choice.subtask === subtask)) } : {}),
    })),
    said: `${files.map(said).join(', ')}${shownTools ? `, each shown the ${shownTools} of ${tools.size} tools that retrieval found` : ''}`,
  };
  const evaluateToolE = await dependencies.evaluateToolE();
  return measureBenchmark({ config, trained, ...asked }, context, (options) =>
    evaluateToolE({ ...options, choices, tools }),
  );
}

const roomOf = (modelFolder: string): number => Math.min(ROOM, modelConfig(modelFolder).maxPositions);

const said = ({ subtask, choices: { length }, total }: ChoiceFile): string =>
  `ToolE ${subtask}: ${length < total ? `${length} of ${total}, evenly spread,` : `all ${total}`} questions`;

/**
 * Lists by our own retrieval, from all tools, in the place of MetaTool's; a tool that is kept from a question stays so.
 */
async function retrieved(
  choices: readonly Choice[],
  most: number,
  tools: ReadonlyMap<string, string>,
  { shownTools }: Pick<Dependencies, 'shownTools'>,
): Promise<Choice[]> {
  if (most + 1 >= tools.size)
    throw new UserError(
      'config',
      `shownTools ${most}: there are ${tools.size} tools to find some of`,
      'Set it to fewer, or leave it out, and MetaTool\u2019s own lists are shown.',
    );
  const schemas = [...tools].map(([name, description]) => toolSchema(name, description, ''));
  const named = new Map([...tools.keys()].map((name, i) => [schemas[i]!, name]));
  const [few, more] = [
    await shownTools({ shownTools: most }, schemas, { train: [] }),
    await shownTools({ shownTools: most + 1 }, schemas, { train: [] }),
  ];
  try {
    return choices.map((choice) => {
      const of = (open: typeof few): string[] =>
        open!.shown.of({ prompt: choice.query }).map((schema) => named.get(schema)!);
      const found = of(few);
      const isKept = choice.hidden !== null && found.includes(choice.hidden);
      return { ...choice, candidates: isKept ? of(more).filter((name) => name !== choice.hidden) : found };
    });
  } finally {
    few?.close();
    more?.close();
  }
}

/** Of the questions that a tool is right for, those whose lists hold what is right. */
function foundShare(choices: readonly Choice[]): number | null {
  const asked = choices.filter(({ answer }) => answer.length > 0);
  const found = asked.filter(({ answer, candidates }) => answer.every((name) => candidates.includes(name)));
  return asked.length === 0 ? null : found.length / asked.length;
}
