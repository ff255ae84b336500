/**
 * Runs in the real window, with the scripted trainer (test/fixtures/scriptedTrainer.ts) in the place of the real one.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands, CONFIGURATION } from '../../../extension/contributions';
import type { TrainerEvent } from '../../../trainer/protocol/messages';
import { eventually, fixture } from './helpers';

const runsDir = () => fixture('.coach/runs').fsPath;
const runDirs = () =>
  existsSync(runsDir())
    ? readdirSync(runsDir())
        .sort()
        .map((name) => path.join(runsDir(), name))
        .filter((dir) => existsSync(path.join(dir, 'run.json')))
    : [];
const events = (dir: string) =>
  readFileSync(path.join(dir, 'events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TrainerEvent);
const lastStep = (dir: string) =>
  events(dir).reduce((step, event) => (event.type === 'stepFinished' ? event.step : step), 0);
const script = (values: object) => writeFileSync(fixture('script.json').fsPath, JSON.stringify(values));
const lock = (dir: string) => JSON.parse(readFileSync(path.join(dir, 'lock'), 'utf8')) as { pid: number };

/** The command waits for its quick pick; Enter takes the row that starts. */
async function startRun(): Promise<string> {
  const before = runDirs();
  const done = vscode.commands.executeCommand(commands.trainOnFile, fixture('weather.tools.ts'));
  const dir = await eventually(async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return runDirs().find((candidate) => !before.includes(candidate)) ?? null;
  });
  await done;
  return dir;
}

export function runsSuite(): void {
  describe('runs', () => {
    const configuration = () => vscode.workspace.getConfiguration(CONFIGURATION);
    let dir: string;

    before(async function () {
      if (!process.env['COACH_TEST_NODE']) return this.skip();
      await configuration().update('nodePath', process.env['COACH_TEST_NODE'], vscode.ConfigurationTarget.Global);
      await configuration().update('steps', 12, vscode.ConfigurationTarget.Workspace);
    });

    it('starts with Enter, with the settings of the workspace, and shows the panel', async () => {
      script({ holdAtStep: 4 });
      dir = await startRun();
      await eventually(() => lastStep(dir) >= 3);
      const { config } = JSON.parse(readFileSync(path.join(dir, 'run.json'), 'utf8')) as {
        config: { steps: number; toolFile: string };
      };
      assert.deepEqual([config.steps, config.toolFile], [12, fixture('weather.tools.ts').fsPath]);
      await eventually(() =>
        vscode.window.tabGroups.all.some((group) =>
          group.tabs.some((tab) => tab.label === 'Coach: weather · nano · grpo'),
        ),
      );
    });

    it('stops when asked: the trainer saves, says so and ends', async () => {
      await vscode.commands.executeCommand(commands.stopRun);
      assert.equal(events(dir).at(-1)!.type, 'runStopped');
      assert.ok(!existsSync(path.join(dir, 'lock')), 'the trainer gave its lock back');
    });

    it('resumes from the last checkpoint, and nothing that was recorded is lost', async () => {
      const before = events(dir);
      script({ holdAtStep: 8 });
      await vscode.commands.executeCommand(commands.resumeRun);
      await eventually(() => lastStep(dir) >= 7);
      assert.deepEqual(events(dir).slice(0, before.length), before);
      const resumed = events(dir).find((event) => event.type === 'runResumed');
      assert.equal(resumed?.type === 'runResumed' && resumed.fromStep, lastCheckpoint(before));
    });

    it('notices that its trainer was killed, and resumes to the end', async () => {
      process.kill(lock(dir).pid, 'SIGKILL');
      script({});
      // The command finds a run that can be resumed only once the window knows that the trainer died.
      await eventually(async () => {
        await vscode.commands.executeCommand(commands.resumeRun);
        return events(dir).at(-1)!.type === 'runFinished' || lastStep(dir) > 8;
      });
      await eventually(() => events(dir).at(-1)!.type === 'runFinished');
      assert.equal(runDirs().length, 1);
    });

    it('refuses bad settings in the words of the trainer, and leaves nothing behind', async () => {
      await configuration().update('rewards', 'correctnes', vscode.ConfigurationTarget.Workspace);
      const before = runDirs();
      const done = vscode.commands.executeCommand(commands.trainOnFile, fixture('weather.tools.ts'));
      let hasEnded = false;
      void done.then(() => {
        hasEnded = true;
      });
      await eventually(async () => {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return hasEnded;
      });
      assert.deepEqual(runDirs(), before);
      await configuration().update('rewards', undefined, vscode.ConfigurationTarget.Workspace);
      await vscode.commands.executeCommand('notifications.clearAll');
    });
  });
}

const lastCheckpoint = (all: TrainerEvent[]) =>
  all.reduce((step, event) => (event.type === 'checkpointSaved' ? event.step : step), 0);
