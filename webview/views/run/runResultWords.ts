/** The result in sentences, and the names of the task sets in words. */
import { MARKED_TASKS } from '../../../trainer/protocol/headline';
import type { RunResult } from '../../../trainer/protocol/messages';
import { FEW_TASKS, type Change } from '../../derive/noise';
import { KINDS } from '../../derive/tags';
import { decimal, integer, pointsInterval } from '../../shared/format';
import { t } from '../../shared/strings';

/** One sentence that a reader who knows no statistics can trust. */
export function gainSentence(gain: Change, n: number): string {
  if (gain.verdict === 'unmeasured' || gain.ci95 === null) return t('verdict.unmeasured.text');
  const few = n < FEW_TASKS ? ` ${t('verdict.few', { n: integer(n) })}` : '';
  return t(`verdict.${gain.verdict}.text`, { interval: pointsInterval(gain.ci95), n: integer(n) }) + few;
}

/** The trainer's names of its task sets in words; any other name (another tool file) as it is. */
export function evaluationName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  if (name === MARKED_TASKS) return t('tasks.marked');
  if (plain === 'heldout') return t('tasks.heldOut');
  if (plain === 'notool' || plain === 'notooltasks') return t('tasks.noTool');
  return /task/i.test(name) ? name : t('tasks.other', { name });
}

/** Which tasks changed, for those who want the test. */
export const changedSentence = ({ gained, lost, p }: NonNullable<RunResult['gain']['changed']>, n: number): string =>
  t('result.changed', {
    n: integer(n),
    gained: integer(gained),
    lost: integer(lost),
    p: p < 0.001 ? '< 0.001' : `= ${decimal(p, 3)}`,
  });

/** Our own tags in words; any other (a tool, one of a task file) as it is. */
export function tagName(tag: string): string {
  const kind = KINDS.find((one) => one === tag);
  return kind ? t(`tag.${kind}`) : tag;
}
