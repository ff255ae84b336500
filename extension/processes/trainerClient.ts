/** The window's end of one live trainer: its events, its questions, and the request to stop. Free of `vscode`. */
import net from 'node:net';
import { createMessageConnection, SocketMessageWriter, type MessageConnection } from 'vscode-jsonrpc/node';
import { boundedReader } from './boundedReader';
import {
  ASK_REQUEST,
  EVENT_NOTIFICATION,
  PROTOCOL_VERSION,
  TrainerEvent,
  TrainerMethods,
  TrainerQuestion,
  type TrainerAnswer,
} from '../../trainer/protocol/messages';
import type { Disposable } from '../window/disposables';
import type { Log } from '../window/log';
import { request, withTimeout } from './rpc';

export interface TrainerHandlers {
  onEvent(event: TrainerEvent): void;
  /** 'unavailable' when nobody here can answer */
  onQuestion(question: TrainerQuestion): Promise<TrainerAnswer>;
  /** once, when the trainer is gone or the connection was cut */
  onClose(): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STOP_TIMEOUT_MS = 2_000;

export class TrainerClient implements Disposable {
  private constructor(
    private readonly connection: MessageConnection,
    private readonly socket: net.Socket,
    readonly pid: number,
    readonly runId: string,
  ) {}

  /** @throws when nobody listens there, or it speaks another protocol */
  static async connect(
    socketPath: string,
    key: string | null,
    handlers: TrainerHandlers,
    log: Log,
  ): Promise<TrainerClient> {
    const socket = net.connect(socketPath);
    try {
      await withTimeout(
        new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject)),
        CONNECT_TIMEOUT_MS,
        `connecting to ${socketPath}`,
      );
    } catch (error) {
      socket.destroy();
      throw error;
    }
    const connection = createMessageConnection(boundedReader(socket), new SocketMessageWriter(socket));
    let isClosed = false;
    const close = () => {
      if (isClosed) return;
      isClosed = true;
      handlers.onClose();
    };
    connection.onNotification(EVENT_NOTIFICATION, (raw: unknown) => {
      const event = TrainerEvent.safeParse(raw);
      if (event.success) handlers.onEvent(event.data);
      else log.warn(`trainer: an event of unknown shape: ${event.error.issues[0]?.message ?? ''}`);
    });
    connection.onRequest(ASK_REQUEST, async (raw: unknown): Promise<TrainerAnswer> => {
      const question = TrainerQuestion.safeParse(raw);
      return question.success ? handlers.onQuestion(question.data) : 'unavailable';
    });
    connection.onError(([error]) => log.warn(`trainer: ${error.message}`));
    socket.once('close', close);
    connection.listen();
    try {
      const hello = await request(
        connection,
        TrainerMethods,
        'hello',
        { protocol: PROTOCOL_VERSION, ...(key === null ? {} : { key }) },
        CONNECT_TIMEOUT_MS,
      );
      if (hello.protocol !== PROTOCOL_VERSION)
        throw new Error(
          `the trainer of run ${hello.runId} speaks protocol ${hello.protocol}, this window ` +
            `${PROTOCOL_VERSION}: it was started by another version of Coach`,
        );
      return new TrainerClient(connection, socket, hello.pid, hello.runId);
    } catch (error) {
      isClosed = true; // who failed to connect has nothing to close
      connection.dispose();
      socket.destroy();
      throw error;
    }
  }

  /** Asks for a graceful end: the trainer saves a checkpoint and tells `runStopped`. */
  async stop(): Promise<void> {
    await request(this.connection, TrainerMethods, 'stop', {}, STOP_TIMEOUT_MS);
  }

  dispose(): void {
    this.connection.dispose();
    this.socket.destroy();
  }
}
