import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../protocol/result';
import { installArchives, stampInstalled } from './archives';
import { engineFolder, isInstalled } from './folder';
import type { NativeName } from './load';
import { archives, type Archive } from './packages';

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
  if (isInstalled(folder)) return folder;
  rmSync(join(folder, 'package'), { recursive: true, force: true });
  const wanted = files.filter(({ needsGpu = false }) => hasGpu || !needsGpu);
  await installArchives(folder, wanted, { signal, onProgress });
  const binding = join(folder, 'package', 'lib', 'napi-v8');
  mkdirSync(binding, { recursive: true });
  copyFileSync(ownBinding(), join(binding, 'tfjs_binding.node'));
  stampInstalled(folder, { name, files: files.map(({ url, sha256 }) => ({ url, sha256 })) });
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
