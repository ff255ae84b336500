/** Whether a tool changes something outside: such tools are mocked in training unless the user says otherwise. */
import { STATE } from '../../../schema/words';
import { findTag, type JsDoc } from './jsDoc';
import { READING, ARITHMETIC, CHANGING, OFTEN_NOUNS, DESCRIBED_OTHERWISE, SURELY_READING } from './worldWords';

/**
 * Tags decide (`@sideEffect`, `@readonly`, `@pure`), then a description that asks, then the name's first verb, then any
 * plain verb in the name, then the verbs that lead the description, then the code ("planCleaning", "checkIn"). In doubt
 * it is true: a mocked search costs a score, a real payment costs money.
 *
 * @param writes whether the code writes to what outlives a call
 */
export function changesWorld(
  name: string,
  description: string,
  docs: JsDoc | undefined,
  writes: () => boolean = () => false,
): boolean {
  if (findTag(docs, 'sideEffect', 'sideEffects', 'sideeffect')) return true;
  if (findTag(docs, 'readonly', 'readOnly', 'pure')) return false;
  const words = nameWords(name);
  const [first = '', second] = words;
  if (QUESTION.test(description)) return false;
  if (READING.has(first)) return !SURELY_READING.has(first) && writes();
  if (first === 'add' && (second === undefined || ARITHMETIC.has(second))) return false;
  if (/^(order|purchase|transfer)_(status|count|details|info|history|summary|number|id)$/.test(words.join('_')))
    return false;
  if (tellsState(words, description, writes)) return false;
  if (namesChange(words)) return true;
  const led = leadingVerbs(description);
  // "todo_add: Adds a to-do", but "salesReport: Report of a month"
  const isAct = /^(\w+s|\w+ (an?|the|new|one)) /i.test(description);
  if (words.length > 1 && isAct && words.at(-1) === led[0] && CHANGING.has(led[0]!)) return true;
  return describesChange(led) || (!SURELY_READING.has(led[0] ?? '') && writes());
}

/**
 * Of a tool that runs elsewhere and does not say whether it only reads: a plain verb of reading in its name
 * ("slack_list_channels"), and none of changing there or at the head of a sentence of its description.
 */
export function surelyReads(name: string, description: string): boolean {
  const words = nameWords(name);
  if (!words.some((word) => SURELY_READING.has(word)) || namesChange(words)) return false;
  return SELECTS.test(description) || !describesChange(leadingVerbs(description));
}

/** "Execute a SELECT query" */
const SELECTS = /^(execute|run)s? (a |any )?(read-only )?(SELECT\b|read-only)/i;

const namesChange = (words: readonly string[]): boolean =>
  words.some((word, i) => CHANGING.has(word) && (i === 0 || !OFTEN_NOUNS.has(word)));

const describesChange = (verbs: readonly string[]): boolean =>
  verbs.some((verb) => CHANGING.has(verb) && !DESCRIBED_OTHERWISE.has(verb));

/** "returnDate: When is a car coming back?", but not "Has a room cleaned." */
const QUESTION = /^(when|what|which|who|whose|where|how|is|are)\b|^(does|has)\b[^.]*\?/i;

/** "openSlots: Open slots of a day", "openIssues: Lists the open issues": how things are, not what is done to them. */
function tellsState([state = '', ...things]: readonly string[], description: string, writes: () => boolean): boolean {
  if (!STATE.test(state) || !/[^s]s$/.test(things.at(-1) ?? '')) return false;
  const said = `${state} ${things.join(' ')}`;
  const told = description.toLowerCase();
  const isTold = [
    `${said} (of|on|for|in|at|by|from|between|near|under|with)\\b`,
    // "openTabs: Tabs that are still open"
    `(?:(?:all|the|every) )?${things.join(' ')} (?:that|which|still|with|not|whose)\\b.*\\b${state}\\b`,
  ].some((form) => new RegExp(`^${form}`).test(told));
  if (isTold) return true;
  // "openLoans: Sheet music that is out with singers"
  if (THINGS_THAT_ARE.test(told) && !describesChange(leadingVerbs(description)) && !writes()) return true;
  return told.includes(said) && (/^(all|the|every) /.test(told) || READING.has(leadingVerbs(told)[0] ?? ''));
}

const THINGS_THAT_ARE = /^(?:[a-z-]+ ){1,4}(?:that|which) (?:is|are|have|has)\b/;

function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** The first word of each sentence, and what follows "and" or "then": "Looks up a friend and sends him a card." */
function leadingVerbs(description: string): string[] {
  const found = [...description.toLowerCase().matchAll(/(?:^|[.!?;\n]\s*)([a-z]+)/g)].map((match) => match[1]!);
  for (const match of description.toLowerCase().matchAll(/\b(?:and|then|or)\s+(?:then\s+)?([a-z]+s)\b/g))
    found.push(match[1]!);
  return found.map(baseForm);
}

function baseForm(verb: string): string {
  for (const end of ['', 's', 'es', 'ies']) {
    if (!verb.endsWith(end)) continue;
    const stem = verb.slice(0, verb.length - end.length) + (end === 'ies' ? 'y' : '');
    if (CHANGING.has(stem) || READING.has(stem)) return stem;
  }
  return verb;
}
