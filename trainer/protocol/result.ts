import { z } from 'zod';

/** Where an error arose: names the party whose input or service failed. */
export const Border = z.enum(['tool', 'policy', 'judge', 'config', 'task', 'storage', 'device']);
export type Border = z.infer<typeof Border>;

/** One clear error: message = where, rule, value; hint = the way out. */
export const TrainerError = z.object({ border: Border, message: z.string(), hint: z.string().optional() });
export type TrainerError = z.infer<typeof TrainerError>;

export type Result<T> = { ok: true; value: T } | { ok: false; error: TrainerError };

/** The user's input or environment is at fault: `coach` exits with 2. Everything else thrown is ours: exit 1. */
export class UserError extends Error {
  constructor(readonly border: Border, message: string, readonly hint?: string) {
    super(message);
    this.name = 'UserError';
  }
  toTrainerError(): TrainerError {
    return { border: this.border, message: this.message, ...(this.hint ? { hint: this.hint } : {}) };
  }
}

/** Makes a forgotten union member a compile error at each reader. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
