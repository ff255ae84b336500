import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands, EXTENSION_ID } from '../../../extension/contributions';
import { eventually, fixture } from './helpers';

export function activationSuite(): void {
  describe('activation', () => {
    it('comes with a folder that holds TypeScript, and registers every command', async () => {
      const extension = vscode.extensions.getExtension(EXTENSION_ID);
      assert.ok(extension, 'the extension is not there');
      await eventually(() => extension.isActive);
      const registered = new Set(await vscode.commands.getCommands(true));
      assert.deepEqual(
        Object.values(commands).filter((id) => !registered.has(id)),
        [],
      );
    });

    it('puts a CodeLens over the first tool of a file, and over no other', async () => {
      const document = await vscode.workspace.openTextDocument(fixture('weather.tools.ts'));
      const lenses = await eventually(async () => {
        const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          document.uri,
        );
        const ours = found.filter((lens) => lens.command?.command === commands.trainOnFile);
        return ours.length > 0 ? ours : null;
      });
      assert.equal(lenses.length, 1);
      assert.equal(lenses[0]!.command!.title, '$(play) Train agent on these 3 tools');
      assert.match(document.lineAt(lenses[0]!.range.start.line).text, /getWeather/);
      const plain = await vscode.workspace.openTextDocument(fixture('src/plain.ts'));
      const none = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', plain.uri);
      assert.deepEqual(
        none.filter((lens) => lens.command?.command === commands.trainOnFile),
        [],
      );
    });
  });
}
