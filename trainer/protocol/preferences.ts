/**
 * `.coach/preferences.jsonl`: what people said about answers. Append only: nothing is ever changed, an undo is a line
 * of its own. A line holds all
 * that is needed to train on it, since it is shared through version control and the traces it speaks of are not.
 */
import { z } from 'zod';
import { Message } from './trace';
import { AnswerTokens, PreferencePair } from './reward';

export const PREFERENCES_VERSION = 1;

export const Author = z.object({ name: z.string(), email: z.string().optional() });
export type Author = z.infer<typeof Author>;

export const PairSide = z.object({
  traceId: z.string(),
  /** what the policy said at the decision, one assistant message */
  messages: z.array(Message).min(1),
  tokens: AnswerTokens.optional(),
});
export type PairSide = z.infer<typeof PairSide>;

/** Two answers to the same history, at the first step in which two traces of one task differ. */
export const AnswerPair = z.object({
  /** hash of history and answers, the same whichever came first */
  id: z.string(),
  runId: z.string(),
  taskId: z.string(),
  groupId: z.string(),
  /** the tool file, relative to the workspace, with / */
  toolFile: z.string(),
  model: z.string(),
  checkpoint: z.string(),
  /** the full history before the decision */
  prompt: z.array(Message).min(1),
  sides: z.tuple([PairSide, PairSide]),
  /** id of a `tools` line: what the policy saw of the tools */
  toolsId: z.string().optional(),
});
export type AnswerPair = z.infer<typeof AnswerPair>;

/**
 * Which of a pair's sides is better; bothBad: neither is worth preferring, so nothing is trained on it; skip: the
 * person would not say.
 */
export const PairVerdict = z.enum(['first', 'second', 'tie', 'bothBad', 'skip']);
export type PairVerdict = z.infer<typeof PairVerdict>;

const body = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...shape });
const bodies = [
  /** tools in OpenAI's form, written once; its line id is the hash that others name as toolsId */
  body('tools', { tools: z.array(z.unknown()) }),
  /** shown: the side that stood as A (left), and whether checkpoint, reward and judge were hidden */
  body('mark', {
    pair: AnswerPair,
    verdict: PairVerdict,
    shown: z.object({ a: z.union([z.literal(0), z.literal(1)]), isBlind: z.boolean() }),
  }),
  /** what a person wrote in the place of one side; it is preferred to that side */
  body('rewrite', { pair: AnswerPair, of: z.union([z.literal(0), z.literal(1)]), messages: z.array(Message).min(1) }),
  /** a person's ranking of a group beside the judge's, best = 1, ties share a rank */
  body('correction', {
    runId: z.string(),
    taskId: z.string(),
    groupId: z.string(),
    traceIds: z.array(z.string()),
    ranks: z.array(z.number().int()),
    judge: z.object({ model: z.string(), ranks: z.array(z.number().int()).nullable() }).optional(),
    text: z.string().optional(),
  }),
  /** a note on a trace, or on one of its turns; with a thumb and what it is about, an unpaired preference */
  body('note', {
    runId: z.string(),
    traceId: z.string(),
    turn: z.number().int().nullable(),
    text: z.string(),
    thumb: z.enum(['up', 'down']).optional(),
    pairId: z.string().optional(),
    about: z
      .object({ prompt: z.array(Message), completion: z.array(Message), toolsId: z.string().optional() })
      .optional(),
  }),
  /** imported */
  body('pair', {
    prompt: z.array(Message),
    chosen: z.array(Message).min(1),
    rejected: z.array(Message).min(1),
    toolsId: z.string().optional(),
    source: z.string(),
  }),
  body('unpaired', {
    prompt: z.array(Message),
    completion: z.array(Message).min(1),
    label: z.boolean(),
    toolsId: z.string().optional(),
    source: z.string(),
  }),
  body('undo', { of: z.string() }),
] as const;
export const PreferenceBody = z.discriminatedUnion('type', bodies);
export type PreferenceBody = z.infer<typeof PreferenceBody>;

/** A body with who said it and when. */
const head = { version: z.literal(PREFERENCES_VERSION), id: z.string().min(1), t: z.number(), author: Author };
const [tools, mark, rewrite, correction, note, pair, unpaired, undo] = bodies;
export const PreferenceLine = z.discriminatedUnion('type', [
  tools.extend(head),
  mark.extend(head),
  rewrite.extend(head),
  correction.extend(head),
  note.extend(head),
  pair.extend(head),
  unpaired.extend(head),
  undo.extend(head),
]);
export type PreferenceLine = z.infer<typeof PreferenceLine>;
export type LineOf<T extends PreferenceLine['type']> = Extract<PreferenceLine, { type: T }>;
export type MarkLine = LineOf<'mark'>;
export type RewriteLine = LineOf<'rewrite'>;
export type NoteLine = LineOf<'note'>;

/** A line of the file that is not used, and why. `line` counts from 1. */
export const LineProblem = z.object({ line: z.number().int(), message: z.string() });
export type LineProblem = z.infer<typeof LineProblem>;

export type ParsedLine = { ok: true; value: PreferenceLine } | { ok: false; problem: LineProblem };

/**
 * One line of the file; a bare pair ({"prompt", "chosen", "rejected"}, as older versions and other tools write it)
 * counts as imported.
 */
export function parsePreferenceLine(text: string, number: number): ParsedLine {
  const bad = (message: string): ParsedLine => ({ ok: false, problem: { line: number, message } });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return bad(`line ${number} is torn or no JSON; it is left as it is and not used`);
  }
  const version = (json as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > PREFERENCES_VERSION)
    return bad(
      `line ${number} is of version ${version}, this is version ${PREFERENCES_VERSION}: update Coach to use it`,
    );
  const parsed = PreferenceLine.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const bare =
    version === undefined ? PreferencePair.safeParse({ id: `line-${number}`, ...(json as object | null) }) : null;
  const messages = z.array(Message);
  if (bare?.success) {
    const [prompt, chosen, rejected] = [bare.data.prompt, bare.data.chosen, bare.data.rejected].map((list) =>
      messages.safeParse(list),
    );
    if (
      prompt!.success &&
      chosen!.success &&
      rejected!.success &&
      chosen!.data.length > 0 &&
      rejected!.data.length > 0
    ) {
      return {
        ok: true,
        value: {
          version: PREFERENCES_VERSION,
          id: bare.data.id,
          t: 0,
          author: { name: 'unknown' },
          type: 'pair',
          prompt: prompt!.data,
          chosen: chosen!.data,
          rejected: rejected!.data,
          source: bare.data.source ?? 'by hand',
        },
      };
    }
  }
  const issue = parsed.error.issues[0];
  return bad(
    `line ${number} is no preference ` +
      `(${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}); it is left as it is and not used`,
  );
}

/** Forms in which preferences come and go: TRL's preference rows, OpenAI's, and KTO's single answers. */
export const PreferenceFormat = z.enum(['trl', 'openai', 'kto']);
export type PreferenceFormat = z.infer<typeof PreferenceFormat>;
