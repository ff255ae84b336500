/**
 * The panel's page in a real browser, without VS Code: the bundle as it ships, the same strict CSP, a stub of
 * acquireVsCodeApi that keeps
 * what the page posts, and VS Code's theme variables. Needs the rig of test/vscode (playwright-core, a Chromium): node
 * test/vscode/prepare-vscode.mjs installs it.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { webviewBundle } from '../../webview/bundle.mjs';
import { pageHtml } from '../../webview/shared/pageHtml.ts';
import { launchChromium } from '../vscode/chromium.mjs';
import { themes } from './themes.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const artifacts = path.join(root, 'test/artifacts/webview');
const bundleDir = path.join(root, 'dist/test-webview');

/** One browser and one small server for a whole suite. */
export async function openRig() {
  mkdirSync(artifacts, { recursive: true });
  await build(webviewBundle(bundleDir));
  let first = null; // of the panel that is opened next
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/') return response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html(first));
    try {
      const types = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };
      response
        .setHeader('Content-Type', types[path.extname(pathname)] ?? 'application/octet-stream')
        .end(readFileSync(path.join(bundleDir, path.basename(pathname))));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium();
  const url = `http://127.0.0.1:${server.address().port}/`;
  return {
    browser,
    openPanel: (options = {}) => ((first = options.first ?? null), openPanel(browser, url, options)),
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** cspSource is this server. */
const html = (first) =>
  pageHtml({
    lang: 'en',
    nonce: 'harness',
    cspSource: "'self'",
    asset: (name) => `/${name}`,
    css: readFileSync(path.join(bundleDir, 'first.css'), 'utf8'),
    first,
  });

/**
 * A page with the stub; `problems` gathers everything that must not happen: CSP violations, exceptions, console
 * errors.
 */
async function openPanel(
  browser,
  url,
  {
    theme = 'dark',
    width = 1280,
    height = 900,
    scale = 1,
    state,
    reducedMotion = 'reduce',
    withAxe = false,
    answerReady = null,
    beforeScript = null,
  },
) {
  const context = await browser.newContext({
    viewport: { width: Math.round(width / scale), height: Math.round(height / scale) },
    deviceScaleFactor: scale,
    reducedMotion,
  });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  // tsx names the functions that are sent to the page with it
  await page.addInitScript({ content: 'globalThis.__name = (value) => value;' });
  // an init script is not held to the page's CSP
  if (withAxe) await page.addInitScript({ path: path.join(root, 'node_modules/axe-core/axe.min.js') });
  await page.addInitScript(stub, { theme: themes[theme], state, answerReady });
  if (beforeScript) {
    await page.route('**/main.js', async (route) => {
      await beforeScript(page);
      await route.continue();
    });
  }
  await page.goto(url);
  // Not waitForFunction: the page's CSP forbids the eval that it needs.
  for (let tries = 0; !(await page.evaluate(() => window.harness.posted.some((m) => m.type === 'ready'))); tries++) {
    if (tries > 200) throw new Error(`the page never said ready: ${problems.join('; ') || 'no error either'}`);
    await page.waitForTimeout(25);
  }
  const panel = {
    page,
    problems,
    send: (...events) => page.evaluate((all) => all.forEach((event) => window.postMessage(event, '*')), events),
    posted: (type) => page.evaluate((t) => window.harness.posted.filter((m) => t === undefined || m.type === t), type),
    state: () => page.evaluate(() => window.harness.state),
    setTheme: (name) => page.evaluate((t) => window.harness.setTheme(t), themes[name]),
    /** Two frames: the store's and the observer's that draws late. */
    settle: () =>
      page.evaluate(
        () =>
          new Promise((resolve) =>
            setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 30))), 30),
          ),
      ),
    async shot(name, options = {}) {
      await panel.settle();
      const file = path.join(artifacts, `${name}.png`);
      await page.screenshot({ path: file, fullPage: true, ...options });
      return file;
    },
    /**
     * Sends the snapshot, then answers each openTrace with what `traceOf` makes, and other requests with what `answer`
     * makes, if anything.
     */
    async serve(snapshot, traceOf, answer = () => null) {
      await page.exposeFunction('makeTrace', (summary) => traceOf(summary));
      await page.exposeFunction('makeAnswer', (message) => answer(message));
      await page.evaluate(() => {
        window.harness.onPost = async (message) => {
          if (message.type !== 'openTrace') {
            const event = await window.makeAnswer(message);
            if (event) window.postMessage(event, '*');
            return;
          }
          const made = await window.makeTrace(message.summary);
          window.postMessage(
            made.error
              ? { type: 'failed', request: 'openTrace', traceId: message.summary.id, error: made.error }
              : { type: 'trace', runId: message.runId, ...made },
            '*',
          );
        };
      });
      await panel.send(snapshot);
      await panel.settle();
    },
    /** CPU time that the page's main thread has spent so far, ms: other work on the machine does not count. */
    async cpu() {
      if (!panel.session) {
        panel.session = await context.newCDPSession(page);
        await panel.session.send('Performance.enable', { timeDomain: 'threadTicks' });
      }
      const { metrics } = await panel.session.send('Performance.getMetrics');
      return 1000 * metrics.find((metric) => metric.name === 'TaskDuration').value;
    },
    /** Of the page after a collection, MiB: JavaScript objects and what the DOM keeps in the same heap. */
    async heapMb() {
      await panel.cpu(); // opens the session
      await panel.session.send('HeapProfiler.enable');
      await panel.session.send('HeapProfiler.collectGarbage');
      const {
        usedSize,
        embedderHeapUsedSize = 0,
        backingStorageSize = 0,
      } = await panel.session.send('Runtime.getHeapUsage');
      return (usedSize + embedderHeapUsedSize + backingStorageSize) / 2 ** 20;
    },
    /** What axe-core finds: {id, impact, nodes} of each violation. */
    async violations() {
      await panel.settle();
      return page.evaluate(async () =>
        (await window.axe.run(document, { resultTypes: ['violations'] })).violations.map((v) => ({
          id: v.id,
          impact: v.impact,
          nodes: v.nodes.slice(0, 4).map((n) => `${n.target.join(' ')}: ${n.failureSummary}`),
        })),
      );
    },
    close: () => context.close(),
  };
  return panel;
}

