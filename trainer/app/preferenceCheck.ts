/** What training would do with what people said, told before: a rewrite while it is typed, all pairs before a run. */
import type { TrainingForecast } from '../protocol/messages';
import type { AnswerPair } from '../protocol/preferences';
import { foldPreferences } from '../protocol/preferenceState';
import { cantBeSaid, sideTokens, type Speech } from '../recipes/steps/pairTokens';
import { checkDraft, messageOf, type AnswerDraft, type DraftProblem } from '../store/preferences/checkDraft';
import { toolFileIn } from '../store/preferences/openPairs';
import { preferencesFile, readPreferences } from '../store/preferences/store';
import { readTrainingPairs } from '../store/preferences/trainingPairs';
import { requireManifest } from '../store/runs/readRun';
import { runSpeech } from './runSpeech';

/**
 * All that is wrong with an answer that is written in the place of one side of a pair: against the tools' schemas, and
 * against what the run's policy can say at all. What has no problem is trained on.
 */
export function checkRewrite(dir: string, pair: AnswerPair, of: 0 | 1, draft: AnswerDraft): DraftProblem[] {
  const speech = runSpeech(dir);
  const original = pair.sides[of];
  const problems = checkDraft(draft, original.messages[0]!, speech.tools);
  if (problems.length > 0) return problems;
  const canSay = (one: AnswerDraft): boolean => sayable(speech, pair, of, one, 'chosen');
  if (!canSay(draft)) return unsayable(speech, pair, draft, canSay);
  return sayable(speech, pair, of, draft, 'rejected')
    ? []
    : [{ call: null, field: null, message: `the original is nothing to train on: ${cantBeSaid('rejected', speech)}` }];
}

function sayable(
  speech: Speech,
  { prompt, sides }: AnswerPair,
  of: 0 | 1,
  draft: AnswerDraft,
  side: 'chosen' | 'rejected',
): boolean {
  const { messages, tokens } = sides[of];
  const pair = {
    id: 'draft',
    prompt,
    chosen: [messageOf(draft)],
    rejected: messages,
    ...(tokens ? { tokens: { rejected: tokens } } : {}),
  };
  return sideTokens(speech, pair, side) !== null;
}

/**
 * The fields that the policy can't say: a text is one if it can't be said though all others are a word of the task,
 * which the policy may copy. Where none of them is it alone, it is the answer as a whole.
 */
function unsayable(
  speech: Speech,
  { prompt }: AnswerPair,
  draft: AnswerDraft,
  canSay: (draft: AnswerDraft) => boolean,
): DraftProblem[] {
  const word = /[\p{L}\p{N}]+/u.exec(prompt.filter(({ role }) => role === 'user').at(-1)?.content ?? '')?.[0] ?? '';
  const onlyWith = (call: number, field: string): AnswerDraft => ({
    ...draft,
    calls: draft.calls.map((one, i) => ({
      ...one,
      arguments: Object.fromEntries(
        Object.entries(one.arguments).map(([name, value]) => [
          name,
          typeof value === 'string' && (i !== call || name !== field) ? word : value,
        ]),
      ),
    })),
  });
  const texts = draft.calls.flatMap(({ arguments: args }, call) =>
    Object.entries(args).flatMap(([field, value]) => (typeof value === 'string' ? [{ call, field }] : [])),
  );
  const bad = texts.filter(({ call, field }) => !canSay(onlyWith(call, field)));
  const message = `training can't take it: ${cantBeSaid('chosen', speech)}`;
  if (bad.length === 0 || !canSay(onlyWith(-1, ''))) return [{ call: null, field: null, message }];
  const copied =
    speech.constraint === 'schema'
      ? message
      : `the model can't say this under constraint ${speech.constraint}: copy it from the task or from a result above`;
  return bad.map((place) => ({ ...place, message: copied }));
}

/** What a DPO run that goes on from a run would take of the workspace's preferences, and what it would leave out. */
export function trainingForecast(workspace: string, dir: string): TrainingForecast {
  const { config } = requireManifest(dir, { readOnly: true });
  const file = preferencesFile(workspace);
  const state = foldPreferences(readPreferences(file).lines);
  const mine = toolFileIn(workspace, config.toolFile);
  const said = state.pairs.filter(({ pair }) => pair.toolFile === mine);
  const verdicts = (wanted: string): number => said.filter(({ verdict }) => verdict === wanted).length;
  const { pairs, notes } = readTrainingPairs(file, config.toolFile);
  const speech = pairs.length > 0 ? runSpeech(dir) : null;
  const dropped = pairs.flatMap(({ pair, where }) => {
    const side = (['chosen', 'rejected'] as const).find((one) => sideTokens(speech!, pair, one) === null);
    return side === undefined ? [] : [`${where}: ${cantBeSaid(side, speech!)}`];
  });
  return {
    taken: pairs.length - dropped.length,
    dropped: [...notes.map(({ message }) => message), ...dropped],
    ties: verdicts('tie'),
    bothBad: verdicts('bothBad'),
    skipped: verdicts('skip'),
  };
}
