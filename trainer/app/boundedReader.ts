/** Messages out of a stream whose other end may be anybody. */
import { pipeline, Transform, type Readable } from 'node:stream';
import { StreamMessageReader, type MessageReader } from 'vscode-jsonrpc/node';
import { FrameGuard, MAX_BODY_BYTES } from '../protocol/framing';

/** @param onBroken is told once, where the stream says what no message is: nothing more comes of it then */
export function boundedReader(
  stream: Readable,
  onBroken: (error: Error) => void,
  maxBodyBytes = MAX_BODY_BYTES,
): MessageReader {
  const frames = new FrameGuard(maxBodyBytes);
  const guard = new Transform({
    transform(piece: Uint8Array, _, done) {
      try {
        for (const part of frames.take(piece)) this.push(part);
        done();
      } catch (error) {
        onBroken(error as Error);
        done(error as Error);
      }
    },
  });
  // The other end's going away is told by the stream itself.
  pipeline(stream, guard, () => undefined);
  return new StreamMessageReader(guard);
}
