/**
 * Archives of packages, fetched into a folder of the user's data: checked, unpacked, gone on with where they broke off.
 */
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../../protocol/result';
import { STAMP } from './folder';
import type { Archive, RemoteFile } from './packages';
import { unpack } from './unpack';

const downloadsOf = (folder: string): string => join(folder, 'downloads');

/**
 * Fetches, checks and unpacks archives into a folder. What was fetched stays until `stampInstalled`, so that a second
 * call goes on where the first one was broken off.
 * @param leastFiles so many files of each archive must be of use
 * @throws UserError for a checksum that is wrong, a server that refuses
 */
export async function installArchives(
  folder: string,
  archives: readonly Archive[],
  {
    leastFiles = 1,
    onProgress,
    signal,
  }: { leastFiles?: number; onProgress: (line: string) => void; signal: AbortSignal | undefined },
): Promise<void> {
  mkdirSync(downloadsOf(folder), { recursive: true });
  for (const archive of archives) {
    const path = join(downloadsOf(folder), basename(new URL(archive.url).pathname));
    await download(archive, path, onProgress, signal);
    onProgress(`unpacking ${basename(path)}`);
    const written = await unpack(archive, path, folder);
    if (written < leastFiles) throw new Error(`install: ${written} files of ${path} are of use, not ${leastFiles}`);
  }
}

/** All of it is there: what was fetched goes, and a later call does nothing. @param what of the stamp, for people */
export function stampInstalled(folder: string, what: object): void {
  writeFileSync(join(folder, STAMP), JSON.stringify(what));
  rmSync(downloadsOf(folder), { recursive: true, force: true });
}

/** To `path`, from where an earlier try ended; checked by its sha256. @throws UserError in words of what went wrong */
async function download(
  { url, sizeBytes, sha256 }: RemoteFile,
  path: string,
  onProgress: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (existsSync(path)) return; // only a checked file has this name
  const part = `${path}.part`;
  let have = existsSync(part) ? statSync(part).size : 0;
  if (have < sizeBytes) {
    const response = await fetch(url, {
      headers: have > 0 ? { range: `bytes=${have}-` } : {},
      ...(signal ? { signal } : {}),
    }).catch((error: Error) => {
      throw new UserError(
        'device',
        `could not fetch ${url}: ${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`,
        'Run the command again; it goes on where it ended.',
      );
    });
    if (!response.ok || response.body === null)
      throw new UserError(
        'device',
        `could not fetch ${url}: the server answered ${response.status}`,
        'Run the command again later.',
      );
    if (have > 0 && response.status !== 206) have = 0; // the server sends all of it again
    const count = counter(have, sizeBytes, basename(path), onProgress);
    await pipeline(
      Readable.fromWeb(response.body as import('node:stream/web').ReadableStream),
      count,
      createWriteStream(part, { flags: have > 0 ? 'a' : 'w' }),
    );
  }
  onProgress(`checking ${basename(path)}`);
  const found = await sha256Of(part);
  if (found !== sha256) {
    rmSync(part);
    throw new UserError(
      'device',
      `${url}: the checksum (sha256) must be ${sha256}, got ${found}; the file was deleted`,
      'Run the command again; if it stays so, something between here and the registry changes the file.',
    );
  }
  renameSync(part, path);
}

function counter(have: number, total: number, what: string, onProgress: (line: string) => void): Transform {
  let said = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      have += chunk.length;
      if (performance.now() - said > 1000) {
        said = performance.now();
        onProgress(`${what}: ${(have / 1e6).toFixed(0)} of ${(total / 1e6).toFixed(0)} MB`);
      }
      done(null, chunk);
    },
  });
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
