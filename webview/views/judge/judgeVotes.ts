/** Every reply of a judge, with the order that it saw, and where the replies part. */
import type { JudgeVerdict, JudgeVote } from '../../../trainer/protocol/reward';
import { facts } from '../../components/parts';
import { table } from '../../components/table';
import { disagreement, usageOf, type RankedTrace } from '../../derive/judging';
import { h, icon, type Child } from '../../components/dom';
import { duration } from '../../shared/format';
import { t } from '../../shared/strings';
import { usageFacts } from './verdictWords';

/** Traces by their number in the ranking above, so that the orders can be read. */
export function votesOf(verdict: JudgeVerdict, rows: readonly RankedTrace[]): HTMLElement {
  const numbers = new Map(rows.map((row, i) => [row.traceId, `#${i + 1}`]));
  const name = (id: string): string => numbers.get(id) ?? id;
  const { splits, failed } = disagreement(verdict);
  const votes = verdict.votes ?? [];
  return h(
    'section',
    { class: 'votes', 'aria-labelledby': 'votes-title' },
    h('h2', { id: 'votes-title' }, t('judge.replies')),
    h('p', { class: 'muted' }, t('judge.numbers')),
    failed > 0 ? h('p', null, icon('warning'), ' ', t('judge.failedVotes', { failed, of: votes.length })) : null,
    splits.length > 0
      ? table(
          t('judge.splits', { count: splits.length }),
          [
            { label: t('judge.pair'), cell: (s) => `${name(s.traceIds[0])} · ${name(s.traceIds[1])}`, isHead: true },
            {
              label: t('judge.preferred'),
              cell: (s) =>
                s.choices
                  .map((choice, i) =>
                    t('judge.voteSays', {
                      n: i + 1,
                      choice: choice === 'tie' ? t('choice.tie') : name(s.traceIds[choice === 'first' ? 0 : 1]),
                    }),
                  )
                  .join(', '),
            },
          ],
          splits,
          { rowsAtOnce: 20 },
        )
      : null,
    ...(votes.length > 0
      ? votes.map((vote, i) => voteOf(vote, i, verdict.traceIds, name))
      : [rawReply(verdict.rawReply)]),
  );
}

function voteOf(
  vote: JudgeVote,
  index: number,
  traceIds: readonly string[],
  name: (id: string) => string,
): HTMLElement {
  const best: Child =
    vote.ranks === null
      ? h('span', { class: 'tag warning' }, icon('circle-slash'), t('judge.noRankingShort'))
      : traceIds
          .map((id, i) => ({ id, rank: vote.ranks![i]! }))
          .sort((a, b) => a.rank - b.rank)
          .map((one, i, all) => `${i === 0 ? '' : all[i - 1]!.rank === one.rank ? ' = ' : ' > '}${name(one.id)}`)
          .join('');
  return h(
    'details',
    { class: 'vote' },
    h('summary', null, h('b', null, t('judge.vote', { n: index + 1 })), ' ', best),
    facts(
      [t('judge.saw'), vote.order.map(name).join(', ')],
      vote.durationMs === undefined ? null : [t('fact.took'), duration(vote.durationMs)],
      ...usageFacts(usageOf([{ votes: [vote] }])),
    ),
    vote.error ? h('p', { class: 'step-error' }, icon('error'), h('span', null, vote.error)) : null,
    vote.reasons && vote.reasons.length > 0
      ? h(
          'ul',
          { class: 'notes' },
          ...vote.reasons.flatMap((reason, i) =>
            reason.trim() ? [h('li', null, `${name(traceIds[i] ?? '')} ${reason}`)] : [],
          ),
        )
      : null,
    rawReply(vote.rawReply),
  );
}

export function rawReply(text: string): HTMLElement {
  return h(
    'details',
    null,
    h('summary', null, t('judge.raw')),
    text === '' ? h('p', { class: 'muted' }, t('judge.noReply')) : h('pre', { class: 'sampled', tabindex: '0' }, text),
  );
}
