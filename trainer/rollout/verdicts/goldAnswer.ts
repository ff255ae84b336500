/** What a demonstration says in the end where its task has no answer of its own: told from the results. Pure. */
import { isRecord } from '../../protocol/arguments';
import type { Task, ToolSchema } from '../../protocol/task';
import { isTelling } from '../../tasks/generate/pool/results';
import { ASKS_TAG, FINDS_NOTHING_TAG } from '../../tasks/taskset';
import type { Message } from '../../protocol/trace';
import { splitWords } from '../../base/words';
import { formsOf } from './knownWords';
import { statesSomething, wordsOf } from './grounded';
import { doneIsEnough } from './verdicts';

/** A value is told up to here, in whole words. */
const LONGEST_VALUE = 60;
/** So many values of one thing, or of things one each. */
const MOST_VALUES = 3;
const NOTHING_FOUND = 'I found none.';

/**
 * The task's answer; else a question back where something is lacking, "Done." where nothing was asked for (`doneIsEnough`), and what the last result that states
 * something tells, in the forms that nano was pre-trained on: "It is 12.", "I found P243, Abara.", "I found none."
 * @param messages the dialogue so far, whose tool messages hold the results
 */
export function goldAnswer(task: Task, messages: readonly Message[], tools: readonly ToolSchema[]): string {
  if (task.answer !== undefined) return task.answer;
  const ran = messages.flatMap((message) =>
    message.role === 'tool' ? [{ name: message.name ?? '', content: message.content }] : [],
  );
  if (ran.length === 0) return questionBack(task) ?? 'No tool can do that.';
  if (task.tags?.includes(FINDS_NOTHING_TAG)) return NOTHING_FOUND;
  if (doneIsEnough(task.prompt, ran, tools)) return 'Done.';
  const telling = ran.filter(({ content }) => statesSomething(content)).at(-1) ?? ran.at(-1)!;
  const args = (task.calls ?? []).flatMap((call) => Object.values(call.arguments));
  return tellResult(telling.content, { prompt: task.prompt, args });
}

/** "Which order id?" of a request that lacks it; null: it lacks nothing. */
function questionBack({ tags = [] }: Task): string | null {
  const lacks = tags.find((tag) => tag.startsWith(ASKS_TAG))?.slice(ASKS_TAG.length);
  return lacks === undefined ? null : `Which ${lacks}?`;
}

interface Asked {
  prompt: string;
  args: readonly unknown[];
}

function tellResult(content: string, asked: Asked): string {
  const result = parsed(content);
  if (typeof result === 'boolean') return yesOrNo(result, asked);
  if (!isTelling(result)) return NOTHING_FOUND;
  if (Array.isArray(result)) return tellList(result, asked);
  if (isRecord(result)) return tellThing(result, asked, 'Here it is: ');
  const value = shown(result);
  return value === null ? NOTHING_FOUND : `It is ${value}.`;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

/** "Yes." alone states nothing: with what it is about. */
function yesOrNo(result: boolean, { args }: Asked): string {
  const about = args.map(shown).find((value) => value !== null);
  return `${result ? 'Yes' : 'No'}${about ? `: ${about}` : ''}.`;
}

function tellList(rows: readonly unknown[], asked: Asked): string {
  if (rows.length === 1 && isRecord(rows[0])) return tellThing(rows[0], asked, 'I found ');
  const some = rows.slice(0, MOST_VALUES);
  const labels = some.flatMap((row) => (isRecord(row) ? labelOf(row, asked) : shown(row)) ?? []);
  const values = areDifferent(labels) ? labels : (apartBy(some.filter(isRecord)) ?? labels);
  return values.length === 0 ? `I found ${rows.length}.` : `I found ${values.join(', ')}.`;
}

/** Things that go by one label are told by the first field that each has a value of its own in: "lager, lager". */
function apartBy(rows: readonly Record<string, unknown>[]): string[] | undefined {
  return Object.keys(rows[0] ?? {})
    .map((key) => rows.flatMap((row) => shown(row[key]) ?? []))
    .find((values) => values.length === rows.length && areDifferent(values));
}

const areDifferent = (values: readonly string[]): boolean => new Set(values).size === values.length;

function tellThing(thing: object, asked: Asked, opening: string): string {
  const fields = fieldsAsked(thing, asked).map(([, value]) => value);
  if (typeof fields[0] === 'boolean') return yesOrNo(fields[0], asked);
  const wanted = fields.flatMap(allShown);
  if (wanted.length > 0) return `It is ${wanted.slice(0, MOST_VALUES).join(', ')}.`;
  const values = valuesOf(thing, asked);
  return values.length === 0 ? 'Done.' : `${opening}${values.slice(0, MOST_VALUES).join(', ')}.`;
}

/** Fields whose name the request says ("what is the price of", "is it urgent"), but those that were given. */
function fieldsAsked(thing: object, { prompt, args }: Asked): [name: string, value: unknown][] {
  const said = new Set(wordsOf(prompt).flatMap(formsOf));
  return Object.entries(thing).filter(
    ([name, value]) =>
      ((typeof value === 'boolean' && WHETHER.test(prompt)) || allShown(value).length > 0) &&
      !args.includes(value) &&
      splitWords(name).every((word) => formsOf(word).some((form) => said.has(form))),
  );
}

/** "Show me the urgent one" asks for no yes or no. */
const WHETHER = /\b(is|are|was|were|does|do|did|has|have|if|whether)\b/i;

/** Its values, those first that the request does not say; inner things and lists are left out. */
function valuesOf(thing: object, { prompt }: Asked): string[] {
  const values = Object.values(thing).flatMap((value) => shown(value) ?? []);
  const asked = prompt.toLowerCase();
  const isNew = values.filter((value) => !asked.includes(value.toLowerCase()));
  return isNew.length > 0 ? isNew : values;
}

/** What people call it: its first text without a digit, which an id, a day and an amount have; else its first value. */
function labelOf(thing: object, asked: Asked): string | undefined {
  const values = valuesOf(thing, asked);
  return values.find((value) => !/\p{N}/u.test(value)) ?? values[0];
}

/** Of a list each of its items. */
const allShown = (value: unknown): string[] => [value].flat().flatMap((one) => shown(one) ?? []);

/** A number, or the first line of a text, in whole words; null: it states nothing in words. */
function shown(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const line = value.split(/[\r\n"\\]/, 1)[0]!.trim();
  const text = line.length <= LONGEST_VALUE ? line : line.slice(0, LONGEST_VALUE + 1).replace(/\s+\S*$/, '');
  return /[\p{L}\p{N}]/u.test(text) ? text.replace(/[.,;:!?\s]+$/u, '') : null;
}
