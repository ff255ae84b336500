import { UserError } from '../../protocol/result';

/** Which judge, and what it may cost. The key is never part of what is recorded. */
export interface JudgeSettings {
  /** of an OpenAI-compatible server, with /v1 */
  baseUrl: string;
  model: string;
  /** null: the server asks for none */
  apiKey: string | null;
  timeoutMs: number;
  /** requests for one reply, the first included */
  attempts: number;
  /** requests under way at once */
  concurrency: number;
  /** pairs of orders per group */
  votes: number;
  /** how much of a trace the judge reads; the rest is cut from its middle, marked */
  traceCharacters: number;
  /** a longer Retry-After is not waited for */
  longestWaitMs: number;
  budgetTokens: number | null;
  budgetUsd: number | null;
  usdPerMillionPromptTokens: number | null;
  usdPerMillionCompletionTokens: number | null;
}

export const JUDGE_DEFAULTS: Omit<JudgeSettings, 'baseUrl' | 'model' | 'apiKey'> = {
  timeoutMs: 60_000, attempts: 4, concurrency: 4, votes: 1, traceCharacters: 12_000, longestWaitMs: 60_000,
  budgetTokens: null, budgetUsd: null, usdPerMillionPromptTokens: null, usdPerMillionCompletionTokens: null,
};

/**
 * The judge by what was given, else by the environment: COACH_JUDGE_URL, COACH_JUDGE_MODEL, COACH_JUDGE_KEY.
 * @throws UserError where server or model are not named, or are no such thing
 */
export function judgeSettings(given: Partial<JudgeSettings>, environment: Readonly<Record<string, string | undefined>>): JudgeSettings {
  const baseUrl = given.baseUrl ?? environment.COACH_JUDGE_URL;
  const model = given.model ?? environment.COACH_JUDGE_MODEL;
  if (!baseUrl || !model) {
    throw new UserError('judge', `the judge needs a server and a model; ${!baseUrl ? 'no server' : 'no model'} is named`, 'Set COACH_JUDGE_URL (http://host:port/v1) and COACH_JUDGE_MODEL, and COACH_JUDGE_KEY where the server asks for a key.');
  }
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) throw new UserError('judge', `the judge's server must be an http or https address, got '${baseUrl}'`, 'For example http://127.0.0.1:8080/v1.');
  const settings = { ...JUDGE_DEFAULTS, ...given, baseUrl, model, apiKey: given.apiKey ?? (environment.COACH_JUDGE_KEY || null) };
  const { budgetUsd, usdPerMillionPromptTokens: prompt, usdPerMillionCompletionTokens: completion } = settings;
  if (budgetUsd !== null && (prompt === null || completion === null)) throw new UserError('judge', 'a budget in money needs the prices of the model', 'Give usdPerMillionPromptTokens and usdPerMillionCompletionTokens, or a budget in tokens.');
  return settings;
}
