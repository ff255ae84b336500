/**
 * The MCP servers of the workspace: those of its mcp.json files and of the settings. They are read as they stand; one
 * is started only once the person has allowed it, and never in Restricted Mode.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import {
  EDITOR_TOOLS,
  isEditor,
  namedServers,
  serversAsToolFile,
  type ConfiguredServer,
} from '../../trainer/protocol/mcp';
import type { ToolSchema } from '../../trainer/protocol/task';
import { contexts } from '../contributions';
import type { Service } from '../processes/service';
import { readSettings } from '../settings';
import { localFolders } from '../tools/toolIndex';
import { Debounce, Emitter, Owner } from '../window/disposables';
import type { Log } from '../window/log';
import { saved } from '../window/saved';
import { mayTrain } from '../window/trust';
import { AllowedServers, type AllowedStores } from './allowed';
import { EditorTools } from './editorTools';
import { askInput, mayUse, pickServers, placeOf, tellAboutServer } from './askAboutServer';

const FILE = 'mcp.json';
const ELSEWHERE = '**/{node_modules,.git,.coach}/**';
const DELAY_MS = 500;
const CHOSEN = 'agentCoach.mcp.chosen:';

/** What this window knows of a server's tools; nothing: it was not asked yet. */
export interface Listing {
  isUnderWay?: boolean;
  tools?: ToolSchema[];
  /** tools that were left out */
  faults?: number;
  problem?: string;
}

/** Servers whose tools are to be trained on, as a run's `toolFile`. */
export interface ServerTools {
  toolFile: string;
  tools: ToolSchema[];
  /** tools that were left out */
  faults: number;
}

export const isServerFile = (file: string): boolean => path.basename(file) === FILE;

