/** Small parts that several pages share: status words, verdicts, empty states, facts, how a trace ended. */
import type { Success } from '../../trainer/protocol/messages';
import type { TrainerError } from '../../trainer/protocol/result';
import type { Standing } from '../../trainer/protocol/runMethod';
import type { ToolResult, TraceSummary } from '../../trainer/protocol/trace';
import { hasInterval, type Change } from '../derive/noise';
import { button, type ButtonControl } from './controls';
import { draw, h, icon, type Child } from './dom';
import { decimal, percent, percentInterval, points, pointsInterval } from '../shared/format';
import { t } from '../shared/strings';
import { outcomeMark } from '../shared/traceRows';
import type { Store } from '../store';

export { outcomeWord } from '../shared/traceRows';

const statusIcons: Record<Standing, string> = {
  running: 'sync',
  finished: 'pass-filled',
  stopped: 'debug-pause',
  failed: 'error',
  died: 'debug-disconnect',
  imported: 'cloud-download',
  evaluated: 'pass-filled',
  distilled: 'pass-filled',
};
export const statusWord = (status: Standing): string => t(`status.${status}`);

export function statusBadge(status: Standing): HTMLElement {
  return h(
    'span',
    { class: `status ${status}` },
    icon(statusIcons[status], status === 'running' ? 'spin' : ''),
    statusWord(status),
  );
}

const verdictIcons = { gain: 'arrow-up', loss: 'arrow-down', chance: 'question', unmeasured: 'circle-slash' } as const;

/** A word and a glyph, never the colour alone. */
export function verdictBadge(change: Change): HTMLElement {
  return h(
    'span',
    { class: `verdict ${change.verdict}` },
    icon(verdictIcons[change.verdict]),
    t(`verdict.${change.verdict}`),
  );
}

/** With its interval; over fewer tasks than say anything, the difference alone. */
export function changeText({ difference, ci95 }: Change, n = Infinity): string {
  if (difference === null || ci95 === null) return t('notMeasured');
  return hasInterval(n) ? `${points(difference)} ${pointsInterval(ci95)}` : points(difference);
}

/** A share with its interval; of fewer tasks than say anything, the share alone. */
export function shareText({ success, ci95, n }: Pick<Success, 'success' | 'ci95' | 'n'>): string {
  return hasInterval(n) ? `${percent(success)} ${percentInterval(ci95)}` : percent(success);
}

export function emptyState(glyph: string, title: string, text: string, ...actions: Child[]): HTMLElement {
  return h(
    'div',
    { class: 'empty-state' },
    icon(glyph, 'large'),
    h('p', { class: 'empty-title' }, title),
    h('p', null, text),
    h('div', { class: 'actions' }, ...actions),
  );
}

/** There is no run: why none can be made, or the way to one. */
export const noRunYet = (store: Pick<Store, 'trainingRefused' | 'send'>): HTMLElement =>
  store.trainingRefused !== null
    ? emptyState('workspace-untrusted', t('run.none'), store.trainingRefused)
    : emptyState(
        'mortar-board',
        t('run.none'),
        t('run.none.text'),
        button({
          label: t('action.train'),
          icon: 'play',
          kind: 'primary',
          onClick: () => store.send({ type: 'train' }),
        }).element,
      );

/** An error as the trainer words it: what, then the way out. */
export function errorBox(title: string, error: TrainerError, ...actions: ButtonControl[]): HTMLElement {
  return h(
    'div',
    { class: 'notice error', role: 'alert' },
    icon('error'),
    h(
      'div',
      null,
      h('p', { class: 'notice-title' }, title),
      h('p', null, error.message),
      error.hint ? h('p', { class: 'muted' }, error.hint) : null,
      h('div', { class: 'actions' }, ...actions.map((a) => a.element)),
    ),
  );
}

export function notice(kind: 'info' | 'warning', ...content: Child[]): HTMLElement {
  return h('div', { class: `notice ${kind}` }, icon(kind), h('div', null, ...content));
}

/** Pairs of name and value on one line. */
export function facts(...pairs: (readonly [string, Child] | null)[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts' },
    ...pairs.flatMap((pair) => (pair ? [h('div', null, h('dt', null, pair[0]), h('dd', null, pair[1]))] : [])),
  );
}

export const outcomeIcon = (trace: Pick<TraceSummary, 'solved'>): HTMLElement => draw(outcomeMark(trace));

export const rewardText = (reward: number | null): string =>
  reward === null ? t('reward.notScored') : decimal(reward, 2);

/** real · mock, recorded; then how it ended, when not well. */
export function resultTag(result: ToolResult): HTMLElement {
  const isMock = result.policy === 'mock';
  const source = isMock && result.mockSource ? `, ${t(`mockSource.${result.mockSource}`)}` : '';
  const about = [t(isMock ? 'policy.mock.about' : 'policy.real.about'), originText(result)];
  return h(
    'span',
    { class: `tag ${isMock ? 'mock' : 'real'}`, title: about.filter(Boolean).join('\n') },
    icon(isMock ? 'beaker' : 'zap'),
    `${t(isMock ? 'policy.mock' : 'policy.real')}${source}`,
  );
}

/** The MCP server, or file and line, that the tool comes from. */
const originText = ({ origin }: ToolResult): string =>
  origin?.server ?? (origin?.file === undefined ? '' : `${origin.file}:${origin.line}`);

export const resultWord = (result: ToolResult): string => t(`result.${result.kind}`);

export function iconButton(label: string, glyph: string, onClick: () => void): ButtonControl {
  return button({ label, icon: glyph, kind: 'icon', onClick });
}
