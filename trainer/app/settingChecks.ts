/** Settings that do not go together, each by itself right. */
import { UserError } from '../protocol/result';
import type { RunConfig } from '../protocol/runConfig';
import { DEFAULTS } from '../protocol/settings/defaults';
import { constraintOf } from '../rollout/policy/sampling';
import { LOOKS_AT_COMPLIANCE } from '../rewards/conduct';

/** @throws UserError where a setting does not go with tools that are tokens */
export function checkToolTokenSettings(config: RunConfig): void {
  const odd = [
    config.finetuning === 'full' && (['finetuning full', 'which has no adapter that could hold them'] as const),
    (config.shownTools ?? 0) > 0 && ([`shownTools ${config.shownTools}`, 'as prompts hold no tools'] as const),
    config.findTools && (['findTools', 'as prompts hold no tools'] as const),
    (config.renameTools ?? DEFAULTS.renameTools) > 0 &&
      ([`renameTools ${config.renameTools}`, 'as a token is the tool that it was learnt for'] as const),
    config.sftTeacher !== undefined && (['sftTeacher', 'which has no such tokens'] as const),
  ].find(Boolean);
  if (odd)
    throw new UserError('config', `toolTokens does not go with ${odd[0]}, ${odd[1]}`, 'Leave out one of the two.');
  if (constraintOf(config.constraint, config.model === 'nano') === 'none')
    throw new UserError(
      'config',
      `toolTokens needs constrained decoding, which writes a tool's definition behind its token; constraint is ${config.constraint}`,
      'Set constraint to schema.',
    );
}

/** @throws UserError where what is learnt from is one sequence an episode, whose tools stay as they are */
export function checkFindTools({
  method,
  stages,
  renameTools = DEFAULTS.renameTools,
  sftDialogues,
  sftTeacher,
}: RunConfig): void {
  const other =
    method === 'dpo' || /\bdpo\b/.test(stages ?? '')
      ? 'dpo, whose pairs are read with one set of tools'
      : renameTools > 0
        ? 'renameTools, which renames one set of tools'
        : sftDialogues !== undefined || sftTeacher !== undefined
          ? 'a teacher, whose dialogues are read with one set of tools'
          : null;
  if (other !== null) throw new UserError('config', `findTools does not go with ${other}`, 'Leave out one of the two.');
}

/** @throws UserError where no reward says what violates, or pairs are given, so that none are mined */
export function checkCompliance({ rewards, pairs }: RunConfig): void {
  const names = rewards.split(',').map((part) => part.trim().split(/[:*]/)[0]!);
  if (pairs !== undefined)
    throw new UserError('config', 'dpoMining compliance mines pairs, got also pairs', 'Leave out one of the two.');
  if (!names.some((name) => LOOKS_AT_COMPLIANCE.includes(name)))
    throw new UserError(
      'config',
      `dpoMining compliance needs a reward that looks at compliance (${LOOKS_AT_COMPLIANCE.join(', ')}), got ${rewards}`,
      'For example --reward correctness,compliance.',
    );
}
