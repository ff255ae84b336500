/**
 * Which language model writes requests. Everything of its client is the judge's: server, editor's models, or a model
 * of this disk.
 */
import { UserError } from '../../protocol/result';
import { EDITOR_MODELS, EDITOR_MODELS_URL, type RunConfig } from '../../protocol/runConfig';
import { writersWords } from '../../tasks/writer/words';
import { judgeSettings, type JudgeSettings } from '../../rewards/judge/settings';

type Environment = Readonly<Record<string, string | undefined>>;

/** At once, for servers; a reply of a few tasks needs an end on small local models. */
const CONCURRENCY = 8;
const TIMEOUT_MS = 120_000;

/**
 * The writer by the settings, else by the environment: COACH_WRITER_URL, COACH_WRITER_MODEL, COACH_WRITER_KEY. null:
 * none is named.
 * The key goes only to the server that it was given for, the one of COACH_WRITER_URL, or to the editor that lent its
 * models.
 * @throws UserError where it is named by halves, or is no such thing
 */
export function writerSettings(
  { writerUrl, writerModel }: Pick<RunConfig, 'writerUrl' | 'writerModel'>,
  environment: Environment,
): JudgeSettings | null {
  const baseUrl = writerUrl ?? environment['COACH_WRITER_URL'];
  if (!baseUrl) return null;
  const model = writerModel ?? environment['COACH_WRITER_MODEL'];
  const isLent = baseUrl === EDITOR_MODELS;
  const asJudge = {
    COACH_JUDGE_URL: environment['COACH_WRITER_URL'],
    COACH_JUDGE_KEY: environment['COACH_WRITER_KEY'],
    [EDITOR_MODELS_URL]: isLent ? environment[EDITOR_MODELS_URL] : undefined,
  };
  return ofWriter(() =>
    judgeSettings(
      { baseUrl, ...(model === undefined ? {} : { model }), concurrency: CONCURRENCY, timeoutMs: TIMEOUT_MS },
      asJudge,
    ),
  );
}

/** What the judge's room says of its settings and client, said of the writer. */
function ofWriter<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw aboutWriter(error);
  }
}

export function aboutWriter(error: unknown): unknown {
  if (!(error instanceof UserError)) return error;
  return new UserError(
    'task',
    writersWords(error.message),
    error.hint === undefined ? undefined : writersWords(error.hint),
    error.diagnostics,
  );
}
