/** The panel's document for a webview: nothing from the network, assets of dist/webview only. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { FirstScreen } from '../../webview/shared/firstScreen';
import { pageHtml } from '../../webview/shared/pageHtml';

/** read once a session */
let css: string | undefined;

export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri, first: FirstScreen | null = null): string {
  css ??= readFileSync(vscode.Uri.joinPath(assetsRoot(extensionUri), 'first.css').fsPath, 'utf8');
  const asset = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(assetsRoot(extensionUri), name)).toString();
  return pageHtml({
    lang: vscode.env.language,
    nonce: randomBytes(16).toString('base64'),
    cspSource: webview.cspSource,
    asset,
    css,
    first,
  });
}

export const assetsRoot = (extensionUri: vscode.Uri): vscode.Uri =>
  vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
