import { basename } from 'node:path';
import { UserError } from '../../protocol/result';
import { EDITOR_MODELS, EDITOR_MODELS_URL, KEY_ORIGIN, type JudgeMode, type RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import { localModelPath } from './localModel';

/** Which judge, and what it may cost. The key is never part of what is recorded. */
export interface JudgeSettings {
  /** of an OpenAI-compatible server, with /v1, or EDITOR_MODELS, or the path of a model; what is recorded */
  baseUrl: string;
  /** where requests go: the same, but for the editor's models */
  address: string;
  /** a model of this disk, folder or GGUF file; null: a server */
  modelPath: string | null;
  model: string;
  /** null: the server asks for none */
  apiKey: string | null;
  timeoutMs: number;
  /** requests for one reply, the first included */
  attempts: number;
  /** requests under way at once */
  concurrency: number;
  /**
   * listwise: all attempts of a group in one question; pairwise: each pair by itself, for judges that lose their way
   * in a long list
   */
  mode: JudgeMode;
  /** pairs of orders per group, or per pair */
  votes: number;
  /** null: as long as the server lets it be; small local models need an end */
  replyTokens: number | null;
  /** how much of a trace the judge reads; the rest is cut from its middle, marked */
  traceCharacters: number;
  /** a longer Retry-After is not waited for */
  longestWaitMs: number;
  budgetTokens: number | null;
  budgetUsd: number | null;
  usdPerMillionPromptTokens: number | null;
  usdPerMillionCompletionTokens: number | null;
}

const JUDGE_DEFAULTS: Omit<JudgeSettings, 'baseUrl' | 'address' | 'modelPath' | 'model' | 'apiKey'> = {
  timeoutMs: DEFAULTS.judgeTimeoutMs({ isLocal: false }),
  attempts: 4,
  concurrency: DEFAULTS.judgeConcurrency,
  mode: DEFAULTS.judgeMode,
  votes: DEFAULTS.judgeVotes,
  replyTokens: null,
  traceCharacters: 12_000,
  longestWaitMs: 60_000,
  budgetTokens: null,
  budgetUsd: null,
  usdPerMillionPromptTokens: null,
  usdPerMillionCompletionTokens: null,
};

/**
 * Of a model of this disk: it costs nothing, says the same again, and one reply is under way at a time, whatever was
 * set for servers.
 */
const LOCAL = {
  apiKey: null,
  attempts: 1,
  concurrency: 1,
  usdPerMillionPromptTokens: 0,
  usdPerMillionCompletionTokens: 0,
} as const;

/**
 * The judge by what was given, else by the environment: COACH_JUDGE_URL, COACH_JUDGE_MODEL, COACH_JUDGE_KEY. A model of
 * this disk is called as
 * its folder or file is, and takes no key.
 * @throws UserError where server or model are not named, or are no such thing, or where the environment's key was given
 * for another server
 */
export function judgeSettings(
  given: Partial<JudgeSettings>,
  environment: Readonly<Record<string, string | undefined>>,
): JudgeSettings {
  const baseUrl = given.baseUrl ?? environment.COACH_JUDGE_URL;
  const modelPath = baseUrl ? localModelPath(baseUrl) : null;
  if (modelPath !== null)
    return {
      ...JUDGE_DEFAULTS,
      timeoutMs: DEFAULTS.judgeTimeoutMs({ isLocal: true }),
      ...given,
      ...LOCAL,
      baseUrl: modelPath,
      address: modelPath,
      modelPath,
      model: basename(modelPath),
    };
  const model = given.model ?? environment.COACH_JUDGE_MODEL;
  if (!baseUrl || !model) {
    throw new UserError(
      'judge',
      `the judge needs a server and a model; ${!baseUrl ? 'no server' : 'no model'} is named`,
      'Set COACH_JUDGE_URL (http://host:port/v1) and COACH_JUDGE_MODEL, and COACH_JUDGE_KEY where ' +
        'the server asks for a key; or COACH_JUDGE_URL alone, to the absolute path of a model folder or a .gguf file.',
    );
  }
  const address = addressOf(baseUrl, environment);
  const settings = {
    ...JUDGE_DEFAULTS,
    ...given,
    baseUrl,
    address,
    modelPath,
    model,
    apiKey: given.apiKey ?? keyFor(address, environment),
  };
  const { budgetUsd, usdPerMillionPromptTokens: prompt, usdPerMillionCompletionTokens: completion } = settings;
  if (budgetUsd !== null && (prompt === null || completion === null))
    throw new UserError(
      'judge',
      'a budget in money needs the prices of the model',
      'Give usdPerMillionPromptTokens and usdPerMillionCompletionTokens, or a budget in tokens.',
    );
  return settings;
}

/**
 * The environment's key, for the server that it was given for: an address in a run folder or in a workspace's settings
 * is not the user's word.
 * @throws UserError for any other server
 */
function keyFor(address: string, environment: Readonly<Record<string, string | undefined>>): string | null {
  const key = environment.COACH_JUDGE_KEY;
  if (!key) return null;
  const { origin } = new URL(address);
  const meant = [environment.COACH_JUDGE_URL, environment[KEY_ORIGIN], environment[EDITOR_MODELS_URL]].flatMap((url) =>
    url && URL.canParse(url) ? [new URL(url).origin] : [],
  );
  if (meant.includes(origin)) return key;
  const whose =
    meant.length > 0 ? `was given for ${[...new Set(meant)].join(' and ')}` : 'was given without an address';
  throw new UserError(
    'judge',
    `the judge's key ${whose}, and these settings name the server ${origin}: it is not sent there`,
    `If you trust that server with your key, set COACH_JUDGE_URL to ${address}; if it needs ` +
      'none, unset COACH_JUDGE_KEY.',
  );
}

/** The same environment, its key meant for this address, too: for an address that the user has just typed. */
export function keyMeantFor<E extends Readonly<Record<string, string | undefined>>>(
  environment: E,
  address: string | undefined,
): E {
  return address === undefined ? environment : { ...environment, [KEY_ORIGIN]: address };
}

/** @throws UserError */
function addressOf(baseUrl: string, environment: Readonly<Record<string, string | undefined>>): string {
  if (baseUrl !== EDITOR_MODELS) {
    checkAddress(baseUrl);
    return baseUrl;
  }
  const lent = environment[EDITOR_MODELS_URL];
  if (!lent)
    throw new UserError(
      'judge',
      "the judge is one of the editor's own models, and no VS Code window lends them here",
      'Start or resume the run from a window, or name a server by COACH_JUDGE_URL.',
    );
  return lent;
}

/**
 * @throws UserError; an address is recorded and shown, so what would be a secret in it is not repeated in the message
 */
function checkAddress(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url !== null && (url.username !== '' || url.password !== '' || url.search !== ''))
    throw new UserError(
      'judge',
      "the address of the judge's server must hold no name, password or query, since runs record it",
      'Put the key into COACH_JUDGE_KEY, or into the editor with Coach: Set Judge API Key.',
    );
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UserError(
      'judge',
      `the judge's server must be an http or https address, got '${baseUrl}'`,
      'For example http://127.0.0.1:8080/v1; a model of this disk by its absolute path.',
    );
}

