import { resolve } from 'node:path';
import type { Engine } from '../../model/engine/engine';
import { UserError } from '../../protocol/result';
import { memoryCache } from '../../rewards/judge/cache';
import { judgePairs, readMarkedPairs, rememberAgreement, type JudgedMark } from '../../rewards/judge/calibrateJudge';
import { calibrate, type Calibration, type Figure } from '../../rewards/judge/calibration';
import { openClient } from '../../rewards/judge/openClient';
import type { JudgeClient } from '../../model/question';
import { PROMPT_HASH, sleepFor } from '../../rewards/judge/judge';
import { checkLocalModel } from '../../rewards/judge/localModel';
import { judgeOfConfig, keyMeantFor, type JudgeSettings } from '../../rewards/judge/settings';
import type { Dependencies } from '../dependencies';
import { workspaceAt } from '../../store/runs/workspace';
import { parseSettings } from '../settings';
import { settingsFromPairs } from '../settingText';
import { valueOf, type Arguments, type Command } from './command';
import { percent, table } from './output';

export const judge: Command = {
  name: 'judge',
  positionals: { usage: '', min: 0, max: 0 },
  summary: 'Measure how far a judge agrees with people, on pairs that they marked.',
  options: {
    calibrate: {
      value: 'FILE',
      help: 'marked pairs: .coach/preferences.jsonl, or JSONL of {prompt, chosen, rejected}',
    },
    url: {
      value: 'URL',
      help:
        'OpenAI-compatible server, with /v1, or the absolute path of a model folder or .gguf file ' +
        '(default COACH_JUDGE_URL; a key is COACH_JUDGE_KEY)',
    },
    model: { value: 'NAME', help: "the server's model (default COACH_JUDGE_MODEL); a model folder or file needs none" },
    set: {
      value: 'NAME=VALUE',
      help: 'judgeMode, judgeVotes, judgeBudgetTokens and so on, as in a run; may be repeated',
      isRepeated: true,
    },
  },
  examples: [
    'coach judge --calibrate .coach/preferences.jsonl',
    'coach judge --calibrate pairs.jsonl --url http://127.0.0.1:8080/v1 --model llama --set judgeVotes=2 --json',
  ],

  async run(args, { cwd, out, dependencies, environment, signal, now }) {
    const file = valueOf(args, 'calibrate');
    if (file === undefined)
      throw new UserError('config', 'coach judge needs --calibrate FILE', `For example: ${judge.examples[0]}`);
    const pairs = readMarkedPairs(resolve(cwd, file));
    const config = parseSettings(settingsOf(args));
    // all of it stands on this command line
    const settings = judgeOfConfig(config, keyMeantFor(environment, config.judgeUrl));
    return withJudgeEngine(settings, dependencies, async (engine) => {
      const client = await openClient({ settings, engine, cache: memoryCache(), sleep: sleepFor, now });
      try {
        await client.check(signal);
        const judged = await judgePairs(pairs, {
          client,
          settings,
          signal,
          now,
          onProgress: (done) => (done % 10 === 0 ? out.progress(`  ${done}/${pairs.length} pairs`) : undefined),
        });
        const calibration = calibrate(judged);
        const { accuracy } = calibration;
        if (accuracy)
          rememberAgreement(workspaceAt(cwd), {
            model: settings.model,
            baseUrl: settings.baseUrl,
            promptHash: PROMPT_HASH,
            mode: settings.mode,
            t: now(),
            accuracy: accuracy.value,
            n: accuracy.n,
            ci95: [...accuracy.ci95],
          });
        out.json({
          judge: {
            model: settings.model,
            baseUrl: settings.baseUrl,
            mode: settings.mode,
            votes: settings.votes,
            promptHash: PROMPT_HASH,
          },
          pairs: pairs.length,
          ...calibration,
          errors: errorsOf(judged),
          cost: costOf(client, judged),
        });
        out.text(text(calibration, settings, client, judged));
        return 0;
      } finally {
        client.close();
      }
    });
  },
};

