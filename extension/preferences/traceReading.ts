/**
 * Reading a trace document: what a step taught on hover, tool names as links to their source, colours by the theme.
 */
import * as vscode from 'vscode';
import { schemes } from '../contributions';
import { Owner } from '../window/disposables';
import type { Runs } from '../runs/runs';
import type { ToolIndex } from '../tools/toolIndex';
import { addressOf, type TraceDocuments } from './traceDocuments';

const legend = new vscode.SemanticTokensLegend(['keyword', 'function', 'property', 'comment']);
type TokenType = 'keyword' | 'function' | 'property' | 'comment';

export class TraceReading
  extends Owner
  implements vscode.HoverProvider, vscode.DocumentLinkProvider, vscode.DocumentSemanticTokensProvider
{
  constructor(
    private readonly documents: TraceDocuments,
    private readonly index: ToolIndex,
    private readonly runs: Runs,
  ) {
    super();
    const selector = { scheme: schemes.trace };
    this.own(vscode.languages.registerHoverProvider(selector, this));
    this.own(vscode.languages.registerDocumentLinkProvider(selector, this));
    this.own(vscode.languages.registerDocumentSemanticTokensProvider(selector, this, legend));
  }

  provideHover(document: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | null {
    const block = this.documents.blocksOf(document).find((one) => one.line <= line && line <= one.end);
    const facts =
      block && block.turn !== null && block.kind !== 'result'
        ? this.documents.factsOf(document)[block.turn]
        : undefined;
    return block && facts
      ? new vscode.Hover(
          new vscode.MarkdownString().appendText(facts),
          new vscode.Range(block.line, 0, block.end, document.lineAt(block.end).text.length),
        )
      : null;
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const run = this.runs.info(addressOf(document.uri)?.runId ?? '');
    return this.documents.blocksOf(document).flatMap(({ line, kind }) => {
      const range = kind === 'call' ? nameRange(document, line) : null;
      const tool = range && this.index.named(document.getText(range), run);
      if (!range || !tool) return [];
      const link = new vscode.DocumentLink(
        range,
        vscode.Uri.file(tool.source.file).with({ fragment: `L${tool.source.line}` }),
      );
      link.tooltip = vscode.l10n.t('Go to the tool');
      return [link];
    });
  }

  provideDocumentSemanticTokens(document: vscode.TextDocument): vscode.SemanticTokens {
    const builder = new vscode.SemanticTokensBuilder(legend);
    const push = (line: number, from: number, to: number, type: TokenType): void => {
      if (to > from) builder.push(new vscode.Range(line, from, line, to), type);
    };
    for (const { line, end, kind } of this.documents.blocksOf(document)) {
      const heading = document.lineAt(line).text;
      const name = kind === 'call' ? nameRange(document, line) : null;
      push(
        line,
        0,
        name?.start.character ?? heading.length,
        kind === 'end' || kind === 'about' || kind === 'result' ? 'comment' : 'keyword',
      );
      if (name) push(line, name.start.character, name.end.character, 'function');
      if (kind !== 'call') continue;
      for (let at = line + 1; at <= end; at++) {
        const key = /^ {4}([\w$-]+):/.exec(document.lineAt(at).text)?.[1];
        if (key) push(at, 4, 4 + key.length, 'property');
      }
    }
    return builder.build();
  }
}

/** Of the tool in "Step 2 · calls NAME". */
function nameRange(document: vscode.TextDocument, line: number): vscode.Range | null {
  const found = /· calls (\S+)$/.exec(document.lineAt(line).text);
  return found
    ? new vscode.Range(line, found.index + found[0].length - found[1]!.length, line, found.index + found[0].length)
    : null;
}
