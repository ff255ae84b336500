/** What a look-up gave to a chain's last call. */
import { asArgument, type Link } from './chains';
import type { Seen } from './harvest';

export interface Linked {
  link: Link;
  first: Seen;
  value: string | number;
  isFirstOf: boolean;
  /** its name, where it is one of a list */
  thing?: string;
}

/** What the look-ups for one parameter give it together. */
export const argumentOf = (link: Link, looks: readonly Linked[]): unknown =>
  asArgument(
    link,
    looks.filter((one) => one.link.parameter === link.parameter).map(({ value }) => value),
  );

/** Two long results would take the room of all others. */
export const isShort = ({ first }: Linked): boolean => JSON.stringify(first.value ?? null).length <= SHORT_RESULT;
const SHORT_RESULT = 300;
