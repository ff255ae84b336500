/** On the page Try: the requests that are kept to measure on, with how each went before and after training. */
import { button } from '../../components/controls';
import { h, icon, replace } from '../../components/dom';
import { measureRequests, requestsHere, requestsKey, requestsTable } from '../../components/ownRequests';
import { notice, outcomeIcon } from '../../components/parts';
import { table } from '../../components/table';
import { callText } from '../../derive/expected';
import { requestsGain, type MeasuredRequest } from '../../derive/ownRequests';
import { oneLine } from '../../shared/format';
import { t } from '../../shared/strings';
import type { Task } from '../../../trainer/protocol/task';
import type { TraceSummary } from '../../../trainer/protocol/trace';
import type { Store } from '../../store';

/** "search(query: "rent"), then read(id: 4)"; in words where none may be made. */
export const goldText = ({ calls = [], answer }: Pick<Task, 'calls' | 'answer'>): string =>
  [
    calls.length === 0 ? t('requests.noCall') : calls.map(callText).join(' → '),
    ...(answer === undefined ? [] : [t('requests.says', { answer })]),
  ].join(', ');

export class TryRequests {
  readonly element = h('section', { class: 'try-requests', 'aria-labelledby': 'requests-title' });
  private drawn = '';

  constructor(private readonly store: Store) {}

  update(): void {
    const { store } = this;
    const measured = requestsHere(store);
    const own = store.ownRequests();
    this.element.hidden = !measured || (measured.length === 0 && own!.problems.length === 0);
    const key = `${store.runId} ${requestsKey(store)} ${own?.problems.join()} ${own?.notes.join()}`;
    if (!measured || !own || key === this.drawn) return;
    this.drawn = key;
    const gain = requestsGain(measured);
    const hadFocus = this.element.contains(document.activeElement);
    const heading = h('h2', { id: 'requests-title', tabindex: '-1' }, t('requests.heading'));
    replace(
      this.element,
      heading,
      ...own.problems.map((problem) => notice('warning', h('p', null, problem))),
      ...own.notes.map((text) => h('p', { class: 'muted' }, icon('info'), ' ', text)),
      ...(gain ? requestsTable(gain) : []),
      this.list(measured),
      h(
        'div',
        { class: 'actions' },
        measureRequests(store, measured),
        button({
          label: t('requests.openFile'),
          icon: 'go-to-file',
          title: t('requests.openFile.about'),
          onClick: () => store.runId !== null && store.send({ type: 'openRequestsFile', runId: store.runId }),
        }).element,
      ),
    );
    if (hadFocus) heading.focus(); // the button that was pressed is drawn anew
  }

  private list(measured: readonly MeasuredRequest[]): HTMLElement {
    return table(
      t('requests.list'),
      [
        { label: t('requests.request'), cell: (one) => this.request(one), isHead: true },
        { label: t('requests.right'), cell: ({ request }) => h('span', { class: 'mono' }, goldText(request)) },
        { label: t('table.before'), cell: ({ before }) => went(before) },
        { label: t('table.after'), cell: ({ after }) => went(after) },
      ],
      measured,
      { rowsAtOnce: 25 },
    );
  }

  /** To both of its answers, where there are any. */
  private request({ request, before, after }: MeasuredRequest): HTMLElement {
    const words = oneLine(request.prompt, 140);
    const traceIds = [before?.id, after?.id].filter((id) => id !== undefined);
    if (traceIds.length < 2) return h('span', null, words);
    return h(
      'button',
      { type: 'button', class: 'link prompt', on: { click: () => this.store.go({ page: 'compare', traceIds }) } },
      words,
    );
  }
}

const went = (trace: TraceSummary | null): HTMLElement =>
  trace
    ? h('span', { class: 'path' }, outcomeIcon(trace), h('span', { class: 'mono' }, ` ${trace.path}`))
    : h('span', { class: 'muted' }, t('notMeasured'));
