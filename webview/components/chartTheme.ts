/** The charts' colours and font: VS Code's own, read from the CSS variables, and read again when the theme changes. */
import type { Disposable } from './dom';

export interface ChartTheme {
  text: string;
  faint: string;
  grid: string;
  background: string;
  font: string;
  /** by slot; the first is the main line */
  lines: string[];
  compared: string;
  isHighContrast: boolean;
}

/** Dash pattern by slot, so that lines differ without their colours; in CSS pixels. */
const DASHES: number[][] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3]];
const COMPARED_DASH = [3, 3];
const COMPARED_DASHES: number[][] = [COMPARED_DASH, [1, 3], [8, 3], [8, 3, 1, 3], [5, 2, 1, 2, 1, 2]];
export const dashOf = (slot: number): number[] =>
  slot < 0 ? COMPARED_DASHES[(-1 - slot) % COMPARED_DASHES.length]! : DASHES[slot % DASHES.length]!;

/** By slot. Never charts.orange: VS Code's own themes have it see-through, or not at all (high contrast). */
export const LINE_COLOURS = [
  'charts-blue',
  'charts-yellow',
  'charts-green',
  'charts-purple',
  'charts-red',
  'charts-foreground',
] as const;

export function readTheme(): ChartTheme {
  const style = getComputedStyle(document.body);
  const read = (...names: string[]): string => {
    for (const name of names) {
      const value = style.getPropertyValue(name).trim();
      if (value) return value;
    }
    return style.color;
  };
  const text = read('--vscode-foreground');
  return {
    text: read('--vscode-descriptionForeground', '--vscode-foreground'),
    faint: read('--vscode-disabledForeground', '--vscode-descriptionForeground'),
    grid: read('--coach-grid'),
    background: read('--vscode-editor-background'),
    font: `11px ${style.fontFamily}`,
    lines: LINE_COLOURS.map((name) => read(`--vscode-${name}`)),
    compared: text,
    isHighContrast:
      document.body.classList.contains('vscode-high-contrast') ||
      document.body.classList.contains('vscode-high-contrast-light'),
  };
}

export const colourOf = (theme: ChartTheme, slot: number): string =>
  slot === -1
    ? theme.compared
    : slot < 0
      ? theme.lines[(theme.lines.length + slot + 1) % theme.lines.length]!
      : theme.lines[slot % theme.lines.length]!;

/** VS Code changes the class of the body and the variables on the root element. */
export function onThemeChange(listener: () => void): Disposable {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return { dispose: () => observer.disconnect() };
}
