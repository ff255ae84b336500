/**
 * Page Marking: two answers to one task as equals, A and B; which of them is better, by button or by key. The task
 * stands on top and stays there. What was said can be taken back one by one.
 */
import { button, type ButtonControl } from '../../components/controls';
import { h, replace, setAttribute, setText } from '../../components/dom';
import { emptyState, notice } from '../../components/parts';
import { integer, oneLine } from '../../shared/format';
import { t } from '../../shared/strings';
import type { Letter, MarkAnswer, MarkingPair, MarkingState } from '../../messages';
import type { Context, View } from '../view';
import { pane, steps } from './markingPane';
import { RewriteForm } from './rewriteForm';

/** Today's keys; n and r are new. */
const ANSWERS: { answer: MarkAnswer; key: string }[] = [
  { answer: 'a', key: 'a' },
  { answer: 'b', key: 'b' },
  { answer: 'tie', key: '=' },
  { answer: 'bothBad', key: 'n' },
  { answer: 'skip', key: 's' },
];
const [UNDO, REWRITE] = ['u', 'r'];
const DONE_SHOWN = 8;

export class MarkingView implements View {
  readonly element = h('div', { class: 'page marking-page' });
  readonly heading = h('h1', { tabindex: '-1' }, t('page.marking'));
  private readonly left = h('p', { class: 'marking-left', role: 'status', 'aria-live': 'polite' });
  private readonly prompt = h('p', {
    class: 'marking-prompt',
    id: 'marking-prompt',
    tabindex: '0',
    role: 'region',
    'aria-label': t('marking.prompt'),
  });
  private readonly buttons: ButtonControl[];
  private readonly undoLast: ButtonControl;
  private readonly rewrite: ButtonControl;
  private readonly top: HTMLElement;
  private readonly body = h('div');
  private readonly done = h('section', { class: 'marking-done', 'aria-labelledby': 'marking-done-title' });
  private readonly chooser = h('div', { class: 'marking-chooser', role: 'group', tabindex: '-1' });
  private form: RewriteForm | null = null;
  private isChoosing = false;
  private shown: MarkingState | null | undefined;
  private pairShown = '';
  private asked = 0;
  /** the task stands below the panel's own header, however many lines that has */
  private readonly header = new ResizeObserver(([entry]) =>
    this.top.style.setProperty('--marking-top', `${entry?.target.getBoundingClientRect().height ?? 0}px`),
  );
  private readonly onKey = (event: KeyboardEvent): void => this.key(event);
  private hasFocus = document.hasFocus();
  /** not what hasFocus() says: while the window loses it, that may still be true */
  private readonly onFocus = ({ type }: Event): void => {
    this.hasFocus = type === 'focus';
    this.tellShown(true);
  };

  constructor(private readonly context: Context) {
    const keyed = (label: string, key: string, about: string, onClick: () => void): ButtonControl => {
      const made = button({ label, title: about, onClick });
      made.element.append(h('kbd', { 'aria-hidden': 'true' }, key.toUpperCase()));
      made.element.setAttribute('aria-keyshortcuts', key);
      return made;
    };
    this.buttons = ANSWERS.map(({ answer, key }) =>
      keyed(t(`marking.${answer}`), key, t(`marking.${answer}.about`), () => this.mark(answer)),
    );
    this.rewrite = keyed(t('marking.rewrite'), REWRITE!, t('marking.rewrite.about'), () => this.choose());
    this.undoLast = keyed(t('marking.undo'), UNDO!, t('marking.undo.about'), () => this.undo());
    this.top = h(
      'header',
      { class: 'marking-top' },
      h('div', { class: 'title-row' }, this.heading, this.left),
      this.prompt,
      h(
        'div',
        { class: 'marking-buttons', role: 'toolbar', 'aria-label': t('marking.buttons') },
        ...this.buttons.map(({ element }) => element),
        this.rewrite.element,
        this.undoLast.element,
      ),
      this.chooser,
    );
    this.element.append(this.top, this.body, this.done);
    const header = document.querySelector('.app-header');
    if (header) this.header.observe(header);
    document.addEventListener('keydown', this.onKey);
    window.addEventListener('focus', this.onFocus);
    window.addEventListener('blur', this.onFocus);
    context.store.send({ type: 'openMarking' });
    this.tellShown(true);
  }

  dispose(): void {
    this.header.disconnect();
    document.removeEventListener('keydown', this.onKey);
    window.removeEventListener('focus', this.onFocus);
    window.removeEventListener('blur', this.onFocus);
    this.tellShown(false);
  }

  update(): void {
    const { marking } = this.context.store;
    if (marking.asked !== this.asked) {
      this.asked = marking.asked;
      this.choose();
    }
    this.form?.take(marking.checked);
    if (marking.state === this.shown) return;
    this.shown = marking.state;
    this.draw(marking.state);
    this.tellShown(true);
  }

  private tellShown(isShown: boolean): void {
    this.context.store.send({ type: 'markingShown', isShown, hasFocus: isShown && this.hasFocus });
  }

  private get pair(): MarkingPair | null {
    return this.shown?.pair ?? null;
  }

  private mark(answer: MarkAnswer): void {
    if (this.pair) this.context.store.send({ type: 'mark', pairId: this.pair.id, answer });
  }

  private undo(lineId = this.shown?.done[0]?.lineId): void {
    if (lineId !== undefined) this.context.store.send({ type: 'undoMark', lineId });
  }

  private choose(): void {
    if (!this.pair || this.form) return;
    this.isChoosing = true;
    this.drawChooser();
    this.chooser.focus();
  }

