/** Export and opening of what a run made. The work itself is `coach export`, the same as from a terminal. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import { runCli } from '../processes/cliProcess';
import type { Log } from '../window/log';
import type { NodeCommand } from '../processes/programs';

const FORMATS = [
  { label: 'PEFT adapter', description: 'for transformers and vLLM', to: 'peft' },
  {
    label: 'Merged model',
    description: 'base and what was trained as one model, of the form that the base has: Hugging Face folder or GGUF',
    to: 'merged',
  },
  { label: 'GGUF LoRA', description: 'for llama.cpp, beside a GGUF of the base model', to: 'gguf-lora' },
  { label: 'Ollama', description: 'the same and a Modelfile', to: 'ollama' },
  { label: 'OpenAI fine-tuning data', description: 'JSONL of the solved traces', to: 'openai' },
  { label: 'TRL data', description: 'JSONL for the SFT and DPO trainers', to: 'trl' },
  { label: 'OpenTelemetry', description: 'OTLP/JSON spans: names, times, token counts', to: 'otel' },
] as const;

export async function exportRun(info: RunInfo, cli: string, node: NodeCommand, log: Log): Promise<void> {
  const format = await vscode.window.showQuickPick(
    FORMATS.filter(({ to }) => !info.isWhole || (to !== 'peft' && to !== 'gguf-lora')),
    { title: 'Export', placeHolder: 'As what?' },
  );
  if (!format) return;
  const folder = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    title: `Export ${format.label} into`,
    openLabel: 'Export',
  });
  if (!folder?.[0]) return;
  const out = path.join(folder[0].fsPath, `${info.id}-${format.to}`);
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Exporting ${format.label}…`, cancellable: true },
    (_, token) => runExport(node, [cli, 'export', info.dir, '--to', format.to, '--out', out], token, log),
  );
  const open = 'Open Folder';
  if ((await vscode.window.showInformationMessage(`Exported to ${out}`, open)) === open) await revealFolder(out);
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
    throw new Error(text.trim().split('\n').at(-1) || `coach export ended with ${code}`);
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
    throw new Error(`${folder} is not there (yet)`);
  }
  await vscode.commands.executeCommand(
    vscode.env.remoteName === undefined ? 'revealFileInOS' : 'revealInExplorer',
    uri,
  );
}
