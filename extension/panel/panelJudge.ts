/**
 * What the panel's judge page reads and writes: the run's verdicts, the pairs and rankings of people beside them. Free
 * of `vscode`.
 */
import path from 'node:path';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { Correction, MarkedPair, PanelEvent, PanelRequest } from '../../webview/messages';
import type { Service } from '../processes/service';
import { VerdictFile } from './verdictFile';

type RequestOf<T extends PanelRequest['type']> = Extract<PanelRequest, { type: T }>;
type EventOf<T extends PanelEvent['type']> = Extract<PanelEvent, { type: T }>;

export class PanelJudge {
  private readonly files = new Map<string, VerdictFile>();

  /** bar: the setting, in percent, as people write it; 0 = never warn */
  constructor(
    private readonly service: Pick<Service, 'ask'>,
    private readonly bar: () => number,
  ) {}

  async overview(info: RunInfo): Promise<EventOf<'judge'>> {
    const file = this.fileOf(info);
    const verdicts = await file.all();
    const { state, problems } = await this.preferences(info);
    const marks = state.pairs.flatMap(({ pair, verdict }): MarkedPair[] => {
      const isSaid = verdict === 'first' || verdict === 'second' || verdict === 'tie';
      return isSaid && pair.runId === info.id
        ? [{ id: pair.id, traceIds: [pair.sides[0].traceId, pair.sides[1].traceId], verdict }]
        : [];
    });
    return {
      type: 'judge',
      runId: info.id,
      verdicts,
      marks,
      problems: [...file.problems, ...problems.map((one) => one.message)],
      bar: this.bar() > 0 ? this.bar() / 100 : null,
    };
  }

  async ofGroup(
    info: RunInfo,
    { groupId, traceIds }: Pick<RequestOf<'openVerdicts'>, 'groupId' | 'traceIds'>,
  ): Promise<EventOf<'verdicts'>> {
    const verdicts = await this.fileOf(info).ofGroup(groupId, traceIds);
    const { state } = await this.preferences(info);
    const line = state.corrections.filter((one) => one.runId === info.id && one.groupId === groupId).at(-1);
    const correction: Correction | null = line
      ? { traceIds: line.traceIds, ranks: line.ranks, author: line.author.name, t: line.t }
      : null;
    return { type: 'verdicts', runId: info.id, groupId, verdicts, correction };
  }

  async correct(
    info: RunInfo,
    { taskId, groupId, traceIds, ranks, judge }: RequestOf<'correctRanking'>,
  ): Promise<EventOf<'verdicts'>> {
    await this.service.ask('recordPreferences', {
      workspace: workspaceOf(info),
      bodies: [{ type: 'correction', runId: info.id, taskId, groupId, traceIds, ranks, ...(judge ? { judge } : {}) }],
    });
    return this.ofGroup(info, { groupId, traceIds });
  }

  private preferences(info: RunInfo) {
    return this.service.ask('readPreferences', { workspace: workspaceOf(info) });
  }

  private fileOf({ dir }: RunInfo): VerdictFile {
    const known = this.files.get(dir) ?? new VerdictFile(dir);
    this.files.set(dir, known);
    return known;
  }
}

/** A run lies in WORKSPACE/.coach/runs/ID. */
const workspaceOf = ({ dir }: RunInfo): string => path.resolve(dir, '..', '..', '..');
