/**
 * The conversation: what was asked, what the policy did, what came back, each failure on the step where it happened.
 */
import type { Message, Trace } from '../../../trainer/protocol/trace';
import { button } from '../../components/controls';
import { jsonText, jsonTree } from '../../components/json';
import { resultTag, resultWord } from '../../components/parts';
import { opening, prose, saidAfter, type CallStep, type Steps, type TurnStep } from '../../derive/traceSteps';
import { h, icon, type Disposable } from '../../components/dom';
import { isInertial } from '../../../trainer/protocol/toolGraph';
import { turnFacts } from '../../components/traceText';
import { duration, integer, oneLine } from '../../shared/format';
import { t } from '../../shared/strings';

/** Longer texts start folded. */
const FOLD_OVER = 600;
/** Turns behind this one are made when they come near the window. */
const TURNS_AT_ONCE = 12;
const NEAR_PX = 1200;

export class Conversation implements Disposable {
  readonly element = h('div', { class: 'conversation' });
  private readonly anchors = new Map<string, HTMLElement>();
  /** what each empty turn needs to be made */
  private readonly waiting = new Map<Element, () => void>();
  private readonly observer = new IntersectionObserver(
    (entries) => entries.forEach((entry) => entry.isIntersecting && this.fill(entry.target)),
    { rootMargin: `${NEAR_PX}px 0px` },
  );
  /** heard after turns were made, for what marks their text */
  onFilled: () => void = () => {};

  constructor(
    private readonly trace: Trace,
    steps: Steps,
    private readonly revealTool: (tool: string) => void,
    { withOpening = true }: { withOpening?: boolean } = {},
  ) {
    if (withOpening)
      opening(trace).forEach((message, i) =>
        this.element.append(this.anchor(`opening-${i}`, saidMessage(message, t('who.user')))),
      );
    steps.turns.forEach((step, i) => {
      this.element.append(this.turn(step, i));
      saidAfter(trace, i).forEach((message, j) =>
        this.element.append(this.anchor(`said-${step.number}-${j}`, saidMessage(message, t('who.userAgain')))),
      );
    });
    this.element.append(this.anchor('end', this.ending()));
  }

  dispose(): void {
    this.observer.disconnect();
  }

  /** The place of a step, made if it was not there yet. */
  place(anchor: string): HTMLElement | undefined {
    const turn = /^(?:turn|call)-(\d+)/.exec(anchor)?.[1];
    const article = turn === undefined ? undefined : this.anchors.get(`turn-${turn}`);
    if (article) this.fill(article);
    return this.anchors.get(anchor);
  }

  /** Brings a step into view and puts the focus on it. */
  reveal(anchor: string): void {
    const element = this.place(anchor);
    if (!element) return;
    // A jump over turns of unknown height is set right by a second one, when they are made.
    element.scrollIntoView({ block: 'nearest', behavior: this.waiting.size > 0 || isStill() ? 'auto' : 'smooth' });
    element.focus({ preventScroll: true });
  }

  private fill(article: Element): void {
    const make = this.waiting.get(article);
    if (!make) return;
    this.waiting.delete(article);
    this.observer.unobserve(article);
    make();
    this.onFilled();
  }

  private anchor(name: string, element: HTMLElement): HTMLElement {
    element.tabIndex = -1;
    element.dataset.anchor = name;
    this.anchors.set(name, element);
    return element;
  }

  private turn(step: TurnStep, index: number): HTMLElement {
    const article = this.anchor(
      `turn-${step.number}`,
      h('article', { class: 'message policy', 'aria-label': t('turn.label', { n: step.number }) }),
    );
    const make = (): void => {
      article.classList.remove('waiting');
      article.replaceChildren(...this.turnContent(step, index));
    };
    if (index < TURNS_AT_ONCE) make();
    else {
      article.classList.add('waiting');
      this.waiting.set(article, make);
      this.observer.observe(article);
    }
    return article;
  }

