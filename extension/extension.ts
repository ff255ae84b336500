/** Builds the parts and wires them; every part belongs to the context, which ends it with the window. */
import * as vscode from 'vscode';
import { CoachPanels } from './panel/coachPanels';
import { TrainCodeLens } from './tools/codeLens';
import { registerCommands } from './commands';
import { views } from './contributions';
import { EditorModels } from './models/editorModels';
import { Evaluations } from './evaluations/evaluations';
import { McpServers } from './mcp/mcpServers';
import { OfferedFiles } from './mcp/offeredFiles';
import { createLog } from './window/log';
import { askUser, Notices } from './window/notices';
import { PanelActions } from './panel/panelActions';
import { PreferenceDesk } from './preferences';
import { PlayerProcess } from './processes/playerProcess';
import { nodeCommand, programsIn } from './processes/programs';
import { RunActions } from './runs/runActions';
import { Runs } from './runs/runs';
import { RunsTree } from './runs/runsTree';
import { Service } from './processes/service';
import { onDidChangeSettings, readSettings } from './settings';
import { StatusBar } from './runs/statusBar';
import { ToolIndex } from './tools/toolIndex';
import { ToolMaking } from './tools/toolMaking';
import { QuickFixes } from './tools/quickFixes';
import { ToolsWithoutTasks } from './tools/toolsWithoutTasks';
import { ToolsTree } from './tools/toolsTree';
import { RunFacts } from './traces/traceFacts';
import { TraceFileEditors } from './traces/traceFiles';
import { TracesTree } from './traces/tracesTree';
import { Trying } from './panel/trying';

export function activate(context: vscode.ExtensionContext): void {
  const own: Own = (thing) => {
    context.subscriptions.push(thing);
    return thing;
  };
  const log = own(createLog());
  const programs = programsIn(context.extensionPath);
  const service = own(new Service(programs.service, () => nodeCommand(readSettings().nodePath), log));
  const index = own(new ToolIndex(service, log));
  const mcp = own(new McpServers(service, context.workspaceState, context.secrets, log));
  const runs = own(new Runs(service, log, askUser));
  own(new Notices(runs));
  own(new StatusBar(runs));

  const panelActions = new PanelActions(index, service);
  const player = own(
    new PlayerProcess({
      script: programs.trainer,
      node: () => nodeCommand(readSettings().nodePath),
      answer: (question) => askUser('', question),
      log,
    }),
  );
  const trying = own(new Trying(player, service, runs, mcp));
  const panels = own(
    new CoachPanels({
      extensionUri: context.extensionUri,
      runs,
      service,
      actions: panelActions,
      nanoDir: programs.nano,
      trying,
      marking: () => desk.page,
      log,
    }),
  );
  own(
    new TraceFileEditors({
      extensionUri: context.extensionUri,
      service,
      actions: panelActions,
      nanoDir: programs.nano,
      log,
    }),
  );
  const actions = new RunActions({
    programs,
    index,
    mcp,
    service,
    runs,
    log,
    memory: context.workspaceState,
    secrets: context.secrets,
    models: own(new EditorModels(context.languageModelAccessInformation)),
    showRun: (runId) => panels.show(runId, { page: 'run' }),
  });

  const making = own(
    new ToolMaking({
      cli: programs.cli,
      index,
      service,
      log,
      memory: context.workspaceState,
      secrets: context.secrets,
    }),
  );

  showTools(index, mcp, own);
  showRuns(runs, own);
  const evaluations = own(new Evaluations({ service, runs, trying, log }));
  const showMarking = (runId: string | null): void => panels.show(runId, { page: 'marking' });
  const desk = own(new PreferenceDesk({ service, runs, index, actions, log, showMarking }));
  const traces = own(new TracesTree(runs, own(new RunFacts(runs, desk.preferences, log))));
  traces.attach(own(vscode.window.createTreeView(views.traces, { treeDataProvider: traces, showCollapseAll: true })));
  const lens = own(new TrainCodeLens(index));
  own(new ToolsWithoutTasks(index));
  own(new QuickFixes(index));
  own(new OfferedFiles(index, programs.cli));
  own(
    onDidChangeSettings(() => {
      index.publish();
      void mcp.refresh();
      lens.refresh();
      desk.refresh();
    }),
  );
  own(
    registerCommands({
      programs,
      secrets: context.secrets,
      log,
      index,
      mcp,
      service,
      runs,
      trying,
      evaluations,
      actions,
      making,
      panels,
      traces,
      preferences: desk.handlers,
    }),
  );

  // Reading begins once the window is up; activation itself only wires.
  setTimeout(() => {
    void index.refresh();
    void mcp.refresh();
    void runs.refresh();
  }, 0);
}

/** Keeps a part until the window ends. */
type Own = <T extends vscode.Disposable>(thing: T) => T;

function showTools(index: ToolIndex, mcp: McpServers, own: Own): void {
  const tools = own(new ToolsTree(index, mcp));
  const view = own(vscode.window.createTreeView(views.tools, { treeDataProvider: tools, showCollapseAll: true }));
  own(
    index.onDidChange(() => {
      view.message = index.problem ?? undefined;
    }),
  );
}

function showRuns(runs: Runs, own: Own): void {
  const view = own(vscode.window.createTreeView(views.runs, { treeDataProvider: own(new RunsTree(runs)) }));
  own(
    runs.onDidChangeList(() => {
      const count = runs.live().length;
      view.badge = count > 0 ? { value: count, tooltip: trainingWords(count) } : undefined;
      view.message = runs.problem ?? undefined;
    }),
  );
}

const trainingWords = (count: number): string =>
  count === 1 ? vscode.l10n.t('One run is training') : vscode.l10n.t('{0} runs are training', count);

export function deactivate(): void {
  // The service ends with context.subscriptions. Trainers live on: that is the point of them.
}
