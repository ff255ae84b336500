import { openEncoder } from '../../model/encoder/encoder';
import type { RunManifest } from '../../protocol/messages';
import type { Note } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Task, ToolSchema } from '../../protocol/task';
import { ShownTools, type ShownToolsOptions } from '../../tools/retrieval/shownTools';
import { ToolIndex } from '../../tools/retrieval/toolIndex';
import { SCALE_MCP_WEIGHTS } from '../../tools/retrieval/vectorIndex';

export interface OpenShownTools {
  shown: ShownTools;
  /** tools that a text is about, the best first */
  find: ShownToolsOptions['find'];
  by: NonNullable<RunManifest['shownBy']>;
  note: Note;
  close(): void;
}

/** Synthetic questions of one tool, and of all, that are embedded, which takes some 4 ms each; by words all are read. */
const MOST_EMBEDDED = 20;
const MOST_OF_ALL = 1000;

/**
 * The tools that each request is shown, by settings that withShownTools decided. What a tool is found by is said by its
 * definition and by requests of training, its synthetic questions (Toolshed, arXiv:2410.14594); never by one that is
 * measured.
 * @param train the tasks that are trained on @param before what an earlier part of the run found them by: the same
 * again
 * @returns null: all are shown @throws UserError where the sentence encoder that the run began with is gone
 */
export function openShownTools(
  {
    shownTools,
    shownAlways,
    findTools = DEFAULTS.findTools,
    toolVectors = DEFAULTS.toolVectors,
  }: Pick<RunConfig, 'shownTools' | 'shownAlways' | 'findTools' | 'toolVectors'>,
  tools: readonly ToolSchema[],
  { train, before }: { train: readonly Task[]; before?: RunManifest['shownBy'] },
): OpenShownTools | null {
  if (!shownTools) return null;
  const encoder = before === 'words' ? null : openEncoder();
  if (before === 'both' && encoder === null)
    throw new UserError(
      'config',
      'the run found its tools by words and the sentence encoder, which is not installed here: it would find others',
      'coach find "…" --tools PATH --install-encoder fetches it (16 MB).',
    );
  const questions = questionsOf(train);
  const weights = toolVectors === 'average' ? SCALE_MCP_WEIGHTS : undefined;
  const index = new ToolIndex({
    embedder: encoder,
    weights,
    embeddedQuestions: Math.max(1, Math.min(MOST_EMBEDDED, Math.floor(MOST_OF_ALL / questions.size))),
    enrich: ({ name }) => ({ questions: questions.get(name) ?? [] }),
  });
  index.sync(tools);
  const find = (request: string, most: number) => index.find(request, most);
  return {
    shown: new ShownTools({ tools, most: shownTools, always: shownAlways, find, looksUp: findTools }),
    find,
    by: encoder ? 'both' : 'words',
    note: noteOf(shownTools, tools.length, { hasEncoder: encoder !== null, findTools }),
    close: () => encoder?.close(),
  };
}

/** Requests of training tasks by the tools that their gold calls name. */
function questionsOf(train: readonly Task[]): Map<string, string[]> {
  const byTool = new Map<string, string[]>();
  for (const { prompt, calls = [] } of train)
    for (const name of new Set(calls.map((call) => call.name))) {
      const questions = byTool.get(name) ?? [];
      if (questions.length === 0) byTool.set(name, questions);
      questions.push(prompt.replace(/\s+/g, ' '));
    }
  return byTool;
}

const noteOf = (most: number, of: number, by: { hasEncoder: boolean; findTools: boolean }): Note => ({
  level: 'info',
  code: 'shownTools',
  message:
    `Each request is shown ${most} of ${of} tools${by.findTools ? ' and find_tools, for the others' : ''}, found by ` +
    (by.hasEncoder
      ? 'words and the sentence encoder'
      : 'words alone (coach find "…" --tools PATH --install-encoder fetches a model that knows other words, too)'),
});
