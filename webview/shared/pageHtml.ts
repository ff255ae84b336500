/**
 * The panel's document. VS Code shows a webview only when its `load` event has come, so nothing that the document
 * itself asks for may be slow: its ground
 * rules stand in it, and with them, where there is one, a first screen; theme.css and main.js are asked for after
 * `load`. What is posted to the page until
 * main.js listens is kept for it.
 */
import type { FirstScreen } from './firstScreen';
import type { PanelRequest } from '../messages';

export interface VsCodeApi {
  postMessage(message: PanelRequest): void;
  getState(): unknown;
  setState(state: object): void;
}

export interface PageParts {
  lang: string;
  nonce: string;
  cspSource: string;
  /** address of a file of dist/webview */
  asset(name: string): string;
  /** the text of first.css */
  css: string;
  first: FirstScreen | null;
}

/** What the boot script leaves for main.ts (host.ts). */
export interface Booted {
  /** may be taken once a page */
  coachApi?: VsCodeApi;
  /** messages that came before somebody listened; null: somebody does */
  coachEarly?: unknown[] | null;
  /** theme.css is there, or can't be had */
  coachStyled?: Promise<unknown>;
}

/**
 * Nonce and addresses are on its own element, so that it is the same text for all pages. A page that comes back (VS
 * Code writes the same document again) stands
 * where the user left it, so then the first screen is none.
 */
const BOOT = `{
  const { nonce, dataset } = document.currentScript;
  window.coachApi = acquireVsCodeApi();
  if (window.coachApi.getState()) document.getElementById('app').replaceWith(Object.assign(document.createElement('div'), { id: 'app' }));
  window.coachEarly = [];
  addEventListener('message', ({ data }) => window.coachEarly?.push(data));
  addEventListener('load', () => {
    const theme = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: dataset.theme });
    window.coachStyled = new Promise((resolve) => (theme.onload = theme.onerror = resolve));
    document.head.append(theme, Object.assign(document.createElement('script'), { nonce, src: dataset.main }));
  });
}`;

export function pageHtml({ lang, nonce, cspSource, asset, css, first }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${lang}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Coach</title>
  <style nonce="${nonce}">${css}${first?.css ?? ''}</style>
</head>
<body>
  <div id="app"${first ? ' class="is-first" aria-busy="true"' : ''}>${first?.html ?? ''}</div>
  <script nonce="${nonce}" data-theme="${asset('theme.css')}" data-main="${asset('main.js')}">${BOOT}</script>
</body>
</html>`;
}
