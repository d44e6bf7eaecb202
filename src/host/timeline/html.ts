import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { ownLanguage } from '../language.ts';

/**
 * The page's shell: no inline style, no inline script, nothing but our own bundle by nonce. Holds no data. A module's
 * imports, also those of `import()`, carry its nonce (HTML, "script fetch options"), so that lazy chunks need no more.
 */
export function timelineHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  placement: 'sidebar' | 'editor',
): string {
  const nonce = randomBytes(18).toString('base64');
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource}`,
  ].join('; ');
  return `<!doctype html>
<html lang="${ownLanguage()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Faultline</title>
<link rel="stylesheet" href="${file('webview-style.css')}">
</head>
<body data-placement="${placement}">
<script type="module" nonce="${nonce}" src="${file('webview.js')}"></script>
</body>
</html>`;
}

/** Options that hold for the view and for the editor: only our own two folders, scripts on, nothing retained. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
}