/**
 * The judge of a run: by its config, else by the environment; the key by the environment alone.
 * @throws UserError as judgeSettings
 */
export function judgeOfConfig(
  config: RunConfig,
  environment: Readonly<Record<string, string | undefined>>,
): JudgeSettings {
  const given = {
    baseUrl: config.judgeUrl,
    model: config.judgeModel,
    mode: config.judgeMode,
    votes: config.judgeVotes,
    concurrency: config.judgeConcurrency,
    timeoutMs: config.judgeTimeoutMs,
    replyTokens: config.judgeReplyTokens,
    budgetTokens: config.judgeBudgetTokens,
    budgetUsd: config.judgeBudgetUsd,
    usdPerMillionPromptTokens: config.judgeUsdPerMillionPromptTokens,
    usdPerMillionCompletionTokens: config.judgeUsdPerMillionCompletionTokens,
  };
  return judgeSettings(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    environment,
  );
}

/**
 * What the environment says of the judge and of the writer of requests, the keys taken out of it: no process that is
 * started from here on inherits it.
 * @param environment is changed
 */
export function takeJudgeKey(
  environment: Record<string, string | undefined>,
): Readonly<Record<string, string | undefined>> {
  const {
    COACH_JUDGE_URL,
    COACH_JUDGE_MODEL,
    COACH_JUDGE_KEY,
    COACH_WRITER_URL,
    COACH_WRITER_MODEL,
    COACH_WRITER_KEY,
    [KEY_ORIGIN]: origin,
    [EDITOR_MODELS_URL]: lent,
  } = environment;
  delete environment.COACH_JUDGE_KEY;
  delete environment.COACH_WRITER_KEY;
  return {
    COACH_JUDGE_URL,
    COACH_JUDGE_MODEL,
    COACH_JUDGE_KEY,
    COACH_WRITER_URL,
    COACH_WRITER_MODEL,
    COACH_WRITER_KEY,
    [KEY_ORIGIN]: origin,
    [EDITOR_MODELS_URL]: lent,
  };
}
