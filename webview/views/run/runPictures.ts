/**
 * Under the curves: how the held-out tasks ended, by tool, by what was wanted, by who asked, and the rewards of
 * training. Drawn when the section is opened or seen; anew once a step at most.
 */
import { isTrained } from '../../../trainer/protocol/runMethod';
import type { TraceSummary } from '../../../trainer/protocol/trace';
import { progressRing } from '../../components/controls';
import { h, replace, setText, type Disposable } from '../../components/dom';
import type { Store } from '../../store';
import { t } from '../../shared/strings';
import { confusionPicture, kindsPicture, outcomesPicture, rewardsPicture } from '../pictures/tracePictures';

export class RunPictures implements Disposable {
  readonly element: HTMLElement;
  private readonly title = h('h2', { id: 'pictures-title' });
  private readonly body = h('div', { class: 'picture-grid-of' });
  private readonly observer: IntersectionObserver;
  private isSeen = false;
  private drawn: unknown[] = [];

  constructor(private readonly store: Store) {
    this.element = h('section', { class: 'pictures', 'aria-labelledby': 'pictures-title' }, this.title, this.body);
    this.observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      this.isSeen = true;
      this.observer.disconnect();
      this.update();
    });
    this.observer.observe(this.element);
  }

  dispose(): void {
    this.observer.disconnect();
  }

  update(): void {
    const { store } = this;
    const { run } = store;
    this.element.hidden = !run || run.traces.length === 0;
    if (!run || this.element.hidden) return;
    const set = run.result ? 'after' : store.index.steps('train').length > 0 ? 'train' : 'before';
    const isTraining = run.manifest !== null && isTrained(run.manifest);
    setText(this.title, isTraining ? t('picture.of', { set: t(`phaseName.${set}`) }) : t('picture.title'));
    if (!this.isSeen) return;
    const facts = store.taskFacts();
    // Once per step is enough: whole steps only.
    const inputs = [store.runId, run.curve, run.phase, run.status, store.isArriving, facts];
    if (this.drawn.length > 0 && inputs.every((value, i) => value === this.drawn[i])) return;
    this.drawn = inputs;
    if (facts === null) return replace(this.body, progressRing(t('picture.loading')));
    const of = (phase: TraceSummary['phase']): TraceSummary[] => store.index.all(phase).flatMap(({ traces }) => traces);
    const shown =
      set === 'train' ? store.index.slice('train', store.index.latestStep() ?? 0).flatMap((g) => g.traces) : of(set);
    const open = (title: string, ids: readonly string[]): void => store.openBehind(title, ids);
    const sets = (['before', 'after'] as const)
      .map((phase) => ({ name: t(`phaseName.${phase}`), traces: of(phase) }))
      .filter(({ traces }) => traces.length > 0);
    replace(
      this.body,
      outcomesPicture(shown, facts, open),
      confusionPicture(shown, facts, open),
      kindsPicture(sets, facts, open),
      rewardsPicture(of('train'), open),
    );
  }
}
