/**
 * Messages out of a stream: a run folder may name a socket of anybody. Free of `vscode`. Its twin is
 * trainer/app/boundedReader.ts: both may import protocol alone, which does without Node's streams; what is checked
 * (FrameGuard) is there, once.
 */
import { pipeline, Transform, type Readable } from 'node:stream';
import { StreamMessageReader, type MessageReader } from 'vscode-jsonrpc/node';
import { FrameGuard } from '../../trainer/protocol/framing';

/** Where the stream says what no message is, the reader's onError tells it, and nothing more comes. */
export function boundedReader(stream: Readable): MessageReader {
  const frames = new FrameGuard();
  const guard = new Transform({
    transform(piece: Uint8Array, _, done) {
      try {
        for (const part of frames.take(piece)) this.push(part);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  pipeline(stream, guard, () => undefined); // its end is told by the stream itself
  return new StreamMessageReader(guard);
}