/** Runs in the page before its script. */
function stub({ theme, state, answerReady }) {
  const harness = {
    posted: [],
    state,
    onPost: null,
    times: { ready: 0, painted: null, all: null },
    setTheme(next) {
      const { style } = document.documentElement;
      for (const name of [...style]) style.removeProperty(name);
      for (const [name, value] of Object.entries(next.variables)) style.setProperty(name, value);
      document.body.className = next.kind;
      document.body.dataset.vscodeThemeKind = next.kind;
    },
  };
  window.harness = harness;
  /**
   * Inside the page, for benches: what comes through a webview's channel is parsed; the frame with the first match is
   * the one that is painted.
   */
  function notePainted(isThere, note) {
    const observer = new MutationObserver(() => {
      if (!isThere()) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => note(performance.now());
        channel.port2.postMessage(null);
      });
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  }
  function answer({ message, selector }) {
    harness.times.ready = performance.now();
    notePainted(
      () => document.querySelector(selector),
      (time) => (harness.times.painted = time),
    );
    setTimeout(() => window.postMessage(JSON.parse(message), '*'));
  }
  function answerAll({ pieces, text }) {
    const started = performance.now();
    notePainted(
      () => document.getElementById('app').textContent.includes(text),
      (time) => (harness.times.all = time - started),
    );
    for (const piece of pieces) window.postMessage(JSON.parse(piece), '*');
  }
  window.acquireVsCodeApi = () => ({
    postMessage(message) {
      harness.posted.push(structuredClone(message));
      harness.onPost?.(message);
      if (message.type === 'ready' && answerReady) answer(answerReady);
      if (message.type === 'allTraces' && answerReady?.all) answerAll(answerReady.all);
    },
    getState: () => harness.state,
    setState: (next) => {
      harness.state = structuredClone(next);
    },
  });
  const apply = () => (document.body ? harness.setTheme(theme) : requestAnimationFrame(apply));
  new MutationObserver((_, observer) => {
    if (document.body) {
      observer.disconnect();
      harness.setTheme(theme);
    }
  }).observe(document, { childList: true, subtree: true });
  apply();
}
