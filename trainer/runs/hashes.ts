/** What a run was made from, as hashes for run.json: two runs with equal hashes began with the same bytes. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Names and contents of files, in the order of their names. */
export function hashFiles(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of [...paths].sort()) hash.update(`${basename(path)}\0`).update(existsSync(path) ? readFileSync(path) : 'absent').update('\0');
  return hash.digest('hex').slice(0, 16);
}

const wholeBytes = 64 << 20;

/** The model: its config and weights. Of a weights file over 64 MiB the size and both ends are hashed, since reading gigabytes would delay each start. */
export function hashModel(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    if (!/^config\.json$|^tokenizer\.json$|\.safetensors$/.test(name)) continue;
    const path = join(folder, name);
    const size = statSync(path).size;
    hash.update(`${name}\0${size}\0`);
    if (size <= wholeBytes) hash.update(readFileSync(path));
    else hash.update(readPart(path, 0)).update(readPart(path, size - (1 << 20)));
  }
  return hash.digest('hex').slice(0, 16);
}

function readPart(path: string, offset: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(1 << 20);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(fd);
  }
}

/** The model's chat template: a file of its own, or inside tokenizer_config.json. */
export function hashTemplate(folder: string): string {
  const own = join(folder, 'chat_template.jinja');
  return hashFiles([existsSync(own) ? own : join(folder, 'tokenizer_config.json')]);
}
