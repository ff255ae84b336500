/** `coach flywheel`: flagged traces become the next tasks, pairs and demonstrations. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { shortPath } from '../../base/shortPath';
import {
  DROPPED,
  DROPPED_WORDS,
  FLAGS,
  FLAG_WORDS,
  lessonCount,
  tally,
  type LessonPlan,
} from '../../protocol/flywheel';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import { findRun } from '../../store/runs/listRuns';
import { requireManifest } from '../../store/runs/readRun';
import { workspaceAt } from '../../store/runs/workspace';
import { takeLessons, type GivenTools } from '../../tasks/flywheel/flywheel';
import { writeLessons, type LessonFiles } from '../../tasks/flywheel/lessonFiles';
import { lessonSettings } from '../flywheel';
import { findTools } from '../prepare/tools';
import { settingFromText, settingsFromPairs } from '../settingText';
import { valueOf, type Arguments, type Command, type CommandContext } from './command';
import type { Output } from './output';
import { trainWith } from './train';

export const flywheel: Command = {
  name: 'flywheel',
  positionals: { usage: 'RUN|LOG', min: 1, max: 1 },
  summary:
    'Learn from flagged traces: what failed, was doubted or marked as bad in a run or an agent’s log becomes tasks, ' +
    'demonstrations and pairs.',
  options: {
    out: {
      value: 'FILE',
      help: 'write them as FILE.tasks.jsonl, .pairs.jsonl, .dialogues.jsonl (without: only what would be taken is told)',
    },
    train: {
      help: "start a run on them, from the run's trained weights; written into its folder unless --out says where",
    },
    tools: { value: 'FILE|DIR', help: 'of a log: the tools to train on, which right calls have to fit' },
    steps: {
      value: 'N',
      help:
        'with --train: of each stage (default, up to 64: one for each new task, for pairs and demonstrations as many as ' +
        'go through them three times)',
    },
    set: {
      value: 'NAME=VALUE',
      help: 'with --train: any other setting of run.json; may be repeated',
      isRepeated: true,
    },
  },
  examples: [
    'coach flywheel 20251121-093005-email',
    'coach flywheel 20251121-093005-email --train --steps 32',
    'coach flywheel traces.otlp.jsonl --tools src/tools.ts --out lessons',
  ],

  async run(args, context) {
    const { cwd, out } = context;
    const name = args.positionals[0]!;
    const isTrained = 'train' in args.values;
    const unused = ['set', 'steps'].find((option) => option in args.values && !isTrained);
    if (unused !== undefined)
      throw new UserError('config', `--${unused} goes with --train`, 'Add --train, or leave it out.');
    const { path, run } = sourceOf(name, cwd);
    const toolFile = valueOf(args, 'tools');
    if (isTrained && run === null && toolFile === undefined)
      throw new UserError(
        'config',
        `${name}: is a log, and --train needs the tools to train on`,
        `For example: ${flywheel.examples[2]} --train`,
      );
    const given = toolFile === undefined ? undefined : await toolsAt(toolFile, context);
    const { plan, ...lessons } = await takeLessons(workspaceAt(cwd), path, given);
    sayPlan(plan, out);
    const target = valueOf(args, 'out') ?? (isTrained ? placeFor({ path, run }) : undefined);
    const files = target === undefined ? {} : writeLessons(lessons, resolve(cwd, target));
    if (!isTrained) {
      out.json({ ...plan, files });
      sayWritten(files, plan, args, context);
      return 0;
    }
    return trainWith(lessonSettings(files, plan, run, moreSettings(args, cwd)), context);
  },
};

interface Source {
  /** a run's folder, or a log's file */
  path: string;
  /** null: nothing was trained there; it is a log, or was imported from one */
  run: { dir: string; config: RunConfig } | null;
}

function sourceOf(name: string, cwd: string): Source {
  const path = resolve(cwd, name);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return { path, run: null };
  const dir = findRun(name, cwd);
  const { config, imported } = requireManifest(dir, { readOnly: true });
  return { path: dir, run: imported ? null : { dir, config } };
}

/** Where they are written when nobody says where: into the run's folder, or beside the log. */
const placeFor = ({ path, run }: Source): string =>
  run ? join(run.dir, 'lessons') : `${path.replace(/\.\w+$/, '')}.lessons`;

async function toolsAt(path: string, { cwd, dependencies, out }: CommandContext): Promise<GivenTools> {
  const { tools } = await findTools(path, cwd, dependencies, (level, _, message) => {
    if (level === 'warning') out.warn(`Warning: ${message}`);
  });
  return { toolFile: resolve(cwd, path), tools };
}

function moreSettings(args: Arguments, cwd: string): Record<string, unknown> {
  const [steps, toolFile] = [valueOf(args, 'steps'), valueOf(args, 'tools')];
  return {
    ...(toolFile === undefined ? {} : { toolFile: resolve(cwd, toolFile) }),
    ...(steps === undefined ? {} : { steps: settingFromText('steps', steps) }),
    ...settingsFromPairs(args.values['set'] ?? []),
  };
}

function sayPlan({ traces, aside, flagged, taken, replay, lowReward }: LessonPlan, out: Output): void {
  const lines = (title: string, counts: [words: string, n: number][]): void => {
    if (counts.length > 0) out.text([title, ...counts.map(([words, n]) => `  ${n}  ${words}`)].join('\n'));
  };
  out.text(
    `${flagged.length} of ${traces} traces are flagged` +
      (aside === 0 ? '' : `; ${aside} of evaluations are left aside, since what is measured on is never trained on`),
  );
  const low = lowReward === null ? '' : ` (${Number(lowReward.toFixed(3))} or less, the lowest quarter)`;
  lines(
    'Flagged for (one may count for several):',
    tally(
      FLAGS,
      flagged.flatMap(({ flags }) => flags),
    ).map(([flag, n]) => [`${FLAG_WORDS[flag]}${flag === 'lowReward' ? low : ''}`, n]),
  );
  lines('Taken:', [
    ['new tasks', taken.task],
    ['demonstrations of what is right', taken.demonstration],
    ['demonstrations of recovery', taken.recovery],
    ['right traces of other tasks beside them, so that these stay right (replay)', replay],
    ['preference pairs', taken.pair],
  ]);
  const dropped = flagged.flatMap((one) => one.dropped ?? []);
  lines(
    `Of ${dropped.length} flagged traces nothing is taken:`,
    tally(DROPPED, dropped).map(([why, n]) => [DROPPED_WORDS[why], n]),
  );
}

function sayWritten(
  files: LessonFiles,
  plan: LessonPlan,
  { positionals }: Arguments,
  { out, cwd }: CommandContext,
): void {
  const written = Object.values(files) as string[];
  for (const file of written) out.text(`Written: ${shortPath(file, cwd)}`);
  if (lessonCount(plan) === 0) return;
  const tools = plan.isRun ? '' : ' --tools FILE';
  out.text(`Train on them: coach flywheel ${positionals[0]}${tools} --train`);
}
