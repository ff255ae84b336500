import { UserError } from '../protocol/result';
import { suggest } from '../nearest';
import { BUILT_IN_REWARDS, type OptionSpec, type OptionValues, type RewardRule } from './rules';

/** One reward of a run. `rule` null: the user's own, run in the tool host. */
export interface RewardSpec {
  name: string;
  weight: number;
  options: OptionValues;
  rule: RewardRule | null;
}

/**
 * Parses `NAME[:option=value][*weight],…`, for example `correctness,efficiency:perExtra=0.5*0.2,brevity*0.1`. Several options: repeat `:`.
 *
 * @param userRewards names of the user's `@reward` functions; they take a weight and no options. One named like a built-in reward hides it.
 * @throws UserError for an unknown name or option (nearest suggested), a name twice, or a weight or value that is not allowed
 */
export function parseRewards(spec: string, userRewards: readonly string[] = []): RewardSpec[] {
  const rewards: RewardSpec[] = [];
  for (const part of spec.split(',').map((text) => text.trim())) {
    if (part === '') throw new UserError('config', `rewards: there is an empty part in '${spec}'`, `Write ${SHAPE}.`);
    const reward = parseOne(part, userRewards);
    if (rewards.some((other) => other.name === reward.name)) throw new UserError('config', `rewards: '${reward.name}' is given twice`, 'Give it once, with the weight that you want.');
    rewards.push(reward);
  }
  if (rewards.every((reward) => reward.weight === 0)) throw new UserError('config', `rewards: every weight in '${spec}' is 0, so nothing could be learnt`, 'Give at least one reward a weight.');
  return rewards;
}

const SHAPE = 'NAME[:option=value][*weight],… for example correctness,efficiency*0.2';

function parseOne(part: string, userRewards: readonly string[]): RewardSpec {
  const star = part.indexOf('*');
  const [name, ...optionTexts] = (star < 0 ? part : part.slice(0, star)).split(':').map((text) => text.trim());
  const weight = star < 0 ? 1 : parseNumber(part.slice(star + 1), `the weight of '${name}'`);
  const isUsers = userRewards.includes(name);
  const builtIn = !isUsers && Object.hasOwn(BUILT_IN_REWARDS, name) ? BUILT_IN_REWARDS[name] : null;
  if (!isUsers && !builtIn) throw new UserError('config', `rewards: unknown reward '${name}'`, suggest(name, [...Object.keys(BUILT_IN_REWARDS), ...userRewards]));
  const specs = builtIn?.options ?? {};
  const options: OptionValues = Object.fromEntries(Object.entries(specs).map(([key, option]) => [key, option.default]));
  for (const text of optionTexts) {
    const equals = text.indexOf('=');
    if (equals < 0) throw new UserError('config', `rewards: '${part}': an option is written option=value, got '${text}'`, `Write ${SHAPE}.`);
    const key = text.slice(0, equals).trim();
    if (!Object.hasOwn(specs, key)) {
      const known = Object.keys(specs);
      throw new UserError('config', `rewards: ${name} has no option '${key}'`, known.length ? suggest(key, known) : 'It takes no options.');
    }
    options[key] = parseValue(text.slice(equals + 1).trim(), specs[key], `${name}: ${key}`);
  }
  return { name, weight, options, rule: builtIn ? builtIn.make(options) : null };
}

function parseValue(text: string, option: OptionSpec, what: string): number | string {
  if (option.kind === 'choice') {
    if (!option.choices.includes(text)) throw new UserError('config', `rewards: ${what} must be one of ${option.choices.join(', ')}, got '${text}'`, suggest(text, option.choices));
    return text;
  }
  const value = parseNumber(text, what);
  if (value < option.minimum || value > option.maximum) throw new UserError('config', `rewards: ${what} must be from ${option.minimum} to ${option.maximum}, got ${value}`, `The default is ${option.default}.`);
  return value;
}

function parseNumber(text: string, what: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(value)) throw new UserError('config', `rewards: ${what} must be a finite number, got '${text.trim()}'`, `Write ${SHAPE}.`);
  return value;
}
