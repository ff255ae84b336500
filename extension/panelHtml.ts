/** The panel's page in a webview: nothing from the network, assets of dist/webview only. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { panelPage } from './panelPage';

export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const asset = (name: string): vscode.Uri => vscode.Uri.joinPath(assetsRoot(extensionUri), name);
  const text = (name: string): string => readFileSync(asset(name).fsPath, 'utf8');
  return panelPage({
    language: vscode.env.language, nonce: randomBytes(16).toString('base64'), cspSource: webview.cspSource, script: text('main.js'), styles: text('theme.css'), fontUri: webview.asWebviewUri(asset('codicon.ttf')).toString(),
  });
}

export const panelOptions = (extensionUri: vscode.Uri): vscode.WebviewOptions => ({ enableScripts: true, localResourceRoots: [assetsRoot(extensionUri)] });

const assetsRoot = (extensionUri: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
