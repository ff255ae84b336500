/** Texts of files as discovery sees them: unsaved text before the disk, and each file looked at once per round. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mayHoldTools, mayHoldToolsIn } from '../../../../protocol/toolMarks';

interface Entry {
  /** What the disk said: size, times, inode. Null for unsaved text. */
  stamp: string | null;
  /** Changed so shortly before it was read that a second change may carry the same stamp. */
  isFresh: boolean;
  /** Hash of the content; empty where nothing needed it. */
  hash: string;
  hasMarker: boolean;
  round: number;
  /** Kept for the round only; the parsed file holds it from then on. */
  text: string | null;
}

export class FileStore {
  private readonly entries = new Map<string, Entry>();
  private overlays = new Map<string, string>();
  private round = 0;

  /** Begins a round: each file's stamp is looked at anew, once. */
  startRound(overlays: ReadonlyMap<string, string>): void {
    this.overlays = new Map(overlays);
    this.round++;
  }

  /** Drops the texts of the round. */
  endRound(): void {
    for (const entry of this.entries.values()) entry.text = null;
  }

  /** Forgets files that are no longer listed. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.entries.keys()) if (!paths.has(path)) this.entries.delete(path);
  }

  exists(path: string): boolean {
    if (this.overlays.has(path) || this.entries.get(path)?.round === this.round) return true;
    // statSync alone throws below what is no folder: data.json/index.ts
    return existsSync(path) && statSync(path).isFile();
  }

  /** True for folders on disk, and for those that only unsaved texts lie in. */
  folderExists(path: string): boolean {
    if (existsSync(path) && statSync(path).isDirectory()) return true;
    for (const each of this.overlays.keys()) if (each.startsWith(`${path}/`)) return true;
    return false;
  }

  /** Whether the text can hold a tool. False for what can't be read. */
  hasMarker(path: string): boolean {
    return this.entry(path)?.hasMarker ?? false;
  }

  /** Content hash; null for what can't be read. */
  hash(path: string): string | null {
    const entry = this.entry(path);
    if (!entry) return null;
    if (entry.hash === '') entry.hash = hashOf(this.text(path) ?? '');
    return entry.hash;
  }

  text(path: string): string | null {
    const entry = this.entry(path);
    if (!entry) return null;
    entry.text ??= this.overlays.get(path) ?? readText(path);
    return entry.text;
  }

  private entry(path: string): Entry | null {
    const known = this.entries.get(path);
    if (known?.round === this.round) return known;
    const entry = this.overlays.has(path) ? this.fromOverlay(path) : this.fromDisk(path, known);
    if (entry) this.entries.set(path, entry);
    else this.entries.delete(path);
    return entry;
  }

  private fromOverlay(path: string): Entry {
    const text = this.overlays.get(path)!;
    return { stamp: null, isFresh: false, hash: hashOf(text), hasMarker: mayHoldTools(text), round: this.round, text };
  }

  private fromDisk(path: string, known: Entry | undefined): Entry | null {
    const stat = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (!stat?.isFile()) return null;
    const stamp = `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`;
    if (known && known.stamp === stamp && !known.isFresh) {
      known.round = this.round;
      return known;
    }
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch {
      return null;
    }
    const isFresh = Date.now() - Math.max(stat.mtimeMs, stat.ctimeMs) < 100;
    // Most files never mention a tool at all: those are not decoded, and not hashed.
    const text = mayHoldToolsIn(bytes) ? bytes.toString('utf8') : null;
    const hasMarker = text !== null && mayHoldTools(text);
    return {
      stamp,
      isFresh,
      hash: hasMarker ? hashOf(text) : '',
      hasMarker,
      round: this.round,
      text: hasMarker ? text : null,
    };
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
