/** A line `{functions, ground_truth, category, calls | text}`: a BFCL question, and what a model made of it. */
import { z } from 'zod';
import { suggest } from '../../base/nearest';
import { UserError } from '../../protocol/result';
import { PyError } from '../python';
import { CATEGORIES, whyUnsupported } from './categories';
import { checkCalls, type BfclFunction, type CheckOptions, type Question } from './checker';
import { CheckError, wrong, type Finding } from './checkValue';
import { exactCalls, formOf } from './exactCalls';
import { pythonCalls } from './pythonCalls';
import { PythonError } from './pythonTokens';
import { readValue, toPlain, type Call, type Dict, type Value } from './values';

const BFCL_LINE =
  '{"functions": […], "ground_truth": […], "category": "simple_python", "calls": [{"f": {"a": ' +
  '1}}]}, or "text": "[f(a=1)]" in the place of the calls';

export interface BfclLine extends Question {
  /** what the model wrote, or what was read from it */
  made: { text: string } | { calls: readonly Call[] };
}

const Parameter = z.looseObject({
  type: z.string().optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
});
const Function = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.looseObject({ properties: z.record(z.string(), Parameter), required: z.array(z.string()).default([]) }),
});

/** @throws UserError with `where` for what is not of this shape */
export function readBfclLine(text: string, where: string): BfclLine {
  const fail = (what: string, hint = `A line is ${BFCL_LINE}.`): never => {
    throw new UserError('config', `${where}: ${what}`, hint);
  };
  let value: Value;
  try {
    value = readValue(text);
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
    return fail(`is not JSON: ${error.message}`);
  }
  if (!(value instanceof Map)) return fail(`must be an object, got ${shown(value)}`);
  const category = value.get('category');
  if (typeof category !== 'string') return fail(`category must be text, got ${shown(category)}`);
  const known = ['simple', ...CATEGORIES];
  if (!known.includes(category) && whyUnsupported(category) === null)
    return fail(`category must be one of ${CATEGORIES.join(', ')}, got ${category}`, suggest(category, known));
  return {
    category,
    functions: readFunctions(value.get('functions'), fail),
    groundTruth: readGroundTruth(value.get('ground_truth'), fail),
    made: readMade(value, fail),
  };
}

type Fail = (what: string) => never;

/** One function may stand for a list of one. */
export function readFunctions(value: Value | undefined, fail: Fail): BfclFunction[] {
  const parsed = z
    .array(Function)
    .min(1)
    .safeParse(Array.isArray(value) ? value.map(toPlain) : [toPlain(value ?? null)]);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!; // zod gives one at least
  return fail(`functions${issue.path.map((part) => `.${String(part)}`).join('')}: ${issue.message}`);
}

export function readGroundTruth(value: Value | undefined, fail: Fail): Dict[] {
  const isCall = (item: Value): item is Dict =>
    item instanceof Map && item.size === 1 && [...item.values()][0] instanceof Map;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isCall))
    return fail(`ground_truth must be [{"function": {"argument": [accepted values]}}], got ${shown(value)}`);
  return value;
}

function readMade(line: Dict, fail: Fail): BfclLine['made'] {
  const [text, calls] = [line.get('text'), line.get('calls')];
  if ((text === undefined) === (calls === undefined))
    return fail(`must have either calls or text, got ${text === undefined ? 'neither' : 'both'}`);
  if (text !== undefined) return typeof text === 'string' ? { text } : fail(`text must be text, got ${shown(text)}`);
  if (!Array.isArray(calls)) return fail(`calls must be a list, got ${shown(calls)}`);
  return {
    calls: calls.map(
      (call) =>
        readCall(call) ??
        fail(`a call must be {"f": {"a": 1}} or {"name": "f", "arguments": {"a": 1}}, got ${shown(call)}`),
    ),
  };
}

/** BFCL's own form, or a name with arguments. */
function readCall(value: Value): Call | null {
  if (!(value instanceof Map)) return null;
  const [name, args] = [value.get('name'), value.get('arguments')];
  if (typeof name === 'string' && args instanceof Map) return { name, arguments: args };
  const [entry] = value;
  return entry && value.size === 1 && entry[1] instanceof Map ? { name: entry[0], arguments: entry[1] } : null;
}

/**
 * @returns null: right; else what is wrong. A text without calls, or with some that can't be read, is wrong, as in BFCL
 * @throws CheckError where it can't be judged
 */
export function judgeLine(line: BfclLine, options: CheckOptions = {}): Finding | null {
  const reason = whyUnsupported(line.category);
  if (reason !== null) throw new CheckError(`category ${line.category} is not supported: ${reason}`);
  if ('calls' in line.made) return checkCalls(line, line.made.calls, options);
  const read = callsOf(line.made.text);
  return 'reason' in read ? read : checkCalls(line, read.calls, options);
}

/** Calls in BFCL's prompt format, or in one of Coach's where the text bears its marks. */
function callsOf(text: string): { calls: Call[] } | Finding {
  const parser = formOf(text);
  if (parser) {
    const { calls, error } = exactCalls(text, parser);
    return error === undefined ? { calls } : wrong('ast_decoder:decoder_failed', error);
  }
  try {
    return { calls: pythonCalls(text) };
  } catch (error) {
    if (error instanceof PythonError)
      return wrong('ast_decoder:decoder_failed', `no calls can be read: ${error.message}`);
    throw error;
  }
}

function shown(value: Value | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(toPlain(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
