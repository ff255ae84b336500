import { UserError } from '../../protocol/result';
import type { RunResult } from '../../protocol/messages';
import type { RunConfig } from '../../protocol/runConfig';
import { EMBEDDED_WORDS } from '../../protocol/modelName';
import { Method } from '../../protocol/settings/choices';
import { RecipeName, RECIPES } from '../../protocol/settings/recipes';
import { AUTO } from '../../protocol/stages';
import { keyMeantFor } from '../../rewards/judge/settings';
import { findRun, runInfo } from '../../store/runs/listRuns';
import { foldRun, requireManifest } from '../../store/runs/readRun';
import { parseSettings } from '../settings';
import { settingFromText, settingsFromPairs } from '../settingText';
import { startRun } from '../startRun';
import type { Arguments, Command, CommandContext } from './command';
import { valueOf } from './command';
import type { Output } from './output';
import { resultWords, showProgress } from './progress';
import { INPUT_OPTION } from './inputOption';
import { keyOfWriter, writerOf, WRITER_OPTIONS } from './writerOptions';

/** Options that are settings by another name. */
const settingOf: Record<string, string> = {
  method: 'method',
  model: 'model',
  steps: 'steps',
  stages: 'stages',
  seed: 'seed',
  tasks: 'tasks',
  reward: 'rewards',
  pairs: 'pairs',
  'tool-policy': 'toolPolicy',
  engine: 'engine',
};

export const train: Command = {
  name: 'train',
  positionals: { usage: 'FILE|DIR', min: 0, max: 1 },
  summary:
    'Train a small model on the tools of a file, a folder or MCP servers: measure, train, measure again, export.',
  options: {
    method: { value: Method.options.join('|'), help: 'how to train (default grpo)' },
    model: {
      value: 'nano|DIR|GGUF',
      help:
        'a Hugging Face model folder, a .gguf file ("coach models" lists those on this disk), or ' +
        `nano, ${EMBEDDED_WORDS} (default nano)`,
    },
    steps: { value: 'N', help: 'optimiser steps (default 64)' },
    stages: {
      value: 'METHOD:STEPS,…|auto',
      help:
        'several methods, one after the other, in the place of --method and --steps: ' +
        'sft:48,grpo:64,dpo:32; --set sft.learningRate=1e-3 is for the stages of sft alone; auto: ' +
        'the rehearsal chooses them, and shares --steps out',
    },
    seed: { value: 'S', help: 'same seed, same run (default 0)' },
    tasks: { value: 'F', help: 'tasks to train on, *.tasks.jsonl (default: beside the tool file, else generated)' },
    reward: { value: 'NAME[:option=value][*weight],…', help: 'rewards and their weights (default correctness,answer)' },
    pairs: { value: 'F', help: 'preference pairs for dpo, JSONL (default: mined from scored groups)' },
    'tool-policy': {
      value: 'real|mock|ask',
      help: 'for all tools (default: mock for those that change the world, real for the rest)',
    },
    engine: { value: 'E', help: 'auto or one that `coach engines` lists (default auto)' },
    'run-dir': { value: 'D', help: "the run's own folder (default .coach/runs/<id> beside the workspace root)" },
    resume: { value: 'RUN', help: 'go on with a run, by id or folder, from its last checkpoint' },
    'take-over': {
      help: 'with --resume: from a trainer on another machine, or in a container, that is gone and left its lock',
    },
    estimate: { help: 'only say how much memory the run would take; nothing is run' },
    ...INPUT_OPTION,
    ...WRITER_OPTIONS,
    recipe: {
      value: 'NAME|list',
      help:
        `settings that belong together, by a paper's name: ${RecipeName.options.join(', ')}; what is ` +
        'set beside it goes before it; list tells what each means',
    },
    preset: { value: 'NAME', help: 'the same as --recipe' },
    set: {
      value: 'NAME=VALUE',
      help: 'any other setting of run.json, e.g. learningRate=1e-3 or optimizer.learningRate=1e-3; may be repeated',
      isRepeated: true,
    },
  },
  examples: [
    'coach train examples/email/tools.ts',
    'coach train src/tools.ts --steps 120 --reward correctness,efficiency*0.2',
    'coach train src/tools.ts --method sft --model ./SmolLM2-135M-Instruct.gguf --json',
    'coach train src/tools.ts --stages sft:48,grpo:64,dpo:32 --set sft.learningRate=1e-3',
    'coach train mcp:files,mcp:mail --input mail-token=…',
    'coach train .vscode/mcp.json',
    'coach train --resume 20251121-093005-email',
  ],

  async run(args, context) {
    const { cwd, out } = context;
    if (valueOf(args, 'recipe') === 'list') return listRecipes(out);
    const resume = valueOf(args, 'resume');
    if (resume === undefined && 'take-over' in args.values)
      throw new UserError('config', '--take-over goes with --resume RUN', 'Name the run: coach runs lists them.');
    const dir = resume === undefined ? null : findRun(resumeOnly(args, resume), cwd);
    const runDir = valueOf(args, 'run-dir');
    if (dir === null && 'estimate' in args.values) return sayEstimate(parseSettings(settingsOf(args)), context);
    const config = dir === null ? parseSettings({ ...settingsOf(args), ...writerOf(args, cwd) }) : null;
    return trainToItsEnd(
      {
        ...(config === null ? { resume: dir!, takeOver: 'take-over' in args.values } : { config }),
        ...(runDir === undefined ? {} : { runDir }),
        ...context,
        // typed here; what a run folder names is nobody's word
        environment: keyOfWriter(args, keyMeantFor(context.environment, config?.judgeUrl)),
      },
      context,
      resume,
    );
  },
};

