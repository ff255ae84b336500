/**
 * Every token of the episode as a chip: underline = trained, shade = how strongly and which way the advantage pushes it
 * (or how likely it
 * was), with the sign in print; hover or arrows = id, log-probability, probability, who wrote it. Its text twin is a
 * table with a row per
 * token, for those who read better than they see, and for a spreadsheet.
 */
import { advantageAt, type Trace } from '../../../trainer/protocol/trace';
import { button, checkbox } from '../../components/controls';
import { roving } from '../../components/roving';
import { csv } from '../../components/csv';
import { tokenStats } from '../../derive/tokenStats';
import { tokenSegments, type Segment } from '../../derive/traceSteps';
import { h, replace, setText, type Disposable } from '../../components/dom';
import { decimal, integer, percent, signed } from '../../shared/format';
import type { Store } from '../../store';
import { t } from '../../shared/strings';
import { TOKEN_COLUMNS, tokenRows } from '../../components/traceText';
import { visible, writers } from './tokenWords';
import { TokenTable } from './traceTokenTable';

const TOKENS_AT_ONCE = 400;
/** Segments behind these are made when they come near the window. */
const SEGMENTS_AT_ONCE = 12;
const NEAR_PX = 1000;
/** An advantage of this size has the full shade. */
const FULL_SHADE = 2;

export class TokenPanel implements Disposable {
  readonly element: HTMLElement;
  private readonly flow = h('div', { class: 'tokens', role: 'group', 'aria-label': t('tokens.label') });
  private readonly readout = h('p', { class: 'token-readout', role: 'status' }, t('tokens.hint'));
  private readonly body = h('div');
  private readonly shade;
  private readonly waiting = new Map<Element, () => void>();
  private readonly observer = new IntersectionObserver(
    (entries) => entries.forEach((entry) => entry.isIntersecting && this.fill(entry.target)),
    { rootMargin: `${NEAR_PX}px 0px` },
  );
  private readonly rover;
  private twin: TokenTable | null = null;

  constructor(
    private readonly trace: Trace,
    private readonly texts: readonly string[],
    store: Store,
  ) {
    this.shade = checkbox(t('tokens.byProbability'), (isOn) => this.flow.classList.toggle('by-probability', isOn));
    const asTable = checkbox(t('tokens.asTable'), (isOn) => {
      store.setOpened({ tokensAsTable: isOn });
      this.show(isOn);
    });
    const asCsv = button({
      label: t('table.openCsv'),
      icon: 'go-to-file',
      onClick: () =>
        store.send({ type: 'openDocument', text: csv(TOKEN_COLUMNS, tokenRows(trace, texts)), language: 'csv' }),
    });
    tokenSegments(trace).forEach((segment, i) => this.flow.append(this.segment(segment, i)));
    this.rover = roving(this.flow, { selector: '.token', axis: 'both', onMove: (element) => this.read(element) });
    this.flow.addEventListener('mouseover', (event) => {
      const chip = event.target instanceof Element ? event.target.closest<HTMLElement>('.token') : null;
      if (chip) this.read(chip);
    });
    this.element = h(
      'div',
      { class: 'token-panel' },
      h('div', { class: 'actions' }, asTable.element, this.shade.element, asCsv.element),
      this.body,
    );
    asTable.set(store.opened.tokensAsTable ?? false);
    this.show(store.opened.tokensAsTable ?? false);
  }

  dispose(): void {
    this.observer.disconnect();
    this.rover.dispose();
    this.twin?.dispose();
  }

  private show(asTable: boolean): void {
    this.shade.element.hidden = asTable;
    if (asTable) this.twin ??= new TokenTable(this.trace, this.texts);
    replace(this.body, ...(asTable ? [this.twin!.element] : [this.legend(), this.readout, this.flow]));
    if (asTable) this.twin!.draw();
  }

  private legend(): HTMLElement {
    const { advantage } = this.trace;
    const sample = (className: string): HTMLElement =>
      h('span', { class: `token sample ${className}`, 'aria-hidden': 'true' }, 'abc');
    return h(
      'ul',
      { class: 'token-legend', 'aria-label': t('tokens.legend') },
      h('li', null, sample('trained'), t('tokens.legend.trained')),
      h('li', null, sample('forced'), t('tokens.legend.forced')),
      h('li', null, sample(''), t('tokens.legend.other')),
      h(
        'li',
        null,
        advantage ? sample(`trained ${sign(advantage)}`) : null,
        advantage === null
          ? t('tokens.legend.noAdvantage')
          : advantage === 0
            ? t('tokens.legend.zero')
            : t(advantage > 0 ? 'tokens.legend.plus' : 'tokens.legend.minus', { value: signed(advantage) }),
      ),
    );
  }

