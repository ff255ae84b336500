/** Tabs as WAI-ARIA describes them: one tab stop, arrows move and select, the panel is labelled by its tab. */
import { h, keyed, replace, type Child } from './dom';

export interface Tab {
  id: string;
  label: string;
}

let nextGroup = 0;

export class Tabs {
  readonly list: HTMLElement;
  readonly panel: HTMLElement;
  private tabs: readonly Tab[] = [];
  private selected = '';
  private readonly prefix = `tabs${nextGroup++}`;

  constructor(
    label: string,
    private readonly onSelect: (id: string) => void,
  ) {
    this.list = h('div', {
      class: 'tabs',
      role: 'tablist',
      'aria-label': label,
      on: { keydown: (event) => this.onKey(event) },
    });
    this.panel = h('div', { class: 'tab-panel', role: 'tabpanel', id: `${this.prefix}-panel`, tabindex: '0' });
  }

  set(tabs: readonly Tab[], selected: string): void {
    this.tabs = tabs;
    this.selected = selected;
    keyed(
      this.list,
      tabs,
      (tab) => tab.id,
      (tab) =>
        this.decorate(
          h(
            'button',
            {
              type: 'button',
              class: 'tab',
              role: 'tab',
              id: `${this.prefix}-${tab.id}`,
              'aria-controls': this.panel.id,
              on: { click: () => this.onSelect(tab.id) },
            },
            tab.label,
          ),
          tab,
        ),
      (element, tab) => this.decorate(element, tab),
    );
    this.panel.setAttribute('aria-labelledby', `${this.prefix}-${selected}`);
  }

  show(...children: Child[]): void {
    replace(this.panel, ...children);
  }

  private decorate(element: HTMLElement, tab: Tab): HTMLElement {
    const isSelected = tab.id === this.selected;
    element.setAttribute('aria-selected', String(isSelected));
    element.tabIndex = isSelected ? 0 : -1;
    return element;
  }

  private onKey(event: KeyboardEvent): void {
    const at = this.tabs.findIndex((tab) => tab.id === this.selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = this.tabs[(to + this.tabs.length) % this.tabs.length]!;
    this.onSelect(tab.id);
    this.list.querySelector<HTMLElement>(`#${this.prefix}-${CSS.escape(tab.id)}`)?.focus();
  }
}
