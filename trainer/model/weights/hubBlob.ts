/**
 * One file of the hub into its place in the cache. What came stays, so that a download goes on where it was broken off;
 * a file that says at its start what it is can be refused after these bytes.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { downloadFile, type ListFileEntry } from '@huggingface/hub';
import { UserError } from '../../protocol/result';
import { NotHereYet } from './ggufReader';

/** A file of the repository. */
export type Remote = Pick<ListFileEntry, 'path' | 'size' | 'oid' | 'lfs'>;

/** What the library's calls are given. */
export interface Hub {
  repo: string;
  revision: string;
  accessToken?: string;
  hubUrl?: string;
  fetch: typeof fetch;
}

export interface BlobOptions {
  hub: Hub;
  signal: AbortSignal;
  onBytes(bytes: number): void;
  /** Reads the first bytes of the file at the path. @throws NotHereYet where it needs more, UserError to refuse it */
  checkStart?(path: string, partOf: { name: string; size: number }): void;
}

/** The first bytes of a file, as far as they came. */
interface Part {
  path: string;
  have: number;
  hash: Hash;
}

/** Bytes between two reports. */
const PIECE = 1 << 20;
/** Of a GGUF that has a vocabulary of 150,000 words, 6 MB come before its tensors. */
const FIRST = 2 << 20;
const MAX_START = 64 << 20;

/** @throws UserError where its start is refused, it is not what the hub lists, or ended early */
export async function fetchBlob(entry: Remote, blob: string, options: BlobOptions): Promise<void> {
  mkdirSync(dirname(blob), { recursive: true });
  const part = await openPart(entry, `${blob}.incomplete`);
  const remote = await downloadFile({ ...options.hub, path: entry.path });
  if (remote === null)
    throw new UserError('storage', `${entry.path} is listed by the hub, and not there`, 'Try again later.');
  if (options.checkStart) await fetchStart(entry, remote, part, options.checkStart, options);
  await fetchUpTo(entry.size, remote, part, options);
  const [found, expected] = [part.hash.digest('hex'), checksumOf(entry)];
  if (part.have !== entry.size || found !== expected) {
    if (part.have >= entry.size) rmSync(part.path);
    throw new UserError(
      'storage',
      part.have === entry.size
        ? `${entry.path}: its checksum is ${found}, the hub says ${expected}`
        : `${entry.path}: ${part.have} of ${entry.size} bytes came`,
      'Start the download again; what came whole is kept.',
    );
  }
  renameSync(part.path, blob);
}

async function openPart(entry: Remote, path: string): Promise<Part> {
  if (existsSync(path) && statSync(path).size >= entry.size) rmSync(path); // of another file, or whole and wrong
  const have = existsSync(path) ? statSync(path).size : 0;
  const hash = hashOf(entry);
  if (have > 0) for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return { path, have, hash };
}

/** Fetches as much as the check needs. What is refused leaves nothing behind. */
async function fetchStart(
  entry: Remote,
  remote: Blob,
  part: Part,
  check: NonNullable<BlobOptions['checkStart']>,
  options: BlobOptions,
): Promise<void> {
  for (let until = FIRST; ; ) {
    await fetchUpTo(Math.min(until, entry.size), remote, part, options);
    try {
      return check(part.path, { name: entry.path, size: entry.size });
    } catch (error) {
      if (!(error instanceof NotHereYet) || error.needed > MAX_START) {
        rmSync(part.path, { force: true });
        if (!(error instanceof NotHereYet)) throw error;
        throw new UserError(
          'storage',
          `${entry.path}: what comes before its tensors must be at most ${MAX_START} bytes, got ${error.needed} or more`,
          'Take another GGUF file of the same model.',
        );
      }
      until = Math.max(error.needed, until * 2);
    }
  }
}

async function fetchUpTo(until: number, remote: Blob, part: Part, { signal, onBytes }: BlobOptions): Promise<void> {
  if (part.have >= until) return;
  let told = part.have;
  const counted = async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      part.hash.update(piece);
      part.have += piece.length;
      if (part.have - told >= PIECE) onBytes((told = part.have));
      yield piece;
    }
  };
  await pipeline(
    remote.slice(part.have, until).stream() as unknown as AsyncIterable<Uint8Array>,
    counted,
    createWriteStream(part.path, { flags: 'a' }),
    { signal },
  );
}

export function checksumOf({ lfs, oid, path }: Remote): string {
  const checksum = lfs?.oid ?? oid ?? '';
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(checksum))
    throw new UserError('storage', `${path}: the hub lists no checksum`, 'Try again later.');
  return checksum;
}

/** Large files are named by their SHA-256, others as git names them. */
function hashOf({ lfs, size }: Remote): Hash {
  return lfs ? createHash('sha256') : createHash('sha1').update(`blob ${size}\0`);
}