  private segment(segment: Segment, index: number): HTMLElement {
    const count = segment.end - segment.start;
    const isTurn = segment.turn !== null;
    const title = isTurn
      ? t('tokens.turn', { n: segment.turn! + 1, count: integer(count) })
      : t('tokens.segment', { who: t(writers[segment.writer] ?? 'writer.x'), count: integer(count) });
    const flow = h('div', { class: 'token-flow' });
    const more = (from: number): void => {
      const to = Math.min(segment.end, from + TOKENS_AT_ONCE);
      for (let i = from; i < to; i++) this.append(flow, i);
      if (to < segment.end) {
        const next = h(
          'button',
          { type: 'button', class: 'link', on: { click: () => (next.remove(), more(to)) } },
          t('list.more', { count: integer(segment.end - to) }),
        );
        flow.append(next);
      }
    };
    // The prompt is long and says little: it waits, folded, and its chips are made when it is opened.
    if (segment.writer === 'p' && !isTurn) {
      const fold = h('details', { class: 'token-segment' }, h('summary', null, title), flow);
      fold.addEventListener('toggle', () => flow.childElementCount === 0 && more(segment.start));
      return fold;
    }
    const section = h(
      'section',
      { class: `token-segment ${isTurn ? 'policy' : ''}`, 'aria-label': title },
      h('h3', null, title),
      isTurn ? this.taught(segment) : null,
      flow,
    );
    const advantage = advantageAt(this.trace, segment.start);
    section.classList.add(sign(advantage));
    section.style.setProperty('--strength', String(Math.min(1, Math.abs(advantage ?? 0) / FULL_SHADE)));
    if (index < SEGMENTS_AT_ONCE) more(segment.start);
    else {
      section.classList.add('waiting');
      this.waiting.set(section, () => more(segment.start));
      this.observer.observe(section);
    }
    return section;
  }

  private fill(section: Element): void {
    const make = this.waiting.get(section);
    if (!make) return;
    this.waiting.delete(section);
    this.observer.unobserve(section);
    section.classList.remove('waiting');
    make();
  }

  /** What this turn taught, in a sentence. */
  private taught(segment: Segment): HTMLElement {
    const stats = tokenStats(this.trace, segment.start, segment.end);
    const least = stats.leastLikely;
    const words = [
      t('tokens.counts', { trained: integer(stats.trained), forced: integer(stats.forced) }),
      stats.meanLogprob === null ? '' : t('tokens.mean', { value: decimal(stats.meanLogprob, 2) }),
      least === null
        ? ''
        : t('tokens.least', {
            text: JSON.stringify(this.texts[least] ?? ''),
            value: percent(Math.exp(this.trace.tokens.logprobs[least] ?? 0), 0),
          }),
    ]
      .filter(Boolean)
      .join(' · ');
    const { advantage } = stats;
    const push =
      advantage === null
        ? null
        : h(
            'b',
            { class: `token-sign ${sign(advantage)}` },
            advantage === 0
              ? t('tokens.push.none')
              : t(advantage > 0 ? 'tokens.push.up' : 'tokens.push.down', { value: signed(advantage) }),
          );
    return h('p', { class: 'token-taught' }, push, words);
  }

  private append(flow: HTMLElement, i: number): void {
    const { tokens } = this.trace;
    const text = this.texts[i] ?? '';
    const writer = tokens.writer[i] ?? 'p';
    const logprob = tokens.logprobs[i] ?? null;
    const chip = h(
      'span',
      {
        class: `token ${tokens.completionMask[i] === 1 ? 'trained' : writer === 'f' ? 'forced' : ''}`,
        tabindex: '-1',
        'data-at': i,
      },
      visible(text),
    );
    if (logprob !== null) chip.style.setProperty('--surprise', String(Math.min(1, 1 - Math.exp(logprob))));
    chip.title = this.describe(i);
    flow.append(chip);
    if (text.includes('\n')) flow.append(h('br'));
  }

  private describe(i: number): string {
    const { tokens } = this.trace;
    const advantage = advantageAt(this.trace, i);
    const logprob = tokens.logprobs[i] ?? null;
    const plain = tokens.plainLogprobs?.[i] ?? null;
    const isTrained = tokens.completionMask[i] === 1;
    return [
      t('token.id', { id: tokens.ids[i] ?? -1 }),
      logprob === null
        ? t('token.notSampled')
        : t('token.logprob', { logprob: decimal(logprob, 3), probability: percent(Math.exp(logprob), 1) }),
      plain === null ? '' : t('token.plain', { probability: percent(Math.exp(plain), 1) }),
      t(writers[tokens.writer[i] ?? 'p'] ?? 'writer.x'),
      isTrained
        ? advantage === null
          ? t('token.trained')
          : t('token.trainedBy', { value: signed(advantage) })
        : t('token.notTrained'),
    ]
      .filter(Boolean)
      .join(' · ');
  }

  private read(chip: HTMLElement): void {
    const i = Number(chip.dataset.at);
    setText(this.readout, `${JSON.stringify(this.texts[i] ?? '')} · ${this.describe(i)}`);
  }
}

const sign = (advantage: number | null): string =>
  advantage === null || advantage === 0 ? 'neutral' : advantage > 0 ? 'plus' : 'minus';
