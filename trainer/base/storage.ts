/**
 * Small file-system verbs whose failures come out as one clear UserError. Everything here is synchronous: a run has
 * one writer.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
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
      return new UserError(
        'storage',
        `${path}: the disk is full (${code})`,
        'Free some space, then resume the run; what was recorded is kept.',
      );
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new UserError(
        'storage',
        `${path}: can't be written (${code})`,
        'Make the folder writable, or choose another one (for a run: --run-dir).',
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return new UserError(
        'storage',
        `${path}: a file stands where a folder must be (${code})`,
        'Move that file away, or choose another folder with --run-dir.',
      );
    case undefined:
      return error;
    default:
      return new UserError(
        'storage',
        `${path}: ${error.message}`,
        'Check that the folder is there and can be used, or choose another one (for a run: --run-dir).',
      );
  }
}

export const cantRead = (path: string, error: unknown, wayOut: string): UserError =>
  new UserError('storage', `${path}: can't be read: ${(error as Error).message}`, wayOut);

/** What the file system refused and nobody has put into words: never a fault of Coach. Null: it is something else. */
export function systemError(error: unknown): UserError | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || path === undefined) return null;
  const told = storageError(path, error);
  return told instanceof UserError ? told : null;
}

/**
 * Node's recursive mkdir says ENOENT where it means another reason (a read-only file system, say); making the first
 * missing folder alone tells it.
 */
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

const FLAGS = {
  /** appended to, made where it is not there */
  a: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT,
  'a+': constants.O_RDWR | constants.O_APPEND | constants.O_CREAT,
  /** changed, must be there */
  'r+': constants.O_RDWR,
  /** must not be there */
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
};

/**
 * Opens a plain file for writing, and no other thing by its name: a link would lead what is written to a file of
 * somebody's choice, a pipe would wait
 * for ever. (Windows has no such flags: there it is looked at first.)
 * @throws UserError where it is no plain file, or what the file system throws
 */
export function openToWrite(path: string, how: keyof typeof FLAGS, mode = 0o644): number {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  if (O_NOFOLLOW === 0 && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw noPlainFile(path);
  let fd: number;
  try {
    fd = openSync(path, FLAGS[how] | O_NOFOLLOW | O_NONBLOCK, mode);
  } catch (error) {
    const isOther = !(lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true);
    throw isOther &&
      ['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
      ? noPlainFile(path)
      : error;
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw noPlainFile(path);
}

/** Adds text to a plain file, made where it is not there. @throws UserError where it is a link or no plain file */
export function appendText(path: string, text: string): void {
  storing(path, () => {
    const fd = openToWrite(path, 'a');
    try {
      writeAll(fd, Buffer.from(text));
    } finally {
      closeSync(fd);
    }
  });
}

/**
 * Makes a folder below another one, with those between.
 * @throws UserError where one of them is a link: what is written there would go to a place of somebody's choice
 */
export function makeFolderBelow(base: string, folder: string): void {
  for (let at = folder; at !== base && at !== dirname(at); at = dirname(at))
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) throw noPlainFile(at);
  storing(folder, () => mkdirSync(folder, { recursive: true }));
}

export const noPlainFile = (path: string): UserError =>
  new UserError(
    'storage',
    `${path}: is a link or no plain file; nothing is written through it`,
    'Remove it, or put a plain file in its place.',
  );

/**
 * Opens a plain file for reading, or a link to one, and no other thing: a pipe would wait for ever, a device has no
 * end.
 * @throws UserError where it is no plain file, or what the file system throws
 */
export function openToRead(path: string): number {
  const { O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  const fd = openSync(path, constants.O_RDONLY | O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new UserError(
    'storage',
    `${path}: is not a file, but a folder, a pipe or a device`,
    'Give a plain file, or write there what the pipe has to say.',
  );
}

/** The bytes of a plain file. @throws UserError where it is none, or what the file system throws */
export function readBytesOf(path: string, maxBytes = Infinity): Buffer {
  const fd = openToRead(path);
  try {
    const { size } = fstatSync(fd);
    if (size > maxBytes)
      throw new UserError(
        'storage',
        `${path}: has ${size} bytes; at most ${maxBytes} are read as text`,
        'Give a smaller file, or divide it.',
      );
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** More than any file of text that is read whole; what is made of so much still fits into memory. */
const MAX_TEXT_BYTES = 256 << 20;

/**
 * The text of a plain file, UTF-8.
 * @throws UserError where it is no plain file or is longer than 256 MiB, or what the file system throws
 */
export const readTextFile = (path: string): string => readBytesOf(path, MAX_TEXT_BYTES).toString('utf8');

/**
 * @throws UserError where a folder holds a link, at any depth: what is written below it would go to a place of
 * somebody's choice
 */
export function refuseLinksIn(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) throw noPlainFile(path);
    if (entry.isDirectory()) refuseLinksIn(path);
  }
}

/**
 * Writes all bytes or throws; a short write (the disk got full in the middle) is continued until the file system says
 * why.
 */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

/**
 * Temporary name, fsync, rename: afterwards the file is the old or the new one, whole. @param content in parts: each
 * is asked for when those before it are written, so that one is in memory at a time
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array | Iterable<Uint8Array>,
  { sync = true } = {},
): void {
  const parts =
    typeof content === 'string' ? [Buffer.from(content)] : content instanceof Uint8Array ? [content] : content;
  const temporary = `${path}.${process.pid}.tmp`;
  storing(path, () => {
    try {
      const fd = openNew(temporary);
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

/** What an earlier process of the same number left there is removed; a link is, too, and not what it leads to. */
function openNew(path: string): number {
  try {
    return openToWrite(path, 'wx');
  } catch (error) {
    if (!lstatSync(path, { throwIfNoEntry: false })) throw error; // the folder is not there, say
    unlinkSync(path);
    return openToWrite(path, 'wx');
  }
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