  private startRewrite(letter: Letter): void {
    const { pair } = this;
    this.isChoosing = false;
    this.drawChooser();
    if (!pair) return;
    this.form = new RewriteForm(this.context.store, pair, letter, () => this.closeForm());
    this.drawPair(pair);
    this.enable();
    this.form.focus();
  }

  private closeForm(): void {
    this.form = null;
    if (this.pair) this.drawPair(this.pair);
    this.enable();
    this.heading.focus({ preventScroll: true });
  }

  /** One key is one act; a letter that is typed into a field is the field's, also where VS Code has a key of that name. */
  private key(event: KeyboardEvent): void {
    const at = event.target;
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if (at instanceof HTMLElement && at.closest('input, textarea, select')) {
      if (event.key === 'Escape' && this.form) this.closeForm();
      if (event.key.length === 1 && !isModified) event.stopPropagation();
      return;
    }
    if (isModified || !this.pair) return;
    const key = event.key.toLowerCase();
    if (!this.act(key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private act(key: string): boolean {
    if (this.form) return key === 'escape' ? (this.closeForm(), true) : false;
    if (this.isChoosing) {
      if (key === 'a' || key === 'b') return (this.startRewrite(key), true);
      if (key === 'escape') return ((this.isChoosing = false), this.drawChooser(), true);
    }
    const answer = ANSWERS.find((one) => one.key === key)?.answer;
    if (answer !== undefined) return (this.mark(answer), true);
    if (key === UNDO) return (this.undo(), true);
    return key === REWRITE ? (this.choose(), true) : false;
  }

  private draw(state: MarkingState | null): void {
    const pair = state?.pair ?? null;
    this.top.classList.toggle('is-empty', pair === null);
    setText(this.left, pair ? t('marking.left', { left: integer(state!.left), total: integer(state!.total) }) : '');
    setText(this.prompt, pair?.prompt ?? '');
    this.undoLast.setDisabled((state?.done.length ?? 0) === 0);
    const key = pair ? `${pair.id} ${JSON.stringify(state!.reasons)}` : '';
    if (key !== this.pairShown || pair === null) {
      const isOther = !key.startsWith(`${this.pairShown.split(' ')[0]} `);
      if (isOther) {
        this.form = null;
        this.isChoosing = false;
      }
      this.pairShown = key;
      this.drawChooser();
      if (pair) {
        if (!this.form) this.drawPair(pair);
        if (isOther) document.documentElement.scrollTop = 0;
      } else this.drawNone(state);
    }
    this.drawDone(state);
    this.enable();
  }

  /** What is being written is not lost by a mark. */
  private enable(): void {
    for (const { setDisabled } of [...this.buttons, this.rewrite]) setDisabled(!this.pair || this.form !== null);
  }

  private drawChooser(): void {
    this.chooser.hidden = !this.isChoosing;
    setAttribute(this.chooser, 'aria-label', t('marking.original'));
    if (this.chooser.hidden) return replace(this.chooser);
    replace(
      this.chooser,
      h('p', null, t('marking.original')),
      ...(['a', 'b'] as const).map(
        (letter) => button({ label: letter.toUpperCase(), onClick: () => this.startRewrite(letter) }).element,
      ),
    );
  }

  private drawPair(pair: MarkingPair): void {
    if (this.form) return replace(this.body, this.form.element);
    const { reasons } = this.shown!;
    replace(
      this.body,
      pair.before.length > 0
        ? h(
            'details',
            { class: 'marking-before' },
            h('summary', null, t('marking.before', { count: pair.before.length })),
            ...steps(pair.before),
          )
        : null,
      h(
        'div',
        { class: 'marking-panes', 'data-pair': pair.id },
        ...(['a', 'b'] as const).map((letter) =>
          pane(pair, letter, {
            reasons: reasons.filter((one) => one.letter === letter),
            onReason: (turn, text, thumb) =>
              this.context.store.send({ type: 'addReason', pairId: pair.id, of: letter, turn, text, thumb }),
          }),
        ),
      ),
      h('p', { class: 'muted' }, t(pair.isBlind ? 'marking.blind' : 'marking.open')),
    );
  }

  private drawNone(state: MarkingState | null): void {
    if (!state) return replace(this.body, h('p', { class: 'muted' }, t('marking.waiting')));
    replace(
      this.body,
      emptyState(
        'git-compare',
        t('marking.none'),
        state.none ?? '',
        state.trainable > 0
          ? button({
              label: t('marking.train', { count: integer(state.trainable) }),
              kind: 'primary',
              onClick: () => this.context.store.send({ type: 'trainOnPreferences' }),
            }).element
          : null,
      ),
    );
  }

  private drawDone(state: MarkingState | null): void {
    const all = state?.done ?? [];
    this.done.hidden = all.length === 0;
    replace(
      this.done,
      h('h2', { id: 'marking-done-title' }, t('marking.done')),
      h('p', { class: 'muted' }, t('marking.done.text')),
      h(
        'ul',
        { class: 'plain-list' },
        ...all.slice(0, DONE_SHOWN).map(({ lineId, answer, prompt }) =>
          h(
            'li',
            null,
            h(
              'button',
              {
                type: 'button',
                class: 'link',
                title: t('marking.done.about'),
                on: { click: () => this.undo(lineId) },
              },
              t('marking.done.item', { answer: t(`marking.${answer}.done`), prompt: oneLine(prompt, 80) }),
            ),
          ),
        ),
      ),
      all.length > DONE_SHOWN
        ? notice('info', t('marking.done.more', { count: integer(all.length - DONE_SHOWN) }))
        : null,
    );
  }
}
