/**
 * The answer as a person would have it: an answer in words, or calls with a field for each parameter. What is wrong
 * stands beside its field while it is typed, and can't be saved.
 */
import { button, type ButtonControl } from '../../components/controls';
import { h, replace, setText } from '../../components/dom';
import { t } from '../../shared/strings';
import type { AnswerDraft, Letter, MarkingPair, RewriteProblem } from '../../messages';
import type { Store } from '../../store';
import { CallFields } from './callFields';

const TYPING_MS = 150;
let forms = 0;

export class RewriteForm {
  readonly element: HTMLElement;
  private readonly heading = h('h2', { tabindex: '-1' });
  private readonly content = h('textarea', { class: 'prompt-field', rows: 4 });
  private readonly contentProblem = h('p', { class: 'field-problem', role: 'status' });
  private readonly calls: CallFields[] = [];
  private readonly list = h('div', { class: 'rewrite-calls' });
  private readonly problem = h('p', { class: 'field-problem', role: 'alert' });
  private readonly save: ButtonControl;
  private readonly add: ButtonControl;
  private readonly id = `rewrite-${++forms}`;
  private number = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: Store,
    private readonly pair: MarkingPair,
    private readonly letter: Letter,
    onCancel: () => void,
  ) {
    const { draft } = pair.sides[letter];
    this.content.value = draft.content;
    this.content.id = `${this.id}-content`;
    this.content.setAttribute('aria-describedby', `${this.id}-content-problem`);
    this.contentProblem.id = `${this.id}-content-problem`;
    this.save = button({
      label: t('rewrite.save'),
      kind: 'primary',
      title: t('rewrite.save.about'),
      onClick: () => this.send(true),
    });
    this.add = button({ label: t('rewrite.addCall'), icon: 'add', onClick: () => this.addCall() });
    setText(this.heading, t('rewrite.title', { letter: letter.toUpperCase() }));
    this.element = h(
      'form',
      { class: 'rewrite-form', 'aria-label': t('rewrite.title', { letter: letter.toUpperCase() }) },
      this.heading,
      h('p', { class: 'muted' }, t('rewrite.text', { letter: letter.toUpperCase() })),
      this.list,
      h('div', { class: 'actions' }, this.add.element),
      h('label', { for: `${this.id}-content` }, t(draft.calls.length > 0 ? 'rewrite.words' : 'rewrite.answer')),
      this.content,
      this.contentProblem,
      this.problem,
      h(
        'div',
        { class: 'actions' },
        this.save.element,
        button({ label: t('marking.cancel'), onClick: onCancel }).element,
      ),
    );
    this.element.addEventListener('input', () => this.typed());
    this.element.addEventListener('submit', (event) => event.preventDefault());
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      this.send(true);
    });
    draft.calls.forEach((call) => this.calls.push(this.callFields(call)));
    this.drawCalls();
    this.save.setDisabled(true); // it says the same as before
  }

  focus(): void {
    this.heading.focus();
  }

  /** What the host says of what was typed last. */
  take(checked: { pairId: string; number: number; problems: RewriteProblem[] } | null): void {
    if (checked?.pairId !== this.pair.id || checked.number !== this.number) return;
    this.tell(checked.problems);
  }

  private typed(): void {
    this.save.setDisabled(true);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(false), TYPING_MS);
  }

  /** Fields that can't be read are told at once; the rest is checked by the host, by what training will hold it to. */
  private send(isSave: boolean): void {
    clearTimeout(this.timer);
    this.number++;
    const read = this.calls.map((call) => call.read());
    const unread = read.flatMap(({ problems }, call) => problems.map((one) => ({ ...one, call })));
    if (unread.length > 0) return this.tell(unread);
    const draft: AnswerDraft = { content: this.content.value, calls: read.map(({ call }) => call) };
    const { pair, letter, number } = this;
    this.store.send({ type: 'rewrite', pairId: pair.id, of: letter, draft, isSave, number });
  }

  private tell(problems: readonly RewriteProblem[]): void {
    this.calls.forEach((call, i) => call.tell(problems.filter((one) => one.call === i)));
    const ofWords = problems.filter(({ call, field }) => call === null && field === 'content');
    setText(this.contentProblem, ofWords.map(({ message }) => message).join('. '));
    const whole = problems.filter(({ call, field }) => call === null && field !== 'content');
    setText(this.problem, whole.map(({ message }) => message).join('. '));
    this.save.setDisabled(problems.length > 0);
  }

  private callFields(call: AnswerDraft['calls'][number]): CallFields {
    const made: CallFields = new CallFields(this.pair.tools, call, {
      onChange: () => this.typed(),
      onRemove: () => {
        this.calls.splice(this.calls.indexOf(made), 1);
        this.drawCalls();
        this.typed();
        this.add.element.focus();
      },
    });
    return made;
  }

  private addCall(): void {
    const [first] = this.pair.tools;
    if (!first) return;
    const made = this.callFields({ name: first.name, arguments: {} });
    this.calls.push(made);
    this.drawCalls();
    this.typed();
    made.focus();
  }

  private drawCalls(): void {
    replace(this.list, ...this.calls.map(({ element }) => element));
  }
}
