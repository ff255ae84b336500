/** `coach distill`: a teacher does the training tasks, and what passes is learnt from. */
import { shortPath } from '../../base/shortPath';
import { UserError } from '../../protocol/result';
import { findRun } from '../../store/runs/listRuns';
import { distill as askTeacher, type DistillOptions, type DistilledRun } from '../distill/distill';
import { DEFAULTS } from '../../protocol/settings/defaults';
import { parseSettings, withoutMethodDefaults } from '../settings';
import { settingFromText, settingsFromPairs } from '../settingText';
import { AUTO } from '../../protocol/stages';
import { stagesOf } from '../stages';
import { budgetOf, budgetOptions } from './budgetOptions';
import { numberOf, valueOf, type Arguments, type Command, type CommandContext } from './command';
import { percent } from './output';
import { INPUT_OPTION } from './inputOption';
import { resumeOnly, trainWith } from './train';
import { resolve } from 'node:path';

const SAMPLES = 4;
const TEMPERATURE = 0.7;
/** Some thousand tasks of four samples and a few hundred tokens each. */
const BUDGET_TOKENS = 5_000_000;

/** Options that are settings of the student by another name. */
const settingOf: Record<string, string> = {
  model: 'model',
  seed: 'seed',
  tasks: 'tasks',
  count: 'taskCount',
  reward: 'rewards',
  'tool-policy': 'toolPolicy',
  engine: 'engine',
};

export const distill: Command = {
  name: 'distill',
  positionals: { usage: 'FILE|DIR', min: 0, max: 1 },
  summary: 'Let a teacher do the training tasks of a tool file, keep what passes, and train a small model on it.',
  options: {
    teacher: {
      value: 'URL|DIR|GGUF',
      help:
        'an OpenAI-compatible server (http://host:port/v1), with its key in COACH_TEACHER_KEY, a ' +
        'model folder, or a .gguf file',
    },
    'teacher-model': { value: 'NAME', help: 'the model, as the server calls it' },
    samples: { value: 'K', help: `episodes a task (default ${SAMPLES}); of those that pass the shortest two are kept` },
    temperature: { value: 'T', help: `of the teacher (default ${TEMPERATURE})` },
    bar: {
      value: 'R',
      help: 'keep what is rewarded R or more, by --reward, in the place of what makes the gold calls and gives the answer',
    },
    reward: { value: 'NAME[:option=value][*weight],…', help: 'with --bar: what is rewarded' },
    ...budgetOptions('teacher', BUDGET_TOKENS, 'then what passed is kept, and --resume goes on'),
    // biome-ignore lint/suspicious/noThenProperty: the name of an option; nobody awaits this table
    then: {
      value: 'METHOD[:STEPS],…|auto',
      help:
        'go on with training on what was kept: sft, or sft and behind it others, as --stages of ' +
        `coach train (default ${DEFAULTS.steps} steps each); grpo is sft,grpo; auto: the rehearsal chooses what follows`,
    },
    loss: {
      value: 'text|logits',
      help:
        "with --then: learn the teacher's texts (text, the default), or beside them its probabilities, token by token " +
        "(logits): of a model of this disk with the student's tokens",
    },
    model: { value: 'nano|DIR|GGUF', help: 'the student (default nano)' },
    tasks: { value: 'F', help: '*.tasks.jsonl (default: beside the tool file, else generated)' },
    count: { value: 'N', help: 'generate so many tasks' },
    seed: { value: 'S', help: 'same seed, same tasks (default 0)' },
    'tool-policy': { value: 'real|mock|ask', help: 'for all tools, as coach train has it' },
    engine: { value: 'E', help: 'auto or one that `coach engines` lists (default auto)' },
    ...INPUT_OPTION,
    set: {
      value: 'NAME=VALUE',
      help: "any other setting of the student's run.json; may be repeated",
      isRepeated: true,
    },
    resume: { value: 'RUN', help: 'go on asking, by id or folder; name a server with a key once more by --teacher' },
  },
  examples: [
    'coach distill src/tools.ts --teacher http://127.0.0.1:8080/v1 --teacher-model qwen3 --then sft',
    'coach distill src/tools.ts --teacher ./Qwen2.5-1.5B-Instruct.gguf --samples 8',
    'coach distill src/tools.ts --teacher ./larger --model ./smaller --loss logits --then sft --set sftOwnSamples=0.5',
    'coach distill --resume 20251121-093005-distill-tools',
  ],

  async run(args, context) {
    const { out, cwd } = context;
    const then = valueOf(args, 'then');
    if (then !== undefined) thenOf(then); // before anything is asked
    const loss = lossOf(args);
    const resume = valueOf(args, 'resume');
    const allowed = ['teacher', 'teacher-budget', 'teacher-budget-usd', 'teacher-price', 'then', 'input'];
    const done = await askTeacher({
      ...(resume === undefined
        ? { start: startOf(args, context) }
        : { resume: findRun(resumeOnly(args, resume, [...allowed, 'loss']), cwd) }),
      ofLogits: loss === 'logits',
      typedTeacher: valueOf(args, 'teacher'),
      budget: budgetOf(args, 'teacher', BUDGET_TOKENS),
      ...context,
      say: (level, _, message) => (level === 'warning' ? out.warn(`Warning: ${message}`) : out.progress(message)),
      onProgress(asked, total, kept) {
        const words = `Asking ${asked}/${total}, ${kept} passed`;
        if (out.hasBar) out.showBar(words);
        else if (asked % Math.ceil(total / 20) === 0 || asked === total) out.progress(words);
      },
    });
    out.clearBar();
    if (done.result === null) {
      out.warn(`Stopped; what passed is kept. Go on with: coach distill --resume ${shortPath(done.dir, cwd)}`);
      return 130;
    }
    if (then !== undefined) return trainOn(done, { then, loss }, context);
    sayKept(done, context);
    return 0;
  },
};