async function sayEstimate(config: RunConfig, { cwd, dependencies, out }: CommandContext): Promise<number> {
  const { estimateMemory } = await import('../estimate');
  const { bytes, free, words } = await estimateMemory(config, cwd, dependencies, (_level, _code, message) =>
    out.warn(message),
  );
  out.text(words);
  out.json({ memory: { bytes, free: free.bytes, from: free.from } });
  return 0;
}

/** A new run by its settings. @throws UserError where they are not right */
export const trainWith = (settings: Record<string, unknown>, context: CommandContext): Promise<number> =>
  trainToItsEnd({ config: parseSettings(settings), ...context }, context);

/** @param named what the user called the run to go on with; @returns the exit code */
async function trainToItsEnd(
  options: Omit<Parameters<typeof startRun>[0], 'onStop'>,
  { out, stop, now }: CommandContext,
  named?: string,
): Promise<number> {
  const ended = await startRun({
    ...options,
    onStop: stop,
    onPrepare: (message) => (out.hasBar ? out.showBar(message) : out.progress(message)),
    onEvent: showProgress(out, now, options.resume === undefined ? undefined : foldRun(options.resume)),
  });
  if (ended === null || ended.result === null) {
    out.warn(
      ended === null
        ? 'Stopped before the run began.'
        : `${stopWords(runInfo(ended.dir).step)} Go on with: coach train --resume ` +
            `${ended.id === named ? ended.id : ended.dir}`,
    );
    return 130;
  }
  out.text(resultWords(ended.result, ended.dir, requireManifest(ended.dir, { readOnly: true }).config.toolFile));
  out.json(resultJson(ended.result));
  return 0;
}

/** A run that stops in order saves a checkpoint of its last step. */
const stopWords = (step: number): string =>
  step === 0
    ? 'Stopped before its first step was done: nothing was trained yet.'
    : `Stopped after step ${step}; what was trained is saved.`;

/** The exact shape of the last line. */
function resultJson({
  run,
  engine,
  steps,
  seconds,
  before,
  after,
  gain,
  verdict,
  headline,
  toolsWithoutTasks,
  adapter,
  stages,
}: RunResult): object {
  const short = ({ n, success, ci95, bySource }: RunResult['before']) => ({ n, success, ci95, bySource });
  return {
    run,
    engine,
    steps,
    seconds,
    before: short(before),
    after: short(after),
    gain,
    verdict,
    headline,
    toolsWithoutTasks,
    adapter,
    ...(stages && {
      stages: stages.map((stage) => ({
        method: stage.method,
        steps: stage.steps,
        before: stage.before,
        after: stage.after,
        gain: stage.gain,
        passed: stage.passed,
      })),
    }),
  };
}

/** What run.json will hold, before it is checked. @throws UserError */
export function settingsOf(args: Arguments): Record<string, unknown> {
  const [toolFile] = args.positionals;
  if (toolFile === undefined)
    throw new UserError('config', 'coach train needs FILE|DIR, or --resume RUN', `For example: ${train.examples[0]}`);
  const stages = valueOf(args, 'stages');
  const own = ['method', ...(stages === AUTO ? [] : ['steps'])].find(
    (name) => stages !== undefined && name in args.values,
  );
  if (own !== undefined)
    throw new UserError(
      'config',
      stages === AUTO
        ? `--stages auto chooses the methods, got also --${own}`
        : `--stages names methods and their steps, got also --${own}`,
      'Leave one of them out.',
    );
  const recipe = valueOf(args, 'recipe') ?? valueOf(args, 'preset');
  const settings: Record<string, unknown> = {
    ...(recipe === undefined ? {} : { recipe }),
    toolFile,
    ...settingsFromPairs(args.values['set'] ?? []),
  };
  for (const [option, name] of Object.entries(settingOf)) {
    const text = valueOf(args, option);
    if (text !== undefined) settings[name] = settingFromText(name, text);
  }
  return settings;
}

/** What each known recipe is, and the settings that it means. */
function listRecipes(out: Output): number {
  for (const [name, { source, what, settings }] of Object.entries(RECIPES)) {
    const set = Object.entries(settings).map(([setting, value]) => `${setting}=${String(value)}`);
    out.text([`${name}  (${source})`, `  ${what}`, `  ${set.join(' ')}`, ''].join('\n'));
  }
  out.json(Object.entries(RECIPES).map(([name, recipe]) => ({ name, ...recipe })));
  return 0;
}

/** A resumed run has its settings; others would make it another run. */
export function resumeOnly(args: Arguments, run: string, allowed = ['take-over', 'input']): string {
  const other = [
    ...Object.keys(args.values)
      .filter((name) => !['resume', 'json', ...allowed].includes(name))
      .map((name) => `--${name}`),
    ...args.positionals,
  ][0];
  if (other !== undefined)
    throw new UserError(
      'config',
      `--resume takes the settings of the run, got also ${other}`,
      `Leave ${other} out, or start a new run.`,
    );
  return run;
}
