/** How large the values of a chat template are, and would become. */
import type { Interpreter } from '@huggingface/jinja';
import { UserError } from '../../protocol/result';

export type Value = ReturnType<Interpreter['evaluate']>;

/** Of a value with all that it holds. */
interface Weight {
  /** characters of texts */
  characters: number;
  /** values, each counted once for every level that it lies deep, as indenting does */
  parts: number;
  values: number;
  /** does nothing in it change any more? */
  isFixed: boolean;
}

/** Deeper values come of a template that puts a value into itself. */
const MAX_DEPTH = 600;

export interface Weights {
  /** characters of a text, parts of a list or an object; 0 of the rest */
  size(value: Value): number;
  /** @throws UserError where a filter or method would make more than maxSize of `operand` */
  refuseGrowth(name: string, operand: Value, args: readonly Value[]): void;
}

/** @param spend is told of each value that is looked at */
export function valueWeights(maxSize: number, spend: (steps: number) => void): Weights {
  const known = new WeakMap<Value, Weight>();
  function weigh(value: Value, depth = 0): Weight {
    const own: unknown = (value as Value | undefined)?.value; // the library's `first` of nothing is undefined
    if (typeof own === 'string') return { characters: own.length, parts: 1, values: 1, isFixed: true };
    const inside = Array.isArray(own) ? (own as Value[]) : own instanceof Map ? [...(own as Map<string, Value>)] : null;
    if (inside === null) return { characters: 24, parts: 1, values: 1, isFixed: true };
    const before = known.get(value);
    if (before) return before;
    if (depth > MAX_DEPTH) throw new RangeError(`values of more than ${MAX_DEPTH} levels`);
    spend(inside.length);
    const sum: Weight = { characters: 0, parts: 1, values: 1, isFixed: value.type !== 'NamespaceValue' };
    for (const each of inside) {
      const [name, item] = Array.isArray(each) ? each : ['', each];
      const weight = weigh(item, depth + 1);
      sum.characters += weight.characters + name.length;
      sum.parts += weight.parts + weight.values;
      sum.values += weight.values;
      sum.isFixed &&= weight.isFixed;
    }
    if (sum.isFixed) known.set(value, sum);
    return sum;
  }

  const textOf = (value: Value | undefined): string => (typeof value?.value === 'string' ? value.value : '');
  function grown(name: string, operand: Value, args: readonly Value[]): number {
    const { characters, parts } = weigh(operand);
    if (name === 'replace') {
      const [from, to] = args;
      return args.length < 2
        ? 0
        : characters + ((characters + 1) / Math.max(1, textOf(from).length)) * textOf(to).length;
    }
    const most = args.reduce((sum, arg) => sum + widthOf(arg), 0);
    if (name === 'indent') return characters + textOf(operand).split('\n', maxSize).length * Math.max(4, most);
    return characters + parts * (most + 2);
  }

  return {
    size: (value) => {
      const { characters, parts } = weigh(value);
      return typeof value.value === 'string' ? characters : Math.max(characters >> 3, parts);
    },
    refuseGrowth(name, operand, args) {
      const size = grown(name, operand, args);
      if (size > 4 * maxSize)
        throw new UserError(
          'config',
          `chat template: ${name} would make a text of about ${Math.round(size)} characters; at most ${4 * maxSize} are made`,
          'take the template that belongs to the model',
        );
    },
  };
}

/** What an argument may put between two parts, or before a line: a text itself, a number as many blanks. */
function widthOf({ value }: Value): number {
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? (value as Value[]).reduce((sum, each) => sum + widthOf(each), 0) : 0;
}
