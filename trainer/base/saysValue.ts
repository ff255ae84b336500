import { durationsSaid } from './durations';
import { HERE, saysHere } from './here';
import { partsOfMoment, saysMoment } from './moments';
import { numbersSaid } from './numbersSaid';
import { datesFromToday } from './relativeDates';
import { datesSaid, monthsSaid, timesSaid } from './restate';

/** Does the text say the value: verbatim, or in other words, in a unit of time, from a today that it states? */
export function saysValue(text: string, value: string | number): boolean {
  if (typeof value === 'number') {
    return (
      new RegExp(`(?<![\\d.])${String(value).replace('.', '\\.')}(?!\\d|\\.\\d)`).test(text) ||
      numbersSaid(text).includes(value) ||
      durationsSaid(text, null).in.includes(value)
    );
  }
  if (text.toLowerCase().includes(value.toLowerCase())) return true;
  if (value === HERE) return saysHere(text);
  if (partsOfMoment(value)) return saysMoment(text, value);
  if (/^\d{4}-\d\d$/.test(value)) return monthsSaid(text).includes(value);
  return /^\d{4}-\d\d-\d\d$/.test(value)
    ? datesSaid(text).includes(value) || datesFromToday(text).includes(value)
    : /^\d\d:\d\d$/.test(value) && timesSaid(text).includes(value);
}
