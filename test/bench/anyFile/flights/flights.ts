export type IATA = string;
/** A travel desk for small companies. */
interface Flight { number: string; from: IATA; to: IATA; departs: string; arrives: string; seats: number; fare: number }
const FLIGHTS: readonly Flight[] = [
  { number: 'LH441', from: 'FRA', to: 'JFK', departs: '2025-06-01T10:10', arrives: '2025-06-01T13:05', seats: 3, fare: 612 },
  { number: 'BA117', from: 'LHR', to: 'JFK', departs: '2025-06-01T08:20', arrives: '2025-06-01T11:10', seats: 9, fare: 540 },
  { number: 'KL605', from: 'AMS', to: 'SFO', departs: '2025-06-02T09:50', arrives: '2025-06-02T11:35', seats: 1, fare: 702 },
];
const statusOf: Record<string, 'on time' | 'delayed' | 'cancelled'> = { LH441: 'on time', BA117: 'delayed', KL605: 'cancelled' };

/**
 * Find flights between two airports on a date.
 * @param origin three-letter airport code
 * @param destination three-letter airport code
 * @param date YYYY-MM-DD
 * @param cabin class of travel
 * @tool
 */
export function searchFlights(origin: IATA, destination: IATA, date?: string, cabin: 'economy' | 'business' = 'economy'): Flight[] {
  return FLIGHTS.filter((f) => f.from === origin && f.to === destination && (!date || f.departs.startsWith(date)));
}
/**
 * Is a flight on time?
 * @tool
 */
export function flightStatus(flightNumber: string): string { return statusOf[flightNumber] ?? 'unknown'; }
/**
 * Reserve seats on a flight for one or more passengers.
 * @tool
 */
export function reserve(flightNumber: string, passengers: string[], { window = false, meal }: { window?: boolean; meal?: 'vegan' | 'halal' | 'none' } = {}): { pnr: string } {
  return { pnr: 'X' + flightNumber.slice(-3) + passengers.length };
}
/**
 * Convert an amount between currencies.
 * @tool
 */
export async function convertCurrency(amount: number, from: string, to: string): Promise<number> { return Math.round(amount * (from === to ? 1 : 1.08) * 100) / 100; }
/**
 * Weather at an airport.
 * @tool
 */
export function airportWeather(airport: IATA) { return { airport, celsius: 12 + airport.charCodeAt(0) % 10, sky: 'clear' }; }
