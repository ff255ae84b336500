/** Who teaches: a server or a model of this disk, what it may cost, and what it has cost. */
import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Engine } from '../../model/engine/engine';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import type { ToolSchema } from '../../protocol/task';
import type { ShownTools } from '../../tools/retrieval/shownTools';
import { sleepFor } from '../../rewards/judge/judge';
import type { Policy } from '../../rollout/policy/policy';
import { remotePolicy, remoteSettings, type RemoteSettings } from '../../rollout/policy/remote';
import type { Asker } from '../../rollout/policy/server';
import type { Dependencies } from '../dependencies';

/** What was spent, and what may be. usd, budgets and prices: null where nobody counts them */
export interface Spent {
  requests: number;
  promptTokens: number;
  completionTokens: number;
  usd: number | null;
}
export interface TeacherBudget {
  tokens: number;
  usd: number | null;
  usdPerMillionPromptTokens: number | null;
  usdPerMillionCompletionTokens: number | null;
}

export interface Teacher {
  policy: Policy;
  /** episodes under way at once */
  atOnce: number;
  /** of one turn; null: as long as the server lets it be */
  replyTokens: number | null;
  /** of this process; null: a model of this disk, which costs nothing */
  spent: Spent | null;
  close(): Promise<void>;
}

/** What a stronger model is asked to be: the name of its options, of its key, and in messages. */
export type Role = 'teacher' | 'maker';

export const ASKERS: Record<Role, Asker> = {
  teacher: {
    border: 'policy',
    name: 'teacher',
    hints: {
      url: 'Start it, or give its address with --teacher.',
      model: 'Give one that it has with --teacher-model.',
      key:
        'Set COACH_TEACHER_KEY to a key that it takes; with --resume name its address once more, ' +
        '--teacher URL, so that the key goes there.',
    },
  },
  maker: {
    border: 'policy',
    name: 'maker',
    hints: {
      url: 'Start it, or give its address with --maker.',
      model: 'Give one that it has with --maker-model.',
      key: 'Set COACH_MAKER_KEY to a key that it takes.',
    },
  },
};

export const isServer = (teacher: string): boolean => /^[a-z][a-z\d+.-]+:\/\//i.test(teacher);

interface Naming {
  cwd: string;
  dependencies: Pick<Dependencies, 'modelFolder'>;
}

/**
 * Who was named, before anything is asked.
 * @param command whose options name it
 * @returns what is recorded of it: never a key
 * @throws UserError where it is no model of a server, and no model folder
 */
export function namedModel(
  given: string,
  model: string | undefined,
  { command, role, cwd, dependencies }: Naming & { command: string; role: Role },
): { at: string; model: string } {
  if (isServer(given)) {
    if (model === undefined)
      throw new UserError(
        'config',
        `coach ${command} --${role} URL needs --${role}-model NAME`,
        "As the server's /models lists it.",
      );
    return { at: remoteSettings(given, model, undefined, role).baseUrl, model };
  }
  if (model !== undefined)
    throw new UserError('config', `--${role}-model belongs to a server, and ${given} is a model`, 'Leave it out.');
  dependencies.modelFolder(given, cwd);
  return { at: given === 'nano' ? given : resolve(cwd, given), model: basename(given) };
}

/** The same of a teacher. @throws UserError where it is the student itself, too */
export function namedTeacher(
  teacher: string,
  model: string | undefined,
  { config, cwd, dependencies }: Naming & { config: RunConfig },
): { teacher: string; model: string } {
  const named = namedModel(teacher, model, { command: 'distill', role: 'teacher', cwd, dependencies });
  if (isServer(teacher)) return { teacher: named.at, model: named.model };
  const folder = dependencies.modelFolder(teacher, cwd);
  if (realpathSync(folder) === realpathSync(dependencies.modelFolder(config.model, cwd)))
    throw new UserError(
      'config',
      `the teacher is the student itself: ${teacher} and ${config.model} are one model`,
      'Name a stronger model with --teacher, or train without one: coach train FILE.',
    );
  return { teacher: named.at, model: named.model };
}

export async function openTeacher(o: {
  /** default: a teacher */
  role?: Role;
  /** a server's address, or a model of this disk */
  teacher: string;
  model: string;
  /** sent to this address alone */
  apiKey: string | undefined;
  /** for one reply of a server; default: two minutes */
  timeoutMs?: number | undefined;
  budget: TeacherBudget;
  config: RunConfig;
  tools: readonly ToolSchema[];
  shown: ShownTools | null;
  cwd: string;
  dependencies: Dependencies;
  signal: AbortSignal;
  now(): number;
  onEngine(message: string): void;
}): Promise<Teacher> {
  const { role = 'teacher' } = o;
  if (isServer(o.teacher)) {
    const { usdPerMillionPromptTokens, usdPerMillionCompletionTokens } = o.budget;
    const plain = remoteSettings(o.teacher, o.model, o.apiKey, role);
    const settings: RemoteSettings = {
      ...plain,
      timeoutMs: o.timeoutMs ?? plain.timeoutMs,
      usdPerMillionPromptTokens,
      usdPerMillionCompletionTokens,
    };
    const policy = await remotePolicy(settings, { sleep: sleepFor, now: o.now, asker: ASKERS[role] });
    await policy.check(o.signal);
    const { spent } = policy;
    return { policy, atOnce: settings.concurrency, replyTokens: null, spent, close: async () => undefined };
  }
  const engine: Engine = await o.dependencies.openEngine(o.config, o.onEngine);
  try {
    const open = await o.dependencies.localTeacher();
    const { policy, atOnce, maxTokens, close } = open(
      o.dependencies.modelFolder(o.teacher, o.cwd),
      o.model,
      o.tools,
      engine,
      o.shown,
    );
    return {
      policy,
      atOnce,
      replyTokens: Math.floor(maxTokens / 4),
      spent: null,
      async close() {
        close();
        await engine.dispose();
      },
    };
  } catch (error) {
    await engine.dispose();
    throw error;
  }
}

/** Why nothing more may be asked; null: there is something left. Requests under way may go a little beyond. */
export function overBudget(spent: Spent, { tokens, usd }: TeacherBudget, role: Role = 'teacher'): string | null {
  const used = spent.promptTokens + spent.completionTokens;
  if (used >= tokens) return `the ${role}'s budget is spent: ${used} of ${tokens} tokens`;
  if (usd !== null && (spent.usd ?? 0) >= usd)
    return `the ${role}'s budget is spent: ${(spent.usd ?? 0).toFixed(4)} of ${usd} USD`;
  return null;
}

/** Both together. */
export const added = (a: Spent, b: Spent): Spent => ({
  requests: a.requests + b.requests,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  usd: a.usd === null && b.usd === null ? null : (a.usd ?? 0) + (b.usd ?? 0),
});

export const NOTHING: Spent = { requests: 0, promptTokens: 0, completionTokens: 0, usd: null };
