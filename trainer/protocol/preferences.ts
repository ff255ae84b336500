/**
 * `.coach/preferences.jsonl`: what people said about answers. Append only: nothing is ever changed, an undo is a line
 * of its own. A line holds all
 * that is needed to train on it, since it is shared through version control and the traces it speaks of are not.
 */
import { z } from 'zod';
import { Message, TraceSummary } from './trace';
import { assertNever } from './result';
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

/** Which of a pair's sides is better; skip: the person would not say. */
export const PairVerdict = z.enum(['first', 'second', 'tie', 'skip']);
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
type LineOf<T extends PreferenceLine['type']> = Extract<PreferenceLine, { type: T }>;
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
    `line ${number} is no preference (${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}); it is left as it is and not used`,
  );
}

/** What is said of one pair at present. */
export const PairState = z.object({
  pair: AnswerPair,
  /** the last mark of each person, oldest first */
  marks: z.array(PreferenceLine.options[1]),
  rewrites: z.array(PreferenceLine.options[2]),
  /** what all who marked it say; disputed: they don't say the same, so it is not trained on; null: nobody marked it */
  verdict: z.union([PairVerdict, z.literal('disputed')]).nullable(),
});
export type PairState = z.infer<typeof PairState>;

/** Everything said and not undone. */
export const PreferenceState = z.object({
  pairs: z.array(PairState),
  imported: z.array(PreferenceLine.options[5]),
  unpaired: z.array(PreferenceLine.options[6]),
  notes: z.array(PreferenceLine.options[4]),
  /** the last of each group */
  corrections: z.array(PreferenceLine.options[3]),
  /** by toolsId */
  tools: z.record(z.string(), z.array(z.unknown())),
});
export type PreferenceState = z.infer<typeof PreferenceState>;

export const noPreferences: PreferenceState = {
  pairs: [],
  imported: [],
  unpaired: [],
  notes: [],
  corrections: [],
  tools: {},
};

const authorKey = ({ name, email }: Author): string => email ?? name;

/**
 * The one fold of the file. Pure. Order is by time, then by id, so that two branches that were merged line by line give
 * the same on every machine;
 * a line that occurs twice (same id) counts once; an undo takes back its line wherever it stands.
 */
