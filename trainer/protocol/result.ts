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

export type Result<T> = { ok: true; value: T } | { ok: false; error: TrainerError };

/** The user's input or environment is at fault: `coach` exits with 2. Everything else thrown is ours: exit 1. */
export class UserError extends Error {
  constructor(
    readonly border: Border,
    message: string,
    readonly hint?: string,
    readonly diagnostics?: Diagnostic[],
  ) {
    super(message);
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

/** Makes a forgotten union member a compile error at each reader. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
