/**
 * The player process: `node dist/trainer/main.js --play RUN_DIR`, JSON-RPC over stdio. It belongs to one window and one
 * run, and ends with its stdin.
 * It runs the user's tools (in hosts of their own), so a window starts it in a trusted workspace only.
 */
import {
  createMessageConnection,
  ErrorCodes,
  ResponseError,
  StreamMessageWriter,
  type CancellationToken,
} from 'vscode-jsonrpc/node';
import { z } from 'zod';
import { boundedReader } from '../boundedReader';
import { ASK_REQUEST, TrainerAnswer } from '../../protocol/messages';
import {
  ENVIRONMENT_NOTIFICATION,
  EnvironmentNotification,
  PLAYED_NOTIFICATION,
  PlayerMethods,
  type PlayRequest,
} from '../../protocol/play';
import { UserError } from '../../protocol/result';
import type { TraceSummary } from '../../protocol/trace';
import type { Dependencies } from '../dependencies';
import { recordTries, requireFree } from './recordTries';
import { Player } from './player';

export function servePlayer(dir: string, dependencies: Dependencies): void {
  console.log = console.error; // stdout belongs to the connection
  process.stderr.on('error', () => undefined);
  const connection = createMessageConnection(
    boundedReader(process.stdin, (error) => {
      console.error(error.message);
      process.exit(1); // whoever writes there does not speak with us
    }),
    new StreamMessageWriter(process.stdout),
  );
  const end = () =>
    void (
      opened?.then(
        (player) => player.close(),
        () => undefined,
      ) ?? Promise.resolve()
    ).finally(() => process.exit(0));
  connection.onClose(end);
  process.stdin.on('end', end);
  process.stdout.on('error', () => process.exit(0)); // the window is gone

  const ask = async (tool: string, args: unknown) => {
    try {
      return TrainerAnswer.parse(
        await connection.sendRequest(ASK_REQUEST, { type: 'mayToolRun', tool, arguments: args }),
      );
    } catch {
      return 'unavailable' as const;
    }
  };
  let opened: Promise<Player> | null = null;
  /** One after the other: they share the model. */
  let last: Promise<unknown> = Promise.resolve();
  const open = (): Promise<Player> => {
    opened ??= Player.open({ dir, cwd: process.cwd(), dependencies, now: Date.now, ask }).catch((error: unknown) => {
      opened = null; // what was wrong may be put right
      throw error;
    });
    return opened;
  };

  const play = async (request: PlayRequest, token: CancellationToken) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    if (request.isRecorded) requireFree(dir);
    const player = await open();
    const played = await player.play(request, stop.signal, (traces) =>
      connection.sendNotification(PLAYED_NOTIFICATION, { stamp: request.stamp, traces }),
    );
    const summaries: TraceSummary[] | null =
      request.isRecorded && !stop.signal.aborted ? recordTries(dir, played.traces, Date.now) : null;
    return { ...played, summaries };
  };
  connection.onNotification(ENVIRONMENT_NOTIFICATION, (raw: unknown) => {
    const given = EnvironmentNotification.safeParse(Array.isArray(raw) ? raw[0] : raw);
    if (given.success) Object.assign(process.env, given.data);
  });
  connection.onRequest('play', async (raw: unknown, token: CancellationToken) => {
    const params = PlayerMethods.play[0].safeParse(Array.isArray(raw) ? raw[0] : raw);
    if (!params.success)
      return new ResponseError(ErrorCodes.InvalidParams, `play: ${z.prettifyError(params.error).replace(/\s+/g, ' ')}`);
    const mine = last.then(() => play(params.data, token));
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } catch (error) {
      if (error instanceof UserError)
        return new ResponseError(
          ErrorCodes.InvalidRequest,
          [error.message, error.hint].filter(Boolean).join('. '),
          error.toTrainerError(),
        );
      console.error(error);
      return new ResponseError(ErrorCodes.InternalError, error instanceof Error ? error.message : String(error));
    }
  });
  connection.listen();
}
