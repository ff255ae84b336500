/**
 * *Make a Tool from Demonstrations*: `coach maketool`, the same program as in a terminal; what it offers is shown in VS
 * Code's diff, and written when *Apply* is pressed. It runs code that a model wrote, so it needs a trusted workspace.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { Task } from '../../trainer/protocol/task';
import { schemes } from '../contributions';
import { forgetTeacherKey, teacherSecrets } from '../models/teacherKey';
import { lastWords, runCliToEnd } from '../processes/cliProcess';
import { MAKER_KEY, nodeCommand } from '../processes/programs';
import type { Service } from '../processes/service';
import { readSettings } from '../settings';
import { Owner } from '../window/disposables';
import type { Log } from '../window/log';
import { saved } from '../window/saved';
import { mayTrain } from '../window/trust';
import { chooseDemonstrations, chooseMaker, chooseTarget } from './pickMaking';
import type { Who } from './pickTeacher';
import type { ToolIndex } from './toolIndex';

const Said = z.object({
  tool: z.string(),
  /** false: it was there already, and nothing is to be written */
  isNew: z.boolean(),
  file: z.string(),
  tries: z.number(),
  further: z.object({ n: z.number(), right: z.number() }),
  text: z.string(),
  tasks: z.array(Task),
});
type Said = z.infer<typeof Said>;

/** before: the file's text when it was made; null: there was no file */
type Offered = Said & { before: string | null };

export interface ToolMakingDeps {
  cli: string;
  index: ToolIndex;
  service: Service;
  log: Log;
  memory: vscode.Memento;
  secrets: vscode.SecretStorage;
}

const LAST_MAKER = 'lastMaker';

export class ToolMaking extends Owner implements vscode.TextDocumentContentProvider {
  /** by the address of the document that shows it */
  private readonly offers = new Map<string, Offered>();
  private made = 0;

  constructor(private readonly deps: ToolMakingDeps) {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(schemes.made, this));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.offers.get(uri.toString())?.text ?? '';
  }

  async make(target?: vscode.Uri): Promise<void> {
    if (!(await mayTrain())) return;
    const { index, memory, secrets } = this.deps;
    const file = target?.fsPath ?? (await chooseTarget(index));
    const from = file && (await chooseDemonstrations());
    const maker = from && (await chooseMaker(secrets, memory.get<Who>(LAST_MAKER) ?? null));
    if (!file || !from || !maker) return;
    await memory.update(LAST_MAKER, maker);
    await saved(file);
    await saved(from);
    const before = existsSync(file) ? (await vscode.workspace.openTextDocument(file)).getText() : null;
    const said = await this.ask(file, from, maker);
    if (said?.isNew) await this.show({ ...said, before });
    else if (said)
      void vscode.window.showInformationMessage(
        vscode.l10n.t('{0} is there already, and gives all of the right answers: no tool is made.', said.tool),
      );
  }

  /** undefined: the user stopped it. @throws what `coach maketool` says */
  private async ask(file: string, from: string, { at, model }: Who): Promise<Said | undefined> {
    const { cli, secrets, log } = this.deps;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Coach: a tool is made for {0}', path.basename(file)),
      cancellable: true,
    };
    const { nodePath, toolNetwork } = readSettings(vscode.Uri.file(file));
    const node = {
      ...nodeCommand(nodePath),
      secrets: await teacherSecrets(secrets, at, MAKER_KEY),
    };
    const named = model === null ? [] : ['--maker-model', model];
    const args = [
      cli,
      'maketool',
      file,
      '--from',
      from,
      '--maker',
      at,
      ...named,
      '--tool-network',
      toolNetwork,
      '--json',
    ];
    return vscode.window.withProgress(options, async (progress, token) => {
      const { code, said, told } = await runCliToEnd(node, args, token, (text) => {
        log.info(`maketool: ${text.trim()}`);
        progress.report({ message: text.trim().split('\n').at(-1)! });
      });
      if (token.isCancellationRequested) return undefined;
      if (code === 0) return Said.parse(JSON.parse(said));
      if (/\(status 40[13]\)/.test(told)) await forgetTeacherKey(secrets, at);
      throw new Error(lastWords(told) || vscode.l10n.t('{0} ended with {1}', 'coach maketool', String(code)));
    });
  }

  private async show(offer: Offered): Promise<void> {
    const { file, tool, before, tries, further } = offer;
    const uri = vscode.Uri.from({ scheme: schemes.made, path: vscode.Uri.file(file).path, query: String(++this.made) });
    this.offers.set(uri.toString(), offer);
    const beside = before === null ? uri.with({ query: 'none' }) : vscode.Uri.file(file);
    const name = path.basename(file);
    const shown = vscode.l10n.t('{0} (↔ with the made tool {1})', name, tool);
    await vscode.commands.executeCommand('vscode.diff', beside, uri, shown, { preview: false });
    const apply = vscode.l10n.t('Apply');
    const passed = vscode.l10n.t('{0} passed its tests at try {1}. Nothing is written yet.', tool, tries);
    const { n, right } = further;
    const words =
      n === 0 ? passed : vscode.l10n.t('{0} On {1} further demonstrations it is right {2} times.', passed, n, right);
    if ((await vscode.window.showInformationMessage(words, apply)) === apply) await this.apply(uri);
  }

  /** Writes what a diff shows: the tool, and its uses as tasks. @param target the diff's; absent: the open one's */
  async apply(target?: vscode.Uri): Promise<void> {
    if (!(await mayTrain())) return;
    const uri = target ?? openDiff();
    const offer = uri && this.offers.get(uri.toString());
    if (!offer) throw new Error(vscode.l10n.t('there is no made tool to apply: its diff is of an earlier window'));
    const { file, tool, tasks } = offer;
    await write(offer);
    for (const task of tasks) await this.deps.service.ask('addTask', { toolFile: file, task, withTasksOf: null });
    this.offers.delete(uri.toString());
    await closeDiff(uri);
    await this.deps.index.refresh();
    const line = this.deps.index.toolsOf(file).find(({ name }) => name === tool)?.source.line ?? 1;
    const at = new vscode.Position(line - 1, 0);
    await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) });
    const words = vscode.l10n.t('{0} is in {1}, with {2} tasks beside it.', tool, path.basename(file), tasks.length);
    vscode.window.setStatusBarMessage(words, 10_000);
  }
}

/** @throws where the file is not as it was */
async function write({ file, before, text }: Offered): Promise<void> {
  const uri = vscode.Uri.file(file);
  const changed = new Error(
    vscode.l10n.t('{0} has changed since the tool was made: make it once more', path.basename(file)),
  );
  const edit = new vscode.WorkspaceEdit();
  if (before === null) {
    if (existsSync(file)) throw changed;
    edit.createFile(uri, { contents: new TextEncoder().encode(text) });
  } else {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.getText() !== before) throw changed;
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  }
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(vscode.l10n.t('{0} could not be changed', file));
  await saved(file);
}

function openDiff(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

async function closeDiff(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const own = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString(),
  );
  await vscode.window.tabGroups.close(own);
}
