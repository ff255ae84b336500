import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LINE_COLOURS } from '../../webview/components/chartTheme';
import { themes } from './themes.mjs';

/** Of a colour without transparency, as WCAG 2 has it. */
function luminance(hex: string): number {
  assert.match(hex, /^#[0-9a-f]{6}$/, 'a colour that one can see through has no contrast of its own');
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

describe('colours of charts', () => {
  for (const [name, { variables }] of Object.entries(themes))
    it(`${name}: each line has a contrast of 3 to the background`, () => {
      for (const colour of LINE_COLOURS) {
        const value = variables[`--vscode-${colour}`]!;
        assert.ok(contrast(value, variables['--vscode-editor-background']!) >= 3, `${colour} ${value}`);
      }
    });

  it('none is charts.orange, which VS Code has see-through', () => {
    const folder = path.resolve(__dirname, '../../webview/styles');
    for (const file of readdirSync(folder))
      assert.doesNotMatch(readFileSync(path.join(folder, file), 'utf8'), /charts-orange/, file);
  });
});
