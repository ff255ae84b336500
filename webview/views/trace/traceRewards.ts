/** What the trace earned, by component: score, weight, share of the reward; what was not scored, and why. */
import { modelName } from '../../../trainer/protocol/modelName';
import type { Reward } from '../../../trainer/protocol/reward';
import type { Trace } from '../../../trainer/protocol/trace';
import { table } from '../../components/table';
import { h, icon } from '../../components/dom';
import { decimal, duration, integer, signed } from '../../shared/format';
import { facts, rewardText } from '../../components/parts';
import { t } from '../../shared/strings';

export function rewardPanel(trace: Trace): HTMLElement {
  const trained = trace.tokens.completionMask.reduce<number>((sum, bit) => sum + bit, 0);
  return h(
    'section',
    { class: 'rewards', 'aria-labelledby': 'rewards-title' },
    h('h2', { id: 'rewards-title' }, t('rewards.title')),
    trace.rewards.length === 0
      ? h('p', { class: 'muted' }, t('rewards.none'))
      : table(
          t('rewards.caption'),
          [
            { label: t('rewards.name'), cell: (r) => r.name, isHead: true },
            {
              label: t('rewards.score'),
              cell: (r) =>
                r.score === null
                  ? h('span', { class: 'muted', title: r.error }, t('reward.notScored'))
                  : decimal(r.score, 2),
              isNumber: true,
            },
            {
              label: t('rewards.weight'),
              cell: (r) => `× ${decimal(r.weight, r.weight % 1 === 0 ? 0 : 2)}`,
              isNumber: true,
            },
            {
              label: t('rewards.counts'),
              cell: (r) =>
                r.score === null
                  ? '–'
                  : r.isChannel
                    ? h('span', { title: t('rewards.channel.about') }, t('rewards.channel'))
                    : decimal(r.score * r.weight, 2),
              isNumber: true,
            },
          ],
          trace.rewards,
          { isCaptionHidden: true },
        ),
    ...trace.rewards.filter((r) => r.reason || (r.parts && Object.keys(r.parts).length > 0)).map(behind),
    ...trace.rewards
      .filter((r) => r.error)
      .map((r) =>
        h(
          'p',
          { class: 'step-error' },
          icon('error'),
          h('span', null, t('rewards.error', { name: r.name, error: r.error! })),
        ),
      ),
    h('p', { class: 'reward-sum' }, t('rewards.sum'), ' ', h('b', null, rewardText(trace.reward))),
    h(
      'p',
      null,
      trace.advantage === null
        ? t('advantage.none')
        : trace.advantage === 0
          ? t('advantage.zero')
          : t(trace.advantage > 0 ? 'advantage.more' : 'advantage.less', {
              value: signed(trace.advantage),
              count: integer(trained),
            }),
    ),
    facts(
      [t('fact.model'), modelName(trace.model)],
      ...(trace.checkpoint === '' ? [] : ownFacts(trace)),
      [
        t('fact.temperature'),
        trace.temperature === null
          ? t('fact.notSaid')
          : trace.callTemperature === undefined
            ? String(trace.temperature)
            : t('fact.hotterCalls', { text: String(trace.temperature), calls: decimal(trace.callTemperature, 2) }),
      ],
      [t('fact.tokens'), t('fact.tokensTrained', { all: integer(trace.tokens.ids.length), trained: integer(trained) })],
      [t('fact.took'), duration(trace.durationMs)],
    ),
  );
}

/** What only a trace of our own has: an imported one came from no checkpoint. */
const ownFacts = (trace: Trace): [string, string][] => [
  [t('fact.checkpoint'), modelName(trace.checkpoint)],
  [t('fact.constraint'), trace.constraint],
  ...(trace.renamed ? [[t('fact.renamed'), renamedWords(trace.renamed)] satisfies [string, string]] : []),
  [t('fact.seed'), String(trace.seed)],
];

const renamedWords = ({ tools, arguments: given }: NonNullable<Trace['renamed']>): string =>
  Object.entries({ ...given, ...tools })
    .map(([own, other]) => `${own}: ${other}`)
    .join(', ');

/** What a score is made of, and a judge's words. */
function behind(reward: Reward): HTMLElement {
  const parts = Object.entries(reward.parts ?? {});
  return h(
    'details',
    { class: 'reward-parts' },
    h('summary', null, t('rewards.behind', { name: reward.name })),
    reward.reason ? h('p', { class: 'text' }, reward.reason) : null,
    parts.length > 0
      ? facts(
          ...parts.map(([name, value]): [string, string] => [
            name,
            value === null ? t('rewards.notApplying') : decimal(value, 2),
          ]),
        )
      : null,
    reward.usage
      ? h(
          'p',
          { class: 'muted' },
          t('judge.tokensOf', {
            read: integer(reward.usage.promptTokens),
            written: integer(reward.usage.completionTokens),
          }),
          reward.usage.usd === null ? '' : ` · ${t('judge.usd', { value: decimal(reward.usage.usd, 4) })}`,
        )
      : null,
  );
}
