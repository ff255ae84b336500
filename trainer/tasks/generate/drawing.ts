/** What a value is drawn for, and what is known to draw it from. */
import { splitWords } from '../../base/words';
import type { Random } from '../../base/random';
import type { Arguments } from '../../protocol/arguments';
import type { JsonSchema, ToolSchema } from '../../protocol/task';
import { singular } from '../../tools/schema/words';
import type { DescribedForm } from './describedForm';
import { shownIn } from './pool/describedFacts';

/** Real values for a parameter, from examples and from what the tools returned; [] where nothing is known. */
export interface KnownValues {
  /** @param parameter its name; inside objects and lists the names on the way ('address.city', 'lines.sku') */
  (tool: ToolSchema, parameter: string, type: 'string' | 'number'): readonly unknown[];
  /**
   * Arguments that were seen to go together, now and then: null where the parameters are to be drawn each by itself.
   */
  together?: (tool: ToolSchema, random: Random) => Arguments | null;
  /** Things that were seen with texts or numbers under all of these names: these of each. */
  records?: (names: readonly string[]) => readonly Arguments[];
  /** Names of things of a kind ('table') that were seen. */
  called?: (noun: string) => readonly string[];
  /** Are the values only those that a description shows, of which there may be more? */
  areShown?: (tool: ToolSchema, parameter: string) => boolean;
  /** How days are written that tools ask for or give, where one form shows; null: none does. */
  dates?: () => DescribedForm | null;
  /** What all tools are about, in words: where one tool alone does not tell. */
  matter?: () => readonly string[];
}

/** Words that say what a tool is about, in the singular. */
export const aboutWords = ({ name, description }: ToolSchema): string[] =>
  [...splitWords(name), ...splitWords(description)].map(singular);

/** One value that is to be drawn. */
export interface Drawing {
  tool: ToolSchema;
  random: Random;
  known: KnownValues;
  name: string;
  path: string;
  depth: number;
  /** what else the object holds that it is of */
  beside?: readonly string[];
  /** one of a list */
  isOfList?: boolean;
}

/** Values that the schema gives as examples, and those that are known. */
export function given(schema: JsonSchema, drawing: Drawing, type: 'string' | 'number'): readonly unknown[] {
  const examples = [
    ...(Array.isArray(schema.examples) ? schema.examples : []),
    ...('example' in schema ? [schema.example] : []),
  ];
  const known = [...examples, ...drawing.known(drawing.tool, drawing.path, type)].filter(
    (value) => typeof value === type,
  );
  // what a list's description shows goes for each of it
  return known.length === 0 && drawing.isOfList && type === 'string' && typeof schema.description === 'string'
    ? shownIn(schema.description)
    : known;
}
