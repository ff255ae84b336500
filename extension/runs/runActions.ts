/** What a user does with a run: start, stop, resume. Refused in Restricted Mode, in code as well as in the menus. */
import * as vscode from 'vscode';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { RunConfigInput } from '../../trainer/protocol/runConfig';
import type { ToolSchema } from '../../trainer/protocol/task';
import { commands, VIEW_CONTAINER, views } from '../contributions';
import { isServerFile, type McpServers } from '../mcp/mcpServers';
import type { EditorModels } from '../models/editorModels';
import { fetchModel } from '../models/hubModels';
import { judgeSecrets, type KeyChoice } from '../models/judgeOrigins';
import { askTeacherKey } from '../models/teacherKey';
import type { Log } from '../window/log';
import { nodeCommand, type Programs, WRITER_KEY } from '../processes/programs';
import { distil } from './distil';
import { isAlive, lastPid } from './runFiles';
import type { Runs } from './runs';
import { duration, runName } from './runText';
import type { Service } from '../processes/service';
import { readSettings, toRunConfig, type Settings } from '../settings';
import type { ToolIndex } from '../tools/toolIndex';
import { stopTrainer } from '../processes/stopTrainer';
import { StartRefused, startTrainer, type TrainerStart } from '../processes/trainerProcess';
import type { TaskPreview } from '../tools/taskPreview';
import { pickTraining } from '../tools/trainPick';
import { chosenConfig, runMethodOf, stepsOf } from '../tools/runChoices';
import type { Choices, LastChoices } from '../tools/trainPickInput';
import { readMemory } from '../tools/memoryEstimate';
import { openPreview, readPreview, taskFileOf, type PreviewDeps } from '../tools/previewTasks';
import { tellError } from '../window/errors';
import { saved } from '../window/saved';
import { mayTrain } from '../window/trust';

export interface RunActionsDeps {
  programs: Programs;
  index: ToolIndex;
  mcp: McpServers;
  service: Service;
  runs: Runs;
  log: Log;
  memory: vscode.Memento;
  secrets: vscode.SecretStorage;
  models: EditorModels;
  showRun(runId: string): void;
}

/** What a run is to learn: the tools of a file, or of MCP servers. */
interface Trainable {
  /** as a run's settings name it */
  file: string;
  tools: ToolSchema[];
  /** unusable tools of the file */
  faults: number;
}

export class RunActions {
  constructor(private readonly deps: RunActionsDeps) {}

  /** The main job: from a tool file, or servers, to a run that trains. */
  async train(resource?: vscode.Uri): Promise<void> {
    if (!(await mayTrain())) return;
    const trainable = await this.trainable(resource);
    if (!trainable) return;
    const { file, tools, faults } = trainable;
    const uri = vscode.Uri.file(file);
    const { index } = this.deps;
    const settings = readSettings(uri);
    const memoryKey = `lastChoices:${file}`;
    const choices = await pickTraining({
      file,
      tools,
      faults,
      withoutTasks: index.withoutTasks(file).map(({ withoutTasks }) => withoutTasks.tool),
      settings,
      last: this.deps.memory.get<LastChoices>(memoryKey) ?? null,
      estimate: (wanted) => this.estimate(wanted),
      memory: (wanted) => readMemory(this.cliDeps(settings), toRunConfig(file, { ...settings, ...wanted })),
      preview: (wanted) => this.readTasks(file, { ...settings, ...wanted }),
      openPreview: (preview) => openPreview(file, preview),
      hasTaskFile: existsSync(taskFileOf(file)),
      foundModels: () => this.deps.service.ask('foundModels', {}),
      fetchModel: () => this.fetchModel(),
      askTeacherKey: (address) => askTeacherKey(this.deps.secrets, address),
    });
    if (!choices) return;
    await this.deps.memory.update(memoryKey, choices);
    await this.startChosen(toRunConfig(file, { ...settings, ...choices }), choices, workspaceFolderOf(uri));
  }

  /** Where a teacher was chosen, it is asked first. */
  private async startChosen(config: RunConfigInput, choices: Choices, workspace: string): Promise<void> {
    const { programs, secrets, log } = this.deps;
    const { teacher } = choices;
    let dialogues: string | undefined;
    if (teacher) {
      const node = nodeCommand(readSettings().nodePath);
      try {
        dialogues = await distil({ cli: programs.cli, node, secrets, log }, config, teacher);
      } catch (error) {
        log.error(`distill: ${(error as Error).message}`);
        void tellError(error, config.toolFile);
        return;
      } finally {
        await this.deps.runs.refresh();
      }
      if (dialogues === undefined) return;
    }
    await this.start(
      { config: chosenConfig(config, choices, dialogues) },
      workspace,
      vscode.l10n.t('Starting to train on {0}', path.basename(config.toolFile)),
    );
  }