  private turnContent(step: TurnStep, index: number): (Node | string)[] {
    const { turn } = step;
    const text = step.isAnswer || turn.parseError === undefined ? prose(this.trace, index).trim() : '';
    const body: (Node | null)[] = [];
    if (text) body.push(h('div', { class: 'said' }, longText(text)));
    if (turn.parseError !== undefined) {
      body.push(
        h(
          'div',
          { class: 'step-error' },
          icon('error'),
          h('div', null, h('p', null, t('turn.unreadable')), h('p', { class: 'mono' }, turn.parseError)),
        ),
      );
      body.push(h('pre', { class: 'sampled' }, turn.text));
    }
    step.calls.forEach((call, i) => body.push(this.anchor(`call-${step.number}-${i}`, this.call(call))));
    if (turn.parseError === undefined && turn.text.trim() !== text)
      body.push(
        h(
          'details',
          { class: 'as-sampled' },
          h('summary', null, t('turn.asSampled')),
          h('pre', { class: 'sampled' }, turn.text),
        ),
      );
    const trained =
      this.trace.phase !== 'train' || step.trainedTokens === step.tokens
        ? t('turn.tokens', { count: integer(step.tokens) })
        : t('turn.tokensTrained', { count: integer(step.tokens), trained: integer(step.trainedTokens) });
    return [
      h(
        'header',
        { class: 'message-head' },
        h('span', { class: 'step-number' }, String(step.number)),
        h('span', { class: 'who' }, t(isInertial(turn) ? 'who.toolGraph' : 'who.policy')),
        h('span', { class: 'muted' }, [trained, duration(step.durationMs), ...turnFacts(turn)].join(' · ')),
      ),
      ...body.filter((child) => child !== null),
    ];
  }

  private call(step: CallStep): HTMLElement {
    const { call } = step;
    const { result } = call;
    const reveal = button({
      label: t('action.revealTool', { tool: call.name }),
      icon: 'go-to-file',
      kind: 'icon',
      onClick: () => this.revealTool(call.name),
    });
    const names = Object.entries(call.arguments);
    const brief = names
      .map(([name, value]) => `${name}: ${oneLine(JSON.stringify(value) ?? 'undefined', 60)}`)
      .join(', ');
    return h(
      'div',
      {
        class: `tool-call ${step.isError ? 'bad' : ''}`,
        role: 'group',
        'aria-label': t('call.label', { tool: call.name }),
      },
      h(
        'div',
        { class: 'call-head' },
        icon('tools'),
        h('code', { class: 'signature' }, h('b', null, call.name), `(${brief})`),
        reveal.element,
      ),
      names.length > 0
        ? h(
            'details',
            { class: 'call-arguments' },
            h('summary', null, t('call.arguments', { count: names.length })),
            jsonTree(call.arguments, 2),
          )
        : null,
      result === null
        ? h('p', { class: 'muted call-result' }, icon('circle-slash'), ' ', t('call.notRun'))
        : h(
            'div',
            { class: 'call-result' },
            h(
              'div',
              { class: 'result-head' },
              h('span', { class: 'result-arrow', 'aria-hidden': 'true' }, '↳'),
              resultTag(result),
              step.isError
                ? h('span', { class: 'tag error' }, icon('error'), resultWord(result))
                : h('span', { class: 'tag' }, icon('pass'), resultWord(result)),
              h('span', { class: 'muted' }, duration(result.durationMs)),
              result.isCut ? h('span', { class: 'tag warning' }, icon('warning'), t('call.cut')) : null,
            ),
            jsonText(result.content, step.isError || result.content.length < FOLD_OVER ? 2 : 0),
          ),
    );
  }

  private ending(): HTMLElement {
    const { trace } = this;
    const cut = trace.truncated !== 'no';
    const words = cut
      ? t(`ending.${trace.truncated as 'turnLimit'}`)
      : trace.terminated
        ? t('ending.terminated')
        : t('ending.unknown');
    const line = (isBad: boolean, text: string): HTMLElement =>
      h('p', { class: `ending ${isBad ? 'bad' : ''}` }, icon(isBad ? 'warning' : 'check'), ' ', text);
    const claims = trace.ungrounded ?? [];
    return h(
      'div',
      null,
      line(cut, words),
      claims.length > 0 ? line(true, t('ending.ungrounded', { claims: claims.join(', ') })) : null,
    );
  }
}

/** Whether movement on the page should be left out. */
export const isStill = (): boolean =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches ||
  document.body.classList.contains('vscode-reduce-motion');

function saidMessage(message: Message, user: string): HTMLElement {
  const who = message.role === 'system' ? t('who.system') : message.role === 'user' ? user : t('who.tool');
  const body =
    message.role === 'system' || message.content.length > FOLD_OVER
      ? h(
          'details',
          null,
          h('summary', null, oneLine(message.content, 100) || t('message.empty')),
          h('pre', { class: 'sampled' }, message.content),
        )
      : h('div', { class: 'said' }, message.content);
  return h(
    'article',
    { class: `message ${message.role}`, 'aria-label': who },
    h('header', { class: 'message-head' }, h('span', { class: 'who' }, who)),
    body,
  );
}

function longText(text: string): HTMLElement {
  return text.length <= FOLD_OVER
    ? h('div', { class: 'text' }, text)
    : h('details', null, h('summary', null, oneLine(text, 160)), h('div', { class: 'text' }, text));
}
