/** Which server may have the judge's key: the ones that the person named. Free of `vscode`. */
import { KEY_ORIGIN } from '../../trainer/protocol/runConfig';
import { JUDGE_KEY } from '../processes/programs';

/** The key, in VS Code's secret storage. */
export const SECRET = 'agentCoach.judge.apiKey';
/** JSON list: where the stored key may go */
export const ORIGINS = 'agentCoach.judge.origins';

/** `https://host:port` of an address; null: it is no server's (a model of this disk, vscode.lm). */
export function originOf(address: string | undefined): string | null {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

export type KeyChoice = 'send' | 'without' | 'cancel';

export interface KeyQuestion {
  /** VS Code's secret storage */
  secrets: {
    get(name: string): PromiseLike<string | undefined>;
    store(name: string, value: string): PromiseLike<void>;
  };
  /** of the judge that the run names; undefined: the one of the environment */
  address: string | undefined;
  /** may this server have the key? A run folder or a workspace's settings may have named it. */
  ask(origin: string): Promise<KeyChoice>;
  environment?: NodeJS.ProcessEnv;
}

/**
 * What a trainer gets through its pipe: the stored key, else the one of VS Code's own environment, and the origin that
 * it is for. A server that the person
 * has not named is asked about; a yes is remembered for a stored key.
 * @returns null: the person does not want the run
 */
export async function judgeSecrets({
  secrets,
  address,
  ask,
  environment = process.env,
}: KeyQuestion): Promise<Record<string, string> | null> {
  const stored = await secrets.get(SECRET);
  const key = stored ?? environment[JUDGE_KEY];
  if (key === undefined || key === '') return {};
  const own = originOf(environment['COACH_JUDGE_URL']);
  const known = stored === undefined ? (own === null ? [] : [own]) : readOrigins(await secrets.get(ORIGINS));
  const origin = originOf(address ?? environment['COACH_JUDGE_URL']);
  if (origin === null) return {};
  if (!known.includes(origin)) {
    const choice = await ask(origin);
    if (choice === 'cancel') return null;
    if (choice === 'without') return {};
    if (stored !== undefined) await secrets.store(ORIGINS, JSON.stringify([...known, origin]));
  }
  return { [JUDGE_KEY]: key, [KEY_ORIGIN]: origin };
}

function readOrigins(text: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
