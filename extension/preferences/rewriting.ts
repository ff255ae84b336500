/**
 * Rewrite*: one answer of the open pair as JSON in an editor of its own; saving it records what was written as better
 * than the original.
 */
import * as vscode from 'vscode';
import type { Message } from '../../trainer/protocol/trace';
import { schemes } from '../contributions';
import { Debounce, Owner } from '../window/disposables';
import type { Service } from '../processes/service';
import { answerText, callRange, isSameAnswer, parseAnswer, type ParsedAnswer } from './answerText';
import type { Marking, OpenPair } from './marking';
import type { Preferences } from './preferences';

interface Rewrite {
  pair: OpenPair;
  /** which of the pair's sides is rewritten */
  of: 0 | 1;
  original: Message;
  dir: string;
  content: Uint8Array;
  changedAt: number;
}

const TYPING_DELAY_MS = 150;

/**
 * The document's file system holds nothing but what is being rewritten in this window; unsaved text is VS Code's to
 * keep.
 */
export class Rewriting extends Owner implements vscode.FileSystemProvider {
  private readonly open = new Map<string, Rewrite>();
  private readonly changes = this.own(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.changes.event;
  private readonly diagnostics = this.own(vscode.languages.createDiagnosticCollection('coach-rewrite'));
  private generation = 0;

  constructor(
    private readonly preferences: Preferences,
    private readonly marking: Marking,
    private readonly service: Service,
  ) {
    super();
    this.own(vscode.workspace.registerFileSystemProvider(schemes.rewrite, this, { isCaseSensitive: true }));
    const typed = new Map<string, vscode.TextDocument>();
    const later = this.own(
      new Debounce(TYPING_DELAY_MS, () => {
        for (const document of typed.values()) void this.check(document);
        typed.clear();
      }),
    );
    this.own(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme !== schemes.rewrite) return;
        typed.set(document.uri.toString(), document);
        later.schedule();
      }),
    );
    this.own(
      vscode.workspace.onDidSaveTextDocument(
        (document) => document.uri.scheme === schemes.rewrite && void this.goOn(document.uri),
      ),
    );
    this.own(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.diagnostics.delete(uri)));
  }

  /** Of the side that has the cursor; B where none has. */
  async start(): Promise<void> {
    const pair = this.marking.current;
    const run = pair && this.preferences.runOf(pair.queued.pair);
    if (!pair || !run)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('Coach: open a pair first (Mark Pairs), then rewrite the better answer of it.'),
      );
    const active = vscode.window.activeTextEditor?.document.uri.toString();
    const letter = active === pair.uris[0].toString() ? 'A' : 'B';
    const of = (letter === 'A') === (pair.a === 0) ? 0 : 1;
    const original = pair.queued.pair.sides[of].messages[0]!;
    const uri = vscode.Uri.from({
      scheme: schemes.rewrite,
      path: `/${pair.queued.pair.id.slice(0, 8)}/answer ${letter}.json`,
    });
    this.open.set(uri.toString(), {
      pair,
      of,
      original,
      dir: run.dir,
      content: new TextEncoder().encode(answerText(original)),
      changedAt: Date.now(),
    });
    await vscode.window.showTextDocument(uri, { preview: false, viewColumn: vscode.ViewColumn.Beside });
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('Rewrite the answer and save it: what you write becomes the better one.'),
      8_000,
    );
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    const rewrite = this.open.get(document.uri.toString());
    if (!rewrite) return;
    const generation = ++this.generation;
    const text = document.getText();
    const problems = await this.problemsOf(rewrite, text).catch((error: Error) => [
      { call: 0, message: error.message },
    ]);
    if (generation !== this.generation || document.isClosed) return;
    this.diagnostics.set(
      document.uri,
      problems.map(({ call, message }) => {
        const [start, end] = call === null ? [0, text.trimEnd().length] : callRange(text, call);
        const diagnostic = new vscode.Diagnostic(
          new vscode.Range(document.positionAt(start), document.positionAt(end)),
          message,
          vscode.DiagnosticSeverity.Error,
        );
        diagnostic.source = 'Coach';
        return diagnostic;
      }),
    );
  }

  private async problemsOf({ dir }: Rewrite, text: string): Promise<{ call: number | null; message: string }[]> {
    const parsed = parseAnswer(text);
    if (typeof parsed === 'string') return [{ call: null, message: parsed }];
    return (await this.service.ask('checkCalls', { dir, calls: parsed.calls })).problems;
  }

  /** A save that returns has recorded the rewrite; what can't be one is refused, and stays as it was typed. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const rewrite = this.rewriteOf(uri);
    const text = new TextDecoder().decode(content);
    const [problem] = await this.problemsOf(rewrite, text);
    if (problem) throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('not recorded: {0}', problem.message));
    const { message } = parseAnswer(text) as ParsedAnswer; // no problem: it parses
    if (isSameAnswer(message, rewrite.original))
      throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('not recorded: it says the same as before'));
    const { queued } = rewrite.pair;
    const [line] = await this.preferences.record([
      { type: 'rewrite', pair: queued.pair, of: rewrite.of, messages: [message] },
    ]);
    this.marking.settled(line!.id, rewrite.pair);
    this.open.set(uri.toString(), { ...rewrite, content, original: message, changedAt: Date.now() });
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /** After the save: the editor of the rewrite closes, the next pair opens. */
  private async goOn(uri: vscode.Uri): Promise<void> {
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
    await vscode.window.tabGroups.close(tabs);
    this.open.delete(uri.toString());
    await this.marking.next();
  }

  private rewriteOf(uri: vscode.Uri): Rewrite {
    const rewrite = this.open.get(uri.toString());
    if (!rewrite) throw vscode.FileSystemError.FileNotFound(uri); // of an earlier window
    return rewrite;
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { content, changedAt } = this.rewriteOf(uri);
    return { type: vscode.FileType.File, ctime: changedAt, mtime: changedAt, size: content.length };
  }
  readFile(uri: vscode.Uri): Uint8Array {
    return this.rewriteOf(uri).content;
  }
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }
  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