  /** undefined: there is none, or the user thought better of it; both were told. */
  private async trainable(resource?: vscode.Uri): Promise<Trainable | undefined> {
    const file = resource?.fsPath ?? (await this.chooseFile());
    if (file === undefined) return undefined;
    const { index, mcp } = this.deps;
    const ofServers = await mcp.meant(file);
    if (ofServers !== null) return ofServers && { ...ofServers, file: ofServers.toolFile };
    await saved(file);
    if (index.toolsOf(file).length === 0) await index.refresh();
    const tools = index.toolsOf(file);
    const faults = index.diagnostics.filter(
      (diagnostic) => diagnostic.file === file && diagnostic.severity === 'error',
    );
    if (tools.length > 0) return { file, tools, faults: faults.length };
    await this.tellNoTools(vscode.Uri.file(file), faults[0]?.message);
    return undefined;
  }

  /** The tasks that a run would use, in an editor. They are made by calling tools, so not in Restricted Mode. */
  async preview(resource?: vscode.Uri): Promise<void> {
    if (!(await mayTrain())) return;
    const file = resource?.fsPath ?? (await this.chooseFile());
    if (file === undefined) return;
    await saved(file);
    const made = await this.readTasks(file, readSettings(vscode.Uri.file(file)));
    if (made) await openPreview(file, made);
  }

  private async readTasks(file: string, settings: Settings): Promise<TaskPreview | undefined> {
    const deps = this.cliDeps(settings);
    const secrets = await this.deps.mcp.secrets(file);
    if (secrets === null) return undefined;
    return readPreview({ ...deps, node: { ...deps.node, secrets } }, file, settings);
  }

  private cliDeps({ nodePath }: Settings): PreviewDeps {
    const { programs, log } = this.deps;
    return { cli: programs.cli, node: nodeCommand(nodePath), log };
  }

  /** From the hub, by its name. */
  fetchModel(): Promise<string | undefined> {
    const { programs, secrets, log } = this.deps;
    return fetchModel({ cli: programs.cli, node: nodeCommand(readSettings().nodePath), secrets, log });
  }

  /** A run whose settings are decided already. */
  async trainWith(config: RunConfigInput, workspace: string, title: string): Promise<void> {
    if (await mayTrain()) await this.start({ config }, workspace, title);
  }

  /** What was looked at on the page of lessons; it is written, and a run on it started. */
  async trainOnLessons(info: RunInfo): Promise<void> {
    if (!(await mayTrain())) return;
    const workspace = workspaceOfRun(info.dir);
    const { config } = await this.deps.service.ask('writeLessons', { workspace, dir: info.dir });
    await this.start({ config }, workspace, vscode.l10n.t('Starting to learn from the traces of {0}', runName(info)));
  }

  async resume(info: RunInfo): Promise<void> {
    if (!(await mayTrain())) return;
    if (info.problem !== null) throw new Error(vscode.l10n.t("run {0} can't be resumed: {1}", info.id, info.problem));
    await ended(lastPid(info.dir));
    await this.start({ resume: info.dir }, workspaceOfRun(info.dir), vscode.l10n.t('Resuming {0}', runName(info)));
  }

