/**
 * Traces as read-only documents, scheme `coach-trace`: what search, comments and outline hang on. The address
 * says which trace it is, so a reload finds it again.
 */
import * as vscode from 'vscode';
import { z } from 'zod';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { schemes } from '../contributions';
import { Owner } from '../window/disposables';
import type { Service } from '../processes/service';
import { comparedText } from './comparedText';
import { stepFacts } from './stepFacts';
import { traceText, type TraceBlock } from './traceText';

const Address = z.object({
  runId: z.string(),
  traceId: z.string(),
  dir: z.string(),
  file: z.string(),
  offset: z.number().int(),
  length: z.number().int(),
  /** compared: as it stands beside another one of its task; absent: with all that is known of it */
  form: z.literal('compared').optional(),
});
export type TraceAddress = z.infer<typeof Address>;

/** @param label what the tab shows */
export function traceUri(
  run: { id: string; dir: string },
  { id, file, offset, length }: TraceSummary,
  label: string,
  form?: TraceAddress['form'],
): vscode.Uri {
  return vscode.Uri.from({
    scheme: schemes.trace,
    path: `/${label}`,
    query: JSON.stringify({
      runId: run.id,
      traceId: id,
      dir: run.dir,
      file,
      offset,
      length,
      ...(form ? { form } : {}),
    } satisfies TraceAddress),
  });
}

export function addressOf(uri: vscode.Uri): TraceAddress | null {
  if (uri.scheme !== schemes.trace) return null;
  try {
    return Address.parse(JSON.parse(uri.query));
  } catch {
    return null;
  }
}

export class TraceDocuments
  extends Owner
  implements vscode.TextDocumentContentProvider, vscode.DocumentSymbolProvider, vscode.FoldingRangeProvider
{
  private readonly blocks = new Map<string, TraceBlock[]>();
  private readonly facts = new Map<string, string[]>();

  constructor(private readonly service: Service) {
    super();
    const selector = { scheme: schemes.trace };
    this.own(vscode.workspace.registerTextDocumentContentProvider(schemes.trace, this));
    this.own(vscode.languages.registerDocumentSymbolProvider(selector, this, { label: 'Coach' }));
    this.own(vscode.languages.registerFoldingRangeProvider(selector, this));
    this.own(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.blocks.delete(uri.toString());
        this.facts.delete(uri.toString());
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = addressOf(uri);
    if (!address) return `${vscode.l10n.t('This is no address of a trace.')}\n`;
    const { dir, file, offset, length, form } = address;
    try {
      const trace = await this.service.ask('readTrace', { dir, file, offset, length });
      const { text, blocks } = form === 'compared' ? comparedText(trace) : traceText(trace, { blind: false });
      this.facts.set(uri.toString(), stepFacts(trace));
      this.blocks.set(uri.toString(), blocks);
      return text;
    } catch (error) {
      const why = vscode.l10n.t("This trace can't be shown: {0}", (error as Error).message);
      const kept = vscode.l10n.t('Its run may have been deleted. What was marked is kept in .coach/preferences.jsonl.');
      return `${why}\n\n${kept}\n`;
    }
  }

  blocksOf(document: vscode.TextDocument): TraceBlock[] {
    return this.blocks.get(document.uri.toString()) ?? [];
  }

  /** One line a step. */
  factsOf(document: vscode.TextDocument): string[] {
    return this.facts.get(document.uri.toString()) ?? [];
  }

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    return this.blocksOf(document).map(({ line, end, title, kind }) => {
      const heading = document.lineAt(line).range;
      return new vscode.DocumentSymbol(
        title,
        '',
        kind === 'call'
          ? vscode.SymbolKind.Function
          : kind === 'result'
            ? vscode.SymbolKind.Object
            : vscode.SymbolKind.String,
        heading.with({ end: document.lineAt(end).range.end }),
        heading,
      );
    });
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    return this.blocksOf(document)
      .filter(({ line, end }) => end > line)
      .map(({ line, end }) => new vscode.FoldingRange(line, end));
  }
}
