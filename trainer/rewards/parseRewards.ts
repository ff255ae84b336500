import { UserError } from '../protocol/result';
import { suggest } from '../base/nearest';
import { defaultsOf, type OptionSpec, type OptionValues, type Rule } from './rule';
import { BUILT_IN_REWARDS } from './registry';

/** One reward of a run. `rule` null: the user's own, run in the tool host. */
export interface RewardSpec {
  name: string;
  weight: number;
  options: OptionValues;
  rule: Rule | null;
  /** An advantage channel of its own, outside the sum (channels.ts). */
  isChannel?: boolean;
}

/**
 * Parses `NAME[:option=value][*weight],…`, for example `correctness,efficiency:perExtra=0.5*0.2,brevity*0.1`. Several
 * options: `:a=1:b=2`, or
 * `:a=1,b=2`; a switch alone turns it on.
 *
 * @param userRewards names of the user's `@reward` functions; they take a weight and no options. One named like a
 * built-in reward hides it.
 * @throws UserError for an unknown name or option (nearest suggested), a name twice, or a weight or value that is not
 * allowed
 */
export function parseRewards(spec: string, userRewards: readonly string[] = []): RewardSpec[] {
  const rewards: RewardSpec[] = [];
  for (const part of partsOf(spec)) {
    if (part === '') throw new UserError('config', `rewards: there is an empty part in '${spec}'`, `Write ${SHAPE}.`);
    const reward = parseOne(part, userRewards);
    if (rewards.some((other) => other.name === reward.name))
      throw new UserError(
        'config',
        `rewards: '${reward.name}' is given twice`,
        'Give it once, with the weight that you want.',
      );
    rewards.push(reward);
  }
  if (rewards.every((reward) => reward.weight === 0))
    throw new UserError(
      'config',
      `rewards: every weight in '${spec}' is 0, so nothing could be learnt`,
      'Give at least one reward a weight.',
    );
  return rewards;
}

const SHAPE = 'NAME[:option=value][*weight],… for example correctness,efficiency*0.2';

/** At the commas, except where what follows is a further option: `toolrl:coarse=1,refined=1`. */
function partsOf(spec: string): string[] {
  const parts: string[] = [];
  for (const text of spec.split(',').map((part) => part.trim())) {
    if (/^\w+\s*=/.test(text) && parts.at(-1)?.includes(':')) parts[parts.length - 1] += `:${text}`;
    else parts.push(text);
  }
  return parts;
}

function parseOne(part: string, userRewards: readonly string[]): RewardSpec {
  const star = part.indexOf('*');
  const [name = '', ...optionTexts] = (star < 0 ? part : part.slice(0, star)).split(':').map((text) => text.trim());
  const weight = star < 0 ? 1 : parseNumber(part.slice(star + 1), `the weight of '${name}'`);
  const isUsers = userRewards.includes(name);
  const builtIn = !isUsers && Object.hasOwn(BUILT_IN_REWARDS, name) ? BUILT_IN_REWARDS[name]! : null;
  if (!isUsers && !builtIn)
    throw new UserError(
      'config',
      `rewards: unknown reward '${name}'`,
      suggest(name, [...Object.keys(BUILT_IN_REWARDS), ...userRewards]),
    );
  const specs = builtIn?.options ?? {};
  const options = defaultsOf(specs);
  for (const text of optionTexts) {
    const equals = text.indexOf('=');
    const key = equals < 0 ? text : text.slice(0, equals).trim();
    const option = Object.hasOwn(specs, key) ? specs[key] : undefined;
    if (equals < 0 && option?.kind !== 'switch')
      throw new UserError(
        'config',
        `rewards: '${part}': an option is written option=value, got '${text}'`,
        `Write ${SHAPE}.`,
      );
    if (option === undefined) {
      const known = Object.keys(specs);
      throw new UserError(
        'config',
        `rewards: ${name} has no option '${key}'`,
        known.length ? suggest(key, known) : 'It takes no options.',
      );
    }
    options[key] = equals < 0 ? true : parseValue(text.slice(equals + 1).trim(), option, `${name}: ${key}`);
  }
  return {
    name,
    weight,
    options,
    rule: builtIn ? builtIn.make(options) : null,
    ...(builtIn?.isChannel ? { isChannel: true } : {}),
  };
}

function parseValue(text: string, option: OptionSpec, what: string): number | string | boolean {
  switch (option.kind) {
    case 'text':
      return text;
    case 'switch':
      if (text === 'true' || text === '1') return true;
      if (text === 'false' || text === '0') return false;
      throw new UserError(
        'config',
        `rewards: ${what} must be true or false, got '${text}'`,
        `The default is ${option.default}.`,
      );
    case 'choice':
      if (!option.choices.includes(text))
        throw new UserError(
          'config',
          `rewards: ${what} must be one of ${option.choices.join(', ')}, got '${text}'`,
          suggest(text, option.choices),
        );
      return text;
    case 'number': {
      const value = parseNumber(text, what);
      if (value < option.minimum || value > option.maximum)
        throw new UserError(
          'config',
          `rewards: ${what} must be from ${option.minimum} to ${option.maximum}, got ${value}`,
          `The default is ${option.default}.`,
        );
      return value;
    }
  }
}

function parseNumber(text: string, what: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(value))
    throw new UserError('config', `rewards: ${what} must be a finite number, got '${text.trim()}'`, `Write ${SHAPE}.`);
  return value;
}
