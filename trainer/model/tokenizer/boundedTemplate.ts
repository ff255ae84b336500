/**
 * A model's chat template is a program of somebody else: here it runs with bounded work, memory and time. Every step of
 * the interpreter goes through `evaluate`, which counts it, weighs what it made, and looks at what would grow before it
 * does. Steps are counted, not only time, so that the same template ends at the same place on every machine.
 */
import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { UserError } from '../../protocol/result';
import { valueWeights, type Value } from './templateWeights';

/** The longest in use has 20,000 characters; the lexer takes time by the square of a run of white space. */
const MAX_SOURCE = 100_000;
const MAX_BLANKS = 1_000;
/** Steps, and what they made; about three seconds. A dialogue of 100 turns with 2,000 tools takes 300 ms. */
const MAX_WORK = 10_000_000;
const STEP = 4;
/** The library throws and catches an error for it. */
const UNKNOWN_NAME = 40;
/** Of one value: characters of a text, or what a list holds, counted once for each level that it lies deep. */
const MAX_VALUE = 4_000_000;
const MAX_RANGE = 100_000;
const MAX_MS = 3_000;

type Node = NonNullable<Parameters<Interpreter['evaluate']>[0]>;
/** A node of the library's tree, as far as this file looks into it. */
type Part = Node & {
  held?: Value;
  isCalled?: boolean;
  operand?: Part;
  filter?: Part;
  body?: Part[];
  callee?: Part;
  args?: Part[];
  object?: Part;
  argument?: Part;
  property?: Part;
  value?: unknown;
};

const tooMuch = (what: string): UserError =>
  new UserError('config', `chat template: ${what}`, 'take the template that belongs to the model');

export class BoundedTemplate {
  private readonly program: ReturnType<typeof parse>;

  /** @throws UserError where it is no template, or longer than any */
  constructor(source: string) {
    if (source.length > MAX_SOURCE) throw tooMuch(`has ${source.length} characters; at most ${MAX_SOURCE} are taken`);
    if (new RegExp(`\\s{${MAX_BLANKS + 1}}`).test(source))
      throw tooMuch(`has a run of more than ${MAX_BLANKS} blanks and line ends`);
    this.program = bounded(() => parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true })));
  }

  /** @throws UserError where it does too much; Error with its own words where it refuses */
  render(items: Record<string, unknown>): string {
    const env = new Environment();
    for (const [name, value] of Object.entries({ ...GLOBALS, ...items })) env.set(name, value);
    return bounded(() => String(new BoundedInterpreter(env).run(this.program).value));
  }
}

const GLOBALS = {
  false: false,
  true: true,
  none: null,
  False: false,
  True: true,
  None: null,
  raise_exception: (words: string) => {
    throw new Error(words);
  },
  range,
};

/** Python's. Counted before it is made: by 0.1, or behind 2^53, it might never end. */
function range(first: number, second?: number, step = 1): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  if (step === 0) throw new Error('range() step must not be zero');
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (count > MAX_RANGE) throw tooMuch(`range() of ${count} numbers; at most ${MAX_RANGE} are made`);
  return Array.from({ length: Number.isNaN(count) ? 0 : count }, (_, i) => start + i * step);
}

function bounded<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof RangeError)
      throw tooMuch(`is nested too deep, or calls itself without an end (${error.message})`);
    // the library's own, where a list or a template ends too early
    if (error instanceof TypeError) throw new Error('it ends too early, or uses something that is not there');
    throw error;
  }
}

/** What these make may be longer than what they are given, by any factor. */
const GROWING = new Set(['tojson', 'join', 'indent', 'replace']);
/** What these give was there before, or is as long as it stands in the source. */
const NOTHING_NEW = new Set([
  'Identifier',
  'StringLiteral',
  'IntegerLiteral',
  'FloatLiteral',
  'Ternary',
  'Set',
  'Macro',
]);

class BoundedInterpreter extends Interpreter {
  private work = 0;
  private readonly until = performance.now() + MAX_MS;
  private readonly weights = valueWeights(MAX_VALUE, (steps) => this.spend(steps));

  override evaluate(node: Node | undefined, env: Environment): Value {
    const part = node as Part | undefined;
    if (part?.type === HELD) return part.held as Value;
    this.spend(STEP);
    const value = super.evaluate(part && this.prepared(part, env), env);
    if (part?.type === 'Identifier' && value?.type === 'UndefinedValue') this.spend(UNKNOWN_NAME);
    // the library's `first` of nothing is nothing at all
    if (part === undefined || value === undefined || NOTHING_NEW.has(part.type)) return value;
    if (part.type === 'MemberExpression' && value.type === 'FunctionValue' && !part.isCalled)
      this.refuseKept(part, env);
    const size = this.weights.size(value);
    if (size > MAX_VALUE) throw tooMuch(`makes a value of ${size} parts; at most ${MAX_VALUE} are made`);
    this.spend(typeof value.value === 'string' ? size >> 2 : part.type === 'MemberExpression' ? 1 : size);
    return value;
  }

  /** A text's method that is kept could be called where nobody looks at what it is given. (`schema.items` is none.) */
  private refuseKept({ object, property }: Part, env: Environment): void {
    if (typeof this.evaluate(object, env)?.value === 'string')
      throw new Error(`${String(property?.value)} is used without being called`);
  }

  private spend(work: number): void {
    this.work += work;
    if (this.work > MAX_WORK) throw tooMuch(`takes more than ${MAX_WORK / STEP} steps to write a dialogue`);
    if ((this.work & 15) < work && performance.now() > this.until)
      throw tooMuch(`takes more than ${MAX_MS / 1000} seconds to write a dialogue`);
  }

  /** The same node, with what goes into a filter or method known, where what comes out may be longer than it. */
  private prepared(part: Part, env: Environment): Part {
    if ((part.type === 'FilterExpression' || part.type === 'FilterStatement') && part.filter)
      return this.preparedFilter(part, part.filter, env);
    if (part.type !== 'CallExpression' || part.callee?.type !== 'MemberExpression') return part;
    const args = this.known(part.args ?? [], env);
    const object = this.evaluate(part.callee.object, env);
    if (typeof object.value === 'string') this.weights.refuseGrowth('replace', object, valuesOf(args));
    return { ...part, args, callee: { ...part.callee, object: held(object), isCalled: true } as Part } as Part;
  }

  private preparedFilter(part: Part, filter: Part, env: Environment): Part {
    const name = String((filter.type === 'CallExpression' ? filter.callee : filter)?.value);
    if (!GROWING.has(name)) return part;
    const operand = this.evaluate(part.operand ?? ({ type: 'Program', body: part.body } as Part), env);
    const args = this.known(filter.args ?? [], env);
    this.weights.refuseGrowth(name, operand, valuesOf(args));
    const known = filter.type === 'CallExpression' ? ({ ...filter, args } as Part) : filter;
    return { type: 'FilterExpression', operand: held(operand), filter: known } as Part;
  }

  private known(args: Part[], env: Environment): Part[] {
    return args.map((arg) => {
      if (arg.type === 'KeywordArgumentExpression')
        return { ...arg, value: held(this.evaluate(arg.value as Part, env)) } as Part;
      if (arg.argument) return { ...arg, argument: held(this.evaluate(arg.argument, env)) } as Part;
      return held(this.evaluate(arg, env));
    });
  }
}

const HELD = 'Held';
const held = (value: Value): Part => ({ type: HELD, held: value }) as Part;
const valuesOf = (args: Part[]): Value[] =>
  args.flatMap((arg) => arg.held ?? (arg.value as Part | undefined)?.held ?? arg.argument?.held ?? []);
