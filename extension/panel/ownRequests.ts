/** The panel's requests of a person's own: what is kept to measure on, and its measurement before and after. */
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { Version } from '../../trainer/protocol/play';
import type { PanelEvent, PanelRequest } from '../../webview/messages';
import type { Service } from '../processes/service';
import type { Trying } from './trying';

export type OwnRequestsRequest = Extract<
  PanelRequest,
  { type: 'openRequests' | 'keepRequest' | 'measureRequests' | 'openRequestsFile' }
>;
type Answer = Extract<PanelEvent, { type: 'requests' }>;

export class PanelOwnRequests {
  constructor(
    private readonly service: Pick<Service, 'ask'>,
    private readonly trying: Pick<Trying, 'measure' | 'versions'>,
  ) {}

  /** @returns what is kept then; null: there is nothing to answer */
  async perform(info: RunInfo, request: OwnRequestsRequest): Promise<Answer | null> {
    switch (request.type) {
      case 'openRequests':
        return this.read(info, []);
      case 'keepRequest':
        await this.service.ask('keepRequest', { dir: info.dir, request: request.request });
        return this.read(info, []);
      case 'measureRequests':
        return this.measure(info, request.ids);
      case 'openRequestsFile': {
        const { file } = await this.service.ask('readRequests', { dir: info.dir });
        await vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn: vscode.ViewColumn.Beside });
        return null;
      }
    }
  }

  private async measure(info: RunInfo, ids: readonly string[]): Promise<Answer> {
    const { requests } = await this.service.ask('readRequests', { dir: info.dir });
    const tasks = requests.filter(({ id }) => ids.includes(id));
    const { before, after } = await this.compared(info);
    if (after === null) throw new Error(vscode.l10n.t('This run has no checkpoint yet to measure.'));
    const notes = tasks.length > 0 ? await this.trying.measure(info, tasks, [before.version, after.version]) : [];
    return this.read(info, notes);
  }

  private async read(info: RunInfo, notes: string[]): Promise<Answer> {
    const [{ requests, problems }, { tools }, { before, after }] = await Promise.all([
      this.service.ask('readRequests', { dir: info.dir }),
      this.service.ask('toolsOf', { dir: info.dir }),
      this.compared(info),
    ]);
    return {
      type: 'requests',
      runId: info.id,
      requests,
      problems,
      before: before.name,
      after: after?.name ?? null,
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      notes,
    };
  }

  /** What the run began with, and what it has come to; null: it has not come to anything yet. */
  private async compared(info: RunInfo): Promise<{ before: Named; after: Named | null }> {
    const { versions } = await this.trying.versions(info);
    const before = versions.some(({ version }) => version === 'start') ? 'start' : 'base';
    const last = versions.at(-1);
    const isTrained = last !== undefined && last.version !== 'base' && last.version !== 'start';
    return {
      before: { version: before, name: before },
      after: isTrained ? { version: last.version, name: `step ${last.step}` } : null,
    };
  }
}

/** name: as the traces of that version say it */
interface Named {
  version: Version;
  name: string;
}
