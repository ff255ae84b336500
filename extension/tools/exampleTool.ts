/** *Insert an Example Tool*: at the end of the open file, or as a new file in the folder. */
import * as vscode from 'vscode';

const EXAMPLE = `/** Look up the weather of a city.
 *  @param city name of the city, for example "Lisbon"
 *  @param day today or tomorrow
 *  @tool */
export function getWeather(city: string, day: 'today' | 'tomorrow' = 'today'): { city: string; sky: string; celsius: number } {
  const skies = ['sunny', 'cloudy', 'rainy', 'windy'];
  const n = [...city.toLowerCase()].reduce((sum, letter) => sum + letter.charCodeAt(0), day === 'today' ? 0 : 7);
  return { city, sky: skies[n % skies.length]!, celsius: 5 + (n % 25) };
}

/** Convert a temperature.
 *  @param celsius degrees Celsius
 *  @tool */
export function toFahrenheit(celsius: number): number {
  return Math.round(celsius * 1.8 + 32);
}
`;

export async function insertExampleTool(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor && editor.document.languageId === 'typescript' && !editor.document.getText().includes('getWeather')) {
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    const isEmpty = editor.document.getText().trim() === '';
    await editor.edit((edit) => edit.insert(end, `${isEmpty ? '' : '\n'}${EXAMPLE}`));
    editor.revealRange(new vscode.Range(end, end), vscode.TextEditorRevealType.InCenter);
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!folder) {
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ language: 'typescript', content: EXAMPLE }),
    );
    return;
  }
  const file = await freeName(folder);
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(EXAMPLE));
  await vscode.window.showTextDocument(file);
}

async function freeName(folder: vscode.Uri): Promise<vscode.Uri> {
  for (let i = 1; ; i++) {
    const file = vscode.Uri.joinPath(folder, i === 1 ? 'weather.tools.ts' : `weather${i}.tools.ts`);
    try {
      await vscode.workspace.fs.stat(file);
    } catch {
      return file;
    }
  }
}
