import { createHash } from 'node:crypto';
import type { Engine } from '../../model/engine/engine';
import type { JudgeVerdict, Reward } from '../../protocol/reward';
import { stableJson } from '../../protocol/arguments';
import type { Episode } from '../episode';
import { memoryCache, type JudgeCache } from './cache';
import { CHECKLIST } from './checklist';
import type { Criterion, Form } from './criteria';
import { openClient } from './openClient';
import { JudgeFailure, type JudgeClient, type JudgeTools, type Question, type Reply } from '../../model/question';
import { eachIdOnce } from './exactSchema';
import { RANKING_SCHEMA, RANKING_SYSTEM, RANKING_VERSION, RANKING_WITH_TOOLS, rankingUser } from './prompts/ranking';
import { allOrFirstFailure, rankAttempts } from './ranking';
import { RUBRIC } from './rubric';
import type { JudgeSettings } from './settings';
import { transcript } from './transcript';
import { reasonOf, recorded, ranksOf, voteOf, shared } from './verdictRecords';

export type JudgeOptions =
  /** relative: the judge's own scores; ranks: their order alone, evenly spaced (ToolBrain's) */
  | { mode: 'ranking'; scores: 'relative' | 'ranks'; mayCallTools: boolean }
  | {
      /** binary criteria with evidence, or marks */
      mode: 'checklist' | 'rubric';
      /** none: there is nothing to judge in this episode */
      criteriaOf(episode: Episode): readonly Criterion[];
      /**
       * of the weighted share of the criteria that are met with evidence (the weighted mean of the marks), and each of
       * them; default: the share
       */
      scoreOf?(
        episode: Episode,
        share: number,
        parts: Record<string, number>,
      ): { score: number; parts: Record<string, number> };
    };

export type Judged = Pick<Reward, 'score' | 'error' | 'parts' | 'reason' | 'usage'>;

/**
 * Scores the episodes of one task against each other. Never rejects but for the signal: what goes wrong is each
 * trace's `error`.
 */
export type JudgeGroup = (group: readonly Episode[], options: JudgeOptions) => Promise<Judged[]>;

export interface Judge {
  /** Before a run: @throws UserError where the server is not there or refuses the key, or the model is none */
  check(): Promise<void>;
  judge: JudgeGroup;
  /** what the run's record says of it */
  readonly identity: { model: string; baseUrl: string; prompt: string; promptHash: string };
  /** in traces; equal: in groups that differ in nothing, which nobody is asked about and which are no failure */
  readonly counts: { judged: number; notJudged: number; equal: number } & JudgeClient['spent'];
  /** frees a model of this disk */
  close(): void;
}

export const PROMPT_HASH = createHash('sha256')
  .update(
    stableJson([
      RANKING_SYSTEM,
      RANKING_WITH_TOOLS,
      rankingUser('', []),
      RANKING_SCHEMA,
      ...[CHECKLIST, RUBRIC].flatMap(({ system, user, schema }) => [system, user('', [], ''), schema]),
    ]),
  )
  .digest('hex')
  .slice(0, 16);
export const sleepFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
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
  /** where a model of this disk computes; a judge that is only checked, or is a server, needs none */
  engine?: Engine | null;
  cache?: JudgeCache;
  /** those that change the world are left out */
  tools?: JudgeTools;
  /** what was asked and said of each group, failures too; the key is in none of it */
  onVerdict?(verdict: JudgeVerdict): void;
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
  now?(): number;
}

/** Why a group that differs in nothing has no score. */
export const EQUAL = 'all attempts are equal: there is nothing to compare';

/**
 * A judge. A ranking asks twice per vote, at once: in a shuffled order and in its reverse, under fresh names, so that
 * one who prefers what it sees first contradicts itself and teaches nothing. A checklist, or a rubric, asks of each
 * attempt by itself. Equal attempts are sent once and share their score.
 */
export async function openJudge(parts: JudgeParts): Promise<Judge> {
  const { settings, engine = null, cache = memoryCache(), sleep = sleepFor, now = Date.now } = parts;
  return new AskingJudge(await openClient({ settings, engine, cache, sleep, now }), { ...parts, now });
}

class AskingJudge implements Judge {
  readonly identity: Judge['identity'];
  private readonly tally = { judged: 0, notJudged: 0, equal: 0 };
  /** why nothing more is asked in this run */
  private final: string | null = null;
  private readonly tools: JudgeTools | undefined;

  constructor(
    private readonly client: JudgeClient,
    private readonly o: JudgeParts & Required<Pick<JudgeParts, 'now'>>,
  ) {
    const { settings, tools } = o;
    this.identity = {
      model: settings.model,
      baseUrl: settings.baseUrl,
      prompt: [
        `ranking ${RANKING_VERSION}`,
        ...[CHECKLIST, RUBRIC].map(({ name, version }) => `${name} ${version}`),
      ].join(', '),
      promptHash: PROMPT_HASH,
    };
    const reading = tools?.schemas.filter((tool) => !tool.changesWorld) ?? [];
    this.tools = tools && reading.length > 0 ? { ...tools, schemas: reading } : undefined;
  }

  check(): Promise<void> {
    return this.client.check(this.o.signal);
  }

  close(): void {
    this.client.close();
  }

  get counts(): Judge['counts'] {
    return { ...this.tally, ...this.client.spent };
  }

