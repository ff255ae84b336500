import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { openHosts } from '../prepare/hosts';
import { UserError } from '../../protocol/result';
import type { Trace } from '../../protocol/trace';
import { compositeView } from '../../rewards/composite';
import { openJudge, type Judge } from '../../rewards/judge/judge';
import { needsJudge } from '../../rewards/judge/runJudge';
import { judgeSettings, keyMeantFor } from '../../rewards/judge/settings';
import { parseRewards, type RewardSpec } from '../../rewards/parseRewards';
import { readRecorded, type RecordedContext, type RecordedLine } from '../../rewards/recorded';
import type { BuiltInReward, OptionSpec } from '../../rewards/rule';
import { BUILT_IN_REWARDS } from '../../rewards/registry';
import { scoreEpisodes, type CallUserReward } from '../../rewards/score';
import type { Discovered } from '../../tools/sources/typescript/discover';
import { readTaskSplits, readTools } from '../../store/runs/readRun';
import { workspaceOf } from '../../store/runs/workspace';
import { parseSettings } from '../settings';
import { valueOf, type Command, type CommandContext } from './command';
import { withJudgeEngine } from './judge';
import { table } from './output';
import { readTextFile } from '../../base/storage';

export const score: Command = {
  name: 'score',
  positionals: { usage: 'FILE.jsonl', min: 0, max: 1 },
  summary: 'Score recorded traces, dialogues or raw text by any reward; --list names the rewards.',
  options: {
    reward: {
      value: 'NAME[:option=value,…]',
      help: 'rewards and their weights, as in a run: toolrl:refined=true,answer*0.5',
    },
    tools: {
      value: 'FILE|DIR',
      help:
        "the tools that were there, and the user's own rewards beside them (default: those of the " +
        'run whose traces/ the file lies in)',
    },
    'judge-url': {
      value: 'URL',
      help:
        'of the judge: an OpenAI-compatible server, with /v1, or the absolute path of a model folder ' +
        'or .gguf file (default COACH_JUDGE_URL; a key is COACH_JUDGE_KEY)',
    },
    'judge-model': {
      value: 'NAME',
      help: "the server's model (default COACH_JUDGE_MODEL); a model folder or file needs none",
    },
    list: { help: 'all built-in rewards with range, source and options' },
  },
  examples: [
    'coach score traces.jsonl --reward toolrl',
    'coach score .coach/runs/20251121-093005-email/traces/train.jsonl --reward toolrla:lambda=10,otc*0.5 --json',
    'coach score --list',
  ],

  async run(args, context) {
    const { out, cwd } = context;
    const [file] = args.positionals;
    if ('list' in args.values) {
      if (file !== undefined)
        throw new UserError('config', `--list takes no file, got ${file}`, `For example: ${score.examples[2]}`);
      out.json({ rewards: Object.entries(BUILT_IN_REWARDS).map(([name, reward]) => listed(name, reward)) });
      for (const [name, reward] of Object.entries(BUILT_IN_REWARDS)) out.text(listText(name, reward));
      return 0;
    }
    if (file === undefined)
      throw new UserError('config', 'coach score needs FILE.jsonl, or --list', `For example: ${score.examples[0]}`);
    const spec = valueOf(args, 'reward');
    if (spec === undefined)
      throw new UserError(
        'config',
        'coach score needs --reward NAME',
        `Rewards: ${Object.keys(BUILT_IN_REWARDS).join(', ')}. coach score --list tells their options.`,
      );
    const path = resolve(cwd, file);
    const toolPath = valueOf(args, 'tools');
    const found = toolPath === undefined ? null : await discover(resolve(cwd, toolPath), context);
    const specs = parseRewards(
      spec,
      found?.rewards.map((reward) => reward.name),
    );
    const scoring = { path, file, found, toolPath, specs, context };
    if (!needsJudge(specs)) return scoreFile(scoring, null);
    const baseUrl = valueOf(args, 'judge-url');
    const settings = judgeSettings(
      { baseUrl, model: valueOf(args, 'judge-model') },
      keyMeantFor(context.environment, baseUrl),
    );
    return withJudgeEngine(settings, context.dependencies, async (engine) => {
      const judge = await openJudge({ settings, engine, signal: context.signal });
      try {
        await judge.check();
        return await scoreFile(scoring, judge);
      } finally {
        judge.close();
      }
    });
  },
};

interface Scoring {
  path: string;
  /** as it was given */
  file: string;
  found: Discovered | null;
  toolPath: string | undefined;
  specs: readonly RewardSpec[];
  context: CommandContext;
}

