import * as tf from '@tensorflow/tfjs';
import type { Engine } from '../engine/engine';
import { hiddenStates, logitsOf, type CausalLM } from '../network/causalLM';
import { selectedLogprobs } from '../network/logprobs';
import type { Dialogue } from './dialogue';
import { choiceBias, type PretrainBatch, type Zone } from './batches';

/**
 * What the model would have chosen, greedily, at each choice of a dialogue, had all choices before been right: one
 * wrong one is a wrong dialogue.
 */
export interface Chosen {
  kind: Dialogue['kind'];
  /** by what is chosen: are all of them right? Absent: there is no such choice */
  right: Partial<Record<Exclude<Zone, null>, boolean>>;
  /** summed over the choices but words */
  nats: number;
  choices: number;
  /** first choices of copied values, and those that are right */
  spanStarts: [right: number, all: number];
}

/** ids, positions, mask, places */
export function inputs({ packed: p, places }: PretrainBatch): tf.Tensor[] {
  return [
    tf.tensor2d(p.ids, [p.rows, p.length], 'int32'),
    tf.tensor2d(p.positions, [p.rows, p.length], 'int32'),
    tf.tensor4d(p.mask, [p.rows, 1, p.length, p.length]),
    tf.tensor1d(places, 'int32'),
  ];
}

/** @param quote the id of '"' @returns a function of batches; it follows the model's weights as they change */
export function choiceReader(
  engine: Engine,
  model: CausalLM,
  quote: number,
): (batches: readonly PretrainBatch[]) => Promise<Chosen[]> {
  const forward = engine.jit(
    (ids: tf.Tensor, positions: tf.Tensor, mask: tf.Tensor, places: tf.Tensor, targets: tf.Tensor, bias: tf.Tensor) => {
      const logits = tf.add(
        logitsOf(model, tf.gather(hiddenStates(model, ids, { positions, mask }), places as tf.Tensor1D)),
        bias,
      ) as tf.Tensor2D;
      return [selectedLogprobs(logits, targets as tf.Tensor1D), tf.argMax(logits, 1)];
    },
  );
  return async (batches) => {
    const out: Chosen[] = [];
    for (const b of batches) {
      const args = [
        ...inputs(b),
        tf.tensor1d(b.targets, 'int32'),
        tf.tensor2d(choiceBias(b.allowed, model.config.vocabSize), [b.places.length, model.config.vocabSize]),
      ];
      const [lp, top] = forward(...(args as Parameters<typeof forward>)) as tf.Tensor[];
      const [logprobs, best] = [await lp!.data(), await top!.data()];
      tf.dispose([...args, lp!, top!]);
      const found = b.kinds.map((kind): Chosen => ({ kind, right: {}, nats: 0, choices: 0, spanStarts: [0, 0] }));
      for (let i = 0; i < b.places.length; i++) {
        const zone = b.zones[i];
        const one = found[b.dialogue[i]!];
        if (!one || !zone || !b.allowed[i]) continue;
        const isRight = best[i] === b.targets[i];
        one.right[zone] = (one.right[zone] ?? true) && isRight;
        if (zone === 'text') continue;
        one.nats -= logprobs[i]!;
        one.choices++;
        if (b.packed.ids[b.places[i]!] === quote)
          one.spanStarts = [one.spanStarts[0] + Number(isRight), one.spanStarts[1] + 1];
      }
      out.push(...found);
    }
    return out;
  };
}

const all = (...parts: (boolean | undefined)[]): boolean => parts.every((part) => part !== false);
export const isRightTool = ({ right }: Chosen): boolean => all(right.decide, right.tool);
export const isRightCall = ({ right }: Chosen): boolean => all(right.decide, right.tool, right.arguments);