  readonly judge: JudgeGroup = async (group, options) => {
    if (this.final !== null) return this.none(group, this.final);
    const { settings, signal } = this.o;
    const texts = group.map((episode) => transcript(episode, settings.traceCharacters));
    try {
      const judged =
        options.mode === 'ranking' ? await this.rank(group, texts, options) : await this.tick(group, texts, options);
      if (typeof judged === 'string') return this.none(group, judged);
      const scored = judged.filter(({ score }) => score !== null).length;
      this.tally.judged += scored;
      this.tally.notJudged += group.length - scored;
      return judged;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof JudgeFailure)) throw error;
      if (error.isFinal) this.final = error.message;
      return this.none(group, error.message);
    }
  };

  private none(group: readonly Episode[], error: string): Judged[] {
    this.tally[error === EQUAL ? 'equal' : 'notJudged'] += group.length;
    this.tell(group, { ranks: null, reasons: [], rawReply: '', error });
    return group.map(() => ({ score: null, error }));
  }

  private tell(
    group: readonly Episode[],
    verdict: Omit<JudgeVerdict, 'taskId' | 'groupId' | 'step' | 'traceIds' | 'model' | 't'>,
  ): void {
    const { task, trace } = firstOf(group);
    this.o.onVerdict?.({
      taskId: task.id,
      groupId: trace.groupId,
      step: trace.step,
      traceIds: group.map(({ trace }) => trace.id),
      model: this.o.settings.model,
      t: this.o.now(),
      ...verdict,
    });
  }

  /** @returns why nothing is judged, where there is nothing to compare */
  private async rank(
    group: readonly Episode[],
    texts: readonly string[],
    { scores, mayCallTools }: Extract<JudgeOptions, { mode: 'ranking' }>,
  ): Promise<Judged[] | string> {
    const { settings, signal, now } = this.o;
    if (mayCallTools && this.tools === undefined) return 'the judge may call tools, but there is none that only reads';
    const attempts = [...new Set(texts)];
    if (attempts.length < 2) return texts.length < 2 ? 'the judge compares attempts, and there is only one' : EQUAL;
    const ranked = await rankAttempts({
      client: this.client,
      task: firstOf(group).task.prompt,
      attempts,
      settings,
      scores,
      signal,
      now,
      tools: mayCallTools ? this.tools : undefined,
    });
    const placeOf = texts.map((text) => attempts.indexOf(text));
    const usages = ranked.votes.map((vote) => vote.usage);
    const reasons = placeOf.map((place) =>
      ranked.scores === null ? '' : reasonOf(ranked.reasons[place] ?? '', ranked.agreement),
    );
    this.tell(group, {
      reasons,
      rubric: `ranking ${RANKING_VERSION}, ${settings.mode}`,
      usage: recorded(usages),
      ranks: ranked.scores && ranksOf(placeOf.map((place) => ranked.scores![place]!)),
      rawReply: ranked.votes.map((vote) => vote.text).find((text) => text !== '') ?? '',
      ...(ranked.error === null ? {} : { error: ranked.error }),
      ...(settings.mode === 'listwise' || attempts.length === 2
        ? { votes: ranked.votes.map((vote) => voteOf(vote, group, placeOf)) }
        : { rawReply: ranked.votes.map((vote) => vote.text).join('\n') }),
    });
    if (ranked.isFinal) this.final = ranked.votes.find((vote) => vote.isFinal)!.error!;
    const usage = shared(usages, texts.length);
    return placeOf.map((place, i) =>
      ranked.scores === null
        ? { score: null, error: ranked.error!, usage }
        : { score: ranked.scores[place]!, parts: { agreement: ranked.agreement }, reason: reasons[i]!, usage },
    );
  }

  /** Criteria of each attempt by itself; equal ones once. */
  private async tick(
    group: readonly Episode[],
    texts: readonly string[],
    { mode, criteriaOf, scoreOf }: Extract<JudgeOptions, { criteriaOf: unknown }>,
  ): Promise<Judged[]> {
    const form = (mode === 'checklist' ? CHECKLIST : RUBRIC) as Form<unknown>;
    const asked = new Map<string, Promise<Reply<unknown[]>>>();
    const questions = group.map((episode, i) => ({ episode, text: texts[i]!, criteria: criteriaOf(episode) }));
    for (const { episode, text, criteria } of questions) {
      if (criteria.length === 0 || asked.has(text)) continue;
      asked.set(text, this.client.ask(questionOf(form, episode, criteria, text), this.o.signal));
    }
    const order = [...asked.keys()];
    const answers = await allOrFirstFailure([...asked.values()]);
    const usages = answers.map((answer) => answer.usage);
    const usage = shared(usages, group.length);
    const judged = questions.map(({ episode, text, criteria }): Judged => {
      if (criteria.length === 0) return { score: null };
      const verdicts = answers[order.indexOf(text)]!.value;
      const { score: share, parts, reason } = form.score(criteria, verdicts, text);
      return { ...(scoreOf?.(episode, share, parts) ?? { score: share, parts }), reason, usage };
    });
    if (judged.every(({ score }) => score !== null)) {
      this.tell(group, {
        ranks: ranksOf(judged.map(({ score }) => score!)),
        reasons: judged.map(({ reason }) => reason ?? ''),
        rawReply: answers.map(({ text }) => text).join('\n'),
        usage: recorded(usages),
        rubric: `${form.name} ${form.version}: ${firstOf(questions)
          .criteria.map((criterion) => criterion.text)
          .join('; ')}`,
      });
    }
    return judged;
  }
}

function firstOf<T>(group: readonly T[]): T {
  const [first] = group;
  if (first === undefined) throw new Error('judge: the group is empty');
  return first;
}

function questionOf<V>(form: Form<V>, episode: Episode, criteria: readonly Criterion[], text: string): Question<V[]> {
  const ids = criteria.map(({ id }) => id);
  return {
    system: form.system,
    user: form.user(episode.task.prompt, criteria, text),
    schema: { name: form.name, schema: form.schema },
    exactSchema: eachIdOnce(form.schema, ids),
    parse: (reply) => form.parse(reply, ids),
  };
}
