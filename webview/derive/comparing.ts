/** The runs laid over the one shown. */
import type { RunInfo, RunManifest } from '../../trainer/protocol/messages';
import type { Outcome, PanelEvent, PanelRequest } from '../messages';
import type { Compared } from './series';

export type Overlay = { runId: string; manifest: RunManifest | null; after: Outcome[] } & Compared;

export class Comparing {
  /** in the order in which they were asked for; a new array when one comes or goes */
  overlays: Overlay[] = [];
  /** asked for, also while they are on their way */
  runIds: string[] = [];

  constructor(private readonly post: (request: PanelRequest) => void) {}

  reset(): void {
    this.overlays = [];
    this.runIds = [];
  }

  /** Asks for one more run; null: none any more. */
  with(runId: string | null): void {
    if (runId === null) this.reset();
    else this.runIds = [...this.runIds, runId];
    this.post({ type: 'compareWith', runId });
  }

  stop(runId: string): void {
    this.runIds = this.runIds.filter((id) => id !== runId);
    this.overlays = this.overlays.filter((other) => other.runId !== runId);
  }

  take(
    { runId, curve, validation, manifest, after }: Extract<PanelEvent, { type: 'comparison' }>,
    runs: readonly RunInfo[],
  ): void {
    const info = runs.find(({ id }) => id === runId);
    const next: Overlay = { runId, curve, validation, manifest: manifest ?? null, after: after ?? [] };
    if (info) Object.assign(next, { label: info.label?.name || info.id, method: info.method });
    this.overlays = [...this.overlays.filter((other) => other.runId !== runId), next].sort(
      (a, b) => this.runIds.indexOf(a.runId) - this.runIds.indexOf(b.runId),
    );
  }

  /** What was asked for last does not come. */
  failed(): void {
    this.runIds = this.overlays.map(({ runId }) => runId);
  }
}
