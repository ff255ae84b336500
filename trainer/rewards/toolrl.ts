import {
  PyError,
  pyCount,
  pyEqual,
  pyHashKey,
  pyJson,
  pyRound2,
  pyStrip,
  pyWords,
  type PyDict,
  type PyValue,
} from './python';

export interface ToolRlOptions {
  /** Adds the length of the reasoning, 0 to 1. */
  withLength: boolean;
  /** Full marks for length at 384 + 256 step / 105 words and not at 512. */
  scheduleLength: boolean;
  /** Correctness in [-1, 1]. */
  correctMax1: boolean;
  /** Correctness a third of its range before step 30; format half of it from there on. */
  max1Step30Max3: boolean;
  /** Correctness grows from [-2, 2] to its range over 150 steps, while format shrinks from [-2, 2] to [-1, 1]. */
  scheduleReward: boolean;
  /** Names, and parameter names, count only when the whole lists are equal. */
  refined: boolean;
  /** A gold call counts 1 when it was made exactly, else 0. */
  intermediate: boolean;
  /** All calls equal, or the least. */
  coarse: boolean;
  /** Which chat template's marks are cut off the completion. */
  template: 'qwen' | 'llama';
}

export const TOOLRL_DEFAULTS: ToolRlOptions = {
  withLength: false,
  scheduleLength: false,
  correctMax1: false,
  max1Step30Max3: false,
  scheduleReward: false,
  refined: false,
  intermediate: false,
  coarse: false,
  template: 'qwen',
};

export interface ToolRlScore {
  score: number;
  format: number;
  correctness: number;
  /** 0 without withLength */
  length: number;
}

interface Bounds {
  most: number;
  least: number;
}

/**
 * ToolRL's reward of one completion, format + correctness (+ length), in [-3, 4] by default.
 * Source: Qian et al. 2025, arXiv:2504.13958, as its public code computes it (github.com/qiancheng0/ToolRL,
 * verl/utils/reward_score/rlla.py,
 * 8cee13e), Python's equality, rounding and parsing included: it gives the same number for every text. An answer
 * without a call leaves
 * correctness at 0 whatever was called; a call that can't be read gets the least.
 *
 * @param completion raw text: `<think>…</think>`, `<tool_call>` with one JSON {name, parameters} a line, `<response>`
 * @param answer the gold text in the same form
 * @param step optimiser step, for the schedules
 * @throws PyError where the gold calls are no JSON, as the source does
 */
export function toolRl(
  completion: string,
  answer: string,
  step = 0,
  options: ToolRlOptions = TOOLRL_DEFAULTS,
): ToolRlScore {
  const text = withoutTemplate(completion, options.template);
  const format = formatScore(text, answer, formatBounds(step, options));
  const correctness = textCorrectness(text, answer, correctnessBounds(step, options), options);
  const length = options.withLength ? lengthScore(text, step, options) : 0;
  return { score: format + correctness + length, format, correctness, length };
}

/**
 * The same for calls that are parsed already, with a format that was judged elsewhere. `reasoning` null: there is none
 * to measure.
 */
export function toolRlOfCalls(
  gold: PyValue[],
  made: PyValue[],
  { isWellFormed, reasoning, step }: { isWellFormed: boolean; reasoning: string | null; step: number },
  options: ToolRlOptions,
): ToolRlScore {
  const bounds = correctnessBounds(step, options);
  const { most, least } = formatBounds(step, options);
  const format = isWellFormed ? most : least;
  const correctness =
    gold.length === 0
      ? 0
      : made.length === 0
        ? bounds.least
        : orLeast(bounds, () => callScore(gold, made, bounds, options));
  const length = options.withLength && reasoning !== null ? lengthOf(reasoning, step, options) : 0;
  return { score: format + correctness + length, format, correctness, length };
}

/** The gold or made calls of a text in these tags, one JSON a line; null without `<tool_call>`. @throws PyError */
export function callsOfText(text: string): PyValue[] | null {
  const open = text.split('<tool_call>')[1];
  if (open === undefined) return null;
  return pyStrip(open.split('</tool_call>')[0]!).split('\n').map(pyJson);
}

/** What the policy wrote, without the marks of a chat template and the prompt before them. */
export function withoutTemplate(completion: string, template: ToolRlOptions['template']): string {
  const [start, end] =
    template === 'llama'
      ? ['<|start_header_id|>assistant<|end_header_id|>', '<|eot_id|>']
      : ['<|im_start|>assistant', '<|im_end|>'];
  return pyStrip(completion.split(start).at(-1)!.split(end)[0]!);
}

function formatBounds(step: number, options: ToolRlOptions): Bounds {
  let [most, least] = [1, 0];
  if (options.max1Step30Max3 && step >= 30) [most, least] = [most / 2, least / 2];
  if (options.scheduleReward) {
    most = Math.max(1, 2 - ((2 - most) * step) / 150);
    least = Math.min(-1, -2 + ((2 + least) * step) / 150);
  }
  return { most, least };
}

