/** "at 85 an hour", "90 per night": what is paid for each unit of time. */
import type { Random } from '../../../base/random';
import { fill } from './fill';

/** "hourly rate", "price per night" */
const RATE =
  /^(?:(hour|dai|week|month|year|night)ly )?(?:rate|price|fee|cost|charge|pay|wage)(?: per (hour|day|week|month|year|night))?$/;
const RATES: readonly string[] = ['at {v} {a}', 'at {v} per {u}', '{v} {a}', '{v} per {u}', 'at {v}', '{p} {v}'];

/** @param words of the parameter @returns null where they are of no rate */
export function sayRate(words: string, said: string, random: Random): string | null {
  const [, ly, per = ly] = RATE.exec(words) ?? [];
  if (!per) return null;
  const u = per === 'dai' ? 'day' : per;
  return fill(random.pick(RATES), { v: said, p: words, u, a: u === 'hour' ? 'an hour' : `a ${u}` });
}
