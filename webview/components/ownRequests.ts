/** What was measured on a person's own requests: on the result card, and on the page Try. */
import {
  isMeasured,
  measuredRequests,
  requestsGain,
  type MeasuredRequest,
  type RequestsGain,
} from '../derive/ownRequests';
import { FEW_TASKS } from '../derive/noise';
import { integer } from '../shared/format';
import { t } from '../shared/strings';
import type { Store } from '../store';
import { button, progressRing } from './controls';
import { h } from './dom';
import { changeText, shareText, verdictBadge } from './parts';
import { table } from './table';

/** The kept requests with their newest tries; null = on its way. */
export function requestsHere(store: Store): MeasuredRequest[] | null {
  const own = store.ownRequests();
  return own && measuredRequests(store.index, own.requests, own);
}

/** Before and after with n, interval and the word for it. */
export function requestsTable({ before, after, change }: RequestsGain): HTMLElement[] {
  return [
    table(
      t('requests.title'),
      [
        { label: t('table.tasks'), cell: () => t('requests.name'), isHead: true },
        { label: 'n', cell: () => integer(after.n), isNumber: true },
        { label: t('table.before'), cell: () => shareText(before), isNumber: true },
        { label: t('table.after'), cell: () => shareText(after), isNumber: true },
        { label: t('table.change'), cell: () => changeText(change, after.n), isNumber: true },
        { label: t('table.verdict'), cell: () => verdictBadge(change) },
      ],
      [null],
    ),
    h(
      'p',
      { class: 'muted' },
      t('requests.about'),
      after.n < FEW_TASKS ? ` ${t('verdict.few', { n: integer(after.n) })}` : '',
    ),
  ];
}

/** The button that measures what was not measured yet; nothing where there is nothing to measure. */
export function measureRequests(store: Store, measured: readonly MeasuredRequest[]): HTMLElement | null {
  if (store.requests.isMeasuring) return progressRing(t('requests.measuring'));
  const open = measured.filter((one) => !isMeasured(one));
  if (open.length === 0 || !store.ownRequests()?.after || store.status === 'running') return null;
  return button({
    label: t('requests.measure', { n: integer(open.length) }),
    icon: 'beaker',
    title: t('requests.measure.about'),
    onClick: () => store.measureRequests(open.map(({ request }) => request.id)),
  }).element;
}

/** On the result card: the figures, or how to come by some. */
export function requestsOnCard(store: Store): HTMLElement[] {
  const measured = requestsHere(store);
  if (measured === null) return [];
  const canMeasure = store.status !== 'running' && store.ownRequests()?.after !== null;
  if (measured.length === 0) return canMeasure ? [h('p', { class: 'muted' }, t('requests.none'))] : [];
  const gain = requestsGain(measured);
  const measure = measureRequests(store, measured);
  return [...(gain ? requestsTable(gain) : []), ...(measure ? [h('div', { class: 'actions' }, measure)] : [])];
}

/** Changes when what the card says changes. */
export function requestsKey(store: Store): string {
  const ids = requestsHere(store)?.map(({ request, before, after }) => [request.id, before?.id, after?.id].join());
  return [store.requests.isMeasuring, store.status, ...(ids ?? ['unknown'])].join(' ');
}