function correctnessBounds(step: number, options: ToolRlOptions): Bounds {
  let [most, least] = options.correctMax1 ? [1, -1] : [3, -3];
  if (options.max1Step30Max3 && step < 30) [most, least] = [most / 3, least / 3];
  if (options.scheduleReward) {
    most = Math.min(3, ((most - 2) * step) / 150 + 2);
    least = Math.max(-3, ((least + 2) * step) / 150 - 2);
  }
  return { most, least };
}

const THINK = '^<think>[^]*?</think>';
const CALL = '\\n<tool_call>\\n[^]*?\\n</tool_call>';
const RESPONSE = '\\n<response>[^]*?</response>';
const SHAPES = {
  think: new RegExp(`${THINK}$`),
  call: new RegExp(`${THINK}${CALL}$`),
  response: new RegExp(`${THINK}${RESPONSE}$`),
  both: new RegExp(`${THINK}${CALL}${RESPONSE}$`),
};

/** The tags that the gold text has, in order, each once. The text is stripped, so `$` is its end as in Python. */
function formatScore(text: string, answer: string, { most, least }: Bounds): number {
  const [wantsResponse, wantsCall] = [answer.includes('<response>'), answer.includes('<tool_call>')];
  const once = (tag: string): boolean => pyCount(text, `<${tag}>`) === 1 && pyCount(text, `</${tag}>`) === 1;
  const shape = wantsCall
    ? wantsResponse
      ? SHAPES.both
      : SHAPES.call
    : wantsResponse
      ? SHAPES.response
      : SHAPES.think;
  return shape.test(text) && (!wantsCall || once('tool_call')) && (!wantsResponse || once('response')) ? most : least;
}

function lengthScore(text: string, step: number, options: ToolRlOptions): number {
  if (!text.includes('<think>') || !text.includes('</think>')) return 0;
  return lengthOf(text.split('<think>').at(-1)!.split('</think>')[0]!, step, options);
}

function lengthOf(reasoning: string, step: number, options: ToolRlOptions): number {
  const full = options.scheduleLength ? ((640 - 384) * step) / 105 + 384 : 512;
  return Math.min(1, pyRound2(pyWords(reasoning).length / full));
}

function textCorrectness(text: string, answer: string, bounds: Bounds, options: ToolRlOptions): number {
  const gold = callsOfText(answer);
  if (gold === null) return 0;
  return orLeast(bounds, () => {
    if (!text.includes('</tool_call>')) throw new PyError('AssertionError');
    const made = callsOfText(text);
    if (made === null) throw new PyError('AssertionError');
    return callScore(gold, made, bounds, options);
  });
}

function orLeast({ least }: Bounds, score: () => number): number {
  try {
    return score();
  } catch (error) {
    if (error instanceof PyError) return least;
    throw error;
  }
}

/**
 * S / S_max over [least, most]. Greedy: each gold call, in order, takes the unused made call of its name that scores
 * most.
 */
function callScore(gold: PyValue[], made: PyValue[], { most, least }: Bounds, options: ToolRlOptions): number {
  if (pyEqual(gold, made)) return most;
  if (options.coarse) return least;
  const names = made.map((call) => member(call, 'name'));
  let score = likeness(
    gold.map((call) => member(call, 'name')),
    names,
    options,
  );
  let possible = 1;
  const used = new Set<number>();
  for (const wanted of gold) {
    const name = member(wanted, 'name');
    const parameters = member(wanted, 'parameters');
    possible += 1 + (options.intermediate ? 0 : pyLength(parameters));
    let [best, bestIndex] = [0, -1];
    for (const [i, call] of made.entries()) {
      if (used.has(i) || !pyEqual(names[i]!, name)) continue;
      if (options.intermediate) {
        if (!pyEqual(wanted, call)) continue;
        [best, bestIndex] = [1, i];
        break;
      }
      const given = asDict(member(call, 'parameters'));
      const sought = asDict(parameters);
      let total = 0;
      for (const [key, value] of sought) if (given.has(key) && pyEqual(given.get(key)!, value)) total += 1;
      total += likeness([...sought.keys()], [...given.keys()], options);
      if (total > best) [best, bestIndex] = [total, i];
    }
    if (bestIndex < 0) continue;
    used.add(bestIndex);
    score += best;
  }
  return ((most - least) * score) / possible + least;
}

/** Multiset Jaccard; refined: 1 or 0 by the lists' equality. */
function likeness(a: PyValue[], b: PyValue[], options: ToolRlOptions): number {
  if (pyEqual(a, b)) return 1;
  if (options.refined || a.length === 0 || b.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const key of a.map(pyHashKey)) counts.set(key, (counts.get(key) ?? 0) + 1);
  let common = 0;
  for (const key of b.map(pyHashKey)) {
    const left = counts.get(key) ?? 0;
    if (left === 0) continue;
    counts.set(key, left - 1);
    common++;
  }
  return common / (a.length + b.length - common);
}

/** `value[key]` */
function member(value: PyValue, key: string): PyValue {
  const found = asDict(value).get(key);
  if (found === undefined) throw new PyError(`KeyError: ${key}`);
  return found;
}

function asDict(value: PyValue): PyDict {
  if (!(value instanceof Map)) throw new PyError('TypeError: not a dict');
  return value;
}

/** `len(value)` */
function pyLength(value: PyValue): number {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  throw new PyError('TypeError: no len()');
}
