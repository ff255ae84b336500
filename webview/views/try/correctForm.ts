/** What is right of a request, where no answer was: the calls as fields of the tools' schemas, and words to be said. */
import { button } from '../../components/controls';
import { h, replace } from '../../components/dom';
import { t } from '../../shared/strings';
import type { Accepted, MarkingTool } from '../../messages';
import { CallFields } from '../marking/callFields';

export class CorrectForm {
  readonly element: HTMLElement;
  private readonly heading = h('h3', { tabindex: '-1' }, t('correct.title'));
  private readonly list = h('div', { class: 'rewrite-calls' });
  private readonly none = h('p', { class: 'muted' }, t('correct.noCall'));
  private readonly answer = h('input', { class: 'field-control', type: 'text', id: 'correct-answer' });
  private readonly calls: CallFields[];
  private readonly add;

  constructor(
    private readonly tools: readonly MarkingTool[],
    private readonly request: Accepted,
    private readonly onKeep: (request: Accepted) => void,
    onCancel: () => void,
  ) {
    this.calls = request.calls.map((call) => this.callFields(call));
    this.add = button({ label: t('rewrite.addCall'), icon: 'add', onClick: () => this.addCall() });
    this.element = h(
      'form',
      { class: 'rewrite-form', 'aria-label': t('correct.title') },
      this.heading,
      h('p', { class: 'muted' }, t('correct.text')),
      this.none,
      this.list,
      h('div', { class: 'actions' }, this.add.element),
      h('label', { for: 'correct-answer' }, t('correct.answer')),
      this.answer,
      h(
        'div',
        { class: 'actions' },
        button({ label: t('correct.keep'), kind: 'primary', onClick: () => this.keep() }).element,
        button({ label: t('marking.cancel'), onClick: onCancel }).element,
      ),
    );
    this.element.addEventListener('submit', (event) => event.preventDefault());
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.keep();
    });
    this.drawCalls();
  }

  focus(): void {
    this.heading.focus();
  }

  /** What can't be read is told beside its field; the rest is the host's to check. */
  private keep(): void {
    const read = this.calls.map((call) => call.read());
    read.forEach(({ problems }, i) => this.calls[i]!.tell(problems.map((one) => ({ ...one, call: i }))));
    if (read.some(({ problems }) => problems.length > 0)) return;
    const answer = this.answer.value.trim();
    this.onKeep({
      prompt: this.request.prompt,
      calls: read.map(({ call }) => call),
      ...(answer === '' ? {} : { answer }),
    });
  }

  private callFields(call: Accepted['calls'][number]): CallFields {
    const made: CallFields = new CallFields(this.tools, call, {
      onChange: () => undefined,
      onRemove: () => {
        this.calls.splice(this.calls.indexOf(made), 1);
        this.drawCalls();
        this.add.element.focus();
      },
    });
    return made;
  }

  private addCall(): void {
    const [first] = this.tools;
    if (!first) return;
    const made = this.callFields({ name: first.name, arguments: {} });
    this.calls.push(made);
    this.drawCalls();
    made.focus();
  }

  private drawCalls(): void {
    this.none.hidden = this.calls.length > 0;
    replace(this.list, ...this.calls.map(({ element }) => element));
  }
}
