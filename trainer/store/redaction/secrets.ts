/**
 * What looks like a key, a token or a password, and its removal from text. Pure. Shapes as the services document them
 * (and as gitleaks' rules
 * have them); prefixes that nothing else has, so that ordinary text is left alone. A key without a shape needs a
 * pattern of the user's own.
 *
 * Each pattern reads a text a few times at most, however it is made: where many places of a run of characters could
 * begin a secret, it is begun at one of them alone. And `x{8}x*` stands for `x{8,}`, which would overflow the stack of
 * V8 over a run of a million characters.
 */
import { TookTooLong, withinTime } from '../../base/timeLimit';
import { UserError } from '../../protocol/result';

/** A kind of secret: where `pattern` has a group called secret, or else a first one, only that is the secret. */
export type SecretRule = { kind: string } & (
  | {
      /** global */
      pattern: RegExp;
    }
  | {
      /** as they stand; a pattern may not be as long as a secret is */
      texts: readonly string[];
    }
);

const USERS = 'user-pattern';

const knownRules: readonly SecretRule[] = [
  {
    kind: 'private-key',
    pattern: /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
  },
  // From the first eyJ of a run of characters: later ones of the same run would end as it does. (What is looked ahead
  // at is not tried again: so \1 makes the way to it the only one.)
  {
    kind: 'jwt',
    pattern: /(?<![\w-])(?=([\w-]*?)\beyJ[\w-]{8})\1(?<secret>eyJ[\w-]+\.eyJ[\w-]{8}[\w-]*\.[\w-]{8}[\w-]*)/g,
  },
  { kind: 'api-key', pattern: /\bsk-[A-Za-z0-9_-]{20}[A-Za-z0-9_-]*/g },
  { kind: 'stripe-key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16}[A-Za-z0-9]*/g },
  { kind: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30}[A-Za-z0-9]*|github_pat_\w{40}\w*)/g },
  { kind: 'gitlab-token', pattern: /\bglpat-[\w-]{20}[\w-]*/g },
  { kind: 'aws-key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: 'google-key', pattern: /\bAIza[\w-]{35}/g },
  { kind: 'slack-token', pattern: /\bxox[abprs]-[A-Za-z0-9-]{10}[A-Za-z0-9-]*/g },
  { kind: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'hf-token', pattern: /\bhf_[A-Za-z0-9]{30}[A-Za-z0-9]*\b/g },
  { kind: 'bearer-token', pattern: /\bbearer\s+([A-Za-z0-9._~+/-]{16}[A-Za-z0-9._~+/-]*=*)/gi },
  // The scheme is looked for from :// back.
  { kind: 'url-password', pattern: /:\/\/(?<=\b[a-z][a-z0-9+.-]*:\/\/)[^\s:@/"']+:([^\s@/"']{3}[^\s@/"']*)@/gi },
];

/** @throws UserError for a pattern that is no regular expression, or matches nothing at all */
export function secretRules(userPatterns: readonly string[] = []): SecretRule[] {
  const own = userPatterns.map((source): SecretRule => {
    let pattern: RegExp;
    try {
      pattern = new RegExp(source, 'gu');
    } catch (error) {
      throw new UserError(
        'config',
        `redactPatterns: ${source} is no regular expression: ${(error as Error).message}`,
        'Write it as JavaScript does, for example ACME-[0-9]{8}.',
      );
    }
    if (new RegExp(source, 'u').test(''))
      throw new UserError(
        'config',
        `redactPatterns: ${source} matches the empty text, so it would match everywhere`,
        'Let it match at least one character.',
      );
    return { kind: USERS, pattern };
  });
  return [...own, ...knownRules];
}

/** A place in a text: [start, end). */
export interface SecretSpan {
  kind: string;
  start: number;
  end: number;
}

/** Places of secrets, in order, none over another: those that begin first, then the longer ones. */
export function findSecrets(text: string, rules: readonly SecretRule[]): SecretSpan[] {
  const found = rules.flatMap((rule) => ('texts' in rule ? placesOf(text, rule) : matchesOf(text, rule)));
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: SecretSpan[] = [];
  for (const span of found) {
    const last = out.at(-1);
    if (last === undefined || span.start >= last.end) out.push(span);
    else if (span.end > last.end) last.end = span.end; // part of it lies beyond: both go, as one
  }
  return out;
}

function matchesOf(text: string, { kind, pattern }: { kind: string; pattern: RegExp }): SecretSpan[] {
  const matches = kind === USERS ? matchesInTime(text, pattern) : ownMatches(text, pattern);
  if (matches === null) return [{ kind, start: 0, end: text.length }];
  return matches.map((match) => {
    const secret = match.groups?.['secret'] ?? match[1] ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    return { kind, start, end: start + secret.length };
  });
}

/**
 * null: V8's stack for going back was full over some ten megabytes made for it; what can't be read is left out whole.
 */
function ownMatches(text: string, pattern: RegExp): RegExpExecArray[] | null {
  try {
    return [...text.matchAll(pattern)];
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A pattern of the user's, or of the run.json of somebody else, may go back and forth for ever. */
function matchesInTime(text: string, pattern: RegExp): RegExpExecArray[] {
  try {
    return withinTime(MAX_MS, () => [...text.matchAll(pattern)]);
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    throw new UserError(
      'config',
      `redactPatterns: ${pattern.source}: ${error.message} over a text of ${text.length} characters`,
      'Write it so that no part of it can match the same text in two ways.',
    );
  }
}
const MAX_MS = 2_000;

function placesOf(text: string, { kind, texts }: { kind: string; texts: readonly string[] }): SecretSpan[] {
  return texts.flatMap((secret) => {
    const spans: SecretSpan[] = [];
    for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + secret.length))
      spans.push({ kind, start, end: start + secret.length });
    return spans;
  });
}

/** What stands where a secret stood. */
export const mark = (kind: string): string => `[redacted:${kind}]`;

/** @returns the same string where there is none */
export function redactText(
  text: string,
  rules: readonly SecretRule[],
  onFound: (kind: string, secret: string) => void = () => undefined,
): string {
  let out = '';
  let done = 0;
  for (const { kind, start, end } of findSecrets(text, rules)) {
    onFound(kind, text.slice(start, end));
    out += text.slice(done, start) + mark(kind);
    done = end;
  }
  return done === 0 ? text : out + text.slice(done);
}
