import { createHash } from 'node:crypto';
import { sourceOf, type Split, type Task, type ToolSchema } from '../protocol/task';
import { UserError } from '../protocol/result';
import { schemaOf, stableJson, withoutDefaults } from '../protocol/arguments';

/** Tag of a task whose phrasing family occurs in held-out only. */
export const NEW_PHRASING = 'newPhrasing';
/** Tag of a made task whose look-up is right and finds nothing. */
export const FINDS_NOTHING_TAG = 'findsNothing';
/** Begins the tag of a made request that lacks what a tool must have, in words: "asks:order id". */
export const ASKS_TAG = 'asks:';
/**
 * Contents with a hash below this may be phrased by a family that is new in held-out (generateTasks); splitTasks fills
 * held-out from 0 up.
 */
export const HELD_OUT_ZONE = 0.25;

export interface SplitOptions {
  /** 1 or more: how many tasks are wanted; between 0 and 1: which share. Never more than 40 % of the tasks. */
  heldOut: number;
  /** Likewise, never more than mostValidation; default 64. */
  validation?: number;
  /** Share of all tasks; default 0.2. */
  mostValidation?: number;
  /** Where given, arguments that equal a schema default do not make a content of their own. */
  tools?: readonly ToolSchema[];
}

/**
 * Splits by a stable hash of each task's content, so that paraphrases of one task never straddle a split, a task stays
 * where it is when
 * others come and go (save at the edges), and the order of the file does not matter. Held-out takes the contents of
 * lowest hash, those with a
 * new phrasing first; validation the highest; the rest trains. Contents are whole, so a count may be passed by the last
 * content's size. Where there are tasks of people
 * and made ones, held-out and validation take those of people first, up to half of them.
 *
 * @throws UserError when a split would be empty or an option is no count and no share
 */
export function splitTasks(tasks: readonly Task[], options: SplitOptions): Record<Split, Task[]> {
  const heldOutTarget = Math.min(wanted('heldOut', options.heldOut, tasks.length), Math.floor(0.4 * tasks.length));
  const validationTarget = Math.min(
    wanted('validation', options.validation ?? 64, tasks.length),
    Math.max(1, Math.floor((options.mostValidation ?? 0.2) * tasks.length)),
  );
  const contents = groupByContent(tasks, options.tools);
  if (contents.length < 3) {
    throw new UserError(
      'task',
      `${tasks.length} tasks hold ${contents.length} different contents; held-out, validation and ` +
        'training need one each, and paraphrases never straddle',
      'Add tasks with other gold calls, or let tasks be generated.',
    );
  }
  const taken = new Set<Content>();
  const mixed = isMixed(tasks);
  const { heldOut, validation } = mixed
    ? takePeoples(contents, { heldOutTarget, validationTarget }, taken)
    : { heldOut: [], validation: [] };
  const rest = mixed
    ? contents.filter((content) => !taken.has(content) && (isNew(content) || !content.tasks.some(isPeoples)))
    : contents;
  heldOut.push(
    ...take([...rest.filter(isNew), ...rest.filter(isOld)], heldOutTarget - heldOut.length, 0.5, taken, isNew),
  );
  validation.push(...take(rest.filter(isOld).reverse(), validationTarget - validation.length, 0.3, taken, () => false));
  const train = contents.filter((content) => !taken.has(content)).flatMap((content) => content.tasks);
  const split = { train, validation, heldOut };
  for (const name of ['heldOut', 'validation', 'train'] as const) {
    if (split[name].length === 0) {
      throw new UserError(
        'task',
        `the ${name === 'heldOut' ? 'held-out' : name} set would be empty: ${tasks.length} tasks, ` +
          `${contents.length} different contents`,
        'Add tasks with other gold calls, ask for fewer held-out tasks, or let tasks be generated.',
      );
    }
  }
  return split;
}

/**
 * With more of the training tasks to validate with: whole contents of highest hash, as many as fit into the target.
 * @param validation how many tasks are wanted there, at most mostValidation of all
 * @param isFree a content is taken where this holds for all of its tasks
 */
export function withMoreValidation(
  splits: Record<Split, Task[]>,
  { validation, mostValidation, tools }: Pick<Required<SplitOptions>, 'validation' | 'mostValidation' | 'tools'>,
  isFree: (task: Task) => boolean,
): Record<Split, Task[]> {
  const total = Object.values(splits).flat().length;
  const room = Math.min(validation, Math.floor(mostValidation * total)) - splits.validation.length;
  const taken: Task[] = [];
  for (const { tasks } of groupByContent(splits.train, tools).reverse())
    if (taken.length + tasks.length <= room && tasks.every(isFree)) taken.push(...tasks);
  const ids = new Set(taken.map(({ id }) => id));
  return {
    ...splits,
    train: splits.train.filter(({ id }) => !ids.has(id)),
    validation: [...splits.validation, ...taken],
  };
}

/**
 * What a task is about, whatever its words: its gold calls; where they have no arguments, or there is none to make, the
 * content words of its prompt, too (or one split would have all requests for a tool that takes nothing); where the calls
 * are not given, its answer.
 */
