/**
 * Elements as data, for what is drawn twice: as text by the extension, so that a page opens with it, and as elements by
 * the page. Free of the DOM.
 * As in dom.ts text is text: what a model or a tool wrote is escaped and visible, and neither `style` nor `on…` may be
 * given.
 */
import { visible } from '../../trainer/protocol/visible';

export type Content = Markup | string;
export interface Markup {
  tag: string;
  props: MarkupProps;
  children: Content[];
}
export interface MarkupProps {
  class?: string | undefined;
  /** CSS custom properties, e.g. {'--share': '0.4'} */
  vars?: Record<string, string>;
  [attribute: string]: string | boolean | undefined | Record<string, string>;
}

export const m = (tag: string, props: MarkupProps | null, ...children: Content[]): Markup => ({
  tag,
  props: props ?? {},
  children,
});

/** A codicon. Decorative: the word stands beside it, or in the label of its button. */
export const iconMark = (name: string, extra = ''): Markup =>
  m('span', { class: `codicon codicon-${name} ${extra}`.trim(), 'aria-hidden': 'true' });

/** Text for screen readers only. */
export const hiddenMark = (text: string): Markup => m('span', { class: 'visually-hidden' }, text);

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

/** Attributes that people see or hear; others hold values, which stay as they are. */
export const isShown = (attribute: string): boolean =>
  /^(title|alt|placeholder|aria-(label|description|valuetext))$/.test(attribute);

/** HTML, and the style rules that hold its custom properties: the CSP allows no `style` attribute. */
export class HtmlWriter {
  private readonly sets = new Map<string, number>();

  html(content: Content): string {
    if (typeof content === 'string') return escape(visible(content));
    const { tag, props, children } = content;
    const attributes = Object.entries(props)
      .map(([name, value]) => this.attribute(name, value))
      .join('');
    return `<${tag}${attributes}>${children.map((child) => this.html(child)).join('')}</${tag}>`;
  }

  get css(): string {
    return [...this.sets].map(([set, i]) => `[data-vars="${i}"]{${set}}`).join('\n');
  }

  private attribute(name: string, value: MarkupProps[string]): string {
    if (value === undefined || value === false) return '';
    if (typeof value === 'object') return ` data-vars="${this.setOf(value)}"`;
    if (!/^[a-z-]+$/.test(name) || name === 'style' || name.startsWith('on'))
      throw new Error(`markup: attribute ${name} is not allowed by the CSP`);
    return value === true ? ` ${name}` : ` ${name}="${escape(isShown(name) ? visible(value) : value)}"`;
  }

  private setOf(vars: Record<string, string>): number {
    const set = Object.entries(vars)
      .map(([name, value]) => {
        if (!/^--[a-z-]+$/.test(name) || !/^[\w.%-]+$/.test(value))
          throw new Error(`markup: ${name}: ${value} is no custom property of ours`);
        return `${name}:${value}`;
      })
      .join(';');
    const known = this.sets.get(set) ?? this.sets.size;
    this.sets.set(set, known);
    return known;
  }
}
