/** A folder with a configuration of MCP servers, and sources opened from it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { NoteCode } from '../../../../trainer/protocol/note';
import { serversNamed } from '../../../../trainer/tools/sources/mcp/config';
import { discoverServers, type FoundServers } from '../../../../trainer/tools/sources/mcp/discover';
import type { InputValues } from '../../../../trainer/tools/sources/mcp/inputs';
import { mcpSource } from '../../../../trainer/tools/sources/mcp/source';
import type { ToolSource } from '../../../../trainer/tools/sources/toolSource';

export const COUNTER = join(__dirname, 'counterServer.mjs');
export const LIST = join(__dirname, 'listServer.mjs');

/** The counter over stdio, with more of its entry. It calls a tool read-only that counts, so it is started anew. */
export const counter = (more: object = {}): object => ({
  command: process.execPath,
  args: [COUNTER],
  coach: { reset: 'fresh' },
  ...more,
});
/** A server with these tools, whatever they are. */
export const listing = (tools: unknown[], more: object = {}): object => ({
  command: process.execPath,
  args: [LIST, JSON.stringify(tools)],
  ...more,
});

export class McpWorkspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'coach-mcp-'));
  readonly notes: { code: NoteCode; message: string }[] = [];
  private readonly sources: ToolSource[] = [];

  write(servers: Record<string, object>, file = 'mcp.json', rest: object = {}): string {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ servers, ...rest }, null, 2));
    return path;
  }

  /** @param path mcp:NAME or a file, of this folder */
  discover(path: string, values: InputValues = { environment: {} }): Promise<FoundServers> {
    return discoverServers([serversNamed(join(this.folder, path))!], values);
  }

  /** The only server of `counter` or of another name. */
  async open(name = 'counter', values?: InputValues, timeoutMs = 500): Promise<ToolSource> {
    const [found] = (await this.discover(`mcp:${name}`, values)).servers;
    const source = mcpSource({
      ...found!,
      timeoutMs,
      outputBytes: 1024,
      note: (_, code, message) => void this.notes.push({ code, message }),
    });
    this.sources.push(source);
    return source;
  }

  async close(): Promise<void> {
    await Promise.all(this.sources.map((source) => source.close()));
    rmSync(this.folder, { recursive: true });
  }
}

/** Counts by one in three rollouts, two of them side by side; what each sees. */
export async function countThrice(source: ToolSource): Promise<string[]> {
  const add = async (session: ReturnType<ToolSource['open']>) =>
    (await session.call('add_to_counter', { amount: 1 })).content;
  const [one, two] = [source.open('1'), source.open('2')];
  const seen = [await add(one), await add(two), await add(one)];
  one.close();
  two.close();
  await new Promise(setImmediate); // they have ended
  const three = source.open('3');
  seen.push(await add(three));
  three.close();
  return seen;
}

/** What a call of `misbehave` comes to, in a rollout of its own. */
export async function misbehave(source: ToolSource, manner: string): Promise<readonly [kind: string, content: string]> {
  const session = source.open(manner);
  const { kind, content } = await session.call('misbehave', { manner });
  session.close();
  return [kind, content];
}
