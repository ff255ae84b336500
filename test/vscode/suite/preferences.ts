/**
 * Marking in the real window, on the run that the suite before it has finished: from the queue to what lies on the
 * disk, and to a run on it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands, CONFIGURATION, schemes } from '../../../extension/contributions';
import { addressOf } from '../../../extension/preferences/traceDocuments';
import type { PreferenceLine } from '../../../trainer/protocol/preferences';
import { eventually, fixture } from './helpers';

const file = () => fixture('.coach/preferences.jsonl').fsPath;
const written = (): PreferenceLine[] =>
  existsSync(file()) ? readFileSync(file(), 'utf8').split('\n').flatMap(parsed) : [];
function parsed(line: string): PreferenceLine[] {
  try {
    return [JSON.parse(line) as PreferenceLine];
  } catch {
    return []; // empty, or the torn one
  }
}
const said = () => written().filter(({ type }) => type !== 'tools');
const run = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(command, ...args);

function openPair(): { key: string; a: vscode.Uri; b: vscode.Uri } | null {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === schemes.trace
    ? { key: `${input.original.toString()} ${input.modified.toString()}`, a: input.original, b: input.modified }
    : null;
}
const tabs = (scheme: string) =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs: all }) => all)
    .filter(
      ({ input }) =>
        (input instanceof vscode.TabInputTextDiff
          ? input.modified
          : input instanceof vscode.TabInputText
            ? input.uri
            : null
        )?.scheme === scheme,
    );

export function preferencesSuite(): void {
  describe('preferences', () => {
    let first: { key: string; a: vscode.Uri; b: vscode.Uri };

    before(async function () {
      const node = process.env['COACH_TEST_NODE'];
      if (!node) return this.skip();
      await vscode.workspace
        .getConfiguration(CONFIGURATION)
        .update('nodePath', node, vscode.ConfigurationTarget.Global);
      if (existsSync(fixture('.coach/runs').fsPath)) return;
      const root = path.resolve(__dirname, '../..');
      execFileSync(node, ['--import', 'tsx', path.join(root, 'test/fixtures/writeRun.ts'), fixture('').fsPath, '12'], {
        cwd: root,
      });
    });

    it('opens the best pair as a diff of two readable, blind documents of one task', async () => {
      await run(commands.refreshRuns);
      first = await eventually(async () => {
        await run(commands.markPairs);
        return openPair();
      }, 230_000);
      const [a, b] = await Promise.all(
        [first.a, first.b].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
      );
      const task = (text: string) => /^Task\n( {4}.*\n)+/m.exec(text)?.[0];
      assert.ok(task(a!), a);
      assert.equal(task(a!), task(b!));
      assert.notEqual(a, b);
      for (const text of [a!, b!]) assert.ok(!/reward|checkpoint|advantage|\d ms/.test(text), text);
      assert.match(vscode.window.tabGroups.activeTabGroup.activeTab!.label, /^A ↔ B: .* \(\d+ open\)$/);
    });

    it('offers the marks as CodeLens, and the steps as symbols', async () => {
      const lenses = (await run('vscode.executeCodeLensProvider', first.b)) as vscode.CodeLens[];
      assert.deepEqual(
        lenses.map(({ command }) => command?.title),
        ['$(arrow-left) A is better', '$(arrow-right) B is better', 'Tie', 'Skip', 'Undo', 'Rewrite'],
      );
      const symbols = (await run('vscode.executeDocumentSymbolProvider', first.a)) as vscode.DocumentSymbol[];
      assert.deepEqual(
        [symbols[0]!.name, symbols[1]!.name, symbols.at(-1)!.name.slice(0, 3)],
        ['System', 'Task', symbols.at(-1)!.name.startsWith('Cut') ? 'Cut' : 'End'],
      );
    });

    it('a mark is on the disk, with what was shown, before the next pair opens', async () => {
      const marked = addressOf(first.a)!;
      await run(commands.aIsBetter);
      const line = said().at(-1)!;
      assert.ok(line.type === 'mark');
      const better = line.pair.sides[line.verdict === 'first' ? 0 : 1];
      assert.equal(better.traceId, marked.traceId);
      assert.equal(line.pair.sides[line.shown.a].traceId, marked.traceId);
      assert.ok(
        line.shown.isBlind &&
          line.author.name.length > 0 &&
          line.pair.prompt.length > 0 &&
          better.messages.length === 1,
      );
      assert.ok(better.tokens && better.tokens.ids.length > better.tokens.start, 'the ids that were sampled');
      assert.ok(line.pair.toolsId !== undefined && written()[0]!.id === line.pair.toolsId, 'the tools, once');
      const next = await eventually(() => openPair());
      assert.notEqual(next.key, first.key);
      assert.equal(tabs(schemes.trace).length, 1);
    });

    it('ten marks in a row: B, tie, skip and A; each a line', async () => {
      for (const command of [
        commands.bIsBetter,
        commands.tie,
        commands.skipPair,
        commands.bIsBetter,
        commands.aIsBetter,
        commands.bIsBetter,
        commands.tie,
        commands.aIsBetter,
        commands.bIsBetter,
      ]) {
        const before = said().length;
        await run(command);
        assert.equal(said().length, before + 1);
      }
      assert.equal(written().filter(({ type }) => type === 'tools').length, 1);
      assert.equal(
        new Set(said().map((line) => line.type === 'mark' && line.pair.id)).size,
        10,
        'never the same pair twice',
      );
    });

    it('undo is a line of its own, and opens the pair again as it was shown', async () => {
      const last = said().at(-1)!;
      assert.ok(last.type === 'mark');
      await run(commands.undoMark);
      const undo = said().at(-1)!;
      assert.ok(undo.type === 'undo' && undo.of === last.id);
      const again = await eventually(() => openPair());
      assert.equal(addressOf(again.a)!.traceId, last.pair.sides[last.shown.a].traceId);
    });

    it('a rewritten answer is checked against the schemas while it is typed, refused while it is wrong, and recorded when saved', async () => {
      await run(commands.rewriteAnswer);
      const editor = await eventually(() =>
        vscode.window.activeTextEditor?.document.uri.scheme === schemes.rewrite ? vscode.window.activeTextEditor : null,
      );
      const { document } = editor;
      const write = (text: string) =>
        editor.edit((edit) => edit.replace(new vscode.Range(0, 0, document.lineCount, 0), text));
      const problems = () => vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
      const tools = JSON.parse(readFileSync(path.join(addressOf(first.a)!.dir, 'tools.json'), 'utf8')) as {
        name: string;
        parameters: { required: string[] };
      }[];
      const {
        name,
        parameters: {
          required: [argument],
        },
      } = tools[0]!;
      const call = (given: string) => `{"tool_calls": [{"name": "${name}", "arguments": {"${given}": "Lisbon"}}]}`;
      await write(call(`not${argument}`));
      assert.match(
        (await eventually(() => (problems().length > 0 ? problems() : null)))[0]!,
        new RegExp(`${name}: invalid arguments: .*${argument}`),
      );
      const before = said().length;
      assert.equal(await document.save(), false);
      assert.equal(said().length, before);
      await write(call(argument!));
      await eventually(() => (problems().length === 0 ? true : null));
      assert.ok(await document.save());
      const line = said().at(-1)!;
      assert.ok(line.type === 'rewrite');
      assert.deepEqual(
        line.messages[0]!.tool_calls!.map(({ function: made }) => made),
        [{ name, arguments: { [argument!]: 'Lisbon' } }],
      );
      await eventually(() => (tabs(schemes.rewrite).length === 0 && openPair() ? true : null));
    });

    it('a line that another program tore does not stop it', async () => {
      appendFileSync(file(), '{"version":1,"type":"ma');
      const before = said().length;
      await run(commands.skipPair);
      assert.equal(said().length, before + 1);
    });

    it('trains on exactly these, from what the run has learnt, on the same tasks', async () => {
      writeFileSync(fixture('script.json').fsPath, '{}');
      const runs = () =>
        readdirSync(fixture('.coach/runs').fsPath)
          .map((name) => path.join(fixture('.coach/runs').fsPath, name))
          .filter((dir) => existsSync(path.join(dir, 'run.json')))
          .sort();
      const manifest = (dir: string) =>
        JSON.parse(readFileSync(path.join(dir, 'run.json'), 'utf8')) as { config: Record<string, unknown> };
      const before = runs();
      await run(commands.trainOnPreferences);
      const dir = await eventually(() => runs().find((candidate) => !before.includes(candidate)) ?? null);
      const [mine, base] = [manifest(dir).config, manifest(before.at(-1)!).config];
      assert.deepEqual(
        [mine['method'], mine['pairs'], mine['startFrom'], mine['seed'], mine['taskCount'], mine['toolFile']],
        ['dpo', file(), before.at(-1), base['seed'], base['taskCount'], base['toolFile']],
      );
      await eventually(() => readFileSync(path.join(dir, 'events.jsonl'), 'utf8').includes('"runFinished"') || null);
      await run('workbench.action.closeAllEditors');
    });
  });
}
