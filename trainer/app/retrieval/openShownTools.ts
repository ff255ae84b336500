import { openEncoder } from '../../model/encoder/encoder';
import type { RunManifest } from '../../protocol/messages';
import type { Note } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import type { ToolSchema } from '../../protocol/task';
import { ShownTools } from '../../tools/retrieval/shownTools';
import { ToolIndex } from '../../tools/retrieval/toolIndex';

export interface OpenShownTools {
  shown: ShownTools;
  by: NonNullable<RunManifest['shownBy']>;
  note: Note;
  close(): void;
}

/**
 * The tools that each request is shown, by settings that withShownTools decided.
 * @param before what an earlier part of the run found them by: the same again
 * @returns null: all are shown @throws UserError where the sentence encoder that the run began with is gone
 */
export function openShownTools(
  { shownTools, shownAlways }: Pick<RunConfig, 'shownTools' | 'shownAlways'>,
  tools: readonly ToolSchema[],
  before?: RunManifest['shownBy'],
): OpenShownTools | null {
  if (!shownTools) return null;
  const encoder = before === 'words' ? null : openEncoder();
  if (before === 'both' && encoder === null)
    throw new UserError(
      'config',
      'the run found its tools by words and the sentence encoder, which is not installed here: it would find others',
      'coach find "…" --tools PATH --install-encoder fetches it (16 MB).',
    );
  const index = new ToolIndex({ embedder: encoder });
  index.sync(tools);
  const find = (request: string, most: number) => index.find(request, most);
  return {
    shown: new ShownTools({ tools, most: shownTools, always: shownAlways, find }),
    by: encoder ? 'both' : 'words',
    note: noteOf(shownTools, tools.length, encoder !== null),
    close: () => encoder?.close(),
  };
}

const noteOf = (most: number, of: number, hasEncoder: boolean): Note => ({
  level: 'info',
  code: 'shownTools',
  message:
    `Each request is shown ${most} of ${of} tools, found by ` +
    (hasEncoder
      ? 'words and the sentence encoder'
      : 'words alone (coach find "…" --tools PATH --install-encoder fetches a model that knows other words, too)'),
});
