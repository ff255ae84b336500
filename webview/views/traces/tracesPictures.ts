/** Over the tree of traces, folded: pictures of the traces at this place. Nothing is counted before the fold is opened. */
import { progressRing } from '../../components/controls';
import { h, replace } from '../../components/dom';
import type { Place } from '../../shared/traceIndex';
import type { Store } from '../../store';
import { t } from '../../shared/strings';
import { confusionPicture, kindsPicture, outcomesPicture, rewardsPicture } from '../pictures/tracePictures';

export class TracesPictures {
  private readonly body = h('div', { class: 'picture-grid-of' });
  readonly element: HTMLDetailsElement;
  private place: Place | null = null;

  constructor(private readonly store: Store) {
    this.element = h(
      'details',
      { class: 'fold pictures', on: { toggle: () => this.draw() } },
      h('summary', null, t('picture.title')),
      this.body,
    );
  }

  /** @param place null: there are no traces to draw */
  update(place: Place | null): void {
    this.place = place;
    this.element.hidden = place === null;
    this.draw();
  }

  private draw(): void {
    const { store, place } = this;
    if (!this.element.open || !place) return;
    const facts = store.taskFacts();
    if (facts === null) return replace(this.body, progressRing(t('picture.loading')));
    const traces = place.groups.flatMap((group) => group.traces);
    const every = store.index.all(place.phase).flatMap((group) => group.traces);
    const open = (title: string, ids: readonly string[]): void => store.openBehind(title, ids);
    replace(
      this.body,
      outcomesPicture(traces, facts, open),
      confusionPicture(traces, facts, open),
      kindsPicture([{ name: t(`phaseName.${place.phase}`), traces }], facts, open),
      rewardsPicture(every, open),
    );
  }
}
