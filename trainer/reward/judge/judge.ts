import { createHash } from 'node:crypto';
import type { Reward } from '../../protocol/reward';
import type { ToolSchema } from '../../protocol/task';
import { Random } from '../../random';
import { stableJson } from '../../tasks/arguments';
import type { Episode } from '../episode';
import { memoryCache, type JudgeCache } from './cache';
import { checklistScore, parseChecklist, type Criterion, type CriterionVerdict } from './checklist';
import { JudgeFailure, openClient, type JudgeClient, type Usage } from './client';
import { CHECKLIST_SCHEMA, CHECKLIST_SYSTEM, CHECKLIST_VERSION, checklistUser } from './prompts/checklist';
import { RANKING_SCHEMA, RANKING_SYSTEM, RANKING_VERSION, RANKING_WITH_TOOLS, rankingUser } from './prompts/ranking';
import { combineOrders, parseRanking, rankScores, type Verdict } from './replies';
import type { JudgeSettings } from './settings';
import { transcript } from './transcript';

export type JudgeOptions =
  /** relative: the judge's own scores; ranks: their order alone, evenly spaced (ToolBrain's) */
  | { mode: 'ranking'; scores: 'relative' | 'ranks'; mayCallTools: boolean }
  | {
    mode: 'checklist';
    /** none: there is nothing to judge in this episode */
    criteriaOf(episode: Episode): readonly Criterion[];
    /** of the weighted share of the criteria that are met with evidence, and each of them; default: the share */
    scoreOf?(episode: Episode, share: number, parts: Record<string, number>): { score: number; parts: Record<string, number> };
  };

/** Tools that a judge may call to check a claim (Themis): none of them changes the world. */
export interface JudgeTools {
  schemas: readonly ToolSchema[];
  /** @returns what the judge reads; errors are words, too */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<string>;
}

export type Judged = Pick<Reward, 'score' | 'error' | 'parts' | 'reason' | 'usage'>;

/** Scores the episodes of one task against each other. Never rejects but for the signal: what goes wrong is each trace's `error`. */
export type JudgeGroup = (group: readonly Episode[], options: JudgeOptions) => Promise<Judged[]>;

export interface Judge {
  /** Before a run: @throws UserError where the server is not there or refuses the key */
  check(): Promise<void>;
  judge: JudgeGroup;
  /** what the run's record says of it */
  readonly identity: { model: string; baseUrl: string; prompt: string; promptHash: string };
  readonly counts: { judged: number; notJudged: number } & JudgeClient['spent'];
}

const PROMPT_HASH = createHash('sha256').update(stableJson([RANKING_SYSTEM, RANKING_WITH_TOOLS, rankingUser('', []), RANKING_SCHEMA, CHECKLIST_SYSTEM, checklistUser('', [], ''), CHECKLIST_SCHEMA])).digest('hex').slice(0, 16);
const sleepFor = (ms: number, signal: AbortSignal): Promise<void> => new Promise((resolve, reject) => {
  const timer = setTimeout(done, ms);
  function done(): void {
    signal.removeEventListener('abort', stop);
    resolve();
  }
  function stop(): void {
    clearTimeout(timer);
    reject(signal.reason as Error);
  }
  signal.addEventListener('abort', stop, { once: true });
});

export interface JudgeParts {
  settings: JudgeSettings;
  signal: AbortSignal;
  cache?: JudgeCache;
  /** those that change the world are left out */
  tools?: JudgeTools;
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
  now?(): number;
}

/**
 * A judge. A ranking asks twice per vote, at once: in a shuffled order and in its reverse, under fresh names, so that one who prefers what it
 * sees first contradicts itself and teaches nothing. A checklist asks of each attempt by itself. Equal attempts are sent once and share their score.
 */