/** @throws UserError where it is none, or nothing is trained by it */
function lossOf(args: Arguments): 'text' | 'logits' {
  const loss = valueOf(args, 'loss') ?? 'text';
  if (loss !== 'text' && loss !== 'logits')
    throw new UserError('config', `--loss must be text or logits, got ${loss}`, 'The default is text.');
  if (loss === 'logits' && !('then' in args.values))
    throw new UserError('config', '--loss logits is how to train, and needs --then METHOD', 'For example --then sft.');
  return loss;
}

function startOf(args: Arguments, { cwd }: CommandContext): NonNullable<DistillOptions['start']> {
  const [toolFile] = args.positionals;
  const teacher = valueOf(args, 'teacher');
  if (toolFile === undefined || teacher === undefined)
    throw new UserError(
      'config',
      `coach distill needs ${toolFile === undefined ? 'FILE|DIR, or --resume RUN' : '--teacher URL|DIR|GGUF'}`,
      `For example: ${distill.examples[0]}`,
    );
  const settings: Record<string, unknown> = {
    ...settingsFromPairs(args.values['set'] ?? []),
    method: 'sft',
    toolFile: resolve(cwd, toolFile),
  };
  for (const [option, name] of Object.entries(settingOf)) {
    const text = valueOf(args, option);
    if (text !== undefined) settings[name] = settingFromText(name, text);
  }
  for (const name of ['tasks', 'model'])
    if (typeof settings[name] === 'string' && settings[name] !== 'nano') settings[name] = resolve(cwd, settings[name]);
  if ('reward' in args.values && !('bar' in args.values))
    throw new UserError('config', '--reward belongs to --bar R', 'Leave it out: gold calls and answers decide.');
  return {
    config: parseSettings(settings),
    teacher,
    model: valueOf(args, 'teacher-model'),
    samples: numberOf(args, 'samples', { least: 1, isInteger: true }) ?? SAMPLES,
    temperature: numberOf(args, 'temperature', { least: 0 }) ?? TEMPERATURE,
    bar: numberOf(args, 'bar') ?? null,
  };
}

function sayKept({ dir, id, result }: DistilledRun, { out, cwd }: CommandContext): void {
  const { kept, keptTasks, tasks, samples, passed, dialogues } = result!;
  out.json({ run: id, ...result });
  out.text(
    `${percent(passed / samples)} of ${samples} samples passed; ${kept} dialogues on ${keptTasks} of ${tasks} tasks`,
  );
  out.text(`Dialogues: ${shortPath(dialogues, cwd)}`);
  out.text(`Train on them: coach distill --resume ${shortPath(dir, cwd)} --then sft`);
}

/** The student's settings, on the same tasks, and the dialogues. */
function trainOn(
  { config, teacher, result }: DistilledRun,
  { then, loss }: { then: string; loss: 'text' | 'logits' },
  context: CommandContext,
): Promise<number> {
  const settings = { ...withoutMethodDefaults(config), ...thenOf(then), sftDialogues: result!.dialogues };
  return trainWith(loss === 'logits' ? { ...settings, sftTeacher: teacher } : settings, context);
}

/**
 * What to go on with: sft, or a pipeline that begins with it, since that is what learns from dialogues.
 * @param then METHOD[:STEPS],…
 */
function thenOf(then: string): Record<string, unknown> {
  if (then.trim() === AUTO) return { stages: AUTO };
  const stages = then.split(',').map((part) => (/^\w+$/.test(part.trim()) ? `${part.trim()}:${DEFAULTS.steps}` : part));
  const [first, ...others] = /^\s*sft\b/.test(then) ? stages : [`sft:${DEFAULTS.steps}`, ...stages];
  const text = [first, ...others].join(',');
  const [sft] = stagesOf({ stages: text, pairs: undefined });
  return others.length === 0 ? { ...sft } : { stages: text };
}
