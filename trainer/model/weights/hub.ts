/**
 * Models from the Hugging Face hub, by its own library, into the cache that all of its programs share, laid out as they
 * lay it out (blobs, refs, snapshots):
 * what Python has fetched is here already, and the other way round. What we can't train is refused before its weights
 * are fetched: by its config.json, or by what a GGUF says before its tensors; so is what this machine's memory can't
 * hold.
 */
import { copyFileSync, existsSync, mkdirSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { listFiles, modelInfo } from '@huggingface/hub';
import { hubCache, type Environment } from './foundModels';
import { readModelConfig, type ModelConfig } from '../network/config';
import { leastWeightBytes } from '../network/weightBytes';
import { checksumOf, fetchBlob, type BlobOptions, type Hub, type Remote } from './hubBlob';
import { checkGgufStart, modelFolder } from './modelFolder';
import { hubFetch } from './hubFetch';
import { HUB_NAME } from '../../protocol/hubName';
import { UserError } from '../../protocol/result';
import { readTextFile } from '../../base/storage';

export interface HubDownload {
  /** OWNER/NAME, OWNER/NAME@REVISION, or OWNER/NAME/FILE.gguf */
  model: string;
  /**
   * HF_TOKEN, HF_ENDPOINT, HF_HUB_OFFLINE, HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME, as the hub's own programs read them
   */
  environment: Environment;
  signal: AbortSignal;
  /** that this machine has; a model whose weights alone take more is refused */
  memoryBytes: number;
  /** bytes of all files that are needed; those that were there count as done */
  onProgress(done: number, total: number, file: string): void;
}

const BESIDE_WEIGHTS =
  /^(config|generation_config|tokenizer|tokenizer_config|special_tokens_map|model\.safetensors\.index)\.json$|^chat_template\.jinja$/;
const OFFLINE = /^(1|on|yes|true)$/i;
const OF_THE_DISK = /^(ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EISDIR|ENOTDIR|EIO|EMFILE|EFBIG)$/;

/**
 * What was fetched before is not fetched again, and what was broken off goes on where it stopped. Sizes and checksums
 * (SHA-256, or git's) are those the hub
 * lists; what differs is thrown away.
 * @returns what `--model` takes: the model's folder, or its GGUF file
 * @throws UserError where the name is none, the model can't be trained or had, the disk is too full, or it was
 * cancelled
 */
export async function downloadModel(wanted: HubDownload): Promise<string> {
  const { repo, revision, file } = parseName(wanted.model);
  const folder = join(hubCache(wanted.environment), `models--${repo.replace('/', '--')}`);
  if (OFFLINE.test(wanted.environment['HF_HUB_OFFLINE'] ?? '')) return kept(folder, revision, file, wanted.model);
  const access = {
    ...credentials(wanted.environment),
    fetch: hubFetch(wanted.signal),
  };
  const commit = (await asking(wanted, () => modelInfo({ name: repo, revision, additionalFields: ['sha'], ...access })))
    .sha;
  const hub: Hub = { repo, revision: commit, ...access };
  const listed: Remote[] = [];
  await asking(wanted, async () => {
    for await (const entry of listFiles(hub)) if (entry.type === 'file') listed.push(entry);
  });
  const needed = neededOf(listed, file, wanted.model);
  const snapshot = join(folder, 'snapshots', commit);
  const total = needed.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const entry of needed) {
    const blob = join(folder, 'blobs', checksumOf(entry));
    if (!existsSync(blob)) {
      checkRoom(folder, total - done, wanted.model);
      await asking(wanted, () =>
        fetchBlob(entry, blob, {
          hub,
          signal: wanted.signal,
          onBytes: (bytes) => wanted.onProgress(done + bytes, total, entry.path),
          ...(entry.path.endsWith('.gguf') && { checkStart: checkStart(wanted.memoryBytes) }),
        }),
      );
    }
    link(blob, join(snapshot, entry.path));
    done += entry.size;
    wanted.onProgress(done, total, entry.path);
    // another architecture, or too large: nothing more is fetched
    if (entry.path === 'config.json') checkMemory(readModelConfig(snapshot), wanted.model, wanted.memoryBytes);
  }
  if (revision !== commit) {
    const ref = join(folder, 'refs', revision);
    mkdirSync(dirname(ref), { recursive: true });
    writeFileSync(ref, commit);
  }
  return modelFolder(file ? join(snapshot, file) : snapshot, '/');
}

const checkStart =
  (memoryBytes: number): NonNullable<BlobOptions['checkStart']> =>
  (path, partOf) =>
    checkMemory(checkGgufStart(path, partOf), partOf.name, memoryBytes);

