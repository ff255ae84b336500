type Unit = 'metre' | 'fathom' | 'cable' | 'league';

const METRES: Readonly<Record<Unit, number>> = { metre: 1, fathom: 1.8288, cable: 185.2, league: 5556 };
const PHASES = ['new', 'waxing crescent', 'first quarter', 'waxing gibbous', 'full', 'waning gibbous', 'last quarter', 'waning crescent'] as const;
const DAY_MS = 86_400_000;
const LUNATION_DAYS = 29.530588853;
/** A new moon: 2000-01-06, 18:14 UTC. */
const NEW_MOON_MS = Date.UTC(2000, 0, 6, 18, 14);

/** Convert a length.
 *  @param value how many
 *  @param from unit that it is in
 *  @param to unit that is wanted
 *  @tool */
export function convertLength(value: number, from: Unit, to: Unit): number {
  return round((value * METRES[from]) / METRES[to]);
}

/** Hours that a passage takes.
 *  @param miles nautical miles to go
 *  @param knots speed through the water
 *  @tool */
export function sailingTime(miles: number, knots: number): number {
  if (knots <= 0) throw new Error('a vessel without way never arrives');
  return round(miles / knots);
}

/** Fee for a mooring.
 *  @param metres length of the vessel
 *  @param nights how many nights
 *  @tool */
export function mooringFee(metres: number, nights: number): number {
  return round(nights * (4 + 1.25 * metres));
}

/** Days between two dates.
 *  @param start the earlier date
 *  @param end the later date
 *  @tool */
export function daysBetween(start: string, end: string): number {
  return (parse(end) - parse(start)) / DAY_MS;
}

/** Shift a date.
 *  @param date year, month and day
 *  @param days how many days later
 *  @tool */
export function shiftDate(date: string, days: number): string {
  return new Date(parse(date) + Math.round(days) * DAY_MS).toISOString().slice(0, 10);
}

/** Phase of the moon on a date.
 *  @param date year, month and day
 *  @tool */
export function moonPhase(date: string): string {
  const age = (((parse(date) + DAY_MS / 2 - NEW_MOON_MS) / DAY_MS) % LUNATION_DAYS + LUNATION_DAYS) % LUNATION_DAYS;
  return PHASES[Math.floor((age / LUNATION_DAYS) * 8 + 0.5) % 8];
}

function parse(date: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
  if (Number.isNaN(time)) throw new Error(`${date} is no date, write 2026-03-14`);
  return time;
}

const round = (value: number): number => Math.round(value * 100) / 100;
