/**
 * BFCL's AST check: are these calls the ones that the question asks for? Written anew after
 * bfcl_eval.eval_checker.ast_eval.ast_checker of bfcl-eval
 * 2026.3.23 (Python categories), with equal verdicts and its names for what was wrong; test/interop/bfcl.ts compares
 * them. Where the original raises, so
 * does this: such a task can't be judged.
 */
import { comparisonOf } from './categories';
import { checkDict, checkDicts, checkList, checkString, CheckError, wrong, type Finding } from './checkValue';
import { isAmong, Tuple, typeOf, type Call, type Dict, type TypeName, type Value } from './values';

/** A function as BFCL documents it; types are its own words (dict, float, tuple, any). */
export interface BfclFunction {
  name: string;
  description?: string | undefined;
  parameters: { properties: Record<string, Parameter>; required: string[]; [more: string]: unknown };
}
export interface Parameter {
  type?: string | undefined;
  items?: { type?: string | undefined } | undefined;
  [more: string]: unknown;
}

export interface Question {
  functions: readonly BfclFunction[];
  /** one `{function: {argument: [accepted values]}}` a call; "" among the values: it may be left out */
  groundTruth: readonly Dict[];
  category: string;
}

export interface CheckOptions {
  /**
   * The model was shown "_" for "." in names of functions, as BFCL does for those that can't write dots, and must have
   * written it so.
   */
  underscores?: boolean;
}

/**
 * @returns null where the calls are right, else what is wrong first. @throws CheckError where the task can't be judged
 */
export function checkCalls(
  { functions, groundTruth, category }: Question,
  calls: readonly Call[],
  options: CheckOptions = {},
): Finding | null {
  const comparison = comparisonOf(category);
  if (comparison === 'simple') {
    if (calls.length !== 1)
      return wrong('simple_function_checker:wrong_count', `1 call is wanted, ${calls.length} were made`);
    return checkCall(functions[0]!, calls[0]!, groundTruth[0], options);
  }
  if (calls.length !== groundTruth.length) {
    return wrong(
      `${comparison === 'multiple' ? 'multiple_function_checker' : 'parallel_function_checker_no_order'}:wrong_count`,
      `${groundTruth.length} calls are wanted, ${calls.length} were made`,
    );
  }
  if (comparison === 'multiple')
    return checkCall(described(functions, groundTruth[0]!), calls[0]!, groundTruth[0], options);
  return checkInAnyOrder(functions, groundTruth, calls, options);
}

/** Each wanted call takes the first that fits of those that are left; the order of the calls does not count. */
function checkInAnyOrder(
  functions: readonly BfclFunction[],
  groundTruth: readonly Dict[],
  calls: readonly Call[],
  options: CheckOptions,
): Finding | null {
  const left = [...calls];
  for (const [i, wanted] of groundTruth.entries()) {
    const description = described(functions, wanted);
    const findings: Finding[] = [];
    const at = left.findIndex((call) => {
      const finding = checkCall(description, call, wanted, options);
      if (finding) findings.push(finding);
      return finding === null;
    });
    if (at < 0)
      return wrong(
        'parallel_function_checker_no_order:cannot_find_match',
        `no call is the wanted call ${i + 1} (${findings.map(({ message }) => message).join('; ')})`,
      );
    left.splice(at, 1);
  }
  return null;
}

function described(functions: readonly BfclFunction[], wanted: Dict | undefined): BfclFunction | undefined {
  const name = wanted?.keys().next().value;
  return functions.find((candidate) => candidate.name === name);
}

