/**
 * Which MCP servers a person has allowed, and the values that those ask for. A server is known by all that decides what
 * is started: one that was changed is asked about again. Free of `vscode`.
 */
import {
  inputVariable,
  MCP_SERVERS,
  MCP_SETTING,
  type ConfiguredServer,
  type McpInput,
} from '../../trainer/protocol/mcp';

interface Store {
  get(key: string): unknown;
  set(key: string, value: string | string[] | undefined): PromiseLike<void>;
}

export interface AllowedStores {
  /** of this workspace, outside of it */
  memory: Store;
  /** VS Code's secret storage */
  secrets: Store;
}

const ALLOWED = 'agentCoach.mcp.allowed';
/** The oldest are asked about again. */
const MOST = 200;

export class AllowedServers {
  constructor(private readonly stores: AllowedStores) {}

  isAllowed({ identity }: ConfiguredServer): boolean {
    return this.all().includes(identity);
  }

  async allow({ identity }: ConfiguredServer): Promise<void> {
    await this.stores.memory.set(ALLOWED, [...this.all().filter((one) => one !== identity), identity].slice(-MOST));
  }

  private all(): string[] {
    return (this.stores.memory.get(ALLOWED) ?? []) as string[];
  }

  /**
   * What a program of ours that uses these servers gets through its pipe: the values of their inputs, the variables
   * that they refer to, and the servers of the settings.
   * @param setting all servers of the settings
   * @param ask for a value that is not known yet; undefined: the person does not say
   * @returns null: a value is missing
   */
  async environmentFor(
    servers: readonly ConfiguredServer[],
    setting: Readonly<Record<string, unknown>>,
    ask: (server: ConfiguredServer, input: McpInput) => PromiseLike<string | undefined>,
    environment: Readonly<Record<string, string | undefined>> = process.env,
  ): Promise<Record<string, string> | null> {
    const values: Record<string, string> = {};
    for (const server of servers) {
      for (const name of server.variables) if (environment[name] !== undefined) values[name] = environment[name];
      for (const input of server.inputs) {
        const value = (await this.storeOf(input).get(keyOf(server, input))) ?? (await this.asked(server, input, ask));
        if (typeof value !== 'string') return null;
        values[inputVariable(input.id)] = value;
      }
    }
    const ours = servers.filter(({ file }) => file === undefined).map(({ name }) => [name, setting[name]]);
    return ours.length === 0 ? values : { ...values, [MCP_SERVERS]: JSON.stringify(Object.fromEntries(ours)) };
  }

  /** They are asked for the next time that the server is used. */
  async forgetValues(server: ConfiguredServer): Promise<void> {
    for (const input of server.inputs) await this.storeOf(input).set(keyOf(server, input), undefined);
  }

  private async asked(
    server: ConfiguredServer,
    input: McpInput,
    ask: (server: ConfiguredServer, input: McpInput) => PromiseLike<string | undefined>,
  ): Promise<string | undefined> {
    const value = await ask(server, input);
    if (value !== undefined) await this.storeOf(input).set(keyOf(server, input), value);
    return value;
  }

  private storeOf({ isSecret }: McpInput): Store {
    return isSecret ? this.stores.secrets : this.stores.memory;
  }
}

const keyOf = ({ file }: ConfiguredServer, { id }: McpInput): string =>
  `agentCoach.mcp.input:${file ?? MCP_SETTING}:${id}`;
