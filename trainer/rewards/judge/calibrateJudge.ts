/**
 * A judge on pairs that people marked: what it says of each, in both orders, and what the workspace remembers of that.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parsePreferenceLine, type PreferenceLine } from '../../protocol/preferences';
import { foldPreferences } from '../../protocol/preferenceState';
import { UserError } from '../../protocol/result';
import type { Message } from '../../protocol/trace';
import { readTrainingPairs } from '../../store/preferences/trainingPairs';
import { Random } from '../../base/random';
import { ensureCoachFolder } from '../../store/runs/workspace';
import { readTextFile, writeFileAtomic } from '../../base/storage';
import type { Episode } from '../episode';
import { readRecorded } from '../recorded';
import type { JudgedPair } from './calibration';
import type { JudgeClient } from '../../model/question';
import { rankAttempts } from './ranking';
import type { JudgeSettings } from './settings';
import { transcript } from './transcript';

/** Two answers to one prompt, and which one people preferred. */
export interface MarkedPair {
  id: string;
  prompt: Record<string, unknown>[];
  a: Record<string, unknown>[];
  b: Record<string, unknown>[];
  people: JudgedPair['people'];
}

/**
 * The marked pairs of a workspace's preferences.jsonl, ties among them, or of a file of bare, TRL's or OpenAI's pairs.
 * Where a file says only which answer
 * was chosen, the sides are drawn from the pair's id, so that a is not always the better one.
 * @throws UserError where there is no pair in it
 */
export function readMarkedPairs(file: string): MarkedPair[] {
  const { pairs, isStore } = readTrainingPairs(file, null);
  const marked = isStore
    ? fromStore(file)
    : pairs.map(({ pair }): MarkedPair => {
        const isSwapped =
          Random.fromSeed(
            createHash('sha256')
              .update(JSON.stringify([pair.prompt, pair.id]))
              .digest('hex'),
          ).next() < 0.5;
        const [a, b] = isSwapped ? [pair.rejected, pair.chosen] : [pair.chosen, pair.rejected];
        return { id: pair.id, prompt: pair.prompt, a, b, people: isSwapped ? 'b' : 'a' };
      });
  if (marked.length === 0)
    throw new UserError(
      'config',
      `${file}: there is no marked pair in it`,
      'Mark some pairs in the editor (Coach: Mark Pairs), then give .coach/preferences.jsonl.',
    );
  return marked;
}

function fromStore(file: string): MarkedPair[] {
  const lines = readTextFile(file)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line, i): PreferenceLine[] => {
      const parsed = parsePreferenceLine(line, i + 1);
      return parsed.ok ? [parsed.value] : [];
    });
  return foldPreferences(lines).pairs.flatMap(({ pair, verdict }): MarkedPair[] => {
    if (verdict !== 'first' && verdict !== 'second' && verdict !== 'tie') return [];
    const [first, second] = pair.sides;
    const [a, b] = [first.messages, second.messages];
    return [
      { id: pair.id, prompt: pair.prompt, a, b, people: verdict === 'tie' ? 'tie' : verdict === 'first' ? 'a' : 'b' },
    ];
  });
}

export interface JudgedMark extends JudgedPair {
  id: string;
  error?: string;
}

/**
 * Asks about each pair in both orders, as in a run. A pair whose sides read alike, or that got no verdict, is not
 * judged, with why.
 */
export async function judgePairs(
  pairs: readonly MarkedPair[],
  {
    client,
    settings,
    signal,
    now,
    onProgress,
  }: {
    client: JudgeClient;
    settings: JudgeSettings;
    signal: AbortSignal;
    now(): number;
    onProgress(done: number): void;
  },
): Promise<JudgedMark[]> {
  let done = 0;
  return Promise.all(
    pairs.map(async ({ id, prompt, a, b, people }): Promise<JudgedMark> => {
      const episodeOf = (answer: readonly object[]): Episode =>
        readRecorded(
          JSON.stringify({ messages: [...prompt, ...answer] satisfies object[] as unknown as Message[] }),
          `pair ${id}`,
          { tools: [], tasks: new Map() },
        )[0]!.episode;
      const first = episodeOf(a);
      const textA = transcript(first, settings.traceCharacters);
      const textB = transcript(episodeOf(b), settings.traceCharacters);
      const lengths = { lengthA: textA.length, lengthB: textB.length };
      if (textA === textB)
        return { id, people, aFirst: null, bFirst: null, ...lengths, error: 'both sides read alike' };
      const { votes, error } = await rankAttempts({
        client,
        task: first.task.prompt,
        attempts: [textA, textB],
        settings,
        scores: 'relative',
        signal,
        now,
      });
      const margin = (shownFirst: number): number | null => {
        const margins = votes.flatMap(({ order, verdicts }) => {
          const [ofA, ofB] = verdicts ?? [];
          return ofA && ofB && order[0] === shownFirst ? [ofA.score - ofB.score] : [];
        });
        return margins.length === 0 ? null : margins.reduce((sum, value) => sum + value, 0) / margins.length;
      };
      onProgress(++done);
      return { id, people, aFirst: margin(0), bFirst: margin(1), ...lengths, ...(error === null ? {} : { error }) };
    }),
  );
}

const Known = z.object({
  model: z.string(),
  baseUrl: z.string(),
  promptHash: z.string(),
  mode: z.string(),
  t: z.number(),
  accuracy: z.number(),
  n: z.number().int(),
  ci95: z.tuple([z.number(), z.number()]),
});
/** What a workspace remembers of a judge: how far it agreed with people, last time that was measured. */
export type KnownAgreement = z.infer<typeof Known>;
const FILE = 'judge-calibration.json';
const sameJudge =
  (one: Pick<KnownAgreement, 'model' | 'baseUrl' | 'promptHash' | 'mode'>) =>
  (other: KnownAgreement): boolean =>
    one.model === other.model &&
    one.baseUrl === other.baseUrl &&
    one.promptHash === other.promptHash &&
    one.mode === other.mode;

/** null: never measured, or by other prompts */
export function agreementOf(
  workspace: string,
  judge: Pick<KnownAgreement, 'model' | 'baseUrl' | 'promptHash' | 'mode'>,
): KnownAgreement | null {
  return readKnown(join(workspace, '.coach', FILE)).find(sameJudge(judge)) ?? null;
}

export function rememberAgreement(workspace: string, measured: KnownAgreement): void {
  const file = join(ensureCoachFolder(workspace), FILE);
  writeFileAtomic(
    file,
    `${JSON.stringify([...readKnown(file).filter((other) => !sameJudge(measured)(other)), measured], null, 1)}\n`,
  );
}

function readKnown(file: string): KnownAgreement[] {
  if (!existsSync(file)) return [];
  try {
    const parsed = z.array(Known).safeParse(JSON.parse(readTextFile(file)));
    return parsed.success ? parsed.data : [];
  } catch {
    return []; // it is a memory, not a record: measured again it is there again
  }
}
