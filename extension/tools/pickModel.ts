/** The train pick's list of models: on this disk, with Coach, and the ways to others. */
import * as vscode from 'vscode';
import type { FoundModel } from '../../trainer/protocol/messages';
import { EMBEDDED_WORDS, modelName } from '../../trainer/protocol/modelName';
import { checked, type PickHost } from './pickHost';
import { separator, whereFound, type Row } from './trainPickInput';

export const nameOfModel = (model: string, found: readonly FoundModel[] | null): string =>
  found?.find(({ path }) => path === model)?.name ?? modelName(model);

export function chooseModel(pick: PickHost, found: readonly FoundModel[]): void {
  const { model } = pick.choices;
  const named = [...new Set(['nano', model, pick.input.settings.model])].filter(
    (value) => !found.some(({ path }) => path === value),
  );
  const row = (value: string, label: string, description: string): Row => ({
    label: checked(value === model, label),
    description,
    run: () => pick.change({ model: value }),
  });
  const rows = [
    ...(found.length > 0 ? [separator(vscode.l10n.t('on this computer'))] : []),
    ...found.map((each) => row(each.path, each.name, whereFound(each))),
    ...(found.length > 0 ? [separator(vscode.l10n.t('with Coach, and named in the settings'))] : []),
    ...named.map((value) => row(value, nameOfModel(value, found), value === 'nano' ? EMBEDDED_WORDS : value)),
    separator(vscode.l10n.t('another one')),
    {
      label: vscode.l10n.t('$(cloud-download) From Hugging Face…'),
      description: vscode.l10n.t('by its name, such as HuggingFaceTB/SmolLM2-135M-Instruct'),
      run: () => void pick.elsewhere(pick.input.fetchModel, (path) => pick.change({ model: path })),
    },
    {
      label: vscode.l10n.t('$(folder-opened) Model folder…'),
      description: vscode.l10n.t('in the Hugging Face layout: config.json, tokenizer.json, safetensors'),
      run: () =>
        void pick.elsewhere(
          () => browse({ canSelectFolders: true, canSelectFiles: false, title: vscode.l10n.t('Model folder') }),
          (path) => pick.change({ model: path }),
        ),
    },
    {
      label: vscode.l10n.t('$(file-binary) GGUF file…'),
      description: vscode.l10n.t('a whole model in one file, as llama.cpp, Ollama and LM Studio have them'),
      run: () => void pick.elsewhere(browseGguf, (path) => pick.change({ model: path })),
    },
  ];
  pick.list(
    vscode.l10n.t('Model'),
    vscode.l10n.t('Press Enter to choose'),
    rows,
    rows.find((each) => each.label.startsWith('$(check)')),
  );
}

export const browse = async (options: vscode.OpenDialogOptions): Promise<string | undefined> =>
  (await vscode.window.showOpenDialog(options))?.[0]?.fsPath;

export const browseGguf = (): Promise<string | undefined> =>
  browse({
    canSelectFiles: true,
    filters: { GGUF: ['gguf'], [vscode.l10n.t('All files')]: ['*'] },
    title: vscode.l10n.t('GGUF file'),
  });
