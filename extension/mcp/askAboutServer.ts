/** What a person is asked, and told, about an MCP server. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { isEditor, MCP_SETTING, type ConfiguredServer, type McpInput } from '../../trainer/protocol/mcp';
import type { TrainerError } from '../../trainer/protocol/result';
import { commands } from '../contributions';

const isAddress = ({ reach }: ConfiguredServer): boolean => /^https?:/.test(reach);

/** Where it is configured, in words. */
export function placeOf(server: ConfiguredServer): string {
  if (isEditor(server)) return vscode.l10n.t('lent by this window');
  return server.file === undefined ? MCP_SETTING : vscode.workspace.asRelativePath(server.file);
}

/** Modal: what is started then runs as the person's own programs do. */
export async function mayUse(server: ConfiguredServer): Promise<boolean> {
  if (isEditor(server)) return mayLend(server);
  const { name, reach, variables, inputs } = server;
  const use = isAddress(server) ? vscode.l10n.t('Connect') : vscode.l10n.t('Start It');
  const given = [...variables, ...inputs.map(({ id }) => id)];
  const detail = [
    reach,
    vscode.l10n.t('It stands in {0}.', placeOf(server)),
    ...(given.length > 0 ? [vscode.l10n.t('It is given: {0}.', given.join(', '))] : []),
    isAddress(server)
      ? vscode.l10n.t('What a run calls is sent there.')
      : vscode.l10n.t('It runs as your own programs do: Coach puts no wall around it.'),
    vscode.l10n.t('You are asked once, and again when its configuration has changed.'),
  ].join('\n\n');
  const question = isAddress(server)
    ? vscode.l10n.t('Coach: may it connect to the MCP server {0}, to use its tools?', name)
    : vscode.l10n.t('Coach: may it start the MCP server {0}, to use its tools?', name);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, use)) === use;
}

async function mayLend({ reach }: ConfiguredServer): Promise<boolean> {
  const lend = vscode.l10n.t('Lend Them');
  const detail = [
    reach,
    vscode.l10n.t('They are called through this window, while it is open.'),
    vscode.l10n.t('Nothing tells which of them only read: all are mocked unless Tool Policy says that they run.'),
  ].join('\n\n');
  const question = vscode.l10n.t("Coach: may a run use these of the editor's own tools?");
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, lend)) === lend;
}

/** undefined: the person does not say. */
export async function askInput(server: ConfiguredServer, input: McpInput): Promise<string | undefined> {
  const title = vscode.l10n.t('MCP server {0}: {1}', server.name, input.id);
  const prompt = input.description ?? vscode.l10n.t('A value that its configuration asks for');
  if (input.options) return vscode.window.showQuickPick(input.options, { title, placeHolder: prompt });
  return vscode.window.showInputBox({
    title,
    prompt: input.isSecret
      ? vscode.l10n.t("{0}. Kept in VS Code's secret storage; that server alone gets it.", prompt)
      : prompt,
    password: input.isSecret,
    ignoreFocusOut: true,
    ...(input.default === undefined ? {} : { value: input.default }),
  });
}

/** The servers of a file to train on; the ones before are chosen already. undefined: none */
export async function pickServers(
  servers: readonly ConfiguredServer[],
  before: readonly string[],
): Promise<ConfiguredServer[] | undefined> {
  const first = servers.find(({ problem }) => problem === undefined);
  const items = servers.map((server) => ({
    label: server.name,
    description: server.reach,
    ...(server.problem === undefined ? {} : { detail: `$(warning) ${server.problem}` }),
    picked: before.length > 0 ? before.includes(server.name) : server === first,
    server,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Train Agent on These Tools'),
    placeHolder: vscode.l10n.t('The tools of which servers?'),
    canPickMany: true,
  });
  return chosen?.map(({ server }) => server);
}

/** One message, and the ways out of it. `again`: forgets the values that it was given. */
export async function tellAboutServer(
  error: unknown,
  { file, servers = [], again }: { file?: string | undefined; servers?: ConfiguredServer[]; again?(): void },
): Promise<void> {
  const { message, data } = error as Error & { data?: Partial<TrainerError> };
  const text = data?.hint === undefined ? message : `${message}. ${data.hint}`.replace(/\.\. /, '. ');
  const open = file === undefined ? vscode.l10n.t('Open Setting') : vscode.l10n.t('Open {0}', path.basename(file));
  const enter = vscode.l10n.t('Enter Its Values Again');
  const log = vscode.l10n.t('Show Log');
  const hasValues = again !== undefined && servers.some(({ inputs }) => inputs.length > 0);
  const chosen = await vscode.window.showErrorMessage(
    vscode.l10n.t('Coach: {0}', text),
    ...[open, ...(hasValues ? [enter] : []), log],
  );
  if (chosen === open) await openConfiguration(file, servers[0]?.name);
  if (chosen === enter) again?.();
  if (chosen === log) await vscode.commands.executeCommand(commands.showLog);
}

/** The file, at the server's name; or the setting. */
export async function openConfiguration(file: string | undefined, name?: string): Promise<void> {
  if (file === undefined) {
    await vscode.commands.executeCommand('workbench.action.openSettings', MCP_SETTING);
    return;
  }
  const line = name === undefined ? 0 : lineOf(file, name);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(line, 0, line, 0) });
}

function lineOf(file: string, name: string): number {
  const at = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(`${JSON.stringify(name)}:`));
  return Math.max(0, at);
}
