/** The traces that were opened, each asked for once; the last ones are kept. */
import type { TrainerError } from '../../trainer/protocol/result';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import type { PanelEvent, PanelRequest } from '../messages';

export type Loaded =
  | { state: 'loading' }
  | { state: 'loaded'; trace: Trace; tokenTexts: string[]; tokensProblem: string | null }
  | { state: 'failed'; error: TrainerError };

/** As many as the largest group, twice: enough to walk to and fro without loading again. */
const KEPT = 128;

export class OpenedTraces {
  private readonly loaded = new Map<string, Loaded>();

  constructor(private readonly post: (request: PanelRequest) => void) {}

  reset(): void {
    this.loaded.clear();
  }

  /** The trace, or its state on the way; asks for it once. undefined: nobody knows of it (yet) */
  open(id: string, runId: string | null, summary: TraceSummary | undefined): Loaded | undefined {
    const known = this.loaded.get(id);
    if (known) return known;
    if (!summary || runId === null) return undefined;
    const loading: Loaded = { state: 'loading' };
    this.keep(id, loading);
    this.post({ type: 'openTrace', runId, summary });
    return loading;
  }

  /** After a failure it is asked for again. */
  forget(id: string): void {
    this.loaded.delete(id);
  }

  take({ trace, tokenTexts, tokensProblem }: Extract<PanelEvent, { type: 'trace' }>): void {
    this.keep(trace.id, { state: 'loaded', trace, tokenTexts, tokensProblem: tokensProblem ?? null });
  }

  failed(id: string, error: TrainerError): void {
    this.keep(id, { state: 'failed', error });
  }

  private keep(id: string, loaded: Loaded): void {
    this.loaded.delete(id);
    this.loaded.set(id, loaded);
    if (this.loaded.size > KEPT) this.loaded.delete(this.loaded.keys().next().value!);
  }
}
