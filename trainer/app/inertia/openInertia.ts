import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/json';
import { shortPath } from '../../base/shortPath';
import { readTextFile, writeFileAtomic } from '../../base/storage';
import { openEncoder } from '../../model/encoder/encoder';
import type { Note } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Task } from '../../protocol/task';
import { ToolGraph } from '../../protocol/toolGraph';
import { Inertia } from '../../rollout/inertia/inertia';
import { readGraph } from '../../store/toolGraph/readGraph';
import { nearness } from '../../tools/retrieval/nearness';

export interface OpenInertia {
  inertia: Inertia;
  note: Note;
  /** Writes the graph into a run's folder, so that a resume acts by the same one. */
  keep(dir: string): void;
  close(): void;
}

export interface InertiaFrom {
  cwd: string;
  /** the run that is measured, whose training traces are taken where no graph is named; null: none */
  own: string | null;
  /** their traces are left out of the graph */
  measured: readonly Pick<Task, 'prompt'>[];
  /** folder of a run that is resumed: its own graph, as it began */
  kept?: string | undefined;
}

type Settings = Pick<RunConfig, 'toolInertia' | 'toolGraph' | 'toolInertiaThreshold'>;

/** In a run's folder. by: what texts are compared by, the sentence encoder or words alone */
const Kept = z.object({ by: z.enum(['words', 'encoder']), from: z.string(), graph: ToolGraph });
type Kept = z.infer<typeof Kept>;
const KEPT = 'toolGraph.json';

/**
 * What makes calls without the model (`toolInertia`), by a graph of training traces alone.
 * @returns null: it is off
 * @throws UserError where there is no graph, or the sentence encoder that a run began with is gone
 */
export function openInertia(settings: Settings, from: InertiaFrom): OpenInertia | null {
  const { toolInertia: method = DEFAULTS.toolInertia } = settings;
  if (method === 'off') return null;
  const file = from.kept === undefined ? null : join(from.kept, KEPT);
  const before = file !== null && existsSync(file) ? Kept.parse(parseJson(readTextFile(file))) : null;
  const encoder = before?.by === 'words' ? null : openEncoder();
  if (before?.by === 'encoder' && encoder === null)
    throw new UserError(
      'config',
      'the run compares texts by the sentence encoder, which is not installed here: it would make other calls',
      'coach find "…" --tools PATH --install-encoder fetches it (16 MB).',
    );
  try {
    const kept = before ?? { by: encoder ? 'encoder' : 'words', ...newGraph(settings, from) };
    const threshold = settings.toolInertiaThreshold ?? DEFAULTS.toolInertiaThreshold({ method });
    const { graph } = kept;
    return {
      inertia: new Inertia({ method, graph, threshold, nearness: nearness(encoder) }),
      note: noteOf(kept, method, threshold, from.cwd),
      keep: (dir) => writeFileAtomic(join(dir, KEPT), JSON.stringify({ by: kept.by, from: kept.from, graph })),
      close: () => encoder?.close(),
    };
  } catch (error) {
    encoder?.close();
    throw error;
  }
}

function newGraph({ toolGraph }: Settings, { cwd, own, measured }: InertiaFrom): Omit<Kept, 'by'> {
  const name = toolGraph ?? own;
  if (name === null)
    throw new UserError(
      'config',
      'toolInertia needs toolGraph: which traces say what tool follows which',
      'For example --set toolGraph=RUN, a trained run on these tools; coach runs lists them.',
    );
  const { graph, from } = readGraph(name, cwd, new Set(measured.map(({ prompt }) => prompt)));
  return { from: resolve(cwd, from), graph };
}

function noteOf({ by, from, graph }: Kept, method: string, threshold: number, cwd: string): Note {
  return {
    level: 'info',
    code: 'toolGraph',
    message:
      `Calls may be made without the model (${method}, from ${threshold} on), by ${graph.traces} traces of ` +
      `${shortPath(from, cwd)}, with ${by === 'encoder' ? 'the sentence encoder' : 'words alone'}`,
  };
}
