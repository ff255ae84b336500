/** What the lines of preferences.jsonl come to. */
import { z } from 'zod';
import { TraceSummary } from './trace';
import { assertNever } from './result';
import type { PreferencePair } from './reward';
import {
  AnswerPair,
  PreferenceLine,
  PairVerdict,
  type Author,
  type MarkLine,
  type RewriteLine,
  type LineOf,
  type PairSide,
} from './preferences';

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