/**
 * A judge from this disk computes on an engine that is opened for it, and closed after the work; a server needs none.
 */
export async function withJudgeEngine<T>(
  { modelPath }: JudgeSettings,
  dependencies: Pick<Dependencies, 'openEngine'>,
  work: (engine: Engine | null) => Promise<T>,
): Promise<T> {
  if (modelPath === null) return work(null);
  checkLocalModel(modelPath); // before seconds go into an engine
  const engine = await dependencies.openEngine(parseSettings({ toolFile: '-' }));
  try {
    return await work(engine);
  } finally {
    await engine.dispose();
  }
}

function settingsOf(args: Arguments): Record<string, unknown> {
  const [url, model] = [valueOf(args, 'url'), valueOf(args, 'model')];
  const settings = settingsFromPairs(args.values['set'] ?? [], { prefix: 'judge', example: 'judgeVotes=2' });
  return {
    toolFile: '-',
    ...settings,
    ...(url === undefined ? {} : { judgeUrl: url }),
    ...(model === undefined ? {} : { judgeModel: model }),
  };
}

/**
 * Per pair that was asked about; null: the price, or any pair, is not known. Each is the whole over n, so there is no
 * interval to give beside n.
 */
function costOf({ spent }: JudgeClient, judged: readonly JudgedMark[]): object {
  const asked = judged.filter(({ error }) => error !== 'both sides read alike').length;
  const per = (value: number | null): number | null => (value === null || asked === 0 ? null : value / asked);
  return {
    n: asked,
    requests: spent.requests,
    retries: spent.retries,
    promptTokens: spent.promptTokens,
    completionTokens: spent.completionTokens,
    usd: spent.usd,
    perPair: {
      promptTokens: per(spent.promptTokens),
      completionTokens: per(spent.completionTokens),
      usd: per(spent.usd),
    },
  };
}

/** Why pairs were not judged: reason -> how many. */
function errorsOf(judged: readonly JudgedMark[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { error } of judged) if (error !== undefined) counts[error] = (counts[error] ?? 0) + 1;
  return counts;
}

function text(
  calibration: Calibration,
  { model, mode, votes }: JudgeSettings,
  { spent }: JudgeClient,
  judged: readonly JudgedMark[],
): string {
  const share = (name: string, figure: Figure | null): string[] => [
    name,
    ...(figure
      ? [percent(figure.value), `${percent(figure.ci95[0])} to ${percent(figure.ci95[1])}`, `${figure.n}`]
      : ['not measured', '', '0']),
  ];
  const { accuracy, kappa, firstWins, contradictions, longerWins, notJudged } = calibration;
  const rows = [
    ['', 'value', '95 % interval', 'n'],
    share('accuracy: the judge says what people say', accuracy),
    [
      "Cohen's kappa: agreement beyond chance",
      ...(kappa
        ? [kappa.value.toFixed(2), `${kappa.ci95[0].toFixed(2)} to ${kappa.ci95[1].toFixed(2)}`, `${kappa.n}`]
        : ['not measured', '', '0']),
    ],
    share('pairs whose two orders contradict each other', contradictions),
    share('of these, what was shown first won (50 %: no order bias)', firstWins),
    share('the longer side wins, for the judge', longerWins.judge),
    share('the longer side wins, for people', longerWins.people),
  ];
  const errors = Object.entries(errorsOf(judged)).map(([error, count]) => `  ${count}: ${error}`);
  const cost = spent.usd === null ? '' : `, ${spent.usd.toFixed(4)} USD`;
  return [
    `Judge ${model} (${mode}, ${votes} vote${votes === 1 ? '' : 's'}) on ${judged.length} marked pairs`,
    table(rows),
    `${notJudged} pairs not judged`,
    ...errors,
    `${spent.requests} requests, ${spent.promptTokens} + ${spent.completionTokens} tokens${cost}`,
  ].join('\n');
}
