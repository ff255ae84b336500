/** `coach compliance`: a classifier of violations from a user's examples, and preference pairs from a run's traces. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/json';
import { suggest } from '../../base/nearest';
import { shortPath } from '../../base/shortPath';
import { readTextFile, writeFileAtomic } from '../../base/storage';
import { UserError } from '../../protocol/result';
import type { PreferencePair } from '../../protocol/reward';
import type { Trace } from '../../protocol/trace';
import { trainClassifier, type ComplianceClassifier, type LabelledText } from '../../rewards/complianceClassifier';
import { violationsRule } from '../../rewards/compliancePatterns';
import { COMPLIANCE_PAIRS, compliancePairs, conductOf, type Conduct } from '../../rewards/conduct';
import { Episode } from '../../rewards/episode';
import { functionTool } from '../../store/exchange/exportData';
import { findRun } from '../../store/runs/listRuns';
import { readTaskSplits, readTools, readTrace, requireManifest, traceSummaries } from '../../store/runs/readRun';
import { numberOf, valueOf, type Arguments, type Command, type CommandContext } from './command';
import { percent } from './output';

const PRECISION = 0.95;
const verbs = ['train', 'pairs'] as const;

export const compliance: Command = {
  name: 'compliance',
  positionals: { usage: 'train FILE | pairs RUN', min: 2, max: 2 },
  summary:
    'Learn from examples which texts violate (train), or make preference pairs of what a run did: compliant over ' +
    'violating, helpful over overcautious (pairs).',
  options: {
    out: { value: 'F', help: 'the file to write' },
    precision: {
      value: 'P',
      help: `train: of what is called a violation, how much must be one on texts set aside (default ${PRECISION})`,
    },
    seed: { value: 'S', help: 'train: same seed, same classifier (default 0)' },
    patterns: { value: 'F', help: 'pairs: one regular expression a line (default: the built-in ones)' },
    classifier: { value: 'F', help: 'pairs: what train wrote (default: none)' },
  },
  examples: [
    'coach compliance train texts.jsonl --out compliance.json',
    'coach compliance pairs 20251121-093005-desk --classifier compliance.json --out pairs.jsonl',
    'coach train desk.ts --reward toolrla:classifier=compliance.json --stages sft:48,grpo:64,dpo:32 --set dpoMining=compliance',
  ],

  async run(args, context) {
    const [verb = ''] = args.positionals;
    if (verb === 'train') return train(args, context);
    if (verb === 'pairs') return pairs(args, context);
    throw new UserError('config', `coach compliance: unknown verb "${verb}"`, suggest(verb, [...verbs]));
  },
};

/** A new file. @throws UserError where none is named, or it is there */
function outOf(args: Arguments, cwd: string): string {
  const name = valueOf(args, 'out');
  if (name === undefined)
    throw new UserError('config', 'coach compliance needs --out F', `For example: ${compliance.examples[0]}`);
  if (existsSync(resolve(cwd, name)))
    throw new UserError('storage', `${name}: is there already and is not overwritten`, 'Name another file with --out.');
  return resolve(cwd, name);
}

const Line = z.object({ text: z.string().min(1), violates: z.boolean() });

function readTexts(file: string, name: string): LabelledText[] {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('config', `${name}: can't be read: ${(error as Error).message}`, SHAPE);
  }
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    let json: unknown;
    try {
      json = parseJson(line);
    } catch (error) {
      throw new UserError('config', `${name}:${i + 1}: is not JSON: ${(error as Error).message}`, SHAPE);
    }
    const parsed = Line.safeParse(json);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    throw new UserError('config', `${name}:${i + 1}: ${issue!.path.join('.')} ${issue!.message}`, SHAPE);
  });
}

const SHAPE = 'A line is {"text": "It returns 8 %, promised.", "violates": true}.';

async function train(args: Arguments, { cwd, out }: CommandContext): Promise<number> {
  const name = args.positionals[1]!;
  const [patterns] = ['patterns', 'classifier'].filter((option) => option in args.values);
  if (patterns) throw new UserError('config', `--${patterns} belongs to coach compliance pairs`, 'Leave it out.');
  const file = outOf(args, cwd);
  const precision = numberOf(args, 'precision') ?? PRECISION;
  if (precision <= 0 || precision > 1)
    throw new UserError('config', `--precision must be above 0 and at most 1, got ${precision}`);
  const seed = numberOf(args, 'seed', { least: 0, isInteger: true }) ?? 0;
  const classifier = trainClassifier(readTexts(resolve(cwd, name), name), { precision, seed, where: name });
  writeFileAtomic(file, `${JSON.stringify(classifier)}\n`);
  const { weights: _, ...told } = classifier;
  out.json({ file, ...told });
  out.text(trainedWords(classifier, shortPath(file, cwd)));
  return 0;
}

