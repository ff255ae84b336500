/** One call of a rewritten answer: which tool, and a field for each of its parameters. */
import { button } from '../../components/controls';
import { h, replace, setAttribute, setText } from '../../components/dom';
import { fieldsOf, startOf, textOf, valueOf, type RewriteField } from '../../derive/rewriteFields';
import { t } from '../../shared/strings';
import type { AnswerDraft, MarkingTool, RewriteProblem } from '../../messages';

type Call = AnswerDraft['calls'][number];
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
interface Row {
  field: RewriteField;
  control: Control;
  /** null: it has to be given */
  given: HTMLInputElement | null;
  problem: HTMLElement;
}
let made = 0;

export class CallFields {
  readonly element = h('fieldset', { class: 'rewrite-call' });
  private readonly id = `call-${++made}`;
  private readonly tool = h('select', { class: 'field-control', id: this.id });
  private readonly toolProblem = h('p', { class: 'field-problem', role: 'status' });
  private readonly about = h('p', { class: 'muted' });
  private readonly rows = h('div', { class: 'rewrite-fields' });
  private fields: Row[] = [];

  constructor(
    private readonly tools: readonly MarkingTool[],
    { name, arguments: args }: Call,
    { onChange, onRemove }: { onChange: () => void; onRemove: () => void },
  ) {
    const names = tools.map((tool) => tool.name);
    const shown = names.includes(name) ? names : [name, ...names]; // a tool that there is none of can be seen, and changed
    replace(this.tool, ...shown.map((one) => h('option', { value: one, selected: one === name }, one)));
    this.tool.addEventListener('change', () => {
      this.draw(this.given());
      onChange();
    });
    this.element.append(
      h('legend', null, t('rewrite.call')),
      h('label', { for: this.id }, t('rewrite.tool')),
      this.tool,
      this.toolProblem,
      this.about,
      this.rows,
      button({ label: t('rewrite.removeCall'), icon: 'trash', onClick: onRemove }).element,
    );
    this.draw(args);
  }

  focus(): void {
    this.tool.focus();
  }

  /** The call as it was typed, and the fields whose text is no value of their type. */
  read(): { call: Call; problems: Omit<RewriteProblem, 'call'>[] } {
    const problems: Omit<RewriteProblem, 'call'>[] = [];
    const args: Record<string, unknown> = {};
    for (const { field, control, given } of this.fields) {
      if (given && !given.checked) continue;
      const read = valueOf(field, control.value);
      if (read.ok) args[field.name] = read.value;
      else problems.push({ field: field.name, message: t(`rewrite.not.${read.why}`, { detail: read.detail }) });
    }
    return { call: { name: this.tool.value, arguments: args }, problems };
  }

  tell(problems: readonly RewriteProblem[]): void {
    for (const { field, control, problem } of this.fields) {
      const mine = problems.filter((one) => one.field === field.name);
      setText(problem, mine.map(({ message }) => message).join('. '));
      setAttribute(control, 'aria-invalid', mine.length > 0 ? 'true' : null);
    }
    const names = this.fields.map(({ field }) => field.name);
    const others = problems.filter(({ field }) => field === null || !names.includes(field));
    setText(this.toolProblem, others.map(({ message }) => message).join('. '));
  }

  /** What can be read at present: it stays where the other tool has a parameter of that name. */
  private given(): Record<string, unknown> {
    return this.read().call.arguments;
  }

  private draw(args: Record<string, unknown>): void {
    const tool = this.tools.find(({ name }) => name === this.tool.value);
    setText(this.about, tool?.description ?? '');
    this.fields = fieldsOf(tool, Object.keys(args)).map((field, i) => this.row(field, args, i));
    replace(this.rows, ...this.fields.map((row, i) => this.rowElement(row, i)));
  }

  private row(field: RewriteField, args: Record<string, unknown>, i: number): Row {
    const isGiven = Object.hasOwn(args, field.name);
    const text = isGiven ? textOf(field, args[field.name]) : startOf(field);
    const control = controlOf(field, text);
    control.id = `${this.id}-${i}`;
    control.setAttribute('aria-describedby', `${this.id}-${i}-problem`);
    const given = field.isRequired
      ? null
      : h('input', { type: 'checkbox', checked: isGiven, 'aria-label': t('rewrite.given', { name: field.name }) });
    if (given) {
      control.disabled = !isGiven;
      given.addEventListener('change', () => {
        control.disabled = !given.checked;
      });
    }
    return { field, control, given, problem: h('p', { class: 'field-problem', role: 'status' }) };
  }

  private rowElement({ field, control, given, problem }: Row, i: number): HTMLElement {
    problem.id = `${this.id}-${i}-problem`;
    return h(
      'div',
      { class: 'rewrite-field' },
      h(
        'div',
        { class: 'rewrite-label' },
        given,
        h('label', { for: control.id }, field.name),
        field.isRequired ? h('span', { class: 'muted' }, t('rewrite.required')) : null,
      ),
      control,
      field.description ? h('p', { class: 'muted' }, field.description) : null,
      problem,
    );
  }
}

function controlOf(field: RewriteField, text: string): Control {
  switch (field.kind) {
    case 'boolean':
    case 'choice': {
      const options = field.kind === 'boolean' ? [true, false] : field.options;
      const values = options.map((value) => JSON.stringify(value));
      const all = values.includes(text) || text === '' ? values : [text, ...values]; // what was said stays to be seen
      return h(
        'select',
        { class: 'field-control' },
        ...all.map((value) => h('option', { value, selected: value === text }, value)),
      );
    }
    case 'number':
      return h('input', { class: 'field-control', type: 'text', inputmode: 'decimal', value: text });
    case 'text':
    case 'json':
    case 'unknown': {
      const area = h('textarea', { class: `field-control ${field.kind}`, rows: field.kind === 'json' ? 4 : 1 });
      area.value = text;
      return area;
    }
  }
}
