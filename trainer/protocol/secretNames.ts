/**
 * Which variables of an environment are secret, told by their names, and how a process learns where its own come from
 * (trainer/app/secrets.ts).
 */

type Environment = Record<string, string | undefined>;

/** Tells a process where its secrets come from: 'stdin', one JSON object until its end, or 'ipc', the first message. */
export const SECRETS_FROM = 'COACH_SECRETS_FROM';

const WORDS =
  /(token|secret|passw(or)?d|passphrase|api_?key|access_?key|private_?key|credential|COACH_JUDGE_KEY|COACH_INPUT_)/i;
const PARTS = /(^|_)(KEY|AUTH|PASS|PAT|COOKIE|DSN|OTLP_HEADERS)(_|$)/i;
/** What is told by its name; these are no secrets. */
const KNOWN = new Set(['SSH_AUTH_SOCK', 'COACH_JUDGE_KEY_ORIGIN']);

/** By its name: a key, a token, a password. */
export const isSecretName = (name: string): boolean => !KNOWN.has(name) && (WORDS.test(name) || PARTS.test(name));

/** An environment in two: what a process may be started with, and what goes through a pipe, if it goes at all. */
export function splitSecrets(environment: Environment): { open: Environment; secrets: Record<string, string> } {
  const entries = Object.entries(environment);
  return {
    open: Object.fromEntries(entries.filter(([name]) => !isSecretName(name))),
    secrets: Object.fromEntries(
      entries.flatMap(([name, value]): [string, string][] =>
        isSecretName(name) && value !== undefined ? [[name, value]] : [],
      ),
    ),
  };
}