export function contentKey(task: Task, tools: readonly ToolSchema[] = []): string {
  if (task.calls === undefined) return `answer ${(task.answer ?? '').trim().toLowerCase()}`;
  if (task.calls.length === 0) return `none ${contentWords(task.prompt).join(' ')}`;
  const calls = task.calls.map(
    ({ name, arguments: args }) => [name, withoutDefaults(args, schemaOf(tools, name))] as const,
  );
  const words = calls.some(([, args]) => Object.keys(args).length > 0) ? [] : contentWords(task.prompt);
  return `calls ${stableJson(calls)}${words.map((word) => ` ${word}`).join('')}`;
}

/** A content key's place in [0, 1): the first 48 bits of its SHA-256. */
export function hashOf(key: string): number {
  return createHash('sha256').update(key).digest().readUIntBE(0, 6) / 2 ** 48;
}

/**
 * Of people's tasks, beside made ones, this share is held out and this one validates, at most: training keeps half of
 * them or more.
 */
const PEOPLES_HELD_OUT = 0.4;
const PEOPLES_VALIDATION = 0.1;

const isPeoples = (task: Task): boolean => ['person', 'use'].includes(sourceOf(task));
const isMixed = (tasks: readonly Task[]): boolean => tasks.some(isPeoples) && !tasks.every(isPeoples);

/**
 * People's tasks before made ones: what they ask is what is to be measured. Whole contents; what Coach phrased of one
 * comes with it.
 */
function takePeoples(
  contents: Content[],
  { heldOutTarget, validationTarget }: { heldOutTarget: number; validationTarget: number },
  taken: Set<Content>,
): { heldOut: Task[]; validation: Task[] } {
  const own = contents.filter((content) => isOld(content) && content.tasks.some(isPeoples));
  const count = (of: readonly Content[]): number =>
    of.reduce((sum, { tasks }) => sum + tasks.filter(isPeoples).length, 0);
  const total = count(own);
  const first = (from: Content[], share: number, target: number): Task[] => {
    const chosen: Content[] = [];
    for (const content of from) {
      const isTooMuch =
        count([...chosen, content]) > Math.floor(share * total) ||
        chosen.flatMap(({ tasks }) => tasks).length + content.tasks.length > target;
      if (taken.has(content) || isTooMuch) continue;
      chosen.push(content);
      taken.add(content);
    }
    return chosen.flatMap(({ tasks }) => tasks);
  };
  return {
    heldOut: first(own, PEOPLES_HELD_OUT, heldOutTarget),
    validation: first([...own].reverse(), PEOPLES_VALIDATION, validationTarget),
  };
}

const isNew = (content: Content): boolean => content.tasks.some((task) => task.tags?.includes(NEW_PHRASING));
const isOld = (content: Content): boolean => !isNew(content);
const byHash = (a: Content, b: Content): number => a.hash - b.hash || (a.key < b.key ? -1 : 1);

interface Content {
  key: string;
  hash: number;
  tasks: Task[];
}

function groupByContent(tasks: readonly Task[], tools: readonly ToolSchema[] | undefined): Content[] {
  const byKey = new Map<string, Content>();
  for (const task of tasks) {
    const key = contentKey(task, tools);
    const content = byKey.get(key) ?? { key, hash: hashOf(key), tasks: [] };
    content.tasks.push(task);
    byKey.set(key, content);
  }
  return [...byKey.values()].sort(byHash);
}

/**
 * Whole contents until the target is reached, at most that share of all tasks and of all contents (at least one),
 * unless it must be taken.
 */
function take(
  contents: Content[],
  target: number,
  share: number,
  taken: Set<Content>,
  must: (content: Content) => boolean,
): Task[] {
  const mostTasks = share * contents.reduce((sum, content) => sum + content.tasks.length, 0);
  let contentsLeft = Math.max(1, Math.floor(share * contents.length));
  const out: Task[] = [];
  for (const content of contents) {
    const isRoom =
      contentsLeft > 0 && out.length < target && out.length + content.tasks.length <= Math.max(mostTasks, 1);
    if (taken.has(content) || !(must(content) || isRoom)) continue;
    taken.add(content);
    out.push(...content.tasks);
    contentsLeft--;
  }
  return out;
}

function wanted(name: string, value: number, total: number): number {
  if (!Number.isFinite(value) || value <= 0)
    throw new UserError(
      'config',
      `splitTasks: ${name} must be a count from 1 or a share between 0 and 1, got ${value}`,
      'For example 240, or 0.3.',
    );
  return value < 1 ? Math.max(1, Math.round(value * total)) : Math.floor(value);
}

/** Words that say how one asks, not what; also those that the families of noTool.ts put around a request. */
const MANNER = new Set(
  (
    'a an the please pls could can would will you your me my i we us to for of is are be do does ' +
    'it this that just kindly hey hi hello ok okay thanks thank so now some any and or in on at ' +
    'with let lets us want need like tell give ' +
    'quick one before start by way just curious talk about something else more thing niece would know'
  ).split(' '),
);

function contentWords(prompt: string): string[] {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const content = [...new Set(words.filter((word) => !MANNER.has(word)))].sort();
  return content.length ? content : [...new Set(words)].sort();
}
