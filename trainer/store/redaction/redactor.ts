/** Redaction as a run's settings want it, with the tokenizer of its model opened when the first secret is found. */
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Task, ToolSchema } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { Tokenizer } from '../../model/tokenizer/tokenizer';
import { redactTrace, redactValue } from './redactTrace';
import { findSecrets, secretRules } from './secrets';

export interface Redactor {
  trace(trace: Trace): Trace;
  /** events and judges' verdicts */
  value<T>(value: T): T;
}

/**
 * Known patterns, no tokenizer: the ids of a trace with a secret go altogether. What RunWriter takes when it is told
 * nothing else.
 */
export const plainRedactor: Redactor = {
  trace: (trace) => redactTrace(trace, secretRules(), null),
  value: (value) => redactValue(value, secretRules()),
};

const off: Redactor = { trace: (trace) => trace, value: (value) => value };

/** @throws UserError for a user pattern that can't be used */
export function redactorFor(
  { redact = DEFAULTS.redact, redactPatterns }: Pick<RunConfig, 'redact' | 'redactPatterns'>,
  modelFolder: () => string,
): Redactor {
  const rules = secretRules(redactPatterns);
  if (!redact) return off;
  let tokenizer: Tokenizer | null = null;
  const tokenText = (id: number): string => (tokenizer ??= Tokenizer.load(modelFolder())).tokenText(id);
  return { trace: (trace) => redactTrace(trace, rules, tokenText), value: (value) => redactValue(value, rules) };
}

/** Warnings about what is kept as it is. */
export function secretsInSources(
  { redact = DEFAULTS.redact, redactPatterns }: Pick<RunConfig, 'redact' | 'redactPatterns'>,
  sources: { tools: readonly ToolSchema[]; tasks: readonly Task[] },
): string[] {
  if (!redact) return [];
  const rules = secretRules(redactPatterns);
  return (['tools', 'tasks'] as const).flatMap((name) => {
    const kinds = [...new Set(findSecrets(JSON.stringify(sources[name]), rules).map(({ kind }) => kind))];
    return kinds.length === 0
      ? []
      : [
          `the ${name} hold what looks like a secret (${kinds.join(', ')}); ${name}.json in the run's ` +
            `folder keeps it, since a resume needs them unchanged: take it out of the ${name}`,
        ];
  });
}
