/** "3 out of 5": a score, and the highest that it may be (schema.org's Rating: ratingValue and bestRating). */
import { isRecord, propertiesOf, type Arguments } from '../../protocol/arguments';
import type { JsonSchema, ToolSchema } from '../../protocol/task';
import type { Random } from '../../base/random';
import { splitWords } from '../../base/words';

/** So often the score is 0, which a schema may refuse: then another is drawn. */
const NOTHING = 0.08;
const SCORE = /^(rating|ratings|score|scores|stars|grade|grades|points|marks)$/;
const HIGHEST = /^(best|highest|max|maximum|top|scale)$/;
const LOWEST = /^(min|minimum|least|worst|lowest|above|below)$/;
const TELLS_HIGHEST =
  /^(?:out of\b|(?:the )?(?:best|highest|maximum)(?: possible)? (?:rating|score|grade|mark|points|stars)\b)/i;

/** Names of a tool's numbers: the score, and out of how many it is; null: it has no such two. */
export function scaleNames(tool: ToolSchema): { score: string; best: string } | null {
  const numbers = Object.entries(propertiesOf(tool.parameters))
    .filter(([, schema]) => isRecord(schema) && /^(number|integer)$/.test(String(schema.type)))
    .map(([name, schema]) => ({ name, words: splitWords(name), schema: schema as JsonSchema }));
  const best = numbers.find(isHighest);
  const score = numbers.find((one) => one !== best && isScore(one.words));
  // "minRating" and "maxRating" are bounds of what is searched for
  const isBounded = numbers.some(({ words }) => words.some((word) => LOWEST.test(word) && word !== 'worst'));
  return best && score && !isBounded ? { score: score.name, best: best.name } : null;
}

/** "rating", "starsGiven", but not "minRating". */
export const isScore = (words: readonly string[]): boolean =>
  words.some((word) => SCORE.test(word)) && !words.some((word) => LOWEST.test(word) || HIGHEST.test(word));

function isHighest({ words, schema }: { words: readonly string[]; schema: JsonSchema }): boolean {
  if (typeof schema.description === 'string' && TELLS_HIGHEST.test(schema.description)) return true;
  const name = words.join(' ');
  return (
    name === 'out of' || name === 'scale' || (words.some((w) => HIGHEST.test(w)) && words.some((w) => SCORE.test(w)))
  );
}

/** No score is higher than the highest: then they change places. Some give nothing: 0 out of 5. */
export function withinScale(args: Arguments, tool: ToolSchema, random: Random): Arguments {
  if (Object.values(args).filter((value) => typeof value === 'number').length < 2) return args;
  const names = scaleNames(tool);
  if (names === null) return args;
  const { [names.score]: score, [names.best]: best } = args;
  if (typeof score !== 'number' || typeof best !== 'number') return args;
  if (random.next() < NOTHING) return { ...args, [names.score]: 0 };
  return score > best ? { ...args, [names.score]: best, [names.best]: score } : args;
}
