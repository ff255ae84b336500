/** What training would do with what people said, told before: a rewrite while it is typed, all pairs before a run. */
import type { TrainingForecast } from '../protocol/messages';
import type { AnswerPair } from '../protocol/preferences';
import type { Message } from '../protocol/trace';
import { foldPreferences } from '../protocol/preferenceState';
import { cantBeSaid, sideTokens, type Speech } from '../recipes/steps/pairTokens';
import { checkDraft, inOrder, messageOf, type AnswerDraft, type DraftProblem } from '../store/preferences/checkDraft';
import { toolFileIn } from '../store/preferences/openPairs';
import { preferencesFile, readPreferences } from '../store/preferences/store';
import { readTrainingPairs } from '../store/preferences/trainingPairs';
import { requireManifest } from '../store/runs/readRun';
import { runSpeech } from './runSpeech';

/**
 * All that is wrong with an answer that is written in the place of one side of a pair: against the tools' schemas, and
 * against what the run's policy can say at all. What has no problem is trained on.
 */
export function checkRewrite(
  dir: string,
  pair: AnswerPair,
  of: 0 | 1,
  draft: AnswerDraft,
): { message: Message; problems: DraftProblem[] } {
  const speech = runSpeech(dir);
  const ordered = inOrder(draft, speech.tools);
  return { message: messageOf(ordered), problems: problemsOf(speech, pair, of, ordered) };
}

function problemsOf(speech: Speech, pair: AnswerPair, of: 0 | 1, draft: AnswerDraft): DraftProblem[] {
  const problems = checkDraft(draft, pair.sides[of].messages[0]!, speech.tools);
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
 * The fields that the policy can't say: one is, if it can't be said though all others hold what the task says, which
 * the policy may copy. Where none of them is it alone, it is the answer as a whole.
 */
function unsayable(
  speech: Speech,
  { prompt }: AnswerPair,
  draft: AnswerDraft,
  canSay: (draft: AnswerDraft) => boolean,
): DraftProblem[] {
  if (draft.content.trim() !== '') {
    const problem = unsayableWords(speech, draft, canSay);
    if (problem) return [problem];
  }
  const task = prompt.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
  const copied = { word: /[\p{L}\p{N}]+/u.exec(task)?.[0] ?? '', number: /(?<![\w.-])\d+(?![\w.-])/.exec(task)?.[0] };
  const onlyWith = (call: number, field: string): AnswerDraft => ({
    ...draft,
    calls: draft.calls.map((one, i) => ({
      ...one,
      arguments: Object.fromEntries(
        Object.entries(one.arguments).map(([name, value]) => [
          name,
          (i === call && name === field) || isChoice(speech, one.name, name) ? value : fromTask(value, copied),
        ]),
      ),
    })),
  });
  const fields = draft.calls.flatMap(({ arguments: args }, call) =>
    Object.keys(args).map((field) => ({ call, field })),
  );
  const canSayOthers = canSay(onlyWith(-1, ''));
  const bad = canSayOthers ? fields.filter(({ call, field }) => !canSay(onlyWith(call, field))) : [];
  const message =
    speech.constraint === 'schema'
      ? `training can't take it: ${cantBeSaid('chosen', speech)}`
      : `the model can't say this under constraint ${speech.constraint}: copy it from the task or from a result above`;
  return bad.length > 0 ? bad.map((place) => ({ ...place, message })) : [{ call: null, field: null, message }];
}

/** Of an answer in words, or of words beside calls; null where the words are not it. */
function unsayableWords(
  speech: Speech,
  draft: AnswerDraft,
  canSay: (draft: AnswerDraft) => boolean,
): DraftProblem | null {
  const problem = (message: string): DraftProblem => ({ call: null, field: 'content', message });
  if (draft.calls.length > 0)
    return canSay({ ...draft, content: '' })
      ? problem(`the model says nothing beside a call under constraint ${speech.constraint}: leave the words out`)
      : null;
  const words = [...new Set(draft.content.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? [])];
  const unknown = words.filter((word) => !canSay({ content: word, calls: [] }));
  return problem(
    unknown.length > 0 && unknown.length < words.length
      ? `the model has no words for ${unknown.map((word) => JSON.stringify(word)).join(', ')}: use ` +
          'those of the task and of the results above'
      : `training can't take it: ${cantBeSaid('chosen', speech)}`,
  );
}

/** One of a list is said whole, wherever it comes from. */
function isChoice({ tools }: Speech, tool: string, field: string): boolean {
  const { properties } = (tools.find(({ name }) => name === tool)?.parameters ?? {}) as {
    properties?: Record<string, { enum?: unknown; const?: unknown } | undefined>;
  };
  const schema = properties?.[field];
  return schema?.enum !== undefined || schema?.const !== undefined;
}

/** A value of the same shape, of what the task says; a list holds that once. */
function fromTask(value: unknown, copied: { word: string; number: string | undefined }): unknown {
  if (typeof value === 'string') return copied.word;
  if (typeof value === 'number') return copied.number === undefined ? value : Number(copied.number);
  if (Array.isArray(value)) return value.slice(0, 1).map((one) => fromTask(one, copied));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fromTask(one, copied)]));
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
