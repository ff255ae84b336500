import { createHash } from 'node:crypto';
import {
  copyFileSync,
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
import { engineFolder, STAMP } from './folder';
import type { NativeName } from './load';
import { archives, type Archive, type RemoteFile } from './packages';
import { unpack } from './unpack';

export interface InstallOptions {
  signal?: AbortSignal;
  /** One line of progress, about once a second while something is fetched. */
  onProgress?: (line: string) => void;
  /** Installs the GPU package where no NVIDIA GPU is seen, too. */
  force?: boolean;
  env?: NodeJS.ProcessEnv;
  /** Tests bring their own. */
  files?: readonly Archive[];
}

/**
 * Fetches, checks and unpacks libtensorflow for tfjs-node into the user's data folder. What was fetched stays until all
 * is complete, so that a
 * second call goes on where the first one was broken off.
 * @returns the folder
 * @throws UserError for a platform without a binding, a checksum that is wrong, a server that refuses; `tfjs-node-gpu`
 * without a GPU
 */
export async function install(
  name: NativeName,
  { signal, onProgress = () => {}, force = false, env = process.env, files = archives[name] }: InstallOptions = {},
): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new UserError(
      'device',
      `${name}: there is a binding for linux-x64 only, this is ${process.platform}-${process.arch}`,
      'The engine onnx needs no install and uses any GPU (agentCoach.device).',
    );
  const hasGpu = existsSync('/dev/nvidia0');
  if (name === 'tfjs-node-gpu' && !force && !hasGpu)
    throw new UserError(
      'device',
      'tfjs-node-gpu: no GPU: this machine has no NVIDIA device (/dev/nvidia0); nothing was installed',
      'coach engines --install gpu --force installs it all the same, for a GPU that comes later.',
    );
  const folder = engineFolder(name, env);
  if (existsSync(join(folder, STAMP))) return folder;
  const downloads = join(folder, 'downloads');
  mkdirSync(downloads, { recursive: true });
  rmSync(join(folder, 'package'), { recursive: true, force: true });
  for (const file of files.filter(({ needsGpu = false }) => hasGpu || !needsGpu)) {
    const path = join(downloads, basename(new URL(file.url).pathname));
    await download(file, path, onProgress, signal);
    onProgress(`unpacking ${basename(path)}`);
    if ((await unpack(file, path, folder)) === 0) throw new Error(`install: nothing of ${path} was of use`);
  }
  const binding = join(folder, 'package', 'lib', 'napi-v8');
  mkdirSync(binding, { recursive: true });
  copyFileSync(ownBinding(), join(binding, 'tfjs_binding.node'));
  writeFileSync(
    join(folder, STAMP),
    JSON.stringify({ name, files: files.map(({ url, sha256 }) => ({ url, sha256 })) }),
  );
  rmSync(downloads, { recursive: true, force: true });
  return folder;
}

/** Beside this file, and beside the bundle. */
function ownBinding(): string {
  const path = [
    join(__dirname, 'linux-x64', 'tfjs_binding.node'),
    join(__dirname, 'native', 'linux-x64', 'tfjs_binding.node'),
  ].find((p) => existsSync(p));
  if (path === undefined)
    throw new UserError(
      'device',
      'the binding of libtensorflow for linux-x64 is not part of this package of Coach',
      'Install the linux-x64 package of Coach.',
    );
  return path;
}

/** To `path`, from where an earlier try ended; checked by its sha256. @throws UserError in words of what went wrong */
export async function download(
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
