/** Export and opening of what a run made. The work itself is `coach export`, the same as from a terminal. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import { runCli } from '../processes/cliProcess';
import type { Log } from '../window/log';
import type { NodeCommand } from '../processes/programs';

const FORMATS = [
  { label: vscode.l10n.t('PEFT adapter'), description: vscode.l10n.t('for transformers and vLLM'), to: 'peft' },
  {
    label: vscode.l10n.t('Merged model'),
    description: vscode.l10n.t(
      'base and trained weights merged into one model, in the format of the base model: Hugging Face folder or GGUF',
    ),
    to: 'merged',
  },
  {
    label: vscode.l10n.t('GGUF LoRA'),
    description: vscode.l10n.t('for llama.cpp, beside a GGUF of the base model'),
    to: 'gguf-lora',
  },
  { label: 'Ollama', description: vscode.l10n.t('the same and a Modelfile'), to: 'ollama' },
  {
    label: vscode.l10n.t('OpenAI fine-tuning data'),
    description: vscode.l10n.t('JSONL of the solved traces'),
    to: 'openai',
  },
  { label: vscode.l10n.t('TRL data'), description: vscode.l10n.t('JSONL for the SFT and DPO trainers'), to: 'trl' },
  { label: 'OpenTelemetry', description: vscode.l10n.t('OTLP/JSON spans: names, times, token counts'), to: 'otel' },
] as const;

export async function exportRun(info: RunInfo, cli: string, node: NodeCommand, log: Log): Promise<void> {
  const format = await vscode.window.showQuickPick(
    FORMATS.filter(({ to }) => !info.isWhole || (to !== 'peft' && to !== 'gguf-lora')),
    { title: vscode.l10n.t('Export'), placeHolder: vscode.l10n.t('Choose a format') },
  );
  if (!format) return;
  const folder = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    title: vscode.l10n.t('Export {0} into', format.label),
    openLabel: vscode.l10n.t('Export'),
  });
  if (!folder?.[0]) return;
  const out = path.join(folder[0].fsPath, `${info.id}-${format.to}`);
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Exporting {0}…', format.label),
      cancellable: true,
    },
    (_, token) => runExport(node, [cli, 'export', info.dir, '--to', format.to, '--out', out], token, log),
  );
  const open = vscode.l10n.t('Open Folder');
  if ((await vscode.window.showInformationMessage(vscode.l10n.t('Exported to {0}', out), open)) === open)
    await revealFolder(out);
}

async function runExport(node: NodeCommand, args: string[], token: vscode.CancellationToken, log: Log): Promise<void> {
  const { child, ended } = runCli(node, args, token);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (data: string) => {
      text += data;
    });
  const code = await ended;
  log.info(`export: ${text.trim()}`);
  if (code !== 0 && !token.isCancellationRequested)
    throw new Error(
      text.trim().split('\n').at(-1) || vscode.l10n.t('{0} ended with {1}', 'coach export', String(code)),
    );
}

export function adapterFolder(info: RunInfo): string {
  return path.resolve(info.dir, info.result?.adapter ?? (info.isWhole ? 'model' : 'adapter'));
}

/** In the system's file manager; where there is none (a remote window), in the Explorer. */
export async function revealFolder(folder: string): Promise<void> {
  const uri = vscode.Uri.file(folder);
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    throw new Error(vscode.l10n.t('{0} is not there (yet)', folder));
  }
  await vscode.commands.executeCommand(
    vscode.env.remoteName === undefined ? 'revealFileInOS' : 'revealInExplorer',
    uri,
  );
}