  private async start(start: TrainerStart, workspace: string, title: string): Promise<void> {
    const { programs, runs, log } = this.deps;
    try {
      const judgeUrl = await this.judgeOf(start);
      const key = await judgeSecrets({ secrets: this.deps.secrets, address: judgeUrl, ask: mayHaveKey });
      if (key === null) return;
      const ofServers = await this.deps.mcp.secrets(this.toolFileOf(start) ?? '');
      if (ofServers === null) return;
      const writerUrl = 'config' in start ? start.config.writerUrl : undefined; // a resumed run has its tasks
      const ownKey = process.env[WRITER_KEY];
      const writerKey: Record<string, string> = 'config' in start && ownKey ? { [WRITER_KEY]: ownKey } : {};
      const node = {
        ...nodeCommand(readSettings().nodePath),
        secrets: { ...ofServers, ...key, ...writerKey, ...(await this.deps.models.secrets(judgeUrl, writerUrl)) },
      };
      const { dir, diagnostics } = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Coach: {0}…', title) },
        (progress) =>
          startTrainer(programs.trainer, node, start, workspace, log, (message) => progress.report({ message })),
      );
      this.deps.index.showMet(diagnostics);
      await runs.refresh();
      const info = runs.list.find((run) => run.dir === dir);
      if (!info)
        throw new Error(vscode.l10n.t('the trainer began in {0}, which is not among the runs of this workspace', dir));
      runs.select(info.id);
      this.deps.showRun(info.id);
      await vscode.commands.executeCommand(`workbench.view.extension.${VIEW_CONTAINER}`);
    } catch (error) {
      if (error instanceof StartRefused) this.deps.index.showMet(error.diagnostics);
      log.error(`starting a run: ${(error as Error).message}`);
      void tellError(error, 'config' in start ? start.config.toolFile : undefined);
    }
  }

  private toolFileOf(start: TrainerStart): string | undefined {
    if ('config' in start) return start.config.toolFile;
    return this.deps.runs.list.find((run) => run.dir === start.resume)?.toolFile;
  }

  /** The judge's address as the run names it; a resumed one has it from its folder. */
  private async judgeOf(start: TrainerStart): Promise<string | undefined> {
    if ('config' in start) return start.config.judgeUrl;
    const { runs } = this.deps;
    const resumed = runs.list.find((run) => run.dir === start.resume);
    return resumed && (await runs.load(resumed.id)).manifest?.config.judgeUrl;
  }

  /** In order, and bounded. */
  async stop(info: RunInfo): Promise<void> {
    const { runs, log } = this.deps;
    const follower = runs.follower(info.id);
    if (!follower || runs.statusOf(info) !== 'running') return;
    await vscode.window.withProgress(
      { location: { viewId: views.runs }, title: vscode.l10n.t('Stopping {0}', runName(info)) },
      async () => {
        const pid = follower.pid;
        await stopTrainer({
          ask: () => follower.stop(),
          isConnected: () => follower.isLive,
          hasStopped: () => runs.statusOf(info) !== 'running',
          pid,
          log,
        });
        await ended(pid); // it says that it stopped before it gives back the run's lock
      },
    );
    await runs.refresh();
  }

  /** A tool file, or `FOLDER/mcp:NAME`. */
  private async chooseFile(): Promise<string | undefined> {
    const { index, mcp } = this.deps;
    if (!index.isReady) await index.refresh();
    const active = vscode.window.activeTextEditor?.document.uri.fsPath;
    if (active !== undefined && (index.files.includes(active) || isServerFile(active))) return active;
    const items = [
      ...index.files.map((file) => ({
        label: path.basename(file),
        description: vscode.workspace.asRelativePath(path.dirname(file)),
        detail: index
          .toolsOf(file)
          .map((tool) => tool.name)
          .join(', '),
        file,
      })),
      ...mcp.choices(),
    ];
    if (items.length === 0) {
      await this.tellNoTools();
      return undefined;
    }
    if (items.length === 1) return items[0]!.file;
    items.push(...mcp.editorChoice());
    return (
      await vscode.window.showQuickPick(items, {
        title: vscode.l10n.t('Train Agent on These Tools'),
        placeHolder: vscode.l10n.t('Which tools?'),
        matchOnDetail: true,
      })
    )?.file;
  }

  private async tellNoTools(uri?: vscode.Uri, fault?: string): Promise<void> {
    const insert = vscode.l10n.t('Insert an Example Tool');
    const where = uri ? vscode.workspace.asRelativePath(uri) : vscode.l10n.t('this workspace');
    const why =
      fault ??
      vscode.l10n.t('A tool is an exported function, or a method of an exported class, whose JSDoc has the tag @tool.');
    if (
      (await vscode.window.showWarningMessage(vscode.l10n.t('No usable tool in {0}. {1}', where, why), insert)) ===
      insert
    )
      await vscode.commands.executeCommand(commands.insertExampleTool);
  }

  /** From the newest finished run of the same kind; null: never measured here. */
  private estimate(choices: Choices): string | null {
    const method = runMethodOf(choices);
    const like = this.deps.runs.list.find(
      (run) => run.result && run.result.steps > 0 && run.method === method && run.model === choices.model,
    );
    return like?.result
      ? vscode.l10n.t('about {0}', duration(Math.round((like.result.seconds * stepsOf(choices)) / like.result.steps)))
      : null;
  }
}

/** Modal: a server that the person never named may be anybody's. */
async function mayHaveKey(origin: string): Promise<KeyChoice> {
  const [send, without] = [vscode.l10n.t('Send the Key'), vscode.l10n.t('Start Without It')];
  const detail = vscode.l10n.t(
    `Your judge API key was not given for this server. The address stands in this workspace's settings or in the run's folder, which others may have written.`,
  );
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Coach: the run's judge is {0}. May it have your judge API key?", origin),
    { modal: true, detail },
    send,
    without,
  );
  return chosen === send ? 'send' : chosen === without ? 'without' : 'cancel';
}

function workspaceFolderOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
}

/** `<workspace>/.coach/runs/<id>` -> workspace */
export const workspaceOfRun = (dir: string): string => path.resolve(dir, '..', '..', '..');

/** A trainer that told its last event still has to end; who waits longer than this is told so by the run's lock. */
async function ended(pid: number | null, patienceMs = 10_000): Promise<void> {
  for (const deadline = Date.now() + patienceMs; pid !== null && isAlive(pid) && Date.now() < deadline; )
    await new Promise((resolve) => setTimeout(resolve, 50));
}
