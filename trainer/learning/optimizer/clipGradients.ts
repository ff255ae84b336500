import type { Gradients } from './adamw';

/** torch adds it to the norm it divides by. */
const NORM_EPSILON = 1e-6;

/**
 * What clips gradients to a norm: min(1, maxNorm / (norm + 1e-6)), norm the Euclidean norm over all of them together.
 * Source: torch.nn.utils.clip_grad_norm_, whose sums are float32; these are float64.
 * @returns the norm before the clip (TRL's grad_norm), and the factor for every gradient
 */
export function clipGradients(gradients: Gradients, maxNorm: number): { norm: number; scale: number } {
  const all = Object.values(gradients);
  if (all.length === 0) throw new Error('clipGradients: there must be at least one gradient, got none');
  const norm = Math.sqrt(all.reduce((sum, gradient) => sum + squaresOf(gradient), 0));
  return { norm, scale: Math.min(1, maxNorm / (norm + NORM_EPSILON)) };
}

/** Four sums side by side: one alone waits for each addition to end. */
function squaresOf(x: Float32Array): number {
  const whole = x.length - (x.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    a += x[i]! * x[i]!;
    b += x[i + 1]! * x[i + 1]!;
    c += x[i + 2]! * x[i + 2]!;
    d += x[i + 3]! * x[i + 3]!;
  }
  for (let i = whole; i < x.length; i++) a += x[i]! * x[i]!;
  return a + b + c + d;
}
