import { z } from 'zod';
import { UserError } from '../../protocol/result';

/** How a model's rotary frequencies were stretched for longer texts, as config.json says it. */
export const RopeScaling = z.looseObject({
  rope_theta: z.number().positive().optional(),
  rope_type: z.string().optional(),
  type: z.string().optional(),
  factor: z.number().positive().optional(),
  low_freq_factor: z.number().positive().optional(),
  high_freq_factor: z.number().positive().optional(),
  original_max_position_embeddings: z.number().positive().optional(),
});
export type RopeScaling = z.infer<typeof RopeScaling>;

/**
 * What each rotary frequency is divided by, [headDim / 2]; null: by nothing.
 * `llama3` as transformers' modeling_rope_utils.py, _compute_llama3_parameters (Llama 3.1 and later): long waves are
 * stretched by `factor`, short ones not,
 * those between by a mean of both. `linear`: all by `factor`.
 * @throws UserError: another type, or a number that the type needs is absent
 */
export function ropeFactors(
  scaling: RopeScaling | null | undefined,
  { headDim, theta, where }: { headDim: number; theta: number; where: string },
): number[] | null {
  const type = scaling?.rope_type ?? scaling?.type ?? 'default';
  const need = (
    name: 'factor' | 'low_freq_factor' | 'high_freq_factor' | 'original_max_position_embeddings',
  ): number => {
    const value = scaling?.[name];
    if (value === undefined)
      throw new UserError('config', `${where}: rope_type ${type} needs ${name}`, 'fetch the file again');
    return value;
  };
  switch (type) {
    case 'default':
      return null;
    case 'linear': {
      const factor = need('factor');
      return Array<number>(headDim / 2).fill(factor);
    }
    case 'llama3': {
      const [factor, low, high, context] = [
        need('factor'),
        need('low_freq_factor'),
        need('high_freq_factor'),
        need('original_max_position_embeddings'),
      ];
      return Array.from({ length: headDim / 2 }, (_, i) => {
        const wave = 2 * Math.PI * theta ** ((2 * i) / headDim); // tokens per turn
        if (wave < context / high) return 1;
        if (wave > context / low) return factor;
        const smooth = (context / wave - low) / (high - low);
        return 1 / ((1 - smooth) / factor + smooth);
      });
    }
    default:
      throw new UserError(
        'config',
        `${where}: rope_type must be default, linear or llama3, got ${type}`,
        'take a model that is not stretched in this way',
      );
  }
}
