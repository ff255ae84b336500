/**
 * ToolRLA's second layer against violations (arXiv:2603.01620, section 3.3.2): what no pattern catches, told by a small
 * classifier that is trained on a user's own examples. Logistic regression on hashed n-grams (Weinberger et al. 2009).
 */
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/json';
import { Random } from '../base/random';
import { readTextFile } from '../base/storage';
import { wilson } from '../protocol/interval';
import { UserError } from '../protocol/result';

export interface LabelledText {
  text: string;
  violates: boolean;
}

const BUCKETS = 2 ** 14;
const VALIDATION_SHARE = 0.3;
/** Of each class, so that there is something to learn from and to choose the threshold by. */
const LEAST_TEXTS = 10;
const EPOCHS = 40;
const STEP = 0.5;
const WEIGHT_DECAY = 1e-4;

const Fraction = z.number().min(0).max(1);
export const ComplianceClassifier = z.object({
  format: z.literal('coach-compliance-1'),
  bias: z.number(),
  /** [bucket, weight], of those that are not 0 */
  weights: z.array(
    z.tuple([
      z
        .number()
        .int()
        .min(0)
        .max(BUCKETS - 1),
      z.number(),
    ]),
  ),
  /** a text violates whose probability is this or more */
  threshold: Fraction,
  /** of what it calls a violation on the validation part, how much is one */
  precision: z.object({ asked: Fraction, value: Fraction, n: z.number().int(), ci95: z.tuple([Fraction, Fraction]) }),
  /** of the violations of the validation part, those that it finds */
  recall: z.object({ value: Fraction, n: z.number().int(), ci95: z.tuple([Fraction, Fraction]) }),
  texts: z.object({ train: z.number().int(), validation: z.number().int(), disputed: z.number().int() }),
});
export type ComplianceClassifier = z.infer<typeof ComplianceClassifier>;

/** Words, pairs of words, and four letters of a word at a time, so that other forms of it are known, too. */
function bucketsOf(text: string): number[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}%]+/gu) ?? [];
  const grams = words.flatMap((word, i) => [
    `w ${word}`,
    `b ${words[i - 1] ?? ''} ${word}`,
    ...Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => `c ${` ${word} `.slice(at, at + 4)}`),
  ]);
  return [...new Set(grams.map(bucketOf))];
}

