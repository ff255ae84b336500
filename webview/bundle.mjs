/**
 * How the panel is bundled: esbuild options, used by the build script and by the browser tests, so that both see the same page.
 * Out come main.js, theme.css and the codicon font beside it (CSP: script-src nonce, style-src and font-src cspSource; nothing inline).
 */
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The toolkit asks at load whether the browser knows :focus-visible, by an inline <style>, which the CSP refuses: a violation in the log,
 * and rings on every click. Every Chromium that VS Code has shipped since 2021 knows it.
 */
const knowsFocusVisible = {
  name: 'knows-focus-visible',
  setup(build) {
    build.onLoad({ filter: /fast-foundation[\\/]dist[\\/]esm[\\/]utilities[\\/]style[\\/]focus\.js$/ }, () => ({ contents: "export const focusVisible = 'focus-visible';" }));
  },
};

/** @returns {import('esbuild').BuildOptions} */
export const webviewBundle = (outdir, { minify = true, sourcemap = false } = {}) => ({
  entryPoints: { main: here('main.ts'), theme: here('theme.css') },
  outdir,
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: ['chrome128'],
  loader: { '.ttf': 'file' },
  plugins: [knowsFocusVisible],
  alias: { zod: here('noSchemas.ts') },
  assetNames: '[name]',
  minify,
  sourcemap,
  legalComments: 'none',
  logLevel: 'warning',
});
