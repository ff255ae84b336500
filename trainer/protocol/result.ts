import { z } from 'zod';
import { Diagnostic } from './task';

/** Where an error arose: names the party whose input or service failed. */
export const Border = z.enum(['tool', 'policy', 'judge', 'config', 'task', 'storage', 'device']);
export type Border = z.infer<typeof Border>;

/**
 * One clear error: message = where, rule, value; hint = the way out; diagnostics = what of it stands at places of the
 * user's files.
 */
export const TrainerError = z.object({
  border: Border,
  message: z.string(),
  hint: z.string().optional(),
  diagnostics: z.array(Diagnostic).optional(),
});
export type TrainerError = z.infer<typeof TrainerError>;

/** The user's input or environment is at fault: `coach` exits with 2. Everything else thrown is ours: exit 1. */
export class UserError extends Error {
  constructor(
    readonly border: Border,
    message: string,
    readonly hint?: string,
    readonly diagnostics?: Diagnostic[],
  ) {
    super(inOneMessage(message));
    this.name = 'UserError';
  }
  toTrainerError(): TrainerError {
    return {
      border: this.border,
      message: this.message,
      ...(this.hint ? { hint: this.hint } : {}),
      ...(this.diagnostics ? { diagnostics: this.diagnostics } : {}),
    };
  }
}

const MOST = 4_000;
/**
 * Control characters, and those that turn the direction of writing; but a line of a list of ours begins with "\n  ".
 */
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\n(?! {2})/g;

/**
 * Words that quote what somebody else wrote, as one message: what a terminal would not show is spelt, and what is too
 * long is left out of the middle.
 */
export function inOneMessage(words: string): string {
  const short = words.length <= MOST ? words : `${words.slice(0, MOST - 1_000)} … ${words.slice(-900)}`;
  return short.replace(UNSEEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Makes a forgotten union member a compile error at each reader. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
