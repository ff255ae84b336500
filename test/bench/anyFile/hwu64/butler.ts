/** A voice assistant at home: clock, calendar, cleaning robot, lamps, trips, shares, radio. */

interface Entry {
  what: string;
  when: string;
}

const alarms: Entry[] = [];
const calendar: Entry[] = [{ what: 'dentist', when: 'monday 9 am' }];

/**
 * Set an alarm.
 * @param time as it was said, such as seven am
 * @param date day, such as tomorrow
 * @param timeofday such as noon, this evening
 * @param frequency such as every day
 * @param event what it is for
 * @tool
 */
export function setAlarm(time?: string, date?: string, timeofday?: string, frequency?: string, event?: string): { ringsAt: string; alarms: number } {
  const when = words(frequency, date, time, timeofday) || 'in an hour';
  alarms.push({ what: event ?? 'alarm', when });
  return { ringsAt: when, alarms: alarms.length };
}

/**
 * Put an event into the calendar, or a reminder of it.
 * @param event what takes place
 * @param date day
 * @param time as it was said
 * @param timeofday such as morning
 * @param person who takes part
 * @param frequency such as every week
 * @tool
 */
export function addEvent(event?: string, date?: string, time?: string, timeofday?: string, person?: string, frequency?: string): { event: string; when: string; entries: number } {
  const entry = { what: words(event ?? 'reminder', person && `with ${person}`), when: words(frequency, date, time, timeofday) };
  calendar.push(entry);
  return { event: entry.what, when: entry.when, entries: calendar.length };
}

/**
 * Start a cleaning machine.
 * @param device such as vacuum
 * @param place the room
 * @param time when, or for how long
 * @param frequency how often
 * @tool
 */
export function startCleaning(device?: string, place?: string, time?: string, frequency?: string): { device: string; cleans: string; minutes: number } {
  return { device: device ?? 'vacuum', cleans: words(place ?? 'the whole house', frequency, time), minutes: 10 + (place ?? 'the whole house').length };
}

/**
 * Change the lights.
 * @param color
 * @param place the room
 * @param amount how bright or by how much
 * @param device which lamp
 * @tool
 */
export function changeLight(color?: string, place?: string, amount?: string, device?: string): { lamp: string; now: string } {
  return { lamp: words(device ?? 'lights', place && `of ${place}`), now: words(amount, color) || 'white' };
}

/**
 * Book a ticket.
 * @param transport such as train
 * @param place where to
 * @param date day
 * @param time as it was said
 * @param timeofday such as evening
 * @tool
 */
export function bookTicket(transport?: string, place?: string, date?: string, time?: string, timeofday?: string): { ticket: string; leaves: string; price: number } {
  const ticket = words(transport ?? 'train', place && `to ${place}`);
  return { ticket, leaves: words(date, time, timeofday) || 'with the next one', price: 9 + ticket.length * 2 };
}

/**
 * Call a taxi.
 * @param agency such as uber
 * @param transport such as taxi, cab
 * @param place where to, or where from
 * @param time as it was said
 * @param timeofday such as tonight
 * @param date day
 * @tool
 */
export function callTaxi(agency?: string, transport?: string, place?: string, time?: string, timeofday?: string, date?: string): { driver: string; comes: string } {
  const company = agency ?? transport ?? 'taxi';
  return { driver: `${company} ${100 + company.length * 7}`, comes: words(date, time, timeofday, place && `(${place})`) || 'at once' };
}

/**
 * Price of a share.
 * @param business name of the company
 * @param date day
 * @tool
 */
export function stockPrice(business: string, date?: string): { business: string; price: number; on: string } {
  return { business, price: 20 + [...business].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) / 10, on: date ?? 'today' };
}

/**
 * Play the radio.
 * @param station name or frequency
 * @param app with which program
 * @param genre what kind of music
 * @tool
 */
export function playRadio(station?: string, app?: string, genre?: string): { playing: string } {
  return { playing: words(station ?? 'the last station', genre, app && `on ${app}`) };
}

const words = (...parts: (string | undefined)[]): string => parts.filter((part) => part !== undefined && part !== '').join(' ');
