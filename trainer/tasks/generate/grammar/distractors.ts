/** Another value of the same kind beside the one that is meant: "Not BK-16, that one is fine. Cancel BK-17". */
import type { Random } from '../../../base/random';
import { fill } from './fill';
import { capital } from './sentence';

const BEFORE = [
  'Not {w}, that one is fine.',
  "I'm not talking about {w}.",
  'I do not mean {w}.',
  '{w} is sorted already.',
  'We did {w} yesterday.',
  'Last time it was {w}.',
  'Forget about {w}.',
  'Never mind {w}.',
  'I asked about {w} before.',
  'Leave {w} as it is.',
  'A friend of mine has {w}.',
  '{w} is not the one I mean.',
  "It's not about {w} this time.",
  'I always mix it up with {w}.',
  'First I thought it was {w}.',
  'My colleague takes care of {w}.',
];
const BEHIND = [', not {w}', ' (not {w})', ', and not {w}', ' - not {w}'];
const BEHIND_SHARE = 0.3;

/** @param other a value that is not meant; @param values that no letter of may change */
export function besideAnother(text: string, other: string, values: readonly string[], random: Random): string {
  if (random.next() < BEHIND_SHARE) {
    const [, request, mark] = /^(.*?)([.!?]*)$/s.exec(text) as unknown as [string, string, string];
    return request + fill(random.pick(BEHIND), { w: other }) + mark;
  }
  const request = values.some((value) => text.startsWith(value)) ? text : capital(text);
  return `${fill(random.pick(BEFORE), { w: other })} ${request}`;
}
