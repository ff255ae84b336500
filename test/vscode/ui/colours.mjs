// Whether the colours that the panel's tests take for VS Code's themes are those that VS Code gives a webview.
import { themes } from '../../webview/themes.mjs';

/** name in window.mjs -> name in themes.mjs */
const NAMES = { dark: 'dark', light: 'light', contrast: 'highContrast', 'contrast-light': 'highContrastLight' };

/** @returns a line for each variable that differs; fonts are the machine's */
export async function colourDifferences(frame, theme) {
  const known = themes[NAMES[theme]].variables;
  const names = [...new Set(Object.values(themes).flatMap(({ variables }) => Object.keys(variables)))].filter(
    (name) => !/-font-/.test(name),
  );
  const real = await frame.evaluate((all) => {
    const style = getComputedStyle(document.documentElement);
    return all.map((name) => style.getPropertyValue(name));
  }, names);
  const plain = (colour = '') => colour.replaceAll(' ', '').toLowerCase();
  return names.flatMap((name, i) =>
    plain(known[name]) === plain(real[i]) ? [] : [`${name} is ${real[i] || 'absent'}, not ${known[name] ?? 'absent'}`],
  );
}
