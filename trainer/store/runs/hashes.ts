/** What a run was made from, as hashes for run.json: two runs with equal hashes began with the same bytes. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Gguf, isGguf } from '../../model/weights/gguf';
import { openToRead, readBytesOf } from '../../base/storage';

export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Names and contents of files, in the order of their names. */
export function hashFiles(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of [...paths].sort())
    hash
      .update(`${basename(path)}\0`)
      .update(existsSync(path) ? readBytesOf(path) : 'absent')
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Each file's own hash, by its path from `folder`. */
export const hashEach = (paths: readonly string[], folder: string): Record<string, string> =>
  Object.fromEntries([...paths].sort().map((path) => [relative(realpathSync(folder), path), hashFiles([path])]));

/** Names of what is another, new or gone. */
export function changedNames(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  return [
    ...Object.keys(now).flatMap((name) =>
      before[name] === now[name] ? [] : [Object.hasOwn(before, name) ? name : `${name} (new)`],
    ),
    ...Object.keys(before).flatMap((name) => (Object.hasOwn(now, name) ? [] : [`${name} (no longer used)`])),
  ];
}

const wholeBytes = 64 << 20;

/**
 * The model, a folder or a GGUF file: its config and weights. Of a weights file over 64 MiB the size and both ends are
 * hashed, since reading gigabytes would delay each start.
 */
export function hashModel(model: string): string {
  const hash = createHash('sha256');
  const isFile = statSync(model).isFile();
  const folder = isFile ? dirname(model) : model;
  for (const name of isFile ? [basename(model)] : readdirSync(folder).sort()) {
    if (!isFile && !/^config\.json$|^tokenizer\.json$|\.safetensors$/.test(name)) continue;
    const path = join(folder, name);
    const size = statSync(path).size;
    hash.update(`${name}\0${size}\0`);
    if (size <= wholeBytes) hash.update(readBytesOf(path));
    else hash.update(readPart(path, 0)).update(readPart(path, size - (1 << 20)));
  }
  return hash.digest('hex').slice(0, 16);
}

function readPart(path: string, offset: number): Buffer {
  const fd = openToRead(path);
  try {
    const bytes = Buffer.alloc(1 << 20);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(fd);
  }
}

/** The model's chat template: a file of its own, inside tokenizer_config.json, or in a GGUF's metadata. */
export function hashTemplate(folder: string): string {
  if (isGguf(folder)) {
    const file = Gguf.open(folder);
    try {
      return hashText(file.text('tokenizer.chat_template'));
    } finally {
      file.close();
    }
  }
  const own = join(folder, 'chat_template.jinja');
  return hashFiles([existsSync(own) ? own : join(folder, 'tokenizer_config.json')]);
}