function checkCall(
  description: BfclFunction | undefined,
  call: Call,
  wanted: Dict | undefined,
  { underscores = false }: CheckOptions,
): Finding | null {
  const answers = wanted?.values().next().value;
  if (!description || !(answers instanceof Map))
    throw new CheckError(
      `ground_truth names ${wanted?.keys().next().value ?? 'no function'}, functions are ` +
        `${description?.name ?? 'others'}`,
    );
  const name = underscores ? description.name.replaceAll('.', '_') : description.name;
  if (call.name !== name)
    return wrong('simple_function_checker:wrong_func_name', `${name} is wanted, ${call.name} was called`);
  const { properties, required } = description.parameters;
  const missing = required.find((parameter) => !call.arguments.has(parameter));
  if (missing !== undefined)
    return wrong('simple_function_checker:missing_required', `${missing} is required and missing`);
  for (const [parameter, value] of call.arguments) {
    if (!Object.hasOwn(properties, parameter) || !answers.has(parameter))
      return wrong('simple_function_checker:unexpected_param', `${parameter} is not wanted`);
    const accepted = answers.get(parameter);
    if (!Array.isArray(accepted))
      throw new CheckError(`ground_truth of ${parameter} must be a list of accepted values`);
    const finding = checkArgument(parameter, value, accepted, properties[parameter]!);
    if (finding) return finding;
  }
  for (const [parameter, accepted] of answers) {
    if (!Array.isArray(accepted))
      throw new CheckError(`ground_truth of ${parameter} must be a list of accepted values`);
    if (!call.arguments.has(parameter) && !isAmong('', accepted))
      return wrong('simple_function_checker:missing_optional', `${parameter} may not be left out here`);
  }
  return null;
}

/** BFCL's types as Python's; a tuple arrives as a list, since answers are JSON. */
const PYTHON_TYPES: Readonly<Record<string, TypeName>> = {
  string: 'str',
  integer: 'int',
  float: 'float',
  boolean: 'bool',
  array: 'list',
  tuple: 'list',
  dict: 'dict',
  any: 'str',
};

function pythonType(type: string | undefined, parameter: string): TypeName {
  const name = type !== undefined && Object.hasOwn(PYTHON_TYPES, type) ? PYTHON_TYPES[type] : undefined;
  if (name === undefined)
    throw new CheckError(
      `${parameter} must be of a type out of ${Object.keys(PYTHON_TYPES).join(', ')}, got ${type ?? 'none'}`,
    );
  return name;
}

function checkArgument(
  parameter: string,
  given: Value,
  accepted: readonly Value[],
  { type, items }: Parameter,
): Finding | null {
  const expected = pythonType(type, parameter);
  const nested = type === 'array' || type === 'tuple' ? pythonType(items?.type, `the items of ${parameter}`) : null;
  const value = convert(given, type);
  const typed = checkType(parameter, value, accepted, expected, nested);
  if (!('isVariable' in typed)) return typed;
  if (!typed.isVariable) {
    if (expected === 'dict') return checkDict(value, accepted);
    if (expected === 'list')
      return nested === 'dict' ? checkDicts(value, accepted) : checkList(parameter, value, accepted);
    if (expected === 'str') return checkString(parameter, value, accepted);
  }
  return isAmong(value, accepted) ? null : wrong('value_error:others', `${parameter} has a value that is not accepted`);
}

/** A tuple where one is wanted is compared as a list, and an int where a float is wanted is one. */
function convert(value: Value, type: string | undefined): Value {
  if (type === 'tuple' && value instanceof Tuple) return [...value.items];
  return type === 'float' && typeof value === 'bigint' ? Number(value) : value;
}

/**
 * A value is of the described type, or of the type of the first accepted value: answers give the name of a variable as
 * text, whatever its type (isVariable).
 * Items are looked at one level deep, and fit where they do so for any one accepted value; one that is no list ("")
 * takes any items.
 */
function checkType(
  parameter: string,
  value: Value,
  accepted: readonly Value[],
  expected: TypeName,
  nested: TypeName | null,
): Finding | { isVariable: boolean } {
  const first = accepted.find((answer) => answer !== '');
  const answerType = first === undefined ? null : typeOf(first);
  if (typeOf(value) === expected) {
    const isVariable = answerType !== null && answerType !== expected;
    if (nested === null) return { isVariable };
    const items = value as Value[]; // expected is list wherever there is a nested type
    const fits = (answer: Value): boolean =>
      !Array.isArray(answer) || items.every((item) => 'isVariable' in checkType(parameter, item, answer, nested, null));
    return accepted.some(fits)
      ? { isVariable }
      : wrong(
          answerType === 'list' ? 'type_error:nested' : 'type_error:simple',
          `${parameter} must be a list of ${nested}`,
        );
  }
  if (answerType !== null && typeOf(value) === answerType) return { isVariable: true };
  return wrong('type_error:simple', `${parameter} must be of type ${expected}, got ${typeOf(value)}`);
}
