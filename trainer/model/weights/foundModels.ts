/**
 * The models that other programs keep on this disk: Ollama's blobs, LM Studio's folders, the cache of the Hugging Face
 * hub. Read where they lie, never
 * copied; weights are not read.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { isGguf } from './gguf';
import { shardsOf } from './shards';
import { modelFolder } from './modelFolder';
import type { FoundModel } from '../../protocol/messages';
import { UserError } from '../../protocol/result';
import { readTextFile } from '../../base/storage';

type Place = Pick<FoundModel, 'name' | 'path' | 'from'>;
/** HOME and the variables by which those programs are told to keep their models elsewhere. */
export type Environment = Record<string, string | undefined>;

/**
 * Those that can be trained first, then by name. What can't be (another architecture, a quantisation that is not read)
 * says why.
 */
export function foundModels(environment: Environment = process.env, home: string = homedir()): FoundModel[] {
  const places = [...ollamaModels(environment, home), ...lmStudioModels(home), ...hubModels(environment, home)];
  const found = places
    .filter((place, i) => places.findIndex((other) => other.path === place.path) === i)
    .map(described);
  return found.sort((a, b) => Number(a.problem !== null) - Number(b.problem !== null) || a.name.localeCompare(b.name));
}

function described(place: Place): FoundModel {
  try {
    modelFolder(place.path, '/');
    return { ...place, bytes: bytesOf(place.path), problem: null };
  } catch (error) {
    return { ...place, bytes: null, problem: error instanceof UserError ? error.message : String(error) };
  }
}

const bytesOf = (path: string): number =>
  isGguf(path) ? statSync(path).size : shardsOf(path).reduce((sum, { file }) => sum + statSync(file).size, 0);

/** manifests/HOST/NAMESPACE/NAME/TAG is JSON whose layer of type "model" names a blob, a GGUF file. */
function ollamaModels(environment: Environment, home: string): Place[] {
  const roots = environment['OLLAMA_MODELS']
    ? [environment['OLLAMA_MODELS']]
    : [join(home, '.ollama', 'models'), '/usr/share/ollama/.ollama/models'];
  return roots.flatMap((root) => {
    const manifests = join(root, 'manifests');
    return filesBelow(manifests, 4).flatMap(
      ({ path, parts: [host = '', space = '', name = '', tag = ''] }): Place[] => {
        const digest = modelLayer(path);
        const blob = digest === null ? '' : join(root, 'blobs', digest.replace(':', '-'));
        if (tag === '' || digest === null || !existsSync(blob)) return [];
        const owner = [host === 'registry.ollama.ai' ? '' : host, space === 'library' ? '' : space]
          .filter(Boolean)
          .join('/');
        return [{ name: `${owner ? `${owner}/` : ''}${name}:${tag}`, path: blob, from: 'Ollama' }];
      },
    );
  });
}

function modelLayer(manifest: string): string | null {
  try {
    const { layers } = JSON.parse(smallText(manifest) ?? '') as { layers?: { mediaType?: string; digest?: string }[] };
    const digest = layers?.find((layer) => layer.mediaType === 'application/vnd.ollama.image.model')?.digest;
    return digest !== undefined && /^sha256:[0-9a-f]+$/.test(digest) ? digest : null;
  } catch {
    return null; // not a manifest
  }
}

/**
 * models/PUBLISHER/REPOSITORY/FILE.gguf; a vision part (mmproj) is no model of its own, and of a file in pieces none
 * is.
 */
function lmStudioModels(home: string): Place[] {
  const pointer = join(home, '.lmstudio-home-pointer');
  const own = smallText(pointer)?.trim() ?? join(home, '.lmstudio');
  return [join(own, 'models'), join(home, '.cache', 'lm-studio', 'models')].flatMap((root) =>
    filesBelow(root, 3)
      .filter(({ parts }) => parts[2]?.endsWith('.gguf') && !/^mmproj|-of-\d{5}\.gguf$/.test(parts[2]))
      .map(({ path }): Place => ({ name: basename(path, '.gguf'), path, from: 'LM Studio' })),
  );
}

/** Where the hub's programs keep what they fetch. */
export const hubCache = (environment: Environment, home = homedir()): string =>
  environment['HF_HUB_CACHE'] ??
  join(environment['HF_HOME'] ?? join(environment['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'huggingface'), 'hub');

/** models--OWNER--NAME/snapshots/REVISION, the one that refs/main names, else the only one. */
function hubModels(environment: Environment, home: string): Place[] {
  const cache = hubCache(environment, home);
  return names(cache)
    .filter((name) => name.startsWith('models--'))
    .flatMap((folder): Place[] => {
      const snapshots = join(cache, folder, 'snapshots');
      const main = join(cache, folder, 'refs', 'main');
      const revision = smallText(main)?.trim() ?? names(snapshots)[0];
      const path = join(snapshots, revision ?? '');
      const holds = names(path);
      const isModel = holds.includes('config.json') || holds.some((name) => name.endsWith('.gguf'));
      return revision && isModel
        ? [{ name: folder.slice('models--'.length).replace('--', '/'), path, from: 'Hugging Face' }]
        : [];
    });
}

/**
 * Files at exactly `depth` names below a folder, with those names; a folder that is absent or closed to us holds none.
 */
function filesBelow(folder: string, depth: number, parts: string[] = []): { path: string; parts: string[] }[] {
  return names(folder).flatMap((name) => {
    const path = join(folder, name);
    return depth === 1 ? [{ path, parts: [...parts, name] }] : filesBelow(path, depth - 1, [...parts, name]);
  });
}

/** Of a plain file; null: it is none, or too long for what it should hold. A pipe in its place would wait for ever. */
function smallText(path: string): string | null {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size < 1 << 20 ? readTextFile(path) : null;
  } catch {
    return null;
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