function trainedWords({ precision, recall, texts, threshold }: ComplianceClassifier, file: string): string {
  const interval = ([low, high]: readonly [number, number]): string => `${percent(low)} to ${percent(high)}`;
  return [
    `Trained on ${texts.train} texts; on ${texts.validation} others, from a probability of ${threshold.toFixed(3)} on:`,
    `  of what it calls a violation ${percent(precision.value)} is one (${interval(precision.ci95)}, n ${precision.n}; ` +
      `asked for ${percent(precision.asked)})`,
    `  of the violations it finds ${percent(recall.value)} (${interval(recall.ci95)}, n ${recall.n})`,
    ...(texts.disputed > 0 ? [`  ${texts.disputed} texts are marked both ways and were left out`] : []),
    `Written to ${file}. Use it: --reward compliance:classifier=${file}, or toolrla:classifier=${file}`,
  ].join('\n');
}

async function pairs(args: Arguments, { cwd, out }: CommandContext): Promise<number> {
  const [other] = ['precision', 'seed'].filter((option) => option in args.values);
  if (other) throw new UserError('config', `--${other} belongs to coach compliance train`, 'Leave it out.');
  const file = outOf(args, cwd);
  const dir = findRun(args.positionals[1]!, cwd);
  requireManifest(dir, { readOnly: true });
  const inCwd = (name: string): string => {
    const value = valueOf(args, name);
    return value === undefined ? '' : resolve(cwd, value);
  };
  const violations = violationsRule({ patterns: inCwd('patterns'), classifier: inCwd('classifier') });
  const { groups, counts } = conductIn(dir, violations);
  const tools = readTools(dir).map(functionTool);
  const made = groups.flatMap((group) => compliancePairs(group, tools));
  if (made.length === 0)
    throw new UserError(
      'task',
      `${args.positionals[1]}: no task of its training has both what helped and what violated or was refused without ` +
        `need: ${countWords(counts)}`,
      'Take a run whose policy did both, as one that was sampled at a higher temperature, or mark pairs by hand.',
    );
  writeFileAtomic(file, made.map((pair) => `${JSON.stringify(pair)}\n`).join(''));
  const byKind = COMPLIANCE_PAIRS.map(({ name }) => ({ name, n: countOf(made, name) }));
  out.json({ file, traces: counts, pairs: Object.fromEntries(byKind.map(({ name, n }) => [name, n])) });
  out.text(`${countWords(counts)}. ${byKind.map(({ name, n }) => `${n} pairs ${name}`).join(', ')}`);
  out.text(
    `Written to ${shortPath(file, cwd)}. Train on them: coach train FILE --method dpo --pairs ${shortPath(file, cwd)}`,
  );
  return 0;
}

const countOf = (made: readonly PreferencePair[], name: string): number =>
  made.filter(({ source }) => source === `compliance: ${name}`).length;

type Counts = Record<Conduct | 'other', number>;
const countWords = ({ helpful, violating, overcautious, other }: Counts): string =>
  `${helpful + violating + overcautious + other} traces of training: ${helpful} helped, ${violating} violated, ` +
  `${overcautious} refused what they could do`;

/** Of training alone: what a run is measured on must not be trained on. By task. */
function conductIn(
  dir: string,
  violations: (episode: Episode) => string[],
): { groups: { trace: Trace; conduct: Conduct | null }[][]; counts: Counts } {
  const tools = readTools(dir);
  const tasks = new Map(readTaskSplits(dir).train.map((task) => [task.id, task]));
  const groups = new Map<string, { trace: Trace; conduct: Conduct | null }[]>();
  const counts: Counts = { helpful: 0, violating: 0, overcautious: 0, other: 0 };
  for (const summary of traceSummaries(dir)) {
    const task = tasks.get(summary.taskId);
    if (summary.phase !== 'train' || summary.superseded || !task) continue;
    const trace = readTrace(dir, summary);
    const conduct = conductOf(task, trace, violations(new Episode(task, trace, tools)).length > 0);
    counts[conduct ?? 'other']++;
    groups.set(task.id, [...(groups.get(task.id) ?? []), { trace, conduct }]);
  }
  return { groups: [...groups.values()], counts };
}
