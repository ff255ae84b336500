import { closeSync, fstatSync, readSync } from 'node:fs';
import { UserError } from '../../protocol/result';
import { openToRead } from '../../base/storage';

const fetchAgain = 'Download or copy the file again; its size should be that of the original.';

/** Bytes of one text: templates and licences take some kB. */
const MAX_TEXT = 16 << 20;

/** Of a file that is being fetched, bytes are asked for that have not come. */
export class NotHereYet extends Error {
  /** @param needed bytes from the start */
  constructor(readonly needed: number) {
    super(`the first ${needed} bytes must be here`);
  }
}

/**
 * A file read front to back, a window at a time, and by ranges; every read beyond its end is a UserError that says so.
 */
export class FileReader {
  /** Bytes that the file has, and bytes of it that are here: fewer while it is fetched. */
  readonly size: number;
  private readonly here: number;
  private position = 0;
  private window = Buffer.alloc(0);
  private windowStart = 0;

  private constructor(
    readonly path: string,
    private readonly fd: number,
    size?: number,
  ) {
    this.here = fstatSync(fd).size;
    this.size = size ?? this.here;
  }

  /** @param partOf what a file is part of whose first bytes lie at the path: its name for messages, and its size */
  static open(path: string, partOf?: { name: string; size: number }): FileReader {
    let fd: number;
    try {
      fd = openToRead(path);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(
        'storage',
        `${path}: can't be read: ${(error as Error).message}`,
        'Give the path of a GGUF file.',
      );
    }
    return new FileReader(partOf?.name ?? path, fd, partOf?.size);
  }

  get offset(): number {
    return this.position;
  }

  close(): void {
    closeSync(this.fd);
  }

  /** @param into as many bytes as are wanted, from `begin` of the file */
  readInto(into: Uint8Array, begin: number): void {
    for (let done = 0; done < into.length; ) {
      const n = readSync(this.fd, into, done, into.length - done, begin + done);
      if (n === 0) throw this.truncated(begin + into.length);
      done += n;
    }
  }

  uint32 = (): number => this.take(4, (b, at) => b.readUInt32LE(at));

  /** A count or size: u64 below 2^53. */
  count(): number {
    const value = this.take(8, (b, at) => b.readBigUInt64LE(at));
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw this.broken(`a count at byte ${this.position - 8} is ${value}`);
    return Number(value);
  }

  text(): string {
    const length = this.count();
    if (length > this.size - this.position) throw this.truncated(this.position + length);
    if (length > MAX_TEXT)
      throw this.broken(`has a text of ${length} bytes at byte ${this.position}, more than ${MAX_TEXT}`);
    return this.take(length, (b, at) => b.toString('utf8', at, at + length));
  }

  take<T>(bytes: number, read: (buffer: Buffer, at: number) => T): T {
    const end = this.position + bytes;
    if (end > this.here) throw end > this.size ? this.truncated(end) : new NotHereYet(end);
    if (this.position < this.windowStart || end > this.windowStart + this.window.length) {
      this.window = Buffer.alloc(Math.min(Math.max(bytes, 1 << 20), this.here - this.position));
      this.readInto(this.window, this.position);
      this.windowStart = this.position;
    }
    const value = read(this.window, this.position - this.windowStart);
    this.position = end;
    return value;
  }

  broken(what: string): UserError {
    return new UserError('storage', `${this.path}: ${what}`, fetchAgain);
  }

  private truncated(needed: number): UserError {
    return this.broken(`is cut off: ${this.size} bytes, at least ${needed} were expected`);
  }
}
