/** Small file-system verbs whose failures come out as one clear UserError. Everything here is synchronous: a run has one writer. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../protocol/result';

/** Runs `action`; what the file system refuses becomes a UserError that names `path` and the way out. */
export function storing<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw storageError(path, error);
  }
}

export function storageError(path: string, thrown: unknown): unknown {
  const error = trueReason(thrown);
  if (error instanceof UserError || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new UserError('storage', `${path}: the disk is full (${code})`, 'Free some space, then resume the run; what was recorded is kept.');
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new UserError('storage', `${path}: can't be written (${code})`, 'Make the folder writable, or choose another one (for a run: --run-dir).');
    case 'ENOTDIR':
    case 'EEXIST':
      return new UserError('storage', `${path}: a file stands where a folder must be (${code})`, 'Move that file away, or choose another folder with --run-dir.');
    case undefined:
      return error;
    default:
      return new UserError('storage', `${path}: ${error.message}`, 'Check that the folder is there and can be used, or choose another one (for a run: --run-dir).');
  }
}

/** Node's recursive mkdir says ENOENT where it means another reason (a read-only file system, say); making the first missing folder alone tells it. */
function trueReason(error: unknown): unknown {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT' || syscall !== 'mkdir' || path === undefined) return error;
  let missing = path;
  while (!existsSync(dirname(missing)) && dirname(missing) !== missing) missing = dirname(missing);
  try {
    mkdirSync(missing);
    return error;
  } catch (reason) {
    return reason;
  }
}

/** Writes all bytes or throws; a short write (the disk got full in the middle) is continued until the file system says why. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

/** Temporary name, fsync, rename: afterwards the file is the old or the new one, whole. @param content in parts: each is asked for when those before it are written, so that one is in memory at a time */
export function writeFileAtomic(path: string, content: string | Uint8Array | Iterable<Uint8Array>, { sync = true } = {}): void {
  const parts = typeof content === 'string' ? [Buffer.from(content)] : content instanceof Uint8Array ? [content] : content;
  const temporary = `${path}.${process.pid}.tmp`;
  storing(path, () => {
    try {
      const fd = openSync(temporary, 'w');
      try {
        for (const part of parts) writeAll(fd, part);
        if (sync) fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      renameSync(temporary, path);
    } catch (error) {
      try {
        unlinkSync(temporary);
      } catch {
        // It was not there, or the disk refuses everything: the first error is the one to tell.
      }
      throw error;
    }
  });
  if (sync) syncPath(dirname(path));
}

/** fsync of a file or folder by name. Windows can't fsync folders; there the rename itself is journalled. */
export function syncPath(path: string): void {
  try {
    const fd = openSync(path, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') throw storageError(path, error);
  }
}
