/** One side of a pair: a letter, then what was said and what came back. Both sides are drawn by the same lines. */
import { button } from '../../components/controls';
import { h, icon, replace } from '../../components/dom';
import { t } from '../../shared/strings';
import type { Letter, MarkingPair, MarkingState, MarkingStep } from '../../messages';

type Thumb = 'up' | 'down' | null;
interface PaneOptions {
  reasons: MarkingState['reasons'];
  onReason: (turn: number, text: string, thumb: Thumb) => void;
}

export function pane(pair: MarkingPair, letter: Letter, { reasons, onReason }: PaneOptions): HTMLElement {
  const name = letter.toUpperCase();
  return h(
    'section',
    { class: 'marking-pane', 'aria-label': t('marking.side', { letter: name }) },
    h('h2', { class: 'marking-letter' }, name),
    ...pair.sides[letter].steps.map((step) => {
      const made = stepOf(step);
      const said = reasons.filter(({ turn }) => turn === step.turn);
      if (step.turn === null || step.kind === 'result') return made;
      made.append(...said.map(reasonLine), reasonForm(name, step.turn, onReason));
      return made;
    }),
  );
}

export const steps = (all: readonly MarkingStep[]): HTMLElement[] => all.map(stepOf);

function stepOf({ kind, title, lines }: MarkingStep): HTMLElement {
  return h(
    'section',
    { class: `marking-step step-${kind}` },
    h('h3', null, title),
    lines.length > 0 ? h('div', { class: 'marking-text' }, lines.join('\n')) : null,
  );
}

const reasonLine = ({ text, thumb }: MarkingState['reasons'][number]): HTMLElement =>
  h(
    'p',
    { class: 'marking-reason' },
    icon('comment'),
    ' ',
    [thumb === null ? '' : t(thumb === 'up' ? 'marking.goodStep.said' : 'marking.badStep.said'), text]
      .filter(Boolean)
      .join(' '),
  );

/** Opened by a button: a reason in words, or a thumb with or without one. */
function reasonForm(letter: string, turn: number, onReason: PaneOptions['onReason']): HTMLElement {
  const box = h('div', { class: 'marking-why' });
  const opener = h(
    'button',
    {
      type: 'button',
      class: 'link',
      'aria-label': t('marking.why.label', { letter, n: turn + 1 }),
      on: { click: () => open() },
    },
    t('marking.why'),
  );
  const close = (): void => (replace(box, opener), opener.focus());
  const open = (): void => {
    const field = h('textarea', {
      class: 'prompt-field',
      rows: 2,
      'aria-label': t('marking.why.about'),
      placeholder: t('marking.why.hint'),
    });
    const say = (thumb: Thumb): void => {
      const text = field.value.trim();
      if (text === '' && thumb === null) return field.focus();
      onReason(turn, text, thumb);
      close();
    };
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') close();
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) say(null);
    });
    replace(
      box,
      field,
      h(
        'div',
        { class: 'actions' },
        button({ label: t('marking.why.add'), onClick: () => say(null) }).element,
        button({ label: t('marking.goodStep'), icon: 'thumbsup', onClick: () => say('up') }).element,
        button({ label: t('marking.badStep'), icon: 'thumbsdown', onClick: () => say('down') }).element,
        button({ label: t('marking.cancel'), onClick: close }).element,
      ),
    );
    field.focus();
  };
  replace(box, opener);
  return box;
}
