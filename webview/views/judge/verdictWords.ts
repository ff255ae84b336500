/** A verdict in words, for the page of the run and of one group. */
import type { JudgeVerdict } from '../../../trainer/protocol/reward';
import { h, icon, type Child } from '../../components/dom';
import { disagreement, type UsageTotal } from '../../derive/judging';
import { ABSENT, decimal, integer } from '../../shared/format';
import { t } from '../../shared/strings';

export function verdictWord(verdict: JudgeVerdict): HTMLElement {
  if (verdict.ranks === null)
    return h('span', { class: 'tag warning', title: verdict.error }, icon('circle-slash'), t('judge.notJudgedOne'));
  const ties = verdict.ranks.length - new Set(verdict.ranks).size;
  return h('span', null, icon('check'), ' ', ties === 0 ? t('judge.ranked') : t('judge.rankedTies', { count: ties }));
}

export function splitText(verdict: JudgeVerdict): string {
  const { split, pairs } = disagreement(verdict);
  return split === null ? ABSENT : t('judge.splitOf', { split, pairs });
}

/** Tokens and money, as far as they were told. */
export function usageFacts(usage: UsageTotal): (readonly [string, Child])[] {
  const tokens =
    usage.promptTokens === null
      ? t('judge.untold')
      : t('judge.tokensOf', {
          read: integer(usage.promptTokens),
          written: usage.completionTokens === null ? ABSENT : integer(usage.completionTokens),
        });
  const cost =
    usage.costUsd === null
      ? t('judge.untold')
      : t('judge.usd', { value: decimal(usage.costUsd, usage.costUsd < 1 ? 4 : 2) });
  return [
    [t('fact.tokens'), tokens],
    [t('judge.cost'), cost],
    ...(usage.unknown > 0 && usage.promptTokens !== null
      ? [[t('judge.untoldReplies'), integer(usage.unknown)] as const]
      : []),
  ];
}
