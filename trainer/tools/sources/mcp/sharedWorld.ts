/** What rollouts on an MCP server have in common: said where it is known, and found out where only its answers tell. */
import { stableJson } from '../../../protocol/arguments';
import type { TellNote } from '../../../protocol/note';
import type { McpServer } from './config';

/** Answers that are kept to compare with; more tell no more. */
const MOST_ANSWERS = 256;

/** @param isSessionless it gives no sessions over HTTP */
export function sayShared({ name, reset, reach }: McpServer, isSessionless: boolean, note: TellNote): void {
  const own =
    `${name}: each rollout has a session of its own` +
    (reset === 'changed' ? ' (but after read-only calls alone)' : '');
  if (reset === 'never')
    note('warning', 'sharedWorld', `${name} is never reset: its rollouts share a world, as its settings say`);
  else if (isSessionless)
    note('warning', 'sharedWorld', `${name} gives no sessions over HTTP: its rollouts share a world`);
  else if (reach.kind === 'http' && typeof reset === 'string')
    note('info', 'sharedWorld', `${own}; what the server keeps outside of its sessions is shared`);
  else if (reset === 'changed') note('info', 'sharedWorld', own);
}

interface Answer {
  content: string;
  session: object;
}

/**
 * A server may keep its world outside of its sessions, in files or a database, and then a new one is no new world. That
 * shows where a session that has changed nothing answers a call otherwise than one before it did, after others have
 * changed something. Tools whose answers differ by themselves (the time) tell nothing: a tool counts from when two
 * sessions have given one answer to one call.
 */
export class WorldWatch {
  private readonly answers = new Map<string, Answer>();
  private readonly steady = new Set<string>();
  private hasChanged = false;
  private isTold: boolean;

  constructor(
    private readonly server: McpServer,
    /** it is known already, and said */
    isShared: boolean,
    private readonly note: TellNote,
  ) {
    this.isTold = isShared;
  }

  /** A call that changes the world was made for real. */
  changed(): void {
    this.hasChanged = true;
  }

  /** @param session has changed nothing so far */
  answered(session: object, tool: string, args: Record<string, unknown>, content: string): void {
    if (this.isTold) return;
    const key = `${tool} ${stableJson(args)}`;
    const before = this.answers.get(key);
    if (before === undefined) {
      if (this.answers.size < MOST_ANSWERS) this.answers.set(key, { content, session });
    } else if (before.content === content) {
      if (before.session !== session) this.steady.add(tool);
    } else if (this.hasChanged && this.steady.has(tool)) this.tell(tool);
  }

  private tell(tool: string): void {
    this.isTold = true;
    const { name, reach } = this.server;
    const way =
      reach.kind === 'stdio'
        ? 'Give each rollout a folder of its own, ${rolloutFolder} in its args, env or cwd of mcp.json, or'
        : 'Give it';
    this.note(
      'warning',
      'sharedWorld',
      `${name}: ${tool} answers a call otherwise since other rollouts have changed something, in a session that has ` +
        'changed nothing: its rollouts seem to share a world (files, a database). ' +
        `${way} a tool that resets it (coach.reset)`,
    );
  }
}
