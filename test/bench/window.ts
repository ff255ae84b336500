/**
 * The panel in real VS Code (issue 6), on a run of 10,000 traces of 40 steps, 1 GB: from the command to its first
 * painted rows (those in its HTML) and to the living page's, beside
 * an empty webview's opening in the same window, and from the moment the page's script says ready to the living rows;
 * and the p99 of the extension host's event-loop delay beside a training that streams 200 events a second, against
 * the same training with none. Medians of alternating rounds. One line of JSON; `isMet` holds each of the bars.
 *
 * Run: npm run bench window (the rig of test/vscode must be installed: node test/vscode/prepare-vscode.mjs)
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { median, processor, round } from './measured';
import { writeBigRun } from './panelRun';

const root = path.resolve(__dirname, '../..');

interface Painted {
  what: 'empty' | 'panel';
  ready: number;
  painted: number;
  living: number;
}

/**
 * Runs in every frame before its page; in a webview's outer one it looks into the inner one at each frame that is
 * shown, and tells when what is looked for was painted, on the clock of the wall.
 */
function watch(): void {
  if (!/webview/.test(location.pathname)) return;
  const now = (): number => performance.timeOrigin + performance.now();
  const find = (selector: string): boolean =>
    Array.from(document.querySelectorAll('iframe')).some(
      (frame) => frame.style.visibility !== 'hidden' && frame.contentDocument?.querySelector(selector),
    );
  const times = { ready: 0, painted: 0, living: 0 };
  /** once the frame is painted */
  const note = (name: 'painted' | 'living', done: () => void): void => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => ((times[name] = now()), done());
    channel.port2.postMessage(null);
  };
  const tell = (what: Painted['what']): void =>
    (window as unknown as { benchPainted(told: string): void }).benchPainted(JSON.stringify({ what, ...times }));
  const look = (): void => {
    if (times.ready === 0 && find('#app[data-script]')) times.ready = now(); // main.ts says ready
    if (find('#empty')) return note('painted', () => tell('empty'));
    if (find('#app [role=treeitem][tabindex]'))
      return note('living', () => ((times.painted ||= times.living), tell('panel')));
    if (times.painted === 0 && find('#app [role=treeitem]')) note('painted', () => undefined);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** The host half and the training, bundled: VS Code loads no TypeScript. */
function bundle(folder: string): { host: string; trainer: string } {
  buildSync({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'error',
    external: ['vscode', 'onnxruntime-node', 'ts-morph', '@tensorflow/tfjs-node', '@tensorflow/tfjs-node-gpu'],
    define: { 'import.meta.url': '__bundleUrl' },
    banner: { js: "const __bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    entryPoints: {
      'bench/windowHost': 'test/bench/windowHost.ts',
      'bench/windowTrainer': 'test/bench/windowTrainer.ts',
    },
    outdir: folder,
  });
  return { host: path.join(folder, 'bench/windowHost.js'), trainer: path.join(folder, 'bench/windowTrainer.js') };
}

async function measure(): Promise<{
  opened: { what: string; at: number }[];
  painted: Painted[];
  delays: Record<string, number[]>;
}> {
  const { startVSCode } = await import('../vscode/server.mjs');
  const { launchChromium } = await import('../vscode/chromium.mjs');
  const { makeWorkspace } = await import('../vscode/workspace.mjs');
  execFileSync(process.execPath, ['extension/build/build.mjs', '--production', '--out', 'dist'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const workspace = makeWorkspace();
  const { host, trainer } = bundle(path.join(root, 'dist/test'));
  writeBigRun(workspace.dir);
  const code = await startVSCode({ env: { COACH_BENCH_NODE: process.execPath, COACH_BENCH_TRAINER: trainer } });
  const browser = await launchChromium();
  const result = {
    opened: [] as { what: string; at: number }[],
    painted: [] as Painted[],
    delays: {} as Record<string, number[]>,
  };
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.exposeFunction(
      'benchPainted',
      (told: string) => void result.painted.push(JSON.parse(told) as Painted),
    );
    await context.addInitScript({ content: `globalThis.__name = (value) => value; (${watch.toString()})()` });
    const page = await context.newPage();
    const ended = new Promise<number>((resolve) => void page.exposeFunction('codeAutomationExit', resolve));
    await page.exposeFunction('codeAutomationLog', (_level: string, args: unknown[]) => {
      const [, kind, what, value] = /^bench (open|delay) (\w+) ([\d.]+)/.exec(String(args[0])) ?? [];
      if (kind === 'open') result.opened.push({ what: what!, at: Number(value) });
      if (kind === 'delay') (result.delays[what!] ??= []).push(Number(value));
    });
    await page.goto(code.url({ workspace: workspace.dir, extension: root, tests: host }));
    if ((await ended) !== 0) throw new Error('window: the half in the extension host failed');
  } finally {
    await browser.close().catch(() => undefined);
    await code.stop();
    workspace.dispose();
  }
  return result;
}

async function main(): Promise<void> {
  const { opened, painted, delays } = await measure();
  if (opened.length === 0 || opened.length !== painted.length)
    throw new Error(`window: ${opened.length} were opened, ${painted.length} painted`);
  const times = (what: string, time: (one: Painted, at: number) => number): number =>
    round(median(opened.flatMap((one, i) => (one.what === what ? [time(painted[i]!, one.at)] : []))), 1);
  const first = {
    empty: times('empty', (one, at) => one.painted - at),
    panel: times('panel', (one, at) => one.painted - at),
    living: times('panel', (one, at) => one.living - at),
    afterReady: times('panel', (one) => one.living - one.ready),
  };
  const p99 = {
    silent: round(median(delays['silent'] ?? []), 2),
    streamed: round(median(delays['streamed'] ?? []), 2),
  };
  const ratio = { opening: round(first.panel / first.empty, 2), delay: round(p99.streamed / p99.silent, 2) };
  console.log(
    JSON.stringify({
      bench: 'window',
      firstRowsMs: first,
      eventLoopP99Ms: p99,
      ratio,
      rounds: { opening: opened.length / 2, delay: delays['silent']?.length },
      isMet: { opening: ratio.opening <= 1.5, afterReady: first.afterReady <= 300, delay: ratio.delay <= 1.5 },
      processor: processor(),
    }),
  );
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
