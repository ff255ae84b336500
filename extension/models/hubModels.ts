/**
 * Models from the Hugging Face hub: asked for by name, fetched by `coach models --download`, the same as from a
 * terminal; the token lies in the secret storage.
 */
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { HUB_NAME } from '../../trainer/protocol/hubName';
import { runCli } from '../processes/cliProcess';
import type { Log } from '../window/log';
import type { NodeCommand } from '../processes/programs';
import { askSecret } from './secretKey';

const SECRET = 'agentCoach.huggingFace.token';
const EXAMPLE = 'HuggingFaceTB/SmolLM2-135M-Instruct';

export interface HubDeps {
  cli: string;
  node: NodeCommand;
  secrets: vscode.SecretStorage;
  log: Log;
}

export const setHubToken = (secrets: vscode.SecretStorage): Promise<boolean> =>
  askSecret(secrets, {
    id: SECRET,
    name: vscode.l10n.t('Hugging Face token'),
    title: vscode.l10n.t('Hugging Face Token'),
    placeHolder: 'hf_…',
    prompt: vscode.l10n.t("For models that need one. Kept in VS Code's secret storage; the download alone gets it."),
  });

/**
 * @returns the model's folder or file; undefined where the person thought better of it, or it failed, which was told
 */
export async function fetchModel(deps: HubDeps, value = ''): Promise<string | undefined> {
  const model = await vscode.window.showInputBox({
    title: vscode.l10n.t('Model from the Hugging Face Hub'),
    value,
    placeHolder: EXAMPLE,
    ignoreFocusOut: true,
    prompt: vscode.l10n.t(
      'OWNER/NAME, of the family Llama, Qwen 2 or Qwen 3; also OWNER/NAME/FILE.gguf. It goes into the cache that all Hugging Face programs share.',
    ),
    validateInput: (text) =>
      text === '' || HUB_NAME.test(text.trim())
        ? undefined
        : vscode.l10n.t('A model is OWNER/NAME, such as {0}', EXAMPLE),
  });
  if (!model?.trim()) return undefined;
  try {
    return await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Downloading {0}', model.trim()),
        cancellable: true,
      },
      (progress, token) => download(model.trim(), deps, progress, token),
    );
  } catch (error) {
    const [message = '', ...hint] = (error as Error).message.split('\n');
    const setToken = vscode.l10n.t('Set Token…');
    // modal, since whoever asked waits for the model: a notification that fades would leave them without an answer
    const chosen = await vscode.window.showErrorMessage(
      vscode.l10n.t('Coach: {0}', message),
      { modal: true, detail: hint.join('\n') },
      ...(/token/.test(message) ? [setToken] : []),
    );
    if (chosen === setToken && (await setHubToken(deps.secrets))) return fetchModel(deps, model);
    return undefined;
  }
}

type Line = { file: string; done: number; total: number } | { path: string };

async function download(
  model: string,
  { cli, node, secrets, log }: HubDeps,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const key = (await secrets.get(SECRET)) ?? process.env['HF_TOKEN'];
  const { child, ended } = runCli(
    { ...node, secrets: key ? { HF_TOKEN: key } : {} },
    [cli, 'models', '--download', model, '--json'],
    token,
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  let path: string | undefined;
  let shown = 0;
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Line;
    if ('path' in line) return void (path = line.path);
    const percent = line.total > 0 ? (100 * line.done) / line.total : 100;
    progress.report({
      message: vscode.l10n.t('{0}, {1} % of {2} MB', line.file, Math.floor(percent), Math.ceil(line.total / 1e6)),
      increment: percent - shown,
    });
    shown = percent;
  });
  const code = await ended;
  if (token.isCancellationRequested) return undefined;
  if (code === 0 && path !== undefined) return path;
  log.error(`download of ${model}: ${errors.trim()}`);
  throw new Error(
    errors.trim().replace(/^coach: /, '') || vscode.l10n.t('{0} ended with {1}', 'coach models', String(code)),
  );
}
