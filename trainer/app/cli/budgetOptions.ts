/** What a stronger model that is asked may cost, on the command line. */
import { UserError } from '../../protocol/result';
import type { Role, TeacherBudget } from '../distill/teacher';
import { numberOf, valueOf, type Arguments, type Option } from './command';

/** @param tokens where nothing is said @param then what becomes of the work when it is spent */
export const budgetOptions = (role: Role, tokens: number, then: string): Record<string, Option> => ({
  [`${role}-budget`]: { value: 'TOKENS', help: `of a server, prompts included (default ${tokens}); ${then}` },
  [`${role}-budget-usd`]: { value: 'USD', help: `the same in money; needs --${role}-price` },
  [`${role}-price`]: { value: 'IN,OUT', help: 'USD for a million tokens that are read, and written' },
});

/** @throws UserError where a number is none, or money is counted without prices */
export function budgetOf(args: Arguments, role: Role, tokens: number): TeacherBudget {
  const price = valueOf(args, `${role}-price`);
  const prices = price?.split(',').map(Number) ?? null;
  if (prices && (prices.length !== 2 || prices.some((usd) => !(usd >= 0))))
    throw new UserError(
      'config',
      `--${role}-price must be IN,OUT, got ${price}`,
      `For example --${role}-price 0.15,0.6`,
    );
  const usd = numberOf(args, `${role}-budget-usd`, { least: 0 }) ?? null;
  if (usd !== null && prices === null)
    throw new UserError(
      'config',
      `--${role}-budget-usd needs --${role}-price IN,OUT`,
      `Or give --${role}-budget TOKENS.`,
    );
  return {
    tokens: numberOf(args, `${role}-budget`, { least: 1, isInteger: true }) ?? tokens,
    usd,
    usdPerMillionPromptTokens: prices?.[0] ?? null,
    usdPerMillionCompletionTokens: prices?.[1] ?? null,
  };
}
