/**
 * A JSON value as a folded tree. A fold's content is made when it is first opened, lists show a hundred members at a time and long
 * strings their beginning, so that a hostile or huge value costs nothing until it is looked at. Keyboard: native <details>.
 */
import { h } from '../dom';
import { integer, oneLine } from '../format';
import { t } from '../strings';

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

function node(name: string | null, value: unknown, openLevels: number): HTMLElement {
  const label = name === null ? null : h('span', { class: 'json-key' }, `${name}: `);
  if (typeof value !== 'object' || value === null) return h('div', { class: 'json-row' }, label, leaf(value));
  const entries: [string, unknown][] = Array.isArray(value) ? value.map((v, i) => [String(i), v]) : Object.entries(value);
  if (entries.length === 0) return h('div', { class: 'json-row' }, label, h('span', { class: 'json-mark' }, Array.isArray(value) ? '[]' : '{}'));
  const summary = h('summary', null, label, h('span', { class: 'json-preview' }, preview(value, entries)));
  const details = h('details', { class: 'json-fold' }, summary);
  const body = h('div', { class: 'json-body' });
  details.append(body);
  const fill = (): void => {
    if (body.childElementCount === 0) more(body, entries, 0, openLevels - 1);
  };
  if (openLevels > 0) {
    details.open = true;
    fill();
  } else details.addEventListener('toggle', fill, { once: true });
  return details;
}

function more(body: HTMLElement, entries: [string, unknown][], from: number, openLevels: number): void {
  const to = Math.min(entries.length, from + MEMBERS_AT_ONCE);
  for (const [name, value] of entries.slice(from, to)) body.append(node(name, value, openLevels));
  if (to < entries.length) {
    const next = h('button', { type: 'button', class: 'link', on: { click: () => (next.remove(), more(body, entries, to, openLevels)) } }, t('json.more', { count: integer(entries.length - to) }));
    body.append(next);
  }
}

function leaf(value: unknown): HTMLElement {
  if (typeof value !== 'string') return h('span', { class: `json-${value === null ? 'null' : typeof value}` }, String(value));
  const text = JSON.stringify(value);
  if (text.length <= LONG_TEXT) return h('span', { class: 'json-string' }, text);
  const shown = h('span', { class: 'json-string' }, `${text.slice(0, LONG_TEXT)}…`);
  const open = h('button', { type: 'button', class: 'link', on: { click: () => ((shown.textContent = text), open.remove()) } }, t('json.wholeText', { count: integer(value.length) }));
  return h('span', null, shown, ' ', open);
}

function preview(value: object, entries: [string, unknown][]): string {
  if (Array.isArray(value)) return `[ ${t('json.items', { count: integer(value.length) })} ]`;
  const parts: string[] = [];
  for (const [name, member] of entries.slice(0, 4)) parts.push(`${name}: ${typeof member === 'object' && member !== null ? (Array.isArray(member) ? '[…]' : '{…}') : oneLine(JSON.stringify(member) ?? '', 40)}`);
  return `{ ${parts.join(', ')}${entries.length > 4 ? ', …' : ''} }`;
}
