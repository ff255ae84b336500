/**
 * How the panel is bundled: esbuild options, used by the build script and by the browser tests, so that both see the
 * same page.
 * Out come main.js, theme.css and the codicon font beside it, and first.css, which pageHtml.ts writes into the
 * document.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The toolkit asks at load whether the browser knows :focus-visible, by an inline <style>, which the CSP refuses: a
 * violation in the log,
 * and rings on every click. Every Chromium that VS Code has shipped since 2021 knows it.
 */
const knowsFocusVisible = {
  name: 'knows-focus-visible',
  setup(build) {
    build.onLoad({ filter: /fast-foundation[\\/]dist[\\/]esm[\\/]utilities[\\/]style[\\/]focus\.js$/ }, () => ({
      contents: "export const focusVisible = 'focus-visible';",
    }));
  },
};

/**
 * The toolkit copies the theme's colours on `load`; the page's script comes after it (pageHtml.ts), and the tokens are
 * all there when it has run.
 */
const startsAfterLoad = {
  name: 'starts-after-load',
  setup(build) {
    build.onLoad(
      { filter: /webview-ui-toolkit[\\/]dist[\\/]utilities[\\/]theme[\\/]applyTheme\.js$/ },
      async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const contents = source.replace("window.addEventListener('load', () => {", 'queueMicrotask(() => {');
        if (contents === source) throw new Error('the toolkit no longer waits for load in applyTheme.js');
        return { contents };
      },
    );
  },
};

/** @returns {import('esbuild').BuildOptions} */
export const webviewBundle = (outdir, { minify = true, sourcemap = false } = {}) => ({
  entryPoints: { main: here('main.ts'), theme: here('styles/theme.css'), first: here('styles/first.css') },
  outdir,
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: ['chrome128'],
  loader: { '.ttf': 'file' },
  plugins: [knowsFocusVisible, startsAfterLoad],
  alias: { zod: here('derive/noSchemas.ts') },
  assetNames: '[name]',
  minify,
  sourcemap,
  legalComments: 'none',
  logLevel: 'warning',
});
