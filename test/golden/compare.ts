import * as tf from '@tensorflow/tfjs';

/** How far a value may be from TRL's: absolute + relative * |expected|, float32 against TRL's float64. */
export interface Tolerance {
  absolute: number;
  relative: number;
}
export const SCALAR: Tolerance = { absolute: 1e-6, relative: 1e-5 };

export interface TensorOptions {
  /** Same size as the tensor, 1 = compare this entry. */
  where?: readonly number[];
  /** Smallest tolerance whatever the scale; 1e-5 where TRL itself computed in float32. */
  absolute?: number;
}

export type Nested = number | null | boolean | Nested[];

/** Collects what one case compares; a case passes when nothing was noted. */
export class CaseCheck {
  readonly problems: string[] = [];
  /** Largest difference over its tolerance, to see how close the passing ones are. */
  worst = 0;

  /** null expects null (TRL's NaN or None). */
  scalar(
    name: string,
    actual: number | null | undefined,
    expected: number | null,
    tolerance: Tolerance = SCALAR,
  ): void {
    if (actual === undefined) return this.note(`${name}: missing, TRL has ${expected}`);
    if (actual === null || expected === null) {
      if (actual !== expected) this.note(`${name}: got ${actual}, TRL has ${expected}`);
      return;
    }
    const share = Math.abs(actual - expected) / (tolerance.absolute + tolerance.relative * Math.abs(expected));
    this.worst = Math.max(this.worst, share);
    if (!(share <= 1)) this.note(`${name}: got ${actual}, TRL has ${expected}`);
  }

  /**
   * Each entry within 1e-5 of the tensor's largest entry (entries of one tensor share its rounding), or within
   * `absolute`.
   */
  tensor(name: string, actual: tf.Tensor, expected: Nested, { where, absolute = 1e-7 }: TensorOptions = {}): void {
    const values = actual.dataSync();
    const wanted = flatten(expected);
    if (values.length !== wanted.length) return this.note(`${name}: ${values.length} values, TRL has ${wanted.length}`);
    const scale = wanted.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
    const tolerance = Math.max(absolute, 1e-5 * scale);
    for (let i = 0; i < wanted.length; i++) {
      if (where !== undefined && where[i] === 0) continue;
      const share = Math.abs(values[i] - wanted[i]) / tolerance;
      this.worst = Math.max(this.worst, share);
      if (!(share <= 1)) return this.note(`${name}[${i}]: got ${values[i]}, TRL has ${wanted[i]}`);
    }
  }

  /** Every metric that TRL logged, by its name. */
  metrics(
    actual: Record<string, number | null>,
    expected: Record<string, number | null>,
    tolerance: Tolerance = SCALAR,
  ): void {
    for (const [name, value] of Object.entries(expected)) this.scalar(name, actual[name], value, tolerance);
  }

  private note(problem: string): void {
    this.problems.push(problem);
    this.worst = Math.max(this.worst, Infinity);
  }
}

/** Row by row; null (TRL's NaN) becomes NaN, so it equals nothing. */
export function flatten(values: Nested): number[] {
  return Array.isArray(values) ? values.flatMap(flatten) : [values === null ? NaN : Number(values)];
}

/** float32 tensor of a nested list. */
export function tensorOf<T extends tf.Tensor>(values: Nested): T {
  return tf.tensor(values as number[]) as T;
}

/** Reads and frees statistics. */
export function readStatistics(statistics: Record<string, tf.Scalar>): Record<string, number> {
  const values = Object.fromEntries(Object.entries(statistics).map(([name, scalar]) => [name, scalar.dataSync()[0]]));
  tf.dispose(statistics);
  return values;
}

export type CaseResult = { id: string; outcome: 'passed' | 'failed' | 'noLoss'; problems: string[]; worst: number };

/** Runs one case; an exception fails it, `NoLossYet` sets it aside. */
export function runCase(id: string, compare: (check: CaseCheck) => void): CaseResult {
  const check = new CaseCheck();
  try {
    tf.tidy(() => compare(check));
  } catch (error) {
    if (error instanceof NoLossYet) return { id, outcome: 'noLoss', problems: [error.message], worst: 0 };
    check.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return {
    id,
    outcome: check.problems.length === 0 ? 'passed' : 'failed',
    problems: check.problems,
    worst: check.worst,
  };
}

/** A golden case asks for a loss or an option that this project does not have. */
export class NoLossYet extends Error {}