/** @throws UserError where no settings can make the model fit */
function checkMemory(config: ModelConfig, name: string, memoryBytes: number): void {
  const least = leastWeightBytes(config);
  if (least > memoryBytes)
    throw new UserError(
      'device',
      `${name}: its weights take at least ${megabytes(least)}, this machine has ${megabytes(memoryBytes)}`,
      'Take a smaller model. For another machine with the same cache, fetch it with `hf download`.',
    );
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;

function parseName(model: string): { repo: string; revision: string; file: string | null } {
  const [, repo, file = null, revision = 'main'] = HUB_NAME.exec(model) ?? [];
  if (repo === undefined || /\.\./.test(model))
    throw new UserError(
      'config',
      `a model of the hub is OWNER/NAME, OWNER/NAME@REVISION or OWNER/NAME/FILE.gguf, got ${model}`,
      'For example: HuggingFaceTB/SmolLM2-135M-Instruct',
    );
  return { repo, revision, file };
}

function credentials(environment: Environment): { accessToken?: string; hubUrl?: string } {
  const [token, url] = [environment['HF_TOKEN'], environment['HF_ENDPOINT']];
  return { ...(token ? { accessToken: token } : {}), ...(url ? { hubUrl: url.replace(/\/$/, '') } : {}) };
}

/**
 * config.json first, then the small ones. A repository without safetensors is taken where it has one GGUF, or one is
 * named.
 */
function neededOf(listed: readonly Remote[], file: string | null, model: string): Remote[] {
  const at = (test: (path: string) => boolean): Remote[] =>
    listed
      .filter(({ path }) => test(path))
      .sort((a, b) => Number(b.path === 'config.json') - Number(a.path === 'config.json') || a.size - b.size);
  const ggufs = at((path) => path.endsWith('.gguf') && !path.includes('/'));
  if (file !== null) {
    const found = ggufs.filter(({ path }) => path === file);
    if (found.length === 0)
      throw new UserError(
        'config',
        `${model}: the repository has no ${file}`,
        ggufs.length > 0 ? `It has ${ggufs.map(({ path }) => path).join(', ')}.` : 'It has no GGUF file at all.',
      );
    return found;
  }
  if (at((path) => /^[^/]+\.safetensors$/.test(path)).length > 0)
    return at((path) => BESIDE_WEIGHTS.test(path) || /^[^/]+\.safetensors$/.test(path));
  if (ggufs.length === 1) return ggufs;
  if (ggufs.length > 1)
    throw new UserError(
      'config',
      `${model}: the repository has ${ggufs.length} GGUF files`,
      `Name one: ${ggufs
        .map(({ path }) => `${model.split('@')[0]}/${path}`)
        .slice(0, 6)
        .join(', ')}${ggufs.length > 6 ? ', …' : ''}`,
    );
  throw new UserError(
    'config',
    `${model}: the repository holds neither safetensors nor GGUF, but ${
      listed
        .map(({ path }) => path)
        .filter((path) => /\.(bin|pt|pth|h5|msgpack|onnx)$/.test(path))
        .slice(0, 3)
        .join(', ') || 'no weights'
    }`,
    'Choose one whose weights are safetensors or GGUF.',
  );
}

/** A link to the blob, as the hub's programs make it; a copy where the system allows none. */
function link(blob: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  try {
    symlinkSync(relative(dirname(path), blob), path);
  } catch {
    copyFileSync(blob, path);
  }
}

function kept(folder: string, revision: string, file: string | null, model: string): string {
  const ref = join(folder, 'refs', revision);
  const snapshot = join(folder, 'snapshots', existsSync(ref) ? readTextFile(ref).trim() : revision);
  const path = file ? join(snapshot, file) : snapshot;
  if (!existsSync(path))
    throw new UserError(
      'storage',
      `${model} is not in the cache (${folder}), and HF_HUB_OFFLINE forbids to fetch it`,
      'Unset HF_HUB_OFFLINE, or choose a model that is on this disk: coach models',
    );
  return modelFolder(path, '/');
}

function checkRoom(folder: string, bytes: number, model: string): void {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes)
    throw new UserError(
      'storage',
      `${model} needs ${Math.ceil(bytes / 1e6)} MB in ${folder}, ${Math.floor((bavail * bsize) / 1e6)} MB are free`,
      'Free some room, or set HF_HOME to another disk.',
    );
}

/** The hub's and the network's refusals in words. */
async function asking<T>({ model, environment, signal }: HubDownload, ask: () => Promise<T>): Promise<T> {
  try {
    signal.throwIfAborted();
    return await ask();
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (signal.aborted)
      throw new UserError(
        'storage',
        `the download of ${model} was cancelled`,
        'Start it again: it goes on where it stopped.',
      );
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (OF_THE_DISK.test(code))
      throw new UserError(
        'storage',
        `${model} can't be kept: ${message}`,
        'Free some room, or set HF_HOME to a folder that may be written. What was fetched is kept.',
      );
    const status = (error as { statusCode?: number }).statusCode;
    const token = environment['HF_TOKEN'] ? 'the token may not read it' : 'it may need a token';
    if (status === 401 || status === 403)
      throw new UserError(
        'config',
        `the hub refuses ${model} (${status}): it does not exist, or ${token}`,
        "Accept the model's terms on its page where it has any, and give a token that may read it: " +
          'HF_TOKEN, or Coach: Set Hugging Face Token.',
      );
    if (status === 404)
      throw new UserError(
        'config',
        `the hub has no ${model}`,
        'Look it up on huggingface.co/models; names are OWNER/NAME.',
      );
    if (status !== undefined)
      throw new UserError('storage', `the hub answered ${status} for ${model}: ${message}`, 'Try again later.');
    const cause = (error as { cause?: { code?: string; message?: string } }).cause;
    throw new UserError(
      'storage',
      `${environment['HF_ENDPOINT'] ?? 'https://huggingface.co'} can't be reached for ${model}: ` +
        `${cause?.code ?? cause?.message ?? message}`,
      'Check the network (and HTTPS_PROXY), or take a model that is on this disk: coach models. ' +
        'What was fetched is kept.',
    );
  }
}
