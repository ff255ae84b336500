/** JSON lines, append only. A line exists once its newline does; everything behind the last newline is a torn write. */
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, readSync } from 'node:fs';
import { cantRead, openToRead, openToWrite, storageError, storing, writeAll } from './storage';

/**
 * Appends lines and knows where they lie. The data of an append that returned survives the death of the process, not
 * yet that of the machine.
 */
export class LineWriter {
  private constructor(
    readonly path: string,
    private readonly fd: number,
    private sizeBytes: number,
  ) {}

  static open(path: string): LineWriter {
    return storing(path, () => {
      const fd = openToWrite(path, 'a');
      return new LineWriter(path, fd, fstatSync(fd).size);
    });
  }

  /** @returns the line's byte range, newline included */
  append(value: unknown): { offset: number; length: number } {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    const offset = this.sizeBytes;
    try {
      writeAll(this.fd, bytes);
    } catch (error) {
      this.takeBack();
      throw storageError(this.path, error);
    }
    this.sizeBytes += bytes.length;
    return { offset, length: bytes.length };
  }

  sync(): void {
    storing(this.path, () => fsyncSync(this.fd));
  }

  close(): void {
    closeSync(this.fd);
  }

  /** Half a line on a full disk would make the next line unreadable too. */
  private takeBack(): void {
    try {
      ftruncateSync(this.fd, this.sizeBytes);
    } catch {
      // Then the next opening repairs it.
    }
  }
}

/**
 * Cuts off a torn last line, and last lines that `isWhole` refuses (a machine that lost power may leave zeros).
 * @returns bytes cut off
 */
export function repairTail(path: string, isWhole: (line: string) => boolean): number {
  if (!existsSync(path)) return 0;
  return storing(path, () => {
    const fd = openToWrite(path, 'r+');
    try {
      const size = fstatSync(fd).size;
      let end = lastNewline(fd, size);
      for (;;) {
        if (end === 0) break;
        const start = lastNewline(fd, end - 1);
        if (isWhole(readText(fd, start, end - 1))) break;
        end = start;
      }
      if (end < size) ftruncateSync(fd, end);
      return size - end;
    } finally {
      closeSync(fd);
    }
  });
}

/**
 * The whole lines from `fromByte` on, and where the next one will start. A position beyond the end (the file was
 * repaired) starts anew.
 */
export function readLines(
  path: string,
  fromByte = 0,
  maxBytes = 64 << 20,
): { lines: string[]; nextByte: number; startByte: number } {
  if (!existsSync(path)) return { lines: [], nextByte: 0, startByte: 0 };
  const fd = openToRead(path);
  try {
    const size = fstatSync(fd).size;
    const start = fromByte > size || fromByte < 0 ? 0 : fromByte;
    const bytes = readBytes(fd, start, Math.min(size, start + maxBytes));
    const whole = bytes.lastIndexOf(10) + 1;
    const lines = whole === 0 ? [] : bytes.toString('utf8', 0, whole - 1).split('\n');
    return { lines, nextByte: start + whole, startByte: start };
  } catch (error) {
    throw cantRead(path, error, 'It must be a file of JSON lines: put it back, or remove what stands in its place.');
  } finally {
    closeSync(fd);
  }
}

/** Position behind the last newline before `end`; 0: none. */
function lastNewline(fd: number, end: number): number {
  const chunk = Buffer.alloc(64 << 10);
  for (let at = end; at > 0; ) {
    const from = Math.max(0, at - chunk.length);
    const n = readSync(fd, chunk, 0, at - from, from);
    const found = chunk.subarray(0, n).lastIndexOf(10);
    if (found >= 0) return from + found + 1;
    at = from;
  }
  return 0;
}

function readText(fd: number, start: number, end: number): string {
  return readBytes(fd, start, end).toString('utf8');
}

function readBytes(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  let done = 0;
  while (done < bytes.length) {
    const n = readSync(fd, bytes, done, bytes.length - done, start + done);
    if (n === 0) break;
    done += n;
  }
  return bytes.subarray(0, done);
}
