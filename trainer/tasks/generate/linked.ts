/** What a look-up gave to a chain's last call. */
import type { GoldCall } from '../../protocol/task';
import { asArgument, type Link } from './chains';
import type { SaidAs } from './grammar/parts';
import type { Seen } from './harvest';

export interface Linked {
  link: Link;
  first: Seen;
  value: string | number;
  isFirstOf: boolean;
  /** by which what it was given was looked up itself */
  before?: Linked;
  /** how that is said */
  saidAs?: Readonly<Record<string, SaidAs>>;
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
export const isShort = ({ first }: Pick<Linked, 'first'>): boolean =>
  JSON.stringify(first.value ?? null).length <= SHORT_RESULT;
const SHORT_RESULT = 300;

/** Its calls, in order. */
export const callsOf = ({ before, link, first }: Linked): GoldCall[] => [
  ...(before ? callsOf(before) : []),
  { name: link.from.name, arguments: first.args },
];
