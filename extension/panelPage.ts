/**
 * The text of the panel's page, free of `vscode`. Script and styles stand in it, by their nonce: a file that a webview asks for comes by its service worker,
 * the window and the host, which is half of the time that an empty webview takes to open.
 */
export interface PanelPage {
  language: string;
  nonce: string;
  /** where fonts and images may come from */
  cspSource: string;
  /** dist/webview's main.js and theme.css, and where its font lies */
  script: string;
  styles: string;
  fontUri: string;
}

export function panelPage({ language, nonce, cspSource, script, styles, fontUri }: PanelPage): string {
  const policy = ["default-src 'none'", `script-src 'nonce-${nonce}'`, `style-src 'nonce-${nonce}' ${cspSource}`, `font-src ${cspSource}`, `img-src ${cspSource}`].join('; ');
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <style nonce="${nonce}">${styles.replaceAll('./codicon.ttf', fontUri)}</style>
  <title>Coach</title>
</head>
<body>
  <div id="app"></div>
  <script nonce="${nonce}">${script}</script>
</body>
</html>`;
}
