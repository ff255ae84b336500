/**
 * The whole of our framework: make an element, make an SVG element, reconcile a keyed list, change a text only when it
 * changed.
 * All text goes in as text nodes: what a model or a tool wrote is never parsed as HTML, and what would turn it round is
 * shown as its code. Styles are set through the
 * CSSOM, which the
 * strict CSP allows; attributes `style` and `on…` are refused here.
 */
import { visible } from '../../trainer/protocol/visible';
import { hiddenMark, iconMark, isShown, type Content, type Markup } from '../shared/markup';

export type Child = Node | string | number | null | undefined | false;
type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
export interface Props {
  class?: string;
  on?: Listeners;
  /** CSS custom properties, e.g. {'--share': '0.4'} */
  vars?: Record<string, string>;
  [attribute: string]: unknown;
}

export interface Disposable {
  dispose(): void;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props?: Props | null,
  ...children: Child[]
): HTMLElementTagNameMap[K];
export function h(tag: string, props?: Props | null, ...children: Child[]): HTMLElement;
export function h(tag: string, props?: Props | null, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  applyProps(element, props ?? {});
  element.append(...present(children));
  return element;
}

/** SVG twin of h; attributes only. */
export function svg(tag: string, attributes: Record<string, string | number>, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...present(children));
  return element;
}

/** The element that markup describes. */
export function draw(content: Markup): HTMLElement;
export function draw(content: Content): Node | string;
export function draw(content: Content): Node | string {
  return typeof content === 'string'
    ? content
    : h(content.tag, content.props, ...content.children.map((child) => draw(child)));
}

/** A codicon. Decorative: the word stands beside it, or in the label of its button. */
export const icon = (name: string, extra = ''): HTMLElement => draw(iconMark(name, extra));

/** Text for screen readers only. */
export const hidden = (text: string): HTMLElement => draw(hiddenMark(text));

export function setText(element: Element, text: string): void {
  const shown = visible(text);
  if (element.textContent !== shown) element.textContent = shown;
}

export function setAttribute(element: Element, name: string, value: string | null): void {
  const shown = value !== null && isShown(name) ? visible(value) : value;
  if (shown === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== shown) element.setAttribute(name, shown);
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...present(children));
}

/**
 * Makes the children of `parent` those of `items`, in order: an element whose key stays is kept (with its focus and its
 * open folds) and
 * updated, the others come and go.
 */
export function keyed<T>(
  parent: Element,
  items: readonly T[],
  key: (item: T) => string,
  create: (item: T) => HTMLElement,
  update: (element: HTMLElement, item: T) => void = () => {},
): void {
  const old = new Map<string, HTMLElement>();
  for (const child of Array.from(parent.children)) {
    if (child instanceof HTMLElement && child.dataset.key !== undefined) old.set(child.dataset.key, child);
  }
  let at: Element | null = parent.firstElementChild;
  for (const item of items) {
    const k = key(item);
    let element = old.get(k);
    if (element) {
      old.delete(k);
      update(element, item);
    } else {
      element = create(item);
      element.dataset.key = k;
    }
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
  }
  for (const gone of old.values()) gone.remove();
}

function present(children: Child[]): (Node | string)[] {
  const out: (Node | string)[] = [];
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    out.push(typeof child === 'object' ? child : visible(String(child)));
  }
  return out;
}

function applyProps(element: HTMLElement, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') element.className = String(value);
    else if (name === 'on') {
      for (const [type, listener] of Object.entries(value as Listeners))
        element.addEventListener(type, listener as EventListener);
    } else if (name === 'vars') {
      for (const [property, text] of Object.entries(value as Record<string, string>))
        element.style.setProperty(property, text);
    } else if (name === 'style' || name.startsWith('on'))
      throw new Error(`h: attribute ${name} is not allowed by the CSP`);
    else setAttribute(element, name, value === true ? '' : String(value));
  }
}
