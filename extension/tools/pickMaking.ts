/** What *Make a Tool from Demonstrations* asks: for which file, from which demonstrations, by whom. */
import path from 'node:path';
import * as vscode from 'vscode';
import { askTeacherKey } from '../models/teacherKey';
import { browse, browseGguf } from './pickModel';
import { askServer, teacherName, type Who } from './pickTeacher';
import type { ToolIndex } from './toolIndex';

type Item<T> = vscode.QuickPickItem & { choose(): T | undefined | Thenable<T | undefined> };

async function choose<T>(items: Item<T>[], title: string, placeHolder: string): Promise<T | undefined> {
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.choose();
}

const title = (): string => vscode.l10n.t('Make a Tool from Demonstrations');

/** A file of tools, or one that is not there yet; undefined: the user thought better of it. */
export async function chooseTarget(index: ToolIndex): Promise<string | undefined> {
  if (!index.isReady) await index.refresh();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const files = index.files.filter((file) => /\.[cm]?tsx?$/.test(file));
  const items: Item<string>[] = [
    ...files.map((file) => ({
      label: path.basename(file),
      description: vscode.workspace.asRelativePath(path.dirname(file)),
      choose: () => file,
    })),
    {
      label: vscode.l10n.t('$(new-file) A new file…'),
      choose: async () =>
        (
          await vscode.window.showSaveDialog({
            filters: { TypeScript: ['ts'] },
            ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'made.tools.ts') } : {}),
          })
        )?.fsPath,
    },
  ];
  return choose(items, title(), vscode.l10n.t('Where is the tool to go?'));
}

/** JSON lines of the workspace that may be demonstrations. */
export async function chooseDemonstrations(): Promise<string | undefined> {
  const found = await vscode.workspace.findFiles(
    '**/*.jsonl',
    '{**/node_modules/**,**/.coach/**,**/*.tasks.jsonl}',
    50,
  );
  const items: Item<string>[] = [
    ...found.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), choose: () => uri.fsPath })),
    {
      label: vscode.l10n.t('$(folder-opened) Another file…'),
      choose: () => browse({ filters: { JSONL: ['jsonl'] }, title: vscode.l10n.t('Demonstrations') }),
    },
  ];
  const placeHolder = vscode.l10n.t('From which? Six lines or more: {0}', '{"request": "…", "answer": "…"}');
  return choose(items, title(), placeHolder);
}

/** @param before who made the last one here */
export async function chooseMaker(secrets: vscode.SecretStorage, before: Who | null): Promise<Who | undefined> {
  const words = {
    address: vscode.l10n.t('Maker: Address'),
    sent: vscode.l10n.t(
      'Of an OpenAI-compatible server. It is sent three demonstrations, and the requests of the others.',
    ),
    model: vscode.l10n.t('Maker: Model'),
  };
  const askKey = (address: string) => askTeacherKey(secrets, address, vscode.l10n.t('Maker: API Key'));
  const items: Item<Who>[] = [
    ...(before ? [{ label: `$(check) ${teacherName(before)}`, description: before.at, choose: () => before }] : []),
    {
      label: vscode.l10n.t('$(server) Server…'),
      description: vscode.l10n.t('an OpenAI-compatible address, such as http://127.0.0.1:8080/v1'),
      choose: () => askServer(words, before, askKey),
    },
    {
      label: vscode.l10n.t('$(file-binary) GGUF file…'),
      description: vscode.l10n.t('a whole model in one file, as llama.cpp, Ollama and LM Studio have them'),
      choose: async () => {
        const at = await browseGguf();
        return at === undefined ? undefined : { at, model: null };
      },
    },
  ];
  return choose(items, title(), vscode.l10n.t('Who writes it? A strong model'));
}
