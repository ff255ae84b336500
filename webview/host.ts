/**
 * The page's only way out: post a request, hear events, keep a little navigation state. Views never see VS Code's
 * object, which the boot script took
 * (pageHtml.ts); main.ts calls vscodeHost once and passes it on; tests pass one of their own.
 */
import type { Disposable } from './components/dom';
import type { PanelEvent, PanelRequest, Route } from './messages';
import type { Booted } from './shared/pageHtml';

/** What survives hiding and reloading: where the page stood and how the charts were set; never data. */
export interface SavedState {
  version: 1;
  runId: string | null;
  route: Route;
  charts: ChartSettings;
  /** absent in states of older versions */
  opened?: Opened;
}

/** What the user has open within the pages: names and texts typed, never data. */
export interface Opened {
  /** way to read a trace */
  tab?: string;
  /** text searched for in a trace */
  find?: string;
  /** tokens as rows instead of chips */
  tokensAsTable?: boolean;
  /** typed on the page Try */
  prompt?: string;
  /** filter of the traces */
  only?: string;
  filter?: string;
}

export interface ChartSettings {
  /** weight of the past in the moving mean, 0 = none */
  smoothing: number;
  isLog: boolean;
  asTables: boolean;
}

export interface Host {
  /** the page's styles are there, or can't be had */
  styled: Promise<unknown>;
  post(request: PanelRequest): void;
  /** What came before anybody listened comes first. */
  onEvent(listener: (event: PanelEvent) => void): Disposable;
  load(): SavedState | null;
  save(state: SavedState): void;
}

export function vscodeHost(): Host {
  const booted = window as Window & Booted;
  const api = booted.coachApi!;
  delete booted.coachApi;
  return {
    styled: booted.coachStyled ?? Promise.resolve(),
    post: (request) => api.postMessage(request),
    onEvent(listener) {
      const handler = (message: { data: unknown }): void => {
        if (isPanelEvent(message.data)) listener(message.data);
      };
      const early = booted.coachEarly ?? [];
      booted.coachEarly = null;
      for (const data of early) handler({ data });
      window.addEventListener('message', handler);
      return { dispose: () => window.removeEventListener('message', handler) };
    },
    load() {
      const state = api.getState() as Partial<SavedState> | undefined;
      return state?.version === 1 && state.route && state.charts ? (state as SavedState) : null;
    },
    save: (state) => api.setState(state),
  };
}

const eventTypes: Record<PanelEvent['type'], true> = {
  snapshot: true,
  traces: true,
  events: true,
  runs: true,
  navigate: true,
  trace: true,
  file: true,
  versions: true,
  tasks: true,
  tried: true,
  requests: true,
  comparison: true,
  judge: true,
  verdicts: true,
  lessons: true,
  toolGraph: true,
  marking: true,
  chooseOriginal: true,
  rewriteChecked: true,
  failed: true,
};

/** The window also hears messages that are not ours (VS Code's own, other frames'). */
function isPanelEvent(data: unknown): data is PanelEvent {
  return (
    typeof data === 'object' && data !== null && Object.hasOwn(eventTypes, String((data as { type?: unknown }).type))
  );
}
