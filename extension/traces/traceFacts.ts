/**
 * Which traces of a run were judged, and which a person marked: what the side bar's filter asks beside the summaries.
 */
import type { TraceFacts } from '../../trainer/protocol/traceFilter';
import { noFacts } from '../../trainer/protocol/traceFilter';
import { Emitter, Owner } from '../window/disposables';
import type { Log } from '../window/log';
import type { Preferences } from '../preferences/preferences';
import type { Runs } from '../runs/runs';
import { VerdictFile } from '../panel/verdictFile';

export class RunFacts extends Owner {
  facts: TraceFacts = noFacts;
  private file: { dir: string; verdicts: VerdictFile } | null = null;
  private generation = 0;
  private readonly changed = this.own(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly runs: Runs,
    private readonly preferences: Preferences,
    private readonly log: Log,
  ) {
    super();
    this.own(preferences.onDidChange(() => void this.refresh()));
    this.own(runs.onDidSelect(() => void this.refresh()));
  }

  async refresh(): Promise<void> {
    const generation = ++this.generation;
    const run = this.runs.selected;
    const judged = new Set<string>();
    if (run) {
      if (this.file?.dir !== run.dir) this.file = { dir: run.dir, verdicts: new VerdictFile(run.dir) };
      try {
        for (const { traceIds, ranks } of await this.file.verdicts.all())
          if (ranks !== null) traceIds.forEach((id) => judged.add(id));
      } catch (error) {
        this.log.warn(`judge.jsonl of ${run.id}: ${(error as Error).message}`);
      }
    }
    if (generation !== this.generation || this.isDisposed) return;
    const marked = new Set(
      this.preferences.state.pairs.flatMap(({ pair }) =>
        pair.runId === run?.id ? pair.sides.map(({ traceId }) => traceId) : [],
      ),
    );
    this.facts = { judged, marked };
    this.changed.fire();
  }
}
