/** Sessions with one server: some stand ready for the next rollouts, none serves two of them without a reset. */
import { availableParallelism } from 'node:os';
import { UserError } from '../../../protocol/result';
import type { McpServer } from './config';
import { connect, type Connection } from './connection';

export interface PooledSession {
  connection: Connection;
}

/** Ready for the next rollouts, and starting at a time. */
const AHEAD = Math.max(2, availableParallelism());
const RESET_MS = 10_000;

export class SessionPool {
  private readonly open = new Set<Promise<PooledSession>>();
  /** Nobody's; may still be starting. */
  private readonly free: Promise<PooledSession>[] = [];
  private isClosed = false;

  constructor(private readonly server: McpServer) {}

  async take(): Promise<PooledSession> {
    if (this.isClosed) throw new Error('its sessions are closed');
    const isShared = this.server.reset === 'never';
    while (this.free.length > 0) {
      const next = isShared ? this.free[0]! : this.free.shift()!;
      const session = await next.catch(() => undefined);
      if (session && session.connection.ended === undefined) {
        if (this.server.reset === 'fresh') this.startAhead();
        return session;
      }
      this.forget(next);
    }
    const started = this.start();
    if (isShared) this.free.push(started);
    else if (this.server.reset === 'fresh') this.startAhead();
    return started;
  }

  giveBack(session: PooledSession): void {
    if (this.server.reset === 'never') return;
    if (this.server.reset === 'fresh' || this.isClosed || session.connection.ended !== undefined)
      return void session.connection.close();
    // offered while it is reset: whoever takes it waits for the reset
    const ready = this.reset(session, this.server.reset);
    ready.catch(() => undefined);
    this.open.add(ready);
    this.free.push(ready);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const sessions = [...this.open];
    this.open.clear();
    await Promise.all(sessions.map((one) => one.then(({ connection }) => connection.close()).catch(() => undefined)));
  }

  private startAhead(): void {
    while (!this.isClosed && this.free.length < AHEAD) this.free.push(this.start());
  }

  private start(): Promise<PooledSession> {
    const started = connect(this.server).then((connection) => ({ connection }));
    this.open.add(started);
    started.catch(() => this.open.delete(started)); // whoever takes it is told
    return started;
  }

  private forget(session: Promise<PooledSession>): void {
    this.open.delete(session);
    const at = this.free.indexOf(session);
    if (at >= 0) this.free.splice(at, 1);
  }

  /** @throws UserError where the tool fails: the world is not what a rollout may begin with */
  private async reset(
    session: PooledSession,
    { tool, arguments: args = {} }: Extract<McpServer['reset'], object>,
  ): Promise<PooledSession> {
    const failed = (why: string): UserError =>
      new UserError('tool', `${this.server.name}: its reset ${tool} failed: ${why}`, 'Correct coach.reset of it.');
    try {
      const result = await session.connection.call(tool, args, { timeoutMs: RESET_MS });
      if (!result.isError) return session;
      throw failed(JSON.stringify(result.content));
    } catch (error) {
      await session.connection.close();
      throw error instanceof UserError ? error : failed(error instanceof Error ? error.message : String(error));
    }
  }
}
