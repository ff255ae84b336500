/** `--reward` of an evaluation: what says how many episodes violate (VR). */
import { parseRewards } from '../../rewards/parseRewards';
import { valueOf, type Arguments } from './command';

/** @throws UserError where it names no built-in reward, or one with files that can't be read */
export function rewardOf(args: Arguments): string | undefined {
  const spec = valueOf(args, 'reward');
  if (spec !== undefined) parseRewards(spec);
  return spec;
}