export async function openJudge({ settings, cache = memoryCache(), tools, signal, sleep = sleepFor, now = Date.now }: JudgeParts): Promise<Judge> {
  const client = await openClient({ settings, cache, sleep, now });
  const tally = { judged: 0, notJudged: 0 };
  let final: string | null = null;
  const reading = tools?.schemas.filter((tool) => !tool.changesWorld) ?? [];
  const usable: JudgeTools | undefined = tools && reading.length > 0 ? { ...tools, schemas: reading } : undefined;

  const none = (group: readonly Episode[], error: string): Judged[] => {
    tally.notJudged += group.length;
    return group.map(() => ({ score: null, error }));
  };

  return {
    check: () => client.check(signal),
    identity: { model: settings.model, baseUrl: settings.baseUrl, prompt: `ranking ${RANKING_VERSION}, checklist ${CHECKLIST_VERSION}`, promptHash: PROMPT_HASH },
    get counts() {
      return { ...tally, ...client.spent };
    },
    async judge(group, options) {
      if (final !== null) return none(group, final);
      const texts = group.map((episode) => transcript(episode, settings.traceCharacters));
      try {
        const judged = options.mode === 'ranking' ? await rank(texts, group[0].task.prompt, options) : await check(group, texts, options);
        if (typeof judged === 'string') return none(group, judged);
        const scored = judged.filter(({ score }) => score !== null).length;
        tally.judged += scored;
        tally.notJudged += group.length - scored;
        return judged;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof JudgeFailure)) throw error;
        if (error.isFinal) final = error.message;
        return none(group, error.message);
      }
    },
  };

  /** @returns why nothing is judged, where there is nothing to compare */
  async function rank(texts: readonly string[], task: string, { scores, mayCallTools }: Extract<JudgeOptions, { mode: 'ranking' }>): Promise<Judged[] | string> {
    if (mayCallTools && usable === undefined) return 'the judge may call tools, but there is none that only reads';
    const attempts = [...new Set(texts)];
    if (attempts.length < 2) return texts.length < 2 ? 'the judge compares attempts, and there is only one' : 'all attempts are equal: there is nothing to compare';
    const votes = await Promise.all(Array.from({ length: settings.votes }, (_, vote) => askBothOrders(client, task, attempts, vote, signal, mayCallTools ? usable : undefined)));
    const scale = (verdicts: readonly Verdict[]): number[] => {
      const given = verdicts.map((verdict) => verdict.score);
      return scores === 'ranks' ? rankScores(given)! : given;
    };
    const combined = combineOrders(votes.map(({ forward, backward }) => ({ forward: scale(forward), backward: scale(backward) })));
    const usage = shared(votes.flatMap((vote) => vote.usage), texts.length);
    return texts.map((text) => {
      const place = attempts.indexOf(text);
      return { score: combined.scores[place], parts: { agreement: combined.agreement }, reason: reasonOf(votes[0].forward[place], combined.agreement), usage };
    });
  }

  /** Each attempt by itself; equal ones once. */
  async function check(group: readonly Episode[], texts: readonly string[], { criteriaOf, scoreOf }: Extract<JudgeOptions, { mode: 'checklist' }>): Promise<Judged[]> {
    const asked = new Map<string, Promise<{ value: CriterionVerdict[]; usage: Usage }>>();
    const questions = group.map((episode, i) => ({ episode, text: texts[i], criteria: criteriaOf(episode) }));
    for (const { episode, text, criteria } of questions) {
      if (criteria.length === 0 || asked.has(text)) continue;
      const ids = criteria.map(({ id }) => id);
      asked.set(text, client.ask({
        system: CHECKLIST_SYSTEM, user: checklistUser(episode.task.prompt, criteria, text), schema: { name: 'checklist', schema: CHECKLIST_SCHEMA }, parse: (reply) => parseChecklist(reply, ids),
      }, signal));
    }
    const order = [...asked.keys()];
    const answers = await allOrFirstFailure([...asked.values()]);
    const usage = shared(answers.map((answer) => answer.usage), group.length);
    return questions.map(({ episode, text, criteria }): Judged => {
      if (criteria.length === 0) return { score: null };
      const verdicts = answers[order.indexOf(text)].value;
      const { score: share, parts } = checklistScore(criteria, verdicts, text);
      const unmet = criteria.filter(({ id }) => parts[id] === 0).map((criterion) => criterion.text);
      return { ...(scoreOf?.(episode, share, parts) ?? { score: share, parts }), reason: unmet.length === 0 ? 'all criteria are met' : `not met: ${unmet.join('; ')}`, usage };
    });
  }
}

/** All are waited for, so that none runs on behind the back of a failure. */
async function allOrFirstFailure<T>(work: readonly Promise<T>[]): Promise<T[]> {
  return (await Promise.allSettled(work)).map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

const reasonOf = ({ reason }: Verdict, agreed: number): string => (agreed === 0 ? `[the two orders contradict each other, so this teaches nothing] ${reason}` : reason);

/** The same attempts in a shuffled order and in its reverse; the verdicts in the order of `attempts`. */
async function askBothOrders(client: JudgeClient, task: string, attempts: readonly string[], vote: number, signal: AbortSignal, tools?: JudgeTools): Promise<{ forward: Verdict[]; backward: Verdict[]; usage: Usage[] }> {
  // From the content, so that the same group is asked the same way again: by the cache, and in a resumed run.
  const random = Random.fromSeed(createHash('sha256').update(stableJson([task, attempts, vote])).digest('hex'));
  const order = random.shuffle(attempts.map((_, i) => i));
  const ask = async (places: readonly number[], names: readonly string[]): Promise<{ verdicts: Verdict[]; usage: Usage }> => {
    const { value, usage } = await client.ask({
      system: tools ? `${RANKING_SYSTEM}\n\n${RANKING_WITH_TOOLS}` : RANKING_SYSTEM, user: rankingUser(task, places.map((place, i) => ({ id: names[i], text: attempts[place] }))), schema: { name: 'ranking', schema: RANKING_SCHEMA },
      parse: (text) => parseRanking(text, names), ...(tools ? { tools } : {}),
    }, signal);
    return { verdicts: attempts.map((_, place) => value.get(names[places.indexOf(place)])!), usage };
  };
  const names = (): string[] => random.shuffle(Array.from({ length: attempts.length }, (_, i) => nameOf(i)));
  const [forward, backward] = await allOrFirstFailure([ask(order, names()), ask([...order].reverse(), names())]);
  return { forward: forward.verdicts, backward: backward.verdicts, usage: [forward.usage, backward.usage] };
}

/** A to Z, then A1 and so on. */
const nameOf = (i: number): string => `${String.fromCharCode(65 + (i % 26))}${i < 26 ? '' : Math.floor(i / 26)}`;

/** Each trace's part of what its group cost, so that the traces' sums are the truth. */
function shared(all: readonly Usage[], traces: number): Usage {
  const sum = (of: (usage: Usage) => number): number => all.reduce((total, usage) => total + of(usage), 0) / traces;
  return { promptTokens: sum((usage) => usage.promptTokens), completionTokens: sum((usage) => usage.completionTokens), usd: all.some((usage) => usage.usd === null) ? null : sum((usage) => usage.usd ?? 0) };
}