export class McpServers extends Owner {
  servers: ConfiguredServer[] = [];
  private readonly changed = this.own(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly allowed: AllowedServers;
  private readonly editor: EditorTools;
  private readonly listings = new Map<string, Listing>();

  constructor(
    private readonly service: Service,
    private readonly memory: vscode.Memento,
    secrets: vscode.SecretStorage,
    private readonly log: Log,
  ) {
    super();
    this.allowed = new AllowedServers(storesOf(memory, secrets));
    this.editor = this.own(new EditorTools(memory));
    const soon = this.own(new Debounce(DELAY_MS, () => void this.refresh()));
    const watcher = this.own(vscode.workspace.createFileSystemWatcher(`**/${FILE}`));
    for (const happened of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.own(happened(() => soon.schedule()));
    this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => soon.schedule()));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => soon.schedule()));
  }

  /** Reads the configurations once more; what was listed of a server that has not changed stays. */
  async refresh(): Promise<void> {
    try {
      const files = await vscode.workspace.findFiles(`**/${FILE}`, ELSEWHERE);
      const local = files.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
      const { servers, problems } = await this.read(local.sort(), true);
      for (const { message } of problems) this.log.warn(`MCP servers: ${message}`);
      this.servers = servers.map((server) => (isEditor(server) ? this.editor.described(server) : server));
    } catch (error) {
      this.log.warn(`MCP servers: ${(error as Error).message}`);
    }
    void vscode.commands.executeCommand('setContext', contexts.hasServers, this.servers.length > 0);
    this.changed.fire();
  }

  private read(files: string[], withSetting = false) {
    const [folder] = localFolders();
    const lent = this.editor.names().length > 0 ? { [EDITOR_TOOLS]: {} } : {};
    const setting =
      withSetting && folder !== undefined ? { servers: { ...readSettings().mcpServers, ...lent }, folder } : null;
    return this.service.ask('mcpServers', { files, setting });
  }

  /** Rows of a pick of tools, with a run's `toolFile`. */
  choices() {
    return this.servers
      .filter((server) => server.problem === undefined && !isEditor(server))
      .map((server) => ({
        label: server.name,
        description: vscode.l10n.t('MCP server · {0}', placeOf(server)),
        detail: server.reach,
        file: serversAsToolFile(server.folder, [server.name]),
      }));
  }

  /** Likewise, where there are any. */
  editorChoice() {
    const [folder] = localFolders();
    if (this.editor.count === 0 || folder === undefined) return [];
    const lent = {
      label: vscode.l10n.t("The editor's own tools…"),
      description: vscode.l10n.t('{0}, of the editor and its extensions', this.editor.count),
      detail: this.editor.names().join(', '),
      file: serversAsToolFile(folder, [EDITOR_TOOLS]),
    };
    return [lent];
  }

  /** The tools of what a person chose to train on. undefined: none, which was told; null: it is a file of tools */
  async meant(file: string): Promise<ServerTools | undefined | null> {
    if (isServerFile(file)) return this.choose(file);
    if (namedServers(file)?.names[0] === EDITOR_TOOLS) return this.chooseEditorTools();
    const servers = await this.named(file);
    return servers && this.toolsOf(servers);
  }

  /** Asks which of the editor's tools are meant. undefined: none, or it is not allowed, which was told */
  async chooseEditorTools(): Promise<ServerTools | undefined> {
    if (!(await mayTrain()) || !(await this.editor.choose())) return undefined;
    await this.refresh();
    const server = this.servers.find(isEditor);
    return server && this.toolsOf([server]);
  }

  isAllowed(server: ConfiguredServer): boolean {
    return vscode.workspace.isTrusted && this.allowed.isAllowed(server);
  }

  listing({ identity }: ConfiguredServer): Listing {
    return this.listings.get(identity) ?? {};
  }

  /** Asks which servers of a file are meant, and lists their tools. undefined: none, which was told */
  private async choose(file: string): Promise<ServerTools | undefined> {
    if (!(await mayTrain())) return undefined;
    await saved(file);
    const { servers, problems } = await this.read([file]);
    const problem =
      problems[0]?.message ?? (servers.length === 0 ? vscode.l10n.t('{0} names no server', file) : undefined);
    if (problem !== undefined) {
      void tellAboutServer(new Error(problem), { file });
      return undefined;
    }
    const key = CHOSEN + file;
    const chosen = servers.length === 1 ? servers : await pickServers(servers, this.memory.get<string[]>(key) ?? []);
    if (!chosen || chosen.length === 0) return undefined;
    if (servers.length > 1)
      await this.memory.update(
        key,
        chosen.map(({ name }) => name),
      );
    return this.toolsOf(chosen);
  }

  /** The tools of these servers, listed anew. undefined: there are none, which was told */
  private async toolsOf(servers: ConfiguredServer[]): Promise<ServerTools | undefined> {
    const listings: Listing[] = [];
    for (const server of servers) {
      const listing = await this.list(server);
      if (listing === null) return undefined;
      listings.push(listing);
    }
    const [{ folder }] = servers as [ConfiguredServer];
    const names = servers.map(({ name }) => name);
    return {
      toolFile: serversAsToolFile(folder, names),
      tools: listings.flatMap(({ tools = [] }) => tools),
      faults: listings.reduce((sum, { faults = 0 }) => sum + faults, 0),
    };
  }

  /** The servers that a run's `toolFile` names, as they are configured now; null: it names none. */
  private async named(toolFile: string): Promise<ConfiguredServer[] | null> {
    const named = namedServers(toolFile);
    if (named === null && !toolFile.endsWith('.json')) return null;
    await this.refresh();
    if (named === null) return this.servers.filter(({ file, problem }) => file === toolFile && problem === undefined);
    return named.names.map((name) => {
      const server = nearest(this.servers, { folder: named.folder, name });
      if (!server) throw new Error(vscode.l10n.t('no configuration of this workspace has the MCP server {0}', name));
      return server;
    });
  }

  /**
   * What a program of ours gets through its pipe for a run on this `toolFile`: nothing where it is a file. Asks for
   * whatever the person has not said yet.
   * @returns null: the person does not want it
   */
  async secrets(toolFile: string): Promise<Record<string, string> | null> {
    const servers = await this.named(toolFile);
    return servers === null ? {} : this.environmentFor(servers);
  }

  /** Allowed first: a value is for the server that was shown. */
  private async environmentFor(servers: ConfiguredServer[]): Promise<Record<string, string> | null> {
    if (!(await mayTrain())) return null;
    for (const server of servers) {
      if (this.allowed.isAllowed(server)) continue;
      if (!(await mayUse(server))) return null;
      await this.allowed.allow(server);
      this.changed.fire();
    }
    const lent = servers.some(isEditor) ? { [EDITOR_TOOLS]: await this.editor.entry() } : {};
    return this.allowed.environmentFor(servers, { ...readSettings().mcpServers, ...lent }, askInput);
  }

  /** Starts a server for the list of its tools. @returns null: it was not wanted, or failed, which was told */
  async list(shown: ConfiguredServer): Promise<Listing | null> {
    let server = shown;
    this.note(shown, { isUnderWay: true }); // once, however often the view asks
    try {
      server = await this.asItIsNow(shown);
      if (server.problem !== undefined) throw new Error(server.problem);
      const environment = await this.environmentFor([server]);
      if (environment !== null) return await this.readTools(server, environment);
      const missing = { problem: vscode.l10n.t('it was not given the values that it asks for') };
      this.note(server, this.isAllowed(server) ? missing : {});
      return null;
    } catch (error) {
      const { message } = error as Error;
      this.log.error(`MCP server ${server.name}: ${message}`);
      this.note(server, { problem: message });
      void tellAboutServer(error, {
        file: server.file,
        servers: [server],
        again: () => void this.allowed.forgetValues(server).then(() => this.list(server)),
      });
      return null;
    }
  }

  /** What is started is what stands there now; not every disk tells of changes. */
  private async asItIsNow(shown: ConfiguredServer): Promise<ConfiguredServer> {
    const { name, file } = shown;
    const { servers } = await this.read(file === undefined ? [] : [file], file === undefined);
    const found = servers.find((one) => one.name === name && one.file === file);
    if (!found) throw new Error(vscode.l10n.t('the MCP server {0} is not configured any more', name));
    const server = isEditor(found) ? this.editor.described(found) : found;
    if (server.identity !== shown.identity) {
      this.listings.delete(shown.identity);
      await this.refresh();
    }
    return server;
  }

  private async readTools(server: ConfiguredServer, environment: Record<string, string>): Promise<Listing> {
    const options = {
      location: vscode.ProgressLocation.Window,
      title: vscode.l10n.t('Coach: listing the tools of {0}…', server.name),
    };
    const toolFile = serversAsToolFile(server.folder, [server.name]);
    const { tools, diagnostics } = await vscode.window.withProgress(options, () =>
      this.service.ask('mcpTools', { toolFile, environment }),
    );
    if (tools.length === 0) throw new Error(vscode.l10n.t('the MCP server {0} has no tools', server.name));
    for (const { message } of diagnostics) this.log.warn(`MCP server ${server.name}: ${message}`);
    const listing = { tools, faults: diagnostics.filter(({ severity }) => severity === 'error').length };
    this.note(server, listing);
    return listing;
  }

  private note({ identity }: ConfiguredServer, listing: Listing): void {
    this.listings.set(identity, listing);
    this.changed.fire();
  }
}

/** The one that a run finds from this folder upwards. */
function nearest(
  servers: readonly ConfiguredServer[],
  { folder, name }: { folder: string; name: string },
): ConfiguredServer | undefined {
  return servers
    .filter((one) => one.name === name && one.problem === undefined)
    .filter((one) => !path.relative(one.folder, folder).startsWith('..'))
    .sort(
      (a, b) => Number(a.file === undefined) - Number(b.file === undefined) || b.folder.length - a.folder.length,
    )[0];
}

function storesOf(memory: vscode.Memento, secrets: vscode.SecretStorage): AllowedStores {
  return {
    memory: { get: (key) => memory.get(key), set: (key, value) => memory.update(key, value) },
    secrets: {
      get: (key) => secrets.get(key),
      set: (key, value) => (value === undefined ? secrets.delete(key) : secrets.store(key, String(value))),
    },
  };
}
