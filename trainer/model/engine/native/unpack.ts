/**
 * Readers of the two archive formats, as much as the packages need; entries are written as they are unpacked, since
 * libraries are 800 MB.
 */
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw, gunzipSync } from 'node:zlib';
import type { Archive } from './packages';

/**
 * @returns how many files were written. @throws for an archive that is cut off, or that would write outside of
 * `folder`
 */
export async function unpack(archive: Pick<Archive, 'type' | 'place'>, path: string, folder: string): Promise<number> {
  return archive.type === 'tgz' ? unpackTgz(archive, path, folder) : unpackZip(archive, path, folder);
}

function target(folder: string, place: string): string {
  const path = normalize(join(folder, place));
  if (!path.startsWith(normalize(folder) + sep)) throw new Error(`unpack: ${place} lies outside of the folder`);
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/**
 * ustar, blocks of 512 bytes: name at 0 (100), size in octal at 124 (12), type at 156 ('0' or NUL: a file), prefix at
 * 345 (155).
 */
function unpackTgz({ place }: Pick<Archive, 'place'>, path: string, folder: string): number {
  const tar = gunzipSync(readFileSync(path));
  const text = (from: number, length: number): string =>
    tar
      .subarray(from, from + length)
      .toString('utf8')
      .replace(/\0.*$/s, '');
  let written = 0;
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const [name, prefix, size, type] = [
      text(at, 100),
      text(at + 345, 155),
      parseInt(text(at + 124, 12), 8),
      text(at + 156, 1),
    ];
    const kept = type === '0' || type === '' ? place(prefix === '' ? name : `${prefix}/${name}`) : null;
    if (at + 512 + size > tar.length) throw new Error(`unpack: ${path} is cut off inside of ${name}`);
    if (kept !== null) {
      writeFileSync(target(folder, kept), tar.subarray(at + 512, at + 512 + size));
      written++;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return written;
}

/**
 * A zip without encryption: central directory from the end record; each entry stored (0) or deflated (8). Wheels stay
 * below 4 GiB, so there is no zip64.
 */
async function unpackZip({ place }: Pick<Archive, 'place'>, path: string, folder: string): Promise<number> {
  let written = 0;
  for (const entry of centralDirectory(path)) {
    const kept = place(entry.name);
    if (kept === null) continue;
    const from = createReadStream(path, { start: entry.dataStart, end: entry.dataStart + entry.packedBytes - 1 });
    const to = createWriteStream(target(folder, kept));
    await (entry.method === 8 ? pipeline(from, createInflateRaw(), to) : pipeline(from, to));
    if (to.bytesWritten !== entry.sizeBytes)
      throw new Error(`unpack: ${entry.name} of ${path} has ${to.bytesWritten} bytes, not ${entry.sizeBytes}`);
    written++;
  }
  return written;
}

export interface Entry {
  name: string;
  method: number;
  packedBytes: number;
  sizeBytes: number;
  dataStart: number;
}
export function centralDirectory(path: string): Entry[] {
  const file = openSync(path, 'r');
  const read = (position: number, length: number): Buffer => {
    const buffer = Buffer.alloc(length);
    if (readSync(file, buffer, 0, length, position) < length) throw new Error(`unpack: ${path} is cut off`);
    return buffer;
  };
  try {
    const { size } = fstatSync(file);
    // the end record: 22 bytes and a comment of at most 65,535
    const tail = read(Math.max(0, size - 65_557), Math.min(size, 65_557));
    const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    if (end < 0) throw new Error(`unpack: ${path} is no zip, or cut off`);
    const directory = read(tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
    const entries: Entry[] = [];
    for (let at = 0; at < directory.length; ) {
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
        directory.readUInt16LE(at + offset),
      ) as [number, number, number];
      const local = directory.readUInt32LE(at + 42);
      const header = read(local, 30); // its extra field may have another length
      entries.push({
        name: directory.toString('utf8', at + 46, at + 46 + nameLength),
        method: directory.readUInt16LE(at + 10),
        packedBytes: directory.readUInt32LE(at + 20),
        sizeBytes: directory.readUInt32LE(at + 24),
        dataStart: local + 30 + header.readUInt16LE(26) + header.readUInt16LE(28),
      });
      at += 46 + nameLength + extraLength + commentLength;
    }
    return entries;
  } finally {
    closeSync(file);
  }
}
