/**
 * A tree with the keys that VS Code's own trees have: up and down, right opens, left closes or goes to the parent,
 * Home, End, Enter.
 * One tab stop. Rows are kept by key, so a live update moves no focus; only the rows in the window exist.
 */
import { h, icon, type Disposable } from './dom';
import { VirtualRows } from './virtualRows';

export interface TreeNode {
  id: string;
  /** the row's content, which is also its name; asked for when the row is made, and again when `revision` changes */
  content: () => (Node | string)[];
  revision: string;
  children?: () => readonly TreeNode[];
  onOpen?: () => void;
  isCurrent?: boolean;
}

/** CSS pixels, until a row was measured */
const ROW_HEIGHT = 26;

interface Row {
  node: TreeNode;
  level: number;
  parent: string | null;
  position: number;
  of: number;
}

export class Tree implements Disposable {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly virtual: VirtualRows;
  private nodes: readonly TreeNode[] = [];
  private rows: Row[] = [];
  private readonly toggled = new Map<string, boolean>();
  private focused: string | null = null;
  private opensByDefault = true;

  constructor(label: string) {
    this.list = h('div', {
      class: 'tree',
      role: 'tree',
      'aria-label': label,
      on: { keydown: (e) => this.onKey(e), click: (e) => this.onClick(e), focusin: (e) => this.onFocus(e) },
    });
    this.virtual = new VirtualRows(this.list, {
      rowHeight: ROW_HEIGHT,
      key: (i) => this.rows[i]!.node.id,
      create: (i) =>
        this.update(
          h('div', { class: 'tree-row', role: 'treeitem', 'data-key': this.rows[i]!.node.id }),
          this.rows[i]!,
        ),
      update: (element, i) => void this.update(element, this.rows[i]!),
    });
    this.element = h('div', { class: 'tree-box' }, this.list);
  }

  set(nodes: readonly TreeNode[], options: { opensByDefault: boolean }): void {
    this.nodes = nodes;
    this.opensByDefault = options.opensByDefault;
    this.draw();
  }

  dispose(): void {
    this.virtual.dispose();
  }

  private isOpen(node: TreeNode): boolean {
    return this.toggled.get(node.id) ?? this.opensByDefault;
  }

  private draw(): void {
    this.rows = [];
    this.nodes.forEach((node, i) => {
      this.rows.push({ node, level: 1, parent: null, position: i + 1, of: this.nodes.length });
      if (!node.children || !this.isOpen(node)) return;
      const children = node.children();
      children.forEach((child, j) =>
        this.rows.push({ node: child, level: 2, parent: node.id, position: j + 1, of: children.length }),
      );
    });
    let at = this.focused === null ? -1 : this.rows.findIndex((r) => r.node.id === this.focused);
    if (at < 0)
      at = Math.max(
        0,
        this.rows.findIndex((r) => r.node.isCurrent),
      );
    this.focused = this.rows[at]?.node.id ?? null;
    this.virtual.set(this.rows.length, at);
  }

  private update(element: HTMLElement, row: Row): HTMLElement {
    const { node } = row;
    const isOpen = node.children ? this.isOpen(node) : null;
    const state = `${node.revision} ${isOpen} ${node.isCurrent ?? false} ${row.level}`;
    if (element.dataset.state !== state) {
      element.dataset.state = state;
      element.setAttribute('aria-level', String(row.level));
      if (isOpen === null) element.removeAttribute('aria-expanded');
      else element.setAttribute('aria-expanded', String(isOpen));
      element.setAttribute('aria-selected', String(node.isCurrent ?? false));
      element.replaceChildren(
        h('span', { class: 'tree-twistie' }, isOpen === null ? null : icon(isOpen ? 'chevron-down' : 'chevron-right')),
        h('span', { class: 'tree-content' }, ...node.content()),
      );
    }
    element.setAttribute('aria-posinset', String(row.position));
    element.setAttribute('aria-setsize', String(row.of));
    element.tabIndex = node.id === this.focused ? 0 : -1;
    return element;
  }

  private toggle(id: string, isOpen: boolean): void {
    this.toggled.set(id, isOpen);
    this.draw();
  }

  private focus(id: string): void {
    this.focused = id;
    const at = this.rows.findIndex((r) => r.node.id === id);
    if (at >= 0) this.virtual.focus(at);
  }

  private rowOf(target: EventTarget | null): Row | undefined {
    const element = target instanceof Element ? target.closest<HTMLElement>('[role=treeitem]') : null;
    return element ? this.rows.find((r) => r.node.id === element.dataset.key) : undefined;
  }

  private onFocus(event: FocusEvent): void {
    const row = this.rowOf(event.target);
    if (row && row.node.id !== this.focused) this.focus(row.node.id);
  }

  private onClick(event: MouseEvent): void {
    const row = this.rowOf(event.target);
    if (!row) return;
    const isTwistie = event.target instanceof Element && event.target.closest('.tree-twistie') !== null;
    if (row.node.children && (isTwistie || !row.node.onOpen)) this.toggle(row.node.id, !this.isOpen(row.node));
    else row.node.onOpen?.();
  }

  private onKey(event: KeyboardEvent): void {
    const at = this.rows.findIndex((r) => r.node.id === this.focused);
    const row = this.rows[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = row.node.children ? this.isOpen(row.node) : null;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.rows.length - 1 }[event.key];
    if (to !== undefined) {
      const next = this.rows[Math.min(this.rows.length - 1, Math.max(0, to))];
      if (next) this.focus(next.node.id);
    } else if (event.key === 'ArrowRight' && isOpen !== null) {
      if (!isOpen) this.toggle(row.node.id, true);
      else if (this.rows[at + 1]?.parent === row.node.id) this.focus(this.rows[at + 1]!.node.id);
    } else if (event.key === 'ArrowLeft' && isOpen) this.toggle(row.node.id, false);
    else if (event.key === 'ArrowLeft' && row.parent !== null) this.focus(row.parent);
    else if (event.key === 'Enter' || event.key === ' ') {
      if (row.node.onOpen) row.node.onOpen();
      else if (isOpen !== null) this.toggle(row.node.id, !isOpen);
    } else return;
    event.preventDefault();
  }
}
