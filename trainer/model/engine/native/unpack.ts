/** Archives of packages: what is wanted of them goes to a folder; links are left out, and nothing lands outside. */
import { closeSync, createWriteStream, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { list, type ReadEntry } from 'tar';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import type { Archive } from './packages';

/**
 * @returns how many files were written. @throws for an archive that is cut off, or that would write outside of
 * `folder`
 */
export async function unpack(archive: Pick<Archive, 'type' | 'place'>, path: string, folder: string): Promise<number> {
  try {
    return await (archive.type === 'tgz' ? unpackTgz(archive, path, folder) : unpackZip(archive, path, folder));
  } catch (error) {
    throw new Error(`unpack: ${path}: ${(error as Error).message}`, { cause: error });
  }
}

function target(folder: string, place: string): string {
  const path = normalize(join(folder, place));
  if (!path.startsWith(normalize(folder) + sep)) throw new Error(`${place} lies outside of the folder`);
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** In one go: these are scripts of a few hundred kB. The names in it are only read; where a file goes, `place` says. */
function unpackTgz({ place }: Pick<Archive, 'place'>, path: string, folder: string): number {
  let written = 0;
  const onReadEntry = (entry: ReadEntry): void => {
    const kept = entry.type === 'File' || entry.type === 'OldFile' ? place(entry.path) : null;
    if (kept === null) return;
    const file = openSync(target(folder, kept), 'w');
    entry.on('data', (piece) => void writeSync(file, piece));
    entry.on('end', () => closeSync(file));
    written++;
  };
  list({ file: path, sync: true, strict: true, onReadEntry });
  return written;
}

/** Entries are written as they are unpacked, since libraries are 800 MB. */
async function unpackZip({ place }: Pick<Archive, 'place'>, path: string, folder: string): Promise<number> {
  const zip = await openPromise(path, { strictFileNames: true }).catch((error: Error) => {
    throw new Error(`is no zip, or cut off: ${error.message}`);
  });
  try {
    let written = 0;
    for await (const entry of zip.eachEntry()) {
      const kept = isFile(entry) ? place(entry.fileName) : null;
      if (kept === null) continue;
      await unpackEntry(zip, entry, target(folder, kept));
      written++;
    }
    return written;
  } finally {
    if (zip.isOpen) zip.close();
  }
}

async function unpackEntry(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  try {
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path));
  } catch (error) {
    throw new Error(`${entry.fileName} can't be unpacked: ${(error as Error).message}`);
  }
}

/** Neither a folder nor, by the Unix mode in its attributes, a link. */
function isFile({ fileName, externalFileAttributes }: Entry): boolean {
  const isLink = ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
  return !fileName.endsWith('/') && !isLink;
}
