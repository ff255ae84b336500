/**
 * A JSON value as a folded tree. A fold's content is made when it is first opened, lists show a hundred members at a
 * time and long
 * strings their beginning, so that a hostile or huge value costs nothing until it is looked at. Keyboard: native
 * <details>.
 */
import { h, setText } from './dom';
import { integer, oneLine } from '../shared/format';
import { t } from '../shared/strings';

/** fold or cut text -> makes all of it; for the search, which must see what is folded */
const unfold = new WeakMap<Element, () => void>();

/** Opens every fold inside, at once, and shows cut texts whole; no deeper than a person would read. */
export function openFolds(root: Element, levels = 12): void {
  if (levels === 0) return;
  for (const element of Array.from(root.querySelectorAll('details:not([open]), button.json-rest'))) {
    unfold.get(element)?.();
    if (element instanceof HTMLDetailsElement) element.open = true;
  }
  if (root.querySelector('details:not([open]), button.json-rest')) openFolds(root, levels - 1);
}

const MEMBERS_AT_ONCE = 100;
const LONG_TEXT = 400;

/** `text` that is JSON as a tree, anything else as it is. */
export function jsonText(text: string, openLevels = 1): HTMLElement {
  try {
    return jsonTree(JSON.parse(text) as unknown, openLevels);
  } catch {
    return h('pre', { class: 'json-text' }, text);
  }
}

export function jsonTree(value: unknown, openLevels = 1): HTMLElement {
  return h('div', { class: 'json' }, node(null, value, openLevels));
}

function node(name: string | null, value: unknown, openLevels: number, isIndex = false): HTMLElement {
  const label = name === null ? null : h('span', { class: isIndex ? 'json-key json-index' : 'json-key' }, `${name}: `);
  if (typeof value !== 'object' || value === null) return h('div', { class: 'json-row' }, label, leaf(value));
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((v, i) => [String(i), v])
    : Object.entries(value);
  if (entries.length === 0)
    return h(
      'div',
      { class: 'json-row' },
      label,
      h('span', { class: 'json-mark' }, Array.isArray(value) ? '[]' : '{}'),
    );
  const summary = h('summary', null, label, h('span', { class: 'json-preview' }, preview(value, entries)));
  const details = h('details', { class: 'json-fold' }, summary);
  const body = h('div', { class: 'json-body' });
  details.append(body);
  const fill = (): void => {
    if (body.childElementCount === 0) more(body, entries, 0, openLevels - 1, Array.isArray(value));
  };
  if (openLevels > 0) {
    details.open = true;
    fill();
  } else {
    details.addEventListener('toggle', fill, { once: true });
    unfold.set(details, fill);
  }
  return details;
}

function more(
  body: HTMLElement,
  entries: [string, unknown][],
  from: number,
  openLevels: number,
  isArray: boolean,
): void {
  const to = Math.min(entries.length, from + MEMBERS_AT_ONCE);
  for (const [name, value] of entries.slice(from, to)) body.append(node(name, value, openLevels, isArray));
  if (to < entries.length) {
    const go = (): void => (next.remove(), more(body, entries, to, openLevels, isArray));
    const next = h(
      'button',
      { type: 'button', class: 'link json-rest', on: { click: go } },
      t('json.more', { count: integer(entries.length - to) }),
    );
    unfold.set(next, go);
    body.append(next);
  }
}

function leaf(value: unknown): HTMLElement {
  if (typeof value !== 'string')
    return h('span', { class: `json-${value === null ? 'null' : typeof value}` }, String(value));
  const text = JSON.stringify(value);
  if (text.length <= LONG_TEXT) return h('span', { class: 'json-string' }, text);
  const shown = h('span', { class: 'json-string' }, `${text.slice(0, LONG_TEXT)}…`);
  const go = (): void => (setText(shown, text), open.remove());
  const open = h(
    'button',
    { type: 'button', class: 'link json-rest', on: { click: go } },
    t('json.wholeText', { count: integer(value.length) }),
  );
  unfold.set(open, go);
  return h('span', null, shown, ' ', open);
}

function preview(value: object, entries: [string, unknown][]): string {
  if (Array.isArray(value)) return t('json.items', { count: integer(value.length) });
  const parts: string[] = [];
  for (const [name, member] of entries.slice(0, 4))
    parts.push(
      `${name}: ${typeof member === 'object' && member !== null ? (Array.isArray(member) ? '[…]' : '{…}') : oneLine(JSON.stringify(member) ?? '', 40)}`,
    );
  return `{ ${parts.join(', ')}${entries.length > 4 ? ', …' : ''} }`;
}
