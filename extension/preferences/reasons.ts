/** Why one answer is better: a comment thread on any step of a trace document, kept as a note beside the marks. */
import * as vscode from 'vscode';
import type { NoteLine } from '../../trainer/protocol/preferences';
import { COMMENTS, schemes } from '../contributions';
import { Owner } from '../window/disposables';
import type { PanelRequest } from '../../webview/messages';
import type { Service } from '../processes/service';
import { sideOf, type Marking } from './marking';
import type { Preferences } from './preferences';
import { addressOf, type TraceAddress, type TraceDocuments } from './traceDocuments';

export class Reasons extends Owner {
  private readonly controller = this.own(vscode.comments.createCommentController(COMMENTS, 'Coach'));
  /** threads by document */
  private readonly threads = new Map<string, vscode.CommentThread[]>();

  constructor(
    private readonly preferences: Preferences,
    private readonly marking: Marking,
    private readonly documents: TraceDocuments,
    private readonly service: Service,
  ) {
    super();
    this.controller.options = {
      prompt: vscode.l10n.t('Why? Say what is better or worse in this step'),
      placeHolder: vscode.l10n.t('For example: it asks for more than is needed'),
    };
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: (document) =>
        document.uri.scheme === schemes.trace
          ? documents.blocksOf(document).map(({ line, end }) => new vscode.Range(line, 0, end, 0))
          : [],
    };
    this.own(vscode.workspace.onDidOpenTextDocument((document) => this.show(document)));
    this.own(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.drop(uri.toString())));
    this.own({ dispose: () => [...this.threads.keys()].forEach((key) => this.drop(key)) });
  }

  /** What the thread's buttons do: a reason, or a thumb with or without one. */
  async add({ thread, text }: vscode.CommentReply, thumb?: 'up' | 'down'): Promise<void> {
    const address = addressOf(thread.uri);
    if (!address || (text.trim() === '' && thumb === undefined)) return;
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === thread.uri.toString());
    const line = thread.range?.start.line ?? 0;
    const turn =
      (document && this.documents.blocksOf(document).find((block) => block.line <= line && line <= block.end)?.turn) ??
      null;
    if (thumb !== undefined && turn === null)
      throw new Error(vscode.l10n.t('a thumb is about a step of the model; this is none'));
    const written = await this.record(address, { turn, text, ...(thumb === undefined ? {} : { thumb }) });
    if (!written) return;
    thread.comments = [...thread.comments, comment(written)];
    thread.label = vscode.l10n.t('Reason');
    this.keep(thread);
  }

  /** Of a step of one side of the pair that is open. */
  async addToPair({ pairId, of, turn, text, thumb }: Extract<PanelRequest, { type: 'addReason' }>): Promise<void> {
    const { current } = this.marking;
    if (current?.queued.pair.id !== pairId) throw new Error(vscode.l10n.t('not kept: another pair is open by now'));
    const { id: traceId, file, offset, length } = current.queued.traces[sideOf(current, of)];
    const { id: runId, dir } = current.run;
    await this.record(
      { runId, traceId, dir, file, offset, length },
      { turn, text, pairId, ...(thumb === null ? {} : { thumb }) },
    );
    await this.preferences.refresh();
  }

  private async record(
    address: TraceAddress,
    { turn, text, ...more }: Pick<NoteLine, 'turn' | 'text' | 'pairId' | 'thumb'>,
  ): Promise<NoteLine | null> {
    const { runId, traceId } = address;
    const about = more.thumb === undefined ? null : await this.stepOf(address, turn!);
    const [written] = await this.preferences.record([
      { type: 'note', runId, traceId, turn, text: text.trim(), ...more, ...(about ? { about } : {}) },
    ]);
    return written?.type === 'note' ? written : null;
  }

  /** What a thumb is about, whole: it stays a preference when the trace is gone. */
  private async stepOf(
    { dir, file, offset, length }: TraceAddress,
    turn: number,
  ): Promise<NonNullable<NoteLine['about']> | null> {
    const { messages } = await this.service.ask('readTrace', { dir, file, offset, length });
    const at = messages.flatMap(({ role }, i) => (role === 'assistant' ? [i] : []))[turn];
    const { toolsId } = this.preferences;
    return at === undefined
      ? null
      : { prompt: messages.slice(0, at), completion: [messages[at]!], ...(toolsId === undefined ? {} : { toolsId }) };
  }

  private show(document: vscode.TextDocument): void {
    const address = addressOf(document.uri);
    if (!address || this.threads.has(document.uri.toString())) return;
    const notes = this.preferences.state.notes.filter(
      ({ runId, traceId }) => runId === address.runId && traceId === address.traceId,
    );
    const blocks = this.documents.blocksOf(document);
    for (const note of notes) {
      const block = blocks.find(({ turn }) => turn === note.turn) ?? blocks[0];
      const line = block?.line ?? 0;
      const thread = this.controller.createCommentThread(document.uri, new vscode.Range(line, 0, line, 0), [
        comment(note),
      ]);
      thread.label = vscode.l10n.t('Reason');
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
      this.keep(thread);
    }
  }

  private keep(thread: vscode.CommentThread): void {
    const key = thread.uri.toString();
    const known = this.threads.get(key) ?? [];
    if (!known.includes(thread)) this.threads.set(key, [...known, thread]);
  }

  private drop(key: string): void {
    for (const thread of this.threads.get(key) ?? []) thread.dispose();
    this.threads.delete(key);
  }
}

/** As text: what people write is shown as it is, never as Markdown with remote content. */
function comment({ text, thumb, author, t }: NoteLine): vscode.Comment {
  const said = [thumb === 'up' ? vscode.l10n.t('Good step.') : thumb === 'down' ? vscode.l10n.t('Bad step.') : '', text]
    .filter(Boolean)
    .join(' ');
  return {
    body: new vscode.MarkdownString().appendText(said),
    mode: vscode.CommentMode.Preview,
    author: { name: author.name },
    timestamp: new Date(t),
  };
}
