/**
 * Is it learning from what it does: dead groups, truncations, failures, what each reward component decides; warnings
 * in words.
 */
import { h, icon, replace, setText } from '../../components/dom';
import { notice } from '../../components/parts';
import { components, health } from '../../derive/health';
import { decimal, integer, metric, percent } from '../../shared/format';
import type { Store } from '../../store';
import { t } from '../../shared/strings';

interface Item {
  text: string;
  about: string;
  /** null: a figure that is neither good nor bad */
  isBad: boolean | null;
}

export class RunHealth {
  readonly element: HTMLElement;
  private readonly warnings = h('div', { class: 'alerts' });
  private readonly line = h('ul', { class: 'health-line' });
  private readonly parts = h('ul', { class: 'health-line' });
  private readonly partsRow: HTMLElement;
  private readonly noteList = h('ul', { class: 'notes' });
  private readonly notesTitle = h('summary');
  private readonly notes: HTMLElement;
  private drawn: unknown[] = [];

  constructor(private readonly store: Store) {
    this.partsRow = h('div', { class: 'health-row' }, h('h3', null, t('health.components')), this.parts);
    this.notes = h('details', { class: 'fold' }, this.notesTitle, this.noteList);
    this.element = h(
      'section',
      { class: 'health', 'aria-labelledby': 'health-title' },
      h('h2', { id: 'health-title' }, t('health.title')),
      this.warnings,
      h('div', { class: 'health-row' }, h('h3', null, t('health.newest')), this.line),
      this.partsRow,
      this.notes,
    );
  }

  update(): void {
    const { run, index } = this.store;
    if (!run) return;
    const inputs = [run.curve, run.notes, run.manifest];
    if (inputs.every((value, i) => value === this.drawn[i])) return;
    this.drawn = inputs;
    const now = health(run, index);
    const items: Item[] = [];
    const warnings: string[] = run.notes.filter((n) => n.level === 'warning').map((n) => n.message);
    if (now) {
      const count = (value: number | null, of: number): string =>
        value === null ? t('notMeasured') : `${integer(value)}/${integer(of)}`;
      if (run.manifest?.config.method === 'grpo') {
        const allDead = now.deadGroups !== null && now.groups > 0 && now.deadGroups === now.groups;
        if (allDead) warnings.push(t('health.allDead', { step: now.step }));
        items.push({
          text: t('health.dead', { value: count(now.deadGroups, now.groups) }),
          about: t('chart.dead.about'),
          isBad: now.deadGroups !== null && now.deadGroups > now.groups / 2,
        });
      }
      if (now.truncated !== null)
        items.push({
          text: t('health.truncated', { value: count(now.truncated, now.traces) }),
          about: t('health.truncated.about'),
          isBad: now.truncated > now.traces / 4,
        });
      if (now.toolFailures !== null)
        items.push({
          text: t('health.failures', { value: percent(now.toolFailures, 0) }),
          about: t('health.failures.about'),
          isBad: now.toolFailures > 0.25,
        });
      if (now.notScored !== null)
        items.push({
          text: t('health.notScored', { value: count(now.notScored, now.traces) }),
          about: t('health.notScored.about'),
          isBad: now.notScored > 0,
        });
      if (now.logpDifference !== null)
        items.push({
          text: t('health.logp', { value: metric(now.logpDifference) }),
          about: t('health.logp.about'),
          isBad: now.logpDifference > 0.01,
        });
    }
    const scored = components(run);
    for (const part of scored)
      if (part.flatSince !== null && scored.length > 1)
        warnings.push(t('health.flat', { name: part.name, step: part.flatSince }));
    replace(this.warnings, ...warnings.map((text) => notice('warning', h('p', null, text))));
    this.line.parentElement!.hidden = items.length === 0;
    replace(this.line, ...items.map(row));
    this.partsRow.hidden = scored.length === 0;
    replace(
      this.parts,
      ...scored.map((part) =>
        row({
          text: partText(part.name, part.mean, part.share),
          about: t('health.share.about'),
          isBad: part.flatSince !== null && scored.length > 1 ? true : null,
        }),
      ),
    );
    const infos = run.notes.filter((n) => n.level === 'info');
    this.notes.hidden = infos.length === 0;
    setText(this.notesTitle, t('health.notes', { count: infos.length }));
    replace(this.noteList, ...infos.slice(-50).map((n) => h('li', null, n.message)));
    this.element.hidden = items.length === 0 && warnings.length === 0 && infos.length === 0;
  }
}

function partText(name: string, mean: number | null, share: number | null): string {
  const value = `${name} ${decimal(mean, 2)}`;
  return share === null ? value : `${value} · ${t('health.share', { value: percent(share, 0) })}`;
}

function row(item: Item): HTMLElement {
  const glyph = item.isBad === null ? null : icon(item.isBad ? 'warning' : 'pass');
  return h('li', { class: item.isBad ? 'bad' : 'fine', title: item.about }, glyph, h('span', null, item.text));
}