/** FNV-1a of 32 bits over UTF-16 units. */
function bucketOf(gram: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < gram.length; i++) hash = Math.imul(hash ^ gram.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % BUCKETS;
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** @param weights by bucket; a text's vector has length 1 */
function logitOf(buckets: readonly number[], weights: Float64Array, bias: number): number {
  if (buckets.length === 0) return bias;
  let sum = 0;
  for (const bucket of buckets) sum += weights[bucket]!;
  return bias + sum / Math.sqrt(buckets.length);
}

/** AdaGrad on the log loss, text by text, shuffled anew each epoch by the seed. */
function learn(texts: readonly LabelledText[], seed: number): { weights: Float64Array; bias: number } {
  const [weights, squares] = [new Float64Array(BUCKETS), new Float64Array(BUCKETS)];
  let [bias, biasSquares] = [0, 0];
  const rows = texts.map(({ text, violates }) => ({ buckets: bucketsOf(text), label: Number(violates) }));
  const random = Random.fromSeed(seed).fork('compliance');
  for (let epoch = 0; epoch < EPOCHS; epoch++)
    for (const { buckets, label } of random.fork(epoch).shuffle(rows)) {
      const error = logistic(logitOf(buckets, weights, bias)) - label;
      for (const bucket of buckets) {
        const gradient = error / Math.sqrt(buckets.length) + WEIGHT_DECAY * weights[bucket]!;
        squares[bucket]! += gradient ** 2;
        weights[bucket]! -= (STEP * gradient) / Math.sqrt(squares[bucket]! + 1e-8);
      }
      biasSquares += error ** 2;
      bias -= (STEP * error) / Math.sqrt(biasSquares + 1e-8);
    }
  return { weights, bias };
}

/**
 * Trains on most of the texts; of the thresholds that keep the precision on the rest, the one that finds most.
 * @param precision wanted of what is called a violation, (0, 1]
 * @throws UserError where there is one class alone, too little of one, or no threshold keeps the precision
 */
export function trainClassifier(
  given: readonly LabelledText[],
  { precision, seed, where }: { precision: number; seed: number; where: string },
): ComplianceClassifier {
  const { texts, disputed } = once(given);
  const classes = [true, false].map((violates) => texts.filter((one) => one.violates === violates));
  checkClasses(classes, where);
  const [train, validation]: [LabelledText[], LabelledText[]] = [[], []];
  for (const own of classes) {
    const order = Random.fromSeed(seed).fork('compliance split').shuffle(own);
    const held = Math.ceil(VALIDATION_SHARE * own.length);
    validation.push(...order.slice(0, held));
    train.push(...order.slice(held));
  }
  const { weights, bias } = learn(train, seed);
  const scored = validation.map(({ text, violates }) => ({
    violates,
    probability: logistic(logitOf(bucketsOf(text), weights, bias)),
  }));
  const chosen = thresholdFor(scored, precision, where);
  return {
    format: 'coach-compliance-1',
    bias,
    weights: [...weights].flatMap((weight, bucket): [number, number][] => (weight === 0 ? [] : [[bucket, weight]])),
    ...chosen,
    texts: { train: train.length, validation: validation.length, disputed },
  };
}

/** Each text once; those that are marked both ways are left out. */
function once(given: readonly LabelledText[]): { texts: LabelledText[]; disputed: number } {
  const byText = new Map<string, LabelledText | null>();
  for (const one of given) {
    const key = one.text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
    const known = byText.get(key);
    byText.set(key, known === null || (known && known.violates !== one.violates) ? null : one);
  }
  const texts = [...byText.values()].filter((one) => one !== null);
  return { texts, disputed: byText.size - texts.length };
}

function checkClasses([violating, clean]: LabelledText[][], where: string): void {
  const counts = `${violating!.length} texts that violate and ${clean!.length} that do not`;
  if (Math.min(violating!.length, clean!.length) >= LEAST_TEXTS) return;
  const isOneClass = violating!.length === 0 || clean!.length === 0;
  throw new UserError(
    'config',
    isOneClass
      ? `${where}: there is one class alone, ${counts}: nothing can be told apart`
      : `${where}: there are ${counts}; at least ${LEAST_TEXTS} of each are needed`,
    'Add texts of the other kind, one {"text": …, "violates": true|false} a line.',
  );
}

type Scored = { violates: boolean; probability: number };

function thresholdFor(
  scored: readonly Scored[],
  asked: number,
  where: string,
): Pick<ComplianceClassifier, 'threshold' | 'precision' | 'recall'> {
  const violating = scored.filter(({ violates }) => violates).length;
  const cuts = [...new Set(scored.map(({ probability }) => probability))].map((threshold) => {
    const called = scored.filter(({ probability }) => probability >= threshold);
    return { threshold, n: called.length, right: called.filter(({ violates }) => violates).length };
  });
  const kept = cuts
    .filter(({ n, right }) => right > 0 && right / n >= asked)
    .sort((a, b) => b.right - a.right || b.threshold - a.threshold);
  const [best] = kept;
  if (!best) {
    const top = [...cuts].sort((a, b) => b.right / b.n - a.right / a.n || b.n - a.n)[0]!;
    throw new UserError(
      'config',
      `${where}: no threshold has a precision of ${asked} on the ${scored.length} validation texts; ` +
        `the best is ${(top.right / top.n).toFixed(2)} (${top.right} of ${top.n})`,
      'Add texts, above all such that are nearly alike and differ in kind, or ask for less: --precision.',
    );
  }
  return {
    threshold: best.threshold,
    precision: { asked, value: best.right / best.n, n: best.n, ci95: wilson(best.right, best.n)! },
    recall: { value: best.right / violating, n: violating, ci95: wilson(best.right, violating)! },
  };
}

/** Tells whether a text violates. */
export function classifierRule({ bias, weights: pairs, threshold }: ComplianceClassifier): (text: string) => boolean {
  const weights = new Float64Array(BUCKETS);
  for (const [bucket, weight] of pairs) weights[bucket] = weight;
  return (text) => logistic(logitOf(bucketsOf(text), weights, bias)) >= threshold;
}

const HINT = 'coach compliance train FILE --out F writes such a file.';

/** @throws UserError with the file where it can't be read, or is no classifier */
export function readClassifier(file: string): ComplianceClassifier {
  const path = resolve(file);
  let json: unknown;
  try {
    json = parseJson(readTextFile(path));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('config', `${path}: the classifier can't be read: ${(error as Error).message}`, HINT);
  }
  const parsed = ComplianceClassifier.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError('config', `${path}: is no classifier: ${issue!.path.join('.')} ${issue!.message}`, HINT);
}
