import type { PanelEvent, PanelRequest } from '../../webview/messages';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import type { FirstScreen } from '../../webview/shared/firstScreen';
import type { TrainerError } from '../../trainer/protocol/result';

/** The part of Playwright's Page that the tests use; the package lives in the rig of test/vscode, not in the repository's own modules. */
export interface Locator {
  click(options?: object): Promise<void>;
  focus(): Promise<void>;
  fill(value: string): Promise<void>;
  press(key: string): Promise<void>;
  hover(): Promise<void>;
  waitFor(options?: object): Promise<void>;
  count(): Promise<number>;
  first(): Locator;
  nth(index: number): Locator;
  locator(selector: string, options?: { hasText?: string | RegExp }): Locator;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator;
  filter(options: { hasText: string | RegExp }): Locator;
  textContent(): Promise<string | null>;
  innerText(): Promise<string>;
  isVisible(): Promise<boolean>;
  getAttribute(name: string): Promise<string | null>;
  allInnerTexts(): Promise<string[]>;
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
  check(): Promise<void>;
  getByLabel(text: string, options?: { exact?: boolean }): Locator;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Locator;
  evaluateAll<T>(run: (elements: HTMLElement[]) => T): Promise<T>;
  evaluate<T>(run: (element: HTMLElement) => T): Promise<T>;
}
export interface Page {
  evaluate<T, A = undefined>(run: (argument: A) => T | Promise<T>, argument?: A): Promise<T>;
  locator(selector: string): Locator;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean; level?: number }): Locator;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator;
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  screenshot(options: {
    path?: string;
    fullPage?: boolean;
    clip?: { x: number; y: number; width: number; height: number };
  }): Promise<Buffer>;
  waitForTimeout(ms: number): Promise<void>;
  mouse: { move(x: number, y: number): Promise<void> };
}
export type ThemeName = 'dark' | 'light' | 'highContrast' | 'highContrastLight';
export interface Panel {
  page: Page;
  problems: string[];
  send(...events: PanelEvent[]): Promise<void>;
  posted<T extends PanelRequest['type']>(type: T): Promise<Extract<PanelRequest, { type: T }>[]>;
  state(): Promise<unknown>;
  setTheme(name: ThemeName): Promise<void>;
  settle(): Promise<void>;
  shot(name: string, options?: object): Promise<string>;
  serve(snapshot: PanelEvent, traceOf: (summary: TraceSummary) => { trace: Trace; tokenTexts: string[] } | { error: TrainerError }, answer?: (request: PanelRequest) => PanelEvent | null): Promise<void>;
  cpu(): Promise<number>;
  heapMb(): Promise<number>;
  violations(): Promise<{ id: string; impact: string | null; nodes: string[] }[]>;
  close(): Promise<void>;
}
export interface PanelOptions {
  theme?: ThemeName;
  width?: number;
  height?: number;
  /** browser zoom, e.g. 2 = 200 % */
  scale?: number;
  state?: unknown;
  /** loads axe-core into the page */
  withAxe?: boolean;
  /**
   * the page's ready is answered inside the page with this JSON; harness.times tells when `selector` was painted. all:
   * answers to its asking for all traces; harness.times.all tells how long it took until `text` was painted, ms
   */
  answerReady?: { message: string; selector: string; all?: { pieces: string[]; text: string } };
  /** what stands in the page's HTML */
  first?: FirstScreen | null;
  /** runs while the page has its HTML, and its script is not there yet */
  beforeScript?: (page: Page) => Promise<void>;
}
export interface Rig {
  openPanel(options?: PanelOptions): Promise<Panel>;
  close(): Promise<void>;
}
export function openRig(): Promise<Rig>;
export const artifacts: string;
