/** What every recorded line needs: a trace around it, and words for what is wrong with it. */
import { z } from 'zod';
import { UserError } from '../protocol/result';
import type { Message } from '../protocol/trace';

export const SHAPES =
  'A line is a trace of a run, {"messages": […], "gold": {"calls": […], "answer": "…"}}, ' +
  '{"completion": "…", "answer": "…", "step": 0} in ToolRL\'s tags, or for bfcl-ast ' +
  '{"functions": […], "ground_truth": […], "category": "…", "calls" or "text": …}.';

export function stepOf(step: unknown, where: string): number {
  if (typeof step !== 'number' || !Number.isInteger(step))
    throw new UserError('config', `${where}: step must be a whole number, got ${short(step)}`, SHAPES);
  return step;
}

export const promptOf = (messages: readonly Message[]): string =>
  messages.find((message) => message.role === 'user')?.content ?? '';
export const first = (error: z.ZodError): string =>
  z
    .prettifyError(new z.ZodError(error.issues.slice(0, 1)))
    .replace(/\s+/g, ' ')
    .replace(/^✖ /, '');
export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