async function scoreFile(
  { path, file, found, toolPath, specs, context }: Scoring,
  judge: Judge | null,
): Promise<number> {
  const { out, cwd } = context;
  const lines = readRecorded(readText(path), file, { ...runContext(path), ...(found ? { tools: found.tools } : {}) });
  warnOfLoneLines(
    lines,
    specs
      .filter(({ rule }) => rule?.per === 'group' || (rule?.per === 'judge' && rule.options.mode === 'ranking'))
      .map((reward) => reward.name),
    out,
  );
  const hosts =
    found && specs.some((reward) => reward.rule === null)
      ? await openHosts({
          config: parseSettings({ toolFile: resolve(cwd, toolPath!) }),
          found,
          workspace: workspaceOf(resolve(cwd, toolPath!), cwd),
          note: (_level, _code, message) => out.warn(message),
          ask: async () => 'unavailable',
          dependencies: context.dependencies,
        })
      : null;
  const callUser: CallUserReward | undefined = hosts
    ? (name, task, traces) => hosts.scoreReward(name, task, [...traces])
    : undefined;
  const groups = new Map<string, RecordedLine[]>();
  for (const line of lines) groups.set(line.group, [...(groups.get(line.group) ?? []), line]);
  const scored = new Map<number, Trace>();
  try {
    for (const group of groups.values()) {
      const traces = await scoreEpisodes(
        group.map((line) => line.episode),
        specs,
        callUser,
        judge?.judge,
      );
      traces.forEach((trace, i) => scored.set(group[i]!.line, trace));
    }
  } finally {
    await hosts?.close();
  }
  for (const { line } of lines) out.data(`${JSON.stringify(lineResult(scored.get(line)!))}\n`);
  if (judge && !out.isJson) out.warn(judgeText(judge));
  if (!out.isJson)
    out.warn(summary([...groups.values()].map((group) => group.map(({ line }) => scored.get(line)!.rewards))));
  return 0;
}

/** One object a line, the exact shape. */
function lineResult({ rewards }: Trace): object {
  const reasons = rewards.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason] as const]));
  const errors = rewards.flatMap(({ name, error }) => (error === undefined ? [] : [`${name}: ${error}`]));
  return {
    rewards: Object.fromEntries(rewards.map(({ name, score: value }) => [name, value])),
    components: Object.fromEntries(
      rewards.map(({ name, score: value, parts }) => [name, parts ?? (value === null ? {} : { [name]: value })]),
    ),
    ...(reasons.length > 0 ? { reasons: Object.fromEntries(reasons) } : {}),
    ...(errors.length > 0 ? { error: errors.join('; ') } : {}),
  };
}

function summary(groups: readonly (readonly Trace['rewards'][])[]): string {
  const figure = (value: number | null): string => (value === null ? '-' : `${Number(value.toPrecision(4))}`);
  const rows = compositeView(groups).map(({ name, weight, n, mean, variance, share }) => [
    name,
    `${weight}`,
    `${n}`,
    figure(mean),
    figure(variance === null ? null : Math.sqrt(variance)),
    figure(share),
  ]);
  return table([['reward', 'weight', 'scored', 'mean', 'deviation', 'share of the advantage'], ...rows]);
}

function judgeText({ identity, counts }: Judge): string {
  const cost = counts.usd === null ? '' : `, ${counts.usd.toFixed(4)} USD`;
  return (
    `judge ${identity.model} (${identity.prompt}, ${identity.promptHash}): ${counts.judged} ` +
    `judged, ${counts.notJudged} not; ${counts.requests} requests, ${counts.promptTokens} + ` +
    `${counts.completionTokens} tokens${cost}`
  );
}

async function discover(path: string, { dependencies }: CommandContext): Promise<Discovered> {
  if (!existsSync(path))
    throw new UserError(
      'tool',
      `${path}: there is no such file or folder`,
      'Give the file or folder with the tools, or leave --tools out.',
    );
  return dependencies.discover([path]);
}

/** A file in a run's traces/ has its tools and gold beside it. */
function runContext(path: string): RecordedContext {
  const dir = dirname(dirname(path));
  if (basename(dirname(path)) !== 'traces' || !existsSync(join(dir, 'run.json')))
    return { tools: [], tasks: new Map() };
  return {
    tools: readTools(dir),
    tasks: new Map(
      Object.values(readTaskSplits(dir))
        .flat()
        .map((task) => [task.id, task]),
    ),
  };
}

function readText(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'config',
      `${path}: can't be read: ${(error as Error).message}`,
      'Give a file with one JSON object a line.',
    );
  }
}

function warnOfLoneLines(lines: readonly RecordedLine[], names: readonly string[], out: CommandContext['out']): void {
  if (names.length === 0) return;
  const counts = new Map<string, number>();
  for (const { group } of lines) counts.set(group, (counts.get(group) ?? 0) + 1);
  const alone = [...counts.values()].filter((count) => count === 1).length;
  if (alone > 0)
    out.warn(
      `${names.join(', ')}: compares the members of a group, and ${alone} of ${lines.length} lines ` +
        'are alone in theirs; lines with the same "group" and gold are compared',
    );
}

const listed = (name: string, { row, description, range, source, options, per, isChannel }: BuiltInReward): object => ({
  name,
  description,
  range,
  source,
  row,
  per: isChannel ? 'channel' : per,
  options: Object.fromEntries(Object.entries(options).map(([key, option]) => [key, option])),
});

function listText(name: string, reward: BuiltInReward): string {
  const { description, range, source, options, per, isChannel } = reward;
  const kind = isChannel ? ', an advantage channel of its own' : per === 'group' ? ', compares a group' : '';
  return [
    `${name}  [${range[0]}, ${range[1]}]${kind}`,
    `  ${description}`,
    `  ${source}`,
    ...Object.entries(options).map(([key, option]) => `  :${key}=${values(option)}  ${option.description}`),
    '',
  ].join('\n');
}

function values(option: OptionSpec): string {
  switch (option.kind) {
    case 'number':
      return `${option.default} (${option.minimum} to ${option.maximum})`;
    case 'switch':
      return `${option.default}`;
    case 'choice':
      return `${option.default} (${option.choices.filter((choice) => choice !== option.default).join(', ')})`;
    case 'text':
      return option.default === '' ? 'TEXT' : option.default;
  }
}
