/** Ways to draw a text. */
import type { Random } from '../../base/random';

export type Draw = (random: Random) => string;

export const from = (text: string): Draw => {
  const values = text.split('|');
  return (random) => random.pick(values);
};
/** One of several ways, the first ones oftener where they are named twice. */
export const oneOf =
  (...draws: readonly Draw[]): Draw =>
  (random) =>
    random.pick(draws)(random);
/** Some people write names without capitals. */
export const loose =
  (draw: Draw): Draw =>
  (random) =>
    random.next() < 0.25 ? draw(random).toLowerCase() : draw(random);

export const two = (value: number): string => String(value).padStart(2, '0');
