/**
 * Marking in the real window, on the run that the suite before it has finished: from the queue to what lies on the
 * disk, and to a run on it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands, CONFIGURATION, PANEL_TYPE } from '../../../extension/contributions';
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

/** The panel is the active tab. What it shows is asserted by test/vscode/ui/marking.spec.mjs, which can look inside. */
function isPanelOpen(): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANEL_TYPE);
}

/** The scripted trainer's answers are made up: no grammar of the model is held against them. */
function letAllBeSaid(): void {
  const folder = fixture('.coach/runs').fsPath;
  for (const name of readdirSync(folder)) {
    const manifestFile = path.join(folder, name, 'run.json');
    if (!existsSync(manifestFile)) continue;
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as { config: object };
    writeFileSync(
      manifestFile,
      JSON.stringify({ ...manifest, config: { ...manifest.config, constraint: 'none' } }, null, 2),
    );
  }
}

export function preferencesSuite(): void {
  describe('preferences', () => {
    before(async function () {
      const node = process.env['COACH_TEST_NODE'];
      if (!node) return this.skip();
      await vscode.workspace
        .getConfiguration(CONFIGURATION)
        .update('nodePath', node, vscode.ConfigurationTarget.Global);
      if (existsSync(fixture('.coach/runs').fsPath)) return letAllBeSaid();
      const root = path.resolve(__dirname, '../..');
      execFileSync(node, ['--import', 'tsx', path.join(root, 'test/fixtures/writeRun.ts'), fixture('').fsPath, '12'], {
        cwd: root,
      });
    });

    it('opens the best pair on a page of the panel, and no editor', async () => {
      await run(commands.refreshRuns);
      await eventually(async () => {
        await run(commands.markPairs);
        return isPanelOpen() || null;
      }, 230_000);
      const diffs = vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof vscode.TabInputTextDiff);
      assert.deepEqual(diffs, []);
    });

    it('a mark is on the disk, with what was shown, before the next pair opens', async () => {
      await eventually(async () => {
        await run(commands.aIsBetter);
        return said().length > 0 || null;
      });
      const line = said().at(-1)!;
      assert.ok(line.type === 'mark');
      const better = line.pair.sides[line.verdict === 'first' ? 0 : 1];
      assert.equal(better, line.pair.sides[line.shown.a], 'A is what stood as A');
      assert.ok(
        line.shown.isBlind &&
          line.author.name.length > 0 &&
          line.pair.prompt.length > 0 &&
          better.messages.length === 1,
      );
      assert.ok(better.tokens && better.tokens.ids.length > better.tokens.start, 'the ids that were sampled');
      assert.ok(line.pair.toolsId !== undefined && written()[0]!.id === line.pair.toolsId, 'the tools, once');
      assert.ok(isPanelOpen(), 'the page stays');
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
      await run(commands.bothBad);
      const again = said().at(-1)!;
      assert.ok(again.type === 'mark' && again.verdict === 'bothBad');
      assert.deepEqual([again.pair.id, again.shown.a], [last.pair.id, last.shown.a]);
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
      await run(commands.trainOnPreferences, { ask: false });
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
