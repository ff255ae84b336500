/** id -> what it does. */
import * as vscode from 'vscode';
import { commands, CONFIGURATION, type CommandId, type PreferenceCommandId } from './contributions';
import type { CoachPanels } from './panel/coachPanels';
import type { Evaluations } from './evaluations/evaluations';
import type { McpServers } from './mcp/mcpServers';
import { setHubToken } from './models/hubModels';
import { setJudgeKey } from './models/judgeKey';
import type { Programs } from './processes/programs';
import type { RunActions } from './runs/runActions';
import type { Runs } from './runs/runs';
import type { Service } from './processes/service';
import { readSettings } from './settings';
import type { ToolIndex } from './tools/toolIndex';
import type { ToolMaking } from './tools/toolMaking';
import type { TracesTree } from './traces/tracesTree';
import type { Trying } from './panel/trying';
import { tellError } from './window/errors';
import { runCommands } from './runs/runCommands';
import { toolCommands, uriOf } from './tools/toolCommands';
import { traceCommands } from './traces/traceCommands';

export type Handler = (...args: unknown[]) => unknown;
/** of a part of the commands */
export type Handlers = Partial<Record<CommandId, Handler>>;

export interface CommandDeps {
  programs: Programs;
  secrets: vscode.SecretStorage;
  log: vscode.LogOutputChannel;
  index: ToolIndex;
  mcp: McpServers;
  service: Service;
  runs: Runs;
  trying: Trying;
  evaluations: Evaluations;
  actions: RunActions;
  making: ToolMaking;
  panels: CoachPanels;
  traces: TracesTree;
  preferences: Record<PreferenceCommandId, Handler>;
}

export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const { log } = deps;
  const handlers: Record<CommandId, Handler> = {
    ...deps.preferences,
    ...runCommands(deps),
    ...traceCommands(deps),
    ...toolCommands(deps),
    [commands.openPanel]: () => deps.panels.show(null),
    [commands.openSettings]: () => vscode.commands.executeCommand('workbench.action.openSettings', CONFIGURATION),
    [commands.setJudgeKey]: () => setJudgeKey(deps.secrets, readSettings().judge.judgeUrl),
    [commands.setHubToken]: () => setHubToken(deps.secrets),
    [commands.fetchModel]: async () => {
      const model = await deps.actions.fetchModel();
      if (model !== undefined)
        void vscode.window.showInformationMessage(
          vscode.l10n.t("The model is at {0}. The training's pick lists it under Model.", model),
        );
    },
    [commands.showLog]: () => log.show(),
  };

  const told =
    (id: string, handler: Handler) =>
    async (...args: unknown[]) => {
      try {
        return await handler(...args);
      } catch (error) {
        log.error(`${id}: ${(error as Error).stack ?? String(error)}`);
        void tellError(error, uriOf(args[0])?.fsPath);
        return undefined;
      }
    };
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) => vscode.commands.registerCommand(id, told(id, handler))),
  );
}
