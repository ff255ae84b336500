import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands, CONFIGURATION, schemes } from '../../../extension/contributions';
import type { TrainerEvent } from '../../../trainer/protocol/messages';
import { eventually, fixture } from './helpers';

const run = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(command, ...args);

export function beforeAfterSuite(): void {
  describe('before and after training', () => {
    let dir: string;
    before(async function () {
      const node = process.env['COACH_TEST_NODE'];
      if (!node) return this.skip();
      await vscode.workspace
        .getConfiguration(CONFIGURATION)
        .update('nodePath', node, vscode.ConfigurationTarget.Global);
      const root = path.resolve(__dirname, '../..');
      const args = ['--import', 'tsx', path.join(root, 'test/fixtures/writeRun.ts'), fixture('').fsPath, '2'];
      dir = execFileSync(node, args, { cwd: root, encoding: 'utf8' }).trim();
    });

    it('of a task stand in the editor’s diff, in a form without times and rewards', async () => {
      const events = readFileSync(path.join(dir, 'events.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as TrainerEvent);
      const after = events.flatMap((event) =>
        event.type === 'traceRecorded' && event.trace.phase === 'after' ? [event.trace] : [],
      )[0]!;
      await run(commands.refreshRuns);
      const { original, modified } = await eventually(async () => {
        await run(commands.beforeAfter, path.basename(dir), after.id);
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof vscode.TabInputTextDiff ? input : null;
      });
      const texts = await Promise.all(
        [original, modified].map(async (uri) => {
          assert.equal(uri.scheme, schemes.trace);
          return (await vscode.workspace.openTextDocument(uri)).getText();
        }),
      );
      assert.ok(modified.query.includes(JSON.stringify(after.id)));
      for (const text of texts) {
        assert.ok(text.includes(`Task\n    ${after.prompt}`), text);
        assert.doesNotMatch(text, /checkpoint|reward| ms\)/);
      }
      await run('workbench.action.closeAllEditors');
    });
  });
}
