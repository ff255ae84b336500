/**
 * A trace as it may be written: secrets in its texts are replaced by `[redacted:KIND]`, and so are the ids that spell
 * them, since ids can be
 * decoded. What the run trains on in memory is another object and stays whole, so redaction changes no weight.
 *
 * Decided: a secret that is found in one text of a trace goes from all of them, also where it stands without what gave
 * it away ("Bearer …" in a
 * result, bare in the next call). Its ids become -1, which no tokenizer has, and their logprobs null; turns, masks and
 * writers stay, so that
 * ranges keep their meaning. Pairs made of such a trace are tokenised anew from its redacted text
 * (preferences/pairOf.ts). Not redacted are
 * run.json, tools.json and tasks.json: they are the user's own files again, a resume must find them unchanged, and the
 * run says so when they
 * hold a secret.
 */
import type { Trace } from '../../protocol/trace';
import { findSecrets, mark, redactText, type SecretRule } from './secrets';

/** One token's part of the text; null where the tokenizer is not known: then all ids of a trace with a secret go. */
export type TokenText = ((id: number) => string) | null;

const REDACTED_ID = -1;

/** @returns the same object where there is nothing to redact */
export function redactTrace(trace: Trace, rules: readonly SecretRule[], tokenText: TokenText): Trace {
  const secrets = new Map<string, string>(); // secret -> kind
  eachText(trace, (text) => void redactText(text, rules, (kind, secret) => secrets.set(secret, kind)));
  if (secrets.size === 0) return trace;
  if (secrets.size > MOST_SECRETS) return withoutTexts(trace);
  const counts = new Map<string, number>();
  const all = [...rules, ...[...secrets].map(([secret, kind]) => ({ kind, texts: asWritten(secret) }))];
  const clean = mapText(trace, (text) =>
    redactText(text, all, (kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1)),
  );
  return {
    ...clean,
    tokens: redactTokens(trace.tokens, all, tokenText),
    redactions: [...counts].map(([kind, count]) => ({ kind, count })),
  };
}

/** As it stands, and as JSON writes it: the template puts arguments and results into JSON. */
const asWritten = (secret: string): string[] => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];

/** Each text would be searched for each of them. */
const MOST_SECRETS = 200;

/** Of a trace that holds secrets and little else, nothing is kept that anybody wrote. */
function withoutTexts(trace: Trace): Trace {
  let count = 0;
  const clean = mapText(trace, (text) => {
    if (text !== '') count++;
    return text === '' ? '' : mark(TOO_MANY);
  });
  return {
    ...clean,
    tokens: redactTokens(trace.tokens, [], null),
    redactions: [{ kind: TOO_MANY, count }],
  };
}
const TOO_MANY = `over-${MOST_SECRETS}-secrets`;

function redactTokens(tokens: Trace['tokens'], rules: readonly SecretRule[], tokenText: TokenText): Trace['tokens'] {
  const isSecret = tokens.ids.map(() => tokenText === null);
  if (tokenText !== null) {
    const pieces = tokens.ids.map((id) => tokenText(id).replaceAll('\u2581', ' '));
    const spans = findSecrets(pieces.join(''), rules);
    let at = 0;
    let next = 0; // spans are in order, as tokens are: the first that does not end before this token
    pieces.forEach((piece, i) => {
      const [start, end] = [at, (at += piece.length)];
      while (next < spans.length && spans[next]!.end <= start) next++;
      isSecret[i] = next < spans.length && spans[next]!.start < end;
    });
  }
  return {
    ...tokens,
    ids: tokens.ids.map((id, i) => (isSecret[i] ? REDACTED_ID : id)),
    logprobs: tokens.logprobs.map((logprob, i) => (isSecret[i] ? null : logprob)),
  };
}

/** What users, tools, the policy and judges wrote. Names and ids of the run's own making hold no secret. */
type Texts = Pick<Trace, 'messages' | 'turns' | 'rewards' | 'ungrounded' | 'expected' | 'differences' | 'hidden'>;

function mapText(trace: Trace, f: (text: string) => string): Trace {
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return f(value);
    if (Array.isArray(value)) return value.map(deep);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [f(key), deep(each)]));
    return value;
  };
  const record = (value: Record<string, unknown>) => deep(value) as Record<string, unknown>;
  const expectedText = ({ calls, answer }: NonNullable<Trace['expected']>) => ({
    ...(calls && { calls: calls.map((call) => ({ ...call, arguments: record(call.arguments) })) }),
    ...(answer !== undefined && { answer: f(answer) }),
  });
  const { messages, turns, rewards, ungrounded, expected, differences, hidden } = trace;
  const texts: Texts = {
    messages: messages.map((m) => ({
      ...m,
      content: f(m.content),
      ...(m.tool_calls
        ? {
            tool_calls: m.tool_calls.map((call) => ({
              ...call,
              function: { ...call.function, arguments: record(call.function.arguments) },
            })),
          }
        : {}),
    })),
    turns: turns.map((turn) => ({
      ...turn,
      text: f(turn.text),
      ...(turn.parseError === undefined ? {} : { parseError: f(turn.parseError) }),
      ...(turn.info === undefined ? {} : { info: record(turn.info) }),
      calls: turn.calls.map((call) => ({
        ...call,
        arguments: record(call.arguments),
        result: call.result && { ...call.result, content: f(call.result.content) },
      })),
    })),
    rewards: rewards.map((r) => ({
      ...r,
      ...(r.error === undefined ? {} : { error: f(r.error) }),
      ...(r.reason === undefined ? {} : { reason: f(r.reason) }),
    })),
    ...(ungrounded === undefined ? {} : { ungrounded: ungrounded.map(f) }),
    ...(expected === undefined ? {} : { expected: expectedText(expected) }),
    ...(differences === undefined
      ? {}
      : { differences: differences.map((d) => (d.what === 'notGrounded' ? { ...d, words: d.words.map(f) } : d)) }),
    ...(hidden === undefined ? {} : { hidden: record(hidden) }),
  };
  return { ...trace, ...texts };
}

function eachText(trace: Trace, f: (text: string) => void): void {
  mapText(trace, (text) => {
    f(text);
    return text;
  });
}

/** Strings anywhere in a value, for events and verdicts. @returns the same value where there is nothing to redact */
export function redactValue<T>(value: T, rules: readonly SecretRule[]): T {
  let isChanged = false;
  const deep = (each: unknown): unknown => {
    if (typeof each === 'string') return redactText(each, rules, () => (isChanged = true));
    if (Array.isArray(each)) return each.map(deep);
    if (typeof each === 'object' && each !== null)
      return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, deep(inner)]));
    return each;
  };
  const out = deep(value);
  return isChanged ? (out as T) : value;
}
