/**
 * The frames of JSON-RPC on a stream: `Content-Length: N`, an empty line, N bytes. vscode-jsonrpc searches all that
 * came for the end of a header with each piece that comes, and holds a body of any length; what passes here first has
 * a short header, in one piece, and a body of bounded length.
 */

const MAX_HEADER_BYTES = 4_096;
/** Events of a run come in replies of 64 MiB. */
export const MAX_BODY_BYTES = 256 << 20;
const CR = 13;
const LF = 10;

/** Looks at a stream piece by piece. */
export class FrameGuard {
  private header: number[] = [];
  private bodyLeft = 0;

  constructor(private readonly maxBodyBytes = MAX_BODY_BYTES) {}

  /**
   * @returns what may go on: headers as a whole, bodies as they come
   * @throws Error where a header or body is too long, or a header says no length: the stream can't be read on
   */
  take(piece: Uint8Array): Uint8Array[] {
    const out: Uint8Array[] = [];
    for (let at = 0; at < piece.length; ) {
      if (this.bodyLeft > 0) {
        const body = piece.subarray(at, at + this.bodyLeft);
        out.push(body);
        at += body.length;
        this.bodyLeft -= body.length;
        continue;
      }
      this.header.push(piece[at++]!);
      if (this.header.length > MAX_HEADER_BYTES)
        throw new Error(`a message without an end of its header: more than ${MAX_HEADER_BYTES} bytes came`);
      if (!endsHeader(this.header)) continue;
      this.bodyLeft = this.lengthIn(String.fromCharCode(...this.header));
      out.push(Uint8Array.from(this.header));
      this.header = [];
    }
    return out;
  }

  private lengthIn(header: string): number {
    const said = /^content-length:[ \t]*(\d+)[ \t]*\r$/im.exec(header)?.[1];
    if (said === undefined) throw new Error('a message whose header has no Content-Length');
    if (Number(said) > this.maxBodyBytes)
      throw new Error(`a message of ${said} bytes; at most ${this.maxBodyBytes} are taken`);
    return Number(said);
  }
}

function endsHeader(bytes: readonly number[]): boolean {
  const n = bytes.length;
  return bytes[n - 1] === LF && bytes[n - 2] === CR && bytes[n - 3] === LF && bytes[n - 4] === CR;
}
