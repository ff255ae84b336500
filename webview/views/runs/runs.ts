/** Page Runs: every run of the workspace in a table to sort and to filter; names, tags, notes, and a way to delete. */
import type { RunInfo } from '../../../trainer/protocol/messages';
import { standingOf } from '../../../trainer/protocol/runMethod';
import { button, textField } from '../../components/controls';
import { h, icon, replace, setText, type Child } from '../../components/dom';
import { changeText, iconButton, noRunYet, notice, statusWord } from '../../components/parts';
import {
  COLUMNS,
  matching,
  runRow,
  sorted,
  tagsOf,
  type ColumnId,
  type Order,
  type RunRow,
} from '../../derive/leaderboard';
import { duration, integer, moment, percent } from '../../shared/format';
import { t } from '../../shared/strings';
import type { Context, View } from '../view';

const NUMBERS: ReadonlySet<ColumnId> = new Set(['steps', 'before', 'after', 'gain', 'n', 'time', 'date']);
const ROWS_AT_ONCE = 200;

export class RunsView implements View {
  readonly element = h('div', { class: 'page runs-page' });
  readonly heading = h('h1', { tabindex: '-1' }, t('page.runs'));
  private readonly count = h('p', { class: 'muted', role: 'status' });
  private readonly problems = h('div');
  private readonly body = h('div');
  private readonly form = h('div');
  private readonly field;
  private readonly toolbar;
  private order: Order = { by: 'date', isDown: true };
  private filter = '';
  private drawn: unknown[] = [];

  constructor(private readonly context: Context) {
    this.field = textField(t('runs.filter'), t('runs.filter.hint'), (text) => ((this.filter = text), this.update()));
    this.toolbar = h('div', { class: 'toolbar' }, this.field.element, this.count);
    this.element.append(
      this.heading,
      h('p', { class: 'muted' }, t('runs.text')),
      this.toolbar,
      this.problems,
      this.form,
      this.body,
    );
  }

  update(): void {
    const { store } = this.context;
    const inputs = [store.runs, store.runId, this.order, this.filter];
    if (this.drawn.length > 0 && inputs.every((value, i) => value === this.drawn[i])) return;
    this.drawn = inputs;
    const rows = sorted(matching(store.runs.map(runRow), this.filter), this.order);
    setText(this.count, t('runs.count', { shown: integer(rows.length), all: integer(store.runs.length) }));
    const problems = store.runs.flatMap(({ labelProblem }) => labelProblem ?? []);
    replace(this.problems, ...problems.map((text) => notice('warning', h('p', null, text))));
    this.toolbar.hidden = store.runs.length === 0;
    if (store.runs.length === 0) return replace(this.body, noRunYet(store));
    replace(
      this.body,
      h(
        'div',
        { class: 'table-box', tabindex: '0', role: 'group', 'aria-label': t('page.runs') },
        h(
          'table',
          { class: 'data-table runs-table' },
          h(
            'thead',
            null,
            h('tr', null, ...COLUMNS.map((id) => this.head(id)), h('th', { scope: 'col' }, t('runs.actions'))),
          ),
          h('tbody', null, ...rows.slice(0, ROWS_AT_ONCE).map((row) => this.row(row))),
        ),
      ),
    );
  }

  dispose(): void {}

  private head(id: ColumnId): HTMLElement {
    const { by, isDown } = this.order;
    return h(
      'th',
      {
        scope: 'col',
        class: NUMBERS.has(id) ? 'number' : undefined,
        'aria-sort': by === id ? (isDown ? 'descending' : 'ascending') : 'none',
      },
      h(
        'button',
        { type: 'button', class: 'link sort', 'data-column': id, on: { click: () => this.sortBy(id) } },
        t(`runs.${id}`),
        by === id ? icon(isDown ? 'arrow-down' : 'arrow-up') : null,
      ),
    );
  }

  /** The best first where it is a number; a second click turns it round. */
  private sortBy(by: ColumnId): void {
    this.order = { by, isDown: by === this.order.by ? !this.order.isDown : NUMBERS.has(by) };
    this.update();
    this.body.querySelector<HTMLElement>(`[data-column="${by}"]`)?.focus();
  }

  private row(row: RunRow): HTMLElement {
    const { store, now } = this.context;
    const { info } = row;
    const open = h(
      'button',
      {
        type: 'button',
        class: 'link',
        title: t('runs.open', { run: row.name }),
        on: { click: () => (store.selectRun(info.id), store.go({ page: 'run' })) },
      },
      row.name,
    );
    const cells: Record<ColumnId, Child> = {
      name: h(
        'div',
        { class: 'run-name' },
        open,
        ...row.tags.map((tag) => h('span', { class: 'tag' }, `#${tag}`)),
        row.notes ? h('p', { class: 'muted' }, row.notes) : null,
      ),
      file: row.file,
      method: row.method,
      model: row.model,
      steps: info.steps === 0 ? '–' : `${integer(info.step)}/${integer(info.steps)}`,
      before: percent(row.before),
      after: percent(row.after),
      gain: row.gain
        ? changeText(row.gain, row.n ?? 0)
        : h('span', { class: 'muted' }, statusWord(standingOf(info, info.status))),
      n: row.n === null ? '–' : integer(row.n),
      time: row.seconds === null ? '–' : duration(1000 * row.seconds),
      date: moment(row.date, now()),
    };
    return h(
      'tr',
      { 'aria-current': info.id === store.runId && 'true' },
      ...COLUMNS.map((id) =>
        h(
          id === 'name' ? 'th' : 'td',
          { scope: id === 'name' && 'row', class: NUMBERS.has(id) ? 'number' : undefined },
          cells[id],
        ),
      ),
      h(
        'td',
        null,
        h(
          'span',
          { class: 'row-actions' },
          iconButton(t('runs.edit', { run: row.name }), 'edit', () => this.edit(info, row.name)).element,
          info.status === 'running'
            ? null
            : iconButton(t('runs.delete', { run: row.name }), 'trash', () =>
                store.send({ type: 'deleteRun', runId: info.id }),
              ).element,
        ),
      ),
    );
  }

  private edit(info: RunInfo, called: string): void {
    const name = h('input', { type: 'text', maxlength: 200, value: info.label?.name ?? '' });
    const tags = h('input', { type: 'text', maxlength: 1000, value: (info.label?.tags ?? []).join(', ') });
    const notes = h('textarea', { rows: 3, maxlength: 20000 }, info.label?.notes ?? '');
    const close = (): void => (replace(this.form), this.heading.focus());
    const save = (): void => {
      const label = { name: name.value.trim(), tags: tagsOf(tags.value), notes: notes.value.trim() };
      this.context.store.send({ type: 'labelRun', runId: info.id, label });
      close();
    };
    replace(
      this.form,
      h(
        'form',
        {
          class: 'label-form',
          'aria-label': t('runs.editTitle', { run: called }),
          on: {
            submit: (event) => event.preventDefault(),
            keydown: (event) => {
              if (event.key === 'Escape') close();
              // the toolkit's buttons do not submit a form
              if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
                event.preventDefault();
                save();
              }
            },
          },
        },
        h('h2', null, t('runs.editTitle', { run: called })),
        h('label', null, t('runs.editName'), name),
        h('label', null, t('runs.editTags'), tags),
        h('label', null, t('runs.editNotes'), notes),
        h(
          'div',
          { class: 'actions' },
          button({ label: t('runs.save'), kind: 'primary', onClick: save }).element,
          button({ label: t('runs.cancel'), onClick: close }).element,
        ),
      ),
    );
    name.focus();
  }
}
