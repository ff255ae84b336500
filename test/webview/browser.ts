/** What every test of the panel in a real Chromium begins and ends with: the rig, a panel at a time, its snapshot. */
import assert from 'node:assert/strict';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { RunState } from '../../trainer/protocol/runState';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import type { TrainerError } from '../../trainer/protocol/result';
import type { PanelEvent, PanelRequest, Route } from '../../webview/messages';
import { openRig, type Page, type Panel, type PanelOptions, type Rig, type ThemeName } from './harness.mjs';
import { traceOf } from './traceFixture';

/** COACH_THEMES=dark runs one theme only. */
export const themes = (process.env['COACH_THEMES']?.split(',') ?? [
  'dark',
  'light',
  'highContrast',
  'highContrastLight',
]) as ThemeName[];

export type Snapshot = Extract<PanelEvent, { type: 'snapshot' }>;
type Made = { trace: Trace; tokenTexts: string[] } | { error: TrainerError };

/** What the host posts first, of a run that may be trained. */
export const snapshotOf = (
  run: { runId: string; state: RunState; runs: RunInfo[] },
  more: Partial<Snapshot> = {},
): Snapshot => ({ type: 'snapshot', strings: {}, locale: 'en', trainingRefused: null, ...run, ...more });

export interface Shown {
  run: { runId: string; state: RunState; runs: RunInfo[] };
  /** a trace that the page asks for; default: the fixture's */
  trace?: (summary: TraceSummary) => Made;
  /** what the host answers any other request with */
  answer?: (request: PanelRequest) => PanelEvent | null;
}

export class Browser {
  rig!: Rig;
  panel!: Panel;

  constructor(private readonly shown: Shown) {}

  get page(): Page {
    return this.panel.page;
  }

  /** Opens a panel on the run, at a page, and waits until it is still. */
  async show(
    route?: Route,
    options: PanelOptions = {},
    { snapshot = {}, trace, answer }: Partial<Omit<Shown, 'run'>> & { snapshot?: Partial<Snapshot> } = {},
  ): Promise<Panel> {
    const { run } = this.shown;
    this.panel = await this.rig.openPanel(options);
    await this.panel.serve(
      snapshotOf(run, { ...(route ? { route } : {}), ...snapshot }),
      trace ?? this.shown.trace ?? ((summary) => traceOf(summary, run.runId)),
      answer ?? this.shown.answer,
    );
    await this.panel.settle();
    return this.panel;
  }

  async go(route: Route): Promise<void> {
    await this.panel.send({ type: 'navigate', runId: this.shown.run.runId, route });
    await this.panel.settle();
  }

  /** Pixels that the page is wider than the window. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  }

  /** What axe-core finds that is serious or worse; the panel was opened with it. */
  async serious(): Promise<string[]> {
    return (await this.panel.violations())
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => `${id} (${impact})\n    ${nodes.join('\n    ').replaceAll('\n', ' ')}`);
  }
}

/** For a `describe`: the rig for all of its tests, a panel for each, which must end without a problem. */
export function inBrowser(shown: Shown): Browser {
  const browser = new Browser(shown);
  before(async () => {
    browser.rig = await openRig();
  });
  after(() => browser.rig?.close());
  afterEach(async () => {
    if (!browser.panel) return;
    await browser.panel.close();
    assert.deepEqual(browser.panel.problems, [], 'CSP violations, exceptions or console errors');
  });
  return browser;
}