export function foldPreferences(lines: readonly PreferenceLine[]): PreferenceState {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const undone = new Set([...byId.values()].flatMap((line) => (line.type === 'undo' ? [line.of] : [])));
  const present = [...byId.values()]
    .filter((line) => !undone.has(line.id))
    .sort((a, b) => a.t - b.t || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const pairs = new Map<string, { pair: AnswerPair; marks: Map<string, MarkLine>; rewrites: RewriteLine[] }>();
  const corrections = new Map<string, LineOf<'correction'>>();
  const state: PreferenceState = { pairs: [], imported: [], unpaired: [], notes: [], corrections: [], tools: {} };
  const pairOf = (about: AnswerPair) => {
    const known = pairs.get(about.id) ?? { pair: about, marks: new Map<string, MarkLine>(), rewrites: [] };
    pairs.set(about.id, known);
    return known;
  };
  for (const line of present) {
    switch (line.type) {
      case 'tools':
        state.tools[line.id] = line.tools;
        break;
      case 'mark': {
        const { pair: known, marks } = pairOf(line.pair);
        const same = alignTo(known, line);
        marks.delete(authorKey(line.author)); // the later one also stands later
        marks.set(authorKey(line.author), same);
        break;
      }
      case 'rewrite': {
        const known = pairOf(line.pair);
        known.rewrites.push(line);
        break;
      }
      case 'correction':
        corrections.delete(`${line.runId} ${line.groupId}`);
        corrections.set(`${line.runId} ${line.groupId}`, line);
        break;
      case 'note':
        state.notes.push(line);
        break;
      case 'pair':
        state.imported.push(line);
        break;
      case 'unpaired':
        state.unpaired.push(line);
        break;
      case 'undo':
        break;
      default:
        assertNever(line);
    }
  }
  state.corrections = [...corrections.values()];
  state.pairs = [...pairs.values()].map(({ pair: about, marks, rewrites }) => ({
    pair: about,
    marks: [...marks.values()],
    rewrites,
    verdict: agreed([...marks.values()]),
  }));
  return state;
}

/**
 * Two windows may have met the same pair with its sides the other way round (other traces, same words): one way
 * counts.
 */
function alignTo(known: AnswerPair, line: MarkLine): MarkLine {
  const isSame = answerKey(known.sides[0]) === answerKey(line.pair.sides[0]);
  if (isSame || answerKey(known.sides[0]) !== answerKey(line.pair.sides[1])) return line;
  const verdict: PairVerdict = line.verdict === 'first' ? 'second' : line.verdict === 'second' ? 'first' : line.verdict;
  return { ...line, pair: known, verdict, shown: { ...line.shown, a: line.shown.a === 0 ? 1 : 0 } };
}

const answerKey = ({ messages }: PairSide): string =>
  JSON.stringify(
    messages.map((m) => [m.role, m.content, m.tool_calls?.map((c) => [c.function.name, c.function.arguments]) ?? []]),
  );

/** A skip is no opinion: it counts only where nobody has one. */
function agreed(marks: readonly MarkLine[]): PairState['verdict'] {
  const said = new Set(marks.map((m) => m.verdict).filter((verdict) => verdict !== 'skip'));
  if (said.size > 1) return 'disputed';
  return [...said][0] ?? (marks.length > 0 ? 'skip' : null);
}

/**
 * The pairs that training takes: marked ones (no tie, no skip, no dispute), rewrites, and imported ones; each decision
 * step once.
 */
export function trainingPairs(
  { pairs, imported, tools }: PreferenceState,
  isWanted: (toolFile: string | null) => boolean = () => true,
): PreferencePair[] {
  const out: PreferencePair[] = [];
  const toolsOf = (id: string | undefined) => (id !== undefined && tools[id] ? { tools: tools[id] } : {});
  for (const { pair: about, rewrites, verdict } of pairs) {
    if (!isWanted(about.toolFile)) continue;
    const shared = { taskId: about.taskId, prompt: about.prompt, ...toolsOf(about.toolsId) };
    if (verdict === 'first' || verdict === 'second') {
      const [chosen, rejected] = verdict === 'first' ? about.sides : [about.sides[1], about.sides[0]];
      out.push({
        id: about.id,
        ...shared,
        chosen: chosen.messages,
        rejected: rejected.messages,
        source: 'marked',
        tokens: {
          ...(chosen.tokens ? { chosen: chosen.tokens } : {}),
          ...(rejected.tokens ? { rejected: rejected.tokens } : {}),
        },
      });
    }
    for (const { id, of, messages, pair: rewritten } of rewrites) {
      const rejected = rewritten.sides[of];
      out.push({
        id,
        ...shared,
        chosen: messages,
        rejected: rejected.messages,
        source: 'rewritten',
        ...(rejected.tokens ? { tokens: { rejected: rejected.tokens } } : {}),
      });
    }
  }
  if (isWanted(null))
    for (const { id, prompt, chosen, rejected, toolsId, source } of imported)
      out.push({ id, prompt, chosen, rejected, ...toolsOf(toolsId), source: `imported: ${source}` });
  return out;
}

/** A pair that waits for a mark. */
export const QueuedPair = z.object({
  pair: AnswerPair,
  traces: z.tuple([TraceSummary, TraceSummary]),
  /** the two differ in a call (name or arguments), else only in words */
  differs: z.enum(['call', 'words']),
  /** difference of the rewards; null: one of them was not scored */
  gap: z.number().nullable(),
  /** the judge's orders don't agree on these two */
  isDisputed: z.boolean(),
  /** tools that the differing step calls, sorted */
  tools: z.array(z.string()),
});
export type QueuedPair = z.infer<typeof QueuedPair>;

/** Forms in which preferences come and go: TRL's preference rows, OpenAI's, and KTO's single answers. */
export const PreferenceFormat = z.enum(['trl', 'openai', 'kto']);
export type PreferenceFormat = z.infer<typeof PreferenceFormat>;
