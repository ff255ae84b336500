import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { commands } from '../../../extension/contributions';
import { eventually, fixture } from './helpers';

const ours = (uri: vscode.Uri) =>
  vscode.languages.getDiagnostics(uri).filter((diagnostic) => diagnostic.source === 'Coach');

async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const start = document.getText().indexOf(from);
  assert.ok(start >= 0, `${from} is not in ${document.uri.fsPath}`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(
    document.uri,
    new vscode.Range(document.positionAt(start), document.positionAt(start + from.length)),
    to,
  );
  assert.ok(await vscode.workspace.applyEdit(edit));
}

async function lensTitle(uri: vscode.Uri): Promise<string | null> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
  return lenses.find((lens) => lens.command?.command === commands.trainOnFile)?.command?.title ?? null;
}

/** Process ids of our service: children of this extension host that run service.js. */
function servicePids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]);
        return parent === process.pid &&
          readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('dist/trainer/service.js')
          ? [Number(name)]
          : [];
      } catch {
        return [];
      }
    });
}

export function discoverySuite(): void {
  describe('discovery', () => {
    const uri = fixture('weather.tools.ts');
    let document: vscode.TextDocument;
    let onDisk: string;
    before(async () => {
      document = await vscode.workspace.openTextDocument(uri);
      onDisk = document.getText();
      await vscode.window.showTextDocument(document);
      await eventually(() => lensTitle(uri));
    });
    after(async () => {
      await revert();
      await document.save();
    });

    /** By an edit: the command "revert" goes to whichever editor or list has the focus. */
    const revert = () => replace(document, document.getText(), onDisk);

    it('an exported function becomes a tool by a refactoring, and is found', async () => {
      const next = '/** Convert a temperature.';
      await replace(document, next, `export function half(n: number): number {\n  return n / 2;\n}\n\n${next}`);
      const line = document.positionAt(document.getText().indexOf('function half')).line;
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        new vscode.Range(line, 10, line, 10),
        vscode.CodeActionKind.RefactorRewrite.value,
      );
      const ours = actions.find(({ title }) => title === 'Make half a tool (@tool)');
      assert.ok(ours?.edit, actions.map(({ title }) => title).join());
      assert.ok(await vscode.workspace.applyEdit(ours.edit));
      await eventually(async () => (await lensTitle(uri)) === '$(play) Train agent on these 4 tools');
      await revert();
      await eventually(async () => (await lensTitle(uri)) === '$(play) Train agent on these 3 tools');
    });

    it('reports a tool that can not be used while one types, at its place, and takes it back', async () => {
      assert.deepEqual(ours(uri), []);
      await replace(document, 'export function toFahrenheit', 'function toFahrenheit');
      const [diagnostic] = await eventually(() => (ours(uri).length > 0 ? ours(uri) : null));
      assert.ok(document.isDirty, 'nothing was saved');
      assert.equal(diagnostic!.severity, vscode.DiagnosticSeverity.Error);
      assert.match(document.lineAt(diagnostic!.range.start.line).text, /function toFahrenheit/);
      assert.match(diagnostic!.message, /export/);
      assert.equal(
        await eventually(async () =>
          (await lensTitle(uri)) !== '$(play) Train agent on these 3 tools' ? lensTitle(uri) : null,
        ),
        '$(play) Train agent on these 2 tools',
      );
      await replace(document, 'function toFahrenheit', 'export function toFahrenheit');
      await eventually(() => ours(uri).length === 0);
      assert.equal(
        await eventually(async () => ((await lensTitle(uri)) === '$(play) Train agent on these 3 tools' ? true : null)),
        true,
      );
    });

    it('survives half-typed code, and finds the other tools all the while', async () => {
      await replace(document, 'return Math.round(celsius * 1.8 + 32);', 'return Math.round(celsius * ');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.match((await lensTitle(uri)) ?? '', /Train agent on/);
      await replace(document, 'return Math.round(celsius * ', 'return Math.round(celsius * 1.8 + 32);');
      await eventually(() => ours(uri).length === 0);
    });

    it('finds a tool file that comes onto the disk, and forgets one that goes', async () => {
      const fresh = fixture('src/clock.ts');
      await vscode.workspace.fs.writeFile(
        fresh,
        new TextEncoder().encode(
          '/** What time is it?\n *  @tool */\nexport function now(): string {\n  return "noon";\n}\n',
        ),
      );
      await vscode.workspace.openTextDocument(fresh);
      assert.equal(await eventually(() => lensTitle(fresh)), '$(play) Train agent on this tool');
      await vscode.workspace.fs.delete(fresh);
      const settings = vscode.workspace.getConfiguration('agentCoach', uri);
      assert.equal(settings.get('codeLens'), true);
    });

    it('goes on with a new service process after the old one was killed', async function () {
      if (process.platform !== 'linux') return this.skip();
      const [first] = await eventually(() => (servicePids().length > 0 ? servicePids() : null));
      process.kill(first!, 'SIGKILL');
      await vscode.commands.executeCommand(commands.refreshTools);
      // what was shown before may be shown a moment longer
      await eventually(async () => (await lensTitle(uri)) === '$(play) Train agent on these 3 tools');
      assert.ok(!servicePids().includes(first!));
    });

    it('shows no CodeLens and no diagnostics where the settings say no', async () => {
      const settings = vscode.workspace.getConfiguration('agentCoach');
      await settings.update('codeLens', false, vscode.ConfigurationTarget.Workspace);
      await eventually(async () => ((await lensTitle(uri)) === null ? true : null));
      await settings.update('codeLens', undefined, vscode.ConfigurationTarget.Workspace);
      await eventually(() => lensTitle(uri));
    });
  });
}
