/**
 * The one file that knows @vscode/webview-ui-toolkit (archived; when it is replaced, this file changes and no other).
 * Views ask for a
 * button, a check box, a drop-down, a text field or a ring, and get an element with the few knobs they need.
 *
 * CSP: FAST puts its styles into constructable style sheets (`adoptedStyleSheets`), in components as in the design
 * tokens' :root rule,
 * wherever the browser has them; Chromium, so VS Code, has. Its one inline <style>, a test for :focus-visible, is
 * answered at build time
 * (bundle.mjs). So `style-src ${cspSource}` without 'unsafe-inline' is enough for it; the browser test loads the page
 * under that
 * policy and fails on any violation. The toolkit copies the theme's colours when it was loaded (bundle.mjs) and when
 * the body's class changes.
 */
import {
  type Button,
  type Checkbox,
  type Dropdown,
  type TextField,
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeProgressRing,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { h, icon, setAttribute, setText } from './dom';

export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeProgressRing(),
    vsCodeTextField(),
  );
}

export interface ButtonOptions {
  label: string;
  /** codicon name */
  icon?: string;
  kind?: 'primary' | 'secondary' | 'icon';
  /** tooltip; an icon button's label is its tooltip anyway */
  title?: string;
  onClick: () => void;
}
export interface ButtonControl {
  element: HTMLElement;
  setLabel(label: string): void;
  setDisabled(isDisabled: boolean): void;
  /** For a button that switches something on. */
  setPressed(isPressed: boolean): void;
}

export function button(options: ButtonOptions): ButtonControl {
  const kind = options.kind ?? 'secondary';
  const text = h('span', { class: 'control-text' }, options.label);
  const element = h('vscode-button', {
    appearance: kind,
    class: `control-button ${kind}`,
    title: options.title ?? (kind === 'icon' ? options.label : undefined),
    on: { click: options.onClick },
  }) as Button;
  if (kind === 'icon') {
    element.append(icon(options.icon ?? 'circle'));
    element.setAttribute('aria-label', options.label);
  } else {
    if (options.icon) element.append(slotted(icon(options.icon)));
    element.append(text);
  }
  return {
    element,
    setLabel(label) {
      if (kind === 'icon') {
        setAttribute(element, 'aria-label', label);
        setAttribute(element, 'title', label);
      } else setText(text, label);
    },
    setDisabled(isDisabled) {
      if (element.disabled !== isDisabled) element.disabled = isDisabled;
    },
    setPressed(isPressed) {
      // FAST's Button hands ariaPressed on to the native button in its shadow; an attribute on the host would not be
      // heard.
      element.ariaPressed = String(isPressed) as 'true' | 'false';
      element.classList.toggle('pressed', isPressed);
    },
  };
}

export function checkbox(
  label: string,
  onChange: (isChecked: boolean) => void,
): { element: HTMLElement; set(isChecked: boolean): void } {
  const element = h('vscode-checkbox', { class: 'control-checkbox' }, label) as Checkbox;
  element.addEventListener('change', () => onChange(element.checked));
  return {
    element,
    set(isChecked) {
      if (element.checked !== isChecked) element.checked = isChecked;
    },
  };
}

export interface Option {
  value: string;
  label: string;
}

export function dropdown(
  label: string,
  onChange: (value: string) => void,
): { element: HTMLElement; set(options: readonly Option[], value: string): void } {
  const element = h('vscode-dropdown', { class: 'control-dropdown', 'aria-label': label, title: label }) as Dropdown;
  element.addEventListener('change', () => onChange(element.value));
  let shown = '';
  return {
    element,
    set(options, value) {
      const next = options.map((o) => `${o.value}\u0000${o.label}`).join('\u0001');
      if (next !== shown) {
        shown = next;
        element.replaceChildren(
          ...options.map((o) => h('vscode-option', { value: o.value, selected: o.value === value }, o.label)),
        );
      }
      if (element.value !== value) element.value = value;
    },
  };
}

export function textField(
  label: string,
  placeholder: string,
  onInput: (value: string) => void,
): { element: HTMLElement; set(value: string): void } {
  const element = h('vscode-text-field', {
    class: 'control-text-field',
    'aria-label': label,
    placeholder,
  }) as TextField;
  element.append(h('span', { slot: 'start', class: 'codicon codicon-search', 'aria-hidden': 'true' }));
  element.addEventListener('input', () => onInput(element.value));
  return {
    element,
    set(value) {
      if (element.value !== value) element.value = value;
    },
  };
}

export function progressRing(label: string): HTMLElement {
  return h(
    'div',
    { class: 'ring', role: 'status' },
    h('vscode-progress-ring', { 'aria-hidden': 'true' }),
    h('span', null, label),
  );
}

function slotted(element: HTMLElement): HTMLElement {
  element.slot = 'start';
  return element;
}
