/** Days, times and amounts as people say them. */
import type { Random } from '../../base/random';
import { numberWords } from '../../base/numbersSaid';
import { from, oneOf, two, type Draw } from './draw';

const WEEKDAY = from('monday|tuesday|wednesday|thursday|friday|saturday|sunday');
export const MONTH = from('January|February|March|April|May|June|July|August|September|October|November|December');
/** A time of day as people say it, in digits or in words. */
export const clock: Draw = (random) => {
  const hour = 1 + random.int(12);
  const named = numberWords(hour)!;
  return random.pick([
    `${hour} pm`,
    `${hour} am`,
    `${hour}pm`,
    `${hour}am`,
    `${hour}:30`,
    `${hour}:${two(5 * random.int(12))} ${random.pick(['am', 'pm'])}`,
    `${hour} o'clock`,
    `half past ${hour}`,
    `${named} ${random.pick(['am', 'pm'])}`,
    `${named} ${random.pick(['am', 'pm'])}`,
    `${named} ${random.pick(['fifteen', 'thirty', 'forty five', 'twenty', 'ten'])}${random.pick(['', ' am', ' pm'])}`,
    `${random.pick(['half past', 'quarter past', 'quarter to', 'ten to', 'ten past'])} ${named}`,
    `${named} in the ${random.pick(['morning', 'evening'])}`,
  ]);
};
const ORDINALS = (
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|' +
  'fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty first|twenty second|twenty fifth|thirtieth'
).split('|');
/** A day as people write it. */
const writtenDay: Draw = (random) => {
  const [month, n, later] = [MONTH(random), 4 + random.int(16), 2026 + random.int(12)];
  return random.pick([
    `${month} ${n}th`,
    `${month} ${n}th, ${later}`,
    `${month.slice(0, 3)}. ${n}, ${later}`,
    `${month.slice(0, 3)} ${n}`,
    `${month} the ${random.pick(ORDINALS)}, ${later}`,
    `${1 + random.int(12)}/${n}/${later}`,
    `${n}.${1 + random.int(12)}.`,
  ]);
};
/** A day as people say it. */
export const day: Draw = oneOf(
  from(
    'today|tomorrow|tonight|this weekend|next week|next month|christmas eve|new year|the weekend|easter|today|tomorrow',
  ),
  (random) => `${random.pick(['', '', 'next ', 'this '])}${WEEKDAY(random)}`,
  (random) => `${random.pick(['', '', 'next ', 'this '])}${WEEKDAY(random)}`,
  (random) => `${MONTH(random)} ${1 + random.int(28)}`,
  (random) => `${MONTH(random).toLowerCase()} ${random.pick(ORDINALS)}`,
  (random) => `the ${random.pick(ORDINALS)} of ${MONTH(random)}`,
  (random) => `${WEEKDAY(random)} the ${random.pick(ORDINALS)}`,
  writtenDay,
);
export const partOfDay = from(
  'morning|this morning|tomorrow morning|afternoon|this afternoon|evening|this ' +
    'evening|tonight|night|noon|midnight|midday|lunchtime|dawn|late evening|early morning|dinner ' +
    'time|in the morning|after lunch',
);
export const frequency = oneOf(
  from(
    'daily|weekly|monthly|yearly|every day|every week|every morning|every evening|every other ' +
      'day|every month|each day|once a week|twice a day|once a month|on weekdays|on weekends|all ' +
      'week|hourly|every hour|seven days a week|always|repeat',
  ),
  (random) => `${random.pick(['every', 'each', 'every other'])} ${WEEKDAY(random)}`,
  (random) => `every ${numberWords(2 + random.int(8))!} ${random.pick(['days', 'hours', 'weeks', 'minutes'])}`,
);
export const duration: Draw = (random) => {
  const n = 1 + random.int(50);
  const unit = random.pick(['minute', 'hour', 'day', 'week', 'second']);
  const plain = `${random.next() < 0.5 ? n : (numberWords(n) ?? n)} ${unit}${n === 1 ? '' : 's'}`;
  return random.pick([plain, plain, 'half an hour', 'an hour and a half', 'a while', `in ${plain}`, `for ${plain}`]);
};
export const share: Draw = (random) => {
  const n = 5 * (1 + random.int(20));
  return random.pick([
    `${n} percent`,
    `${n}%`,
    `${numberWords(n) ?? n} percent`,
    'half',
    'full',
    'low',
    'high',
    'a little',
    'a bit more',
    'less',
    'more',
    'the maximum',
    `by ${n}`,
  ]);
};
/** A point or stretch of time as people say it. */
export const when: Draw = oneOf(
  from(
    'tomorrow|today|tonight|this weekend|next week|this evening|this afternoon|tomorrow ' +
      'morning|tomorrow night|now|right now|next month|later today|on the ' +
      'weekend|noon|midnight|this summer|in the morning|christmas eve|new year',
  ),
  (random) => `${random.pick(['', 'next ', 'this ', 'on '])}${WEEKDAY(random)}`,
  (random) => `${WEEKDAY(random)} ${random.pick(['morning', 'evening', 'night', 'afternoon'])}`,
  (random) => `${MONTH(random)} ${1 + random.int(28)}`,
  (random) =>
    `${random.pick(['in', 'within'])} ${2 + random.int(9)} ${random.pick(['hours', 'days', 'minutes', 'weeks'])}`,
  (random) => `${2 + random.int(9)} ${random.pick(['hours', 'minutes', 'weeks', 'days'])} from now`,
  clock,
  (random) => `${random.pick(['tomorrow', 'today', 'tonight', 'friday'])} at ${clock(random)}`,
  (random) => `the ${4 + random.int(16)}th of ${MONTH(random)}`,
  writtenDay,
);
/** "6 to 8 pm" */
export const stretchOfDay: Draw = (random) => {
  const [from, half] = [1 + random.int(9), random.pick(['am', 'pm'])];
  const to = from + 1 + random.int(3);
  const start = 7 + random.int(12);
  const minutes = random.pick(['00', '30']);
  return random.pick([
    `${from} to ${to} ${half}`,
    `${from}-${to}${half}`,
    `between ${from} and ${to} ${half}`,
    `${two(start)}:${minutes}-${two(start + 1 + random.int(3))}:${minutes}`,
    `${two(start)}:${minutes} to ${two(start + 2)}:00`,
  ]);
};
/** "March 3 to 8" */
export const daysOn: Draw = (random) => {
  const [month, first] = [MONTH(random), 1 + random.int(18)];
  const last = first + 1 + random.int(9);
  return random.pick([
    `${month} ${first} to ${last}`,
    `${month} ${first}-${last}`,
    'last week',
    'this month',
    'next week',
  ]);
};
/** "$50-80" @param step what both ends are a multiple of */
export const between = (random: Random, step: number, signs: readonly string[]): string => {
  const [sign, low] = [random.pick(signs), 1 + random.int(9)];
  const high = low + 1 + random.int(9);
  return random.pick([`${sign}${low * step}-${high * step}`, `${sign}${low * step} to ${sign}${high * step}`]);
};
export const isoDate: Draw = (random) =>
  `${2024 + random.int(4)}-${two(1 + random.int(12))}-${two(1 + random.int(28))}`;
export const isoTime: Draw = (random) => `${two(7 + random.int(14))}:${random.pick(['00', '15', '30', '45'])}`;
export const year: Draw = (random) => String(1950 + random.int(76));
export const decade = from('fifties|sixties|seventies|eighties|nineties|the eighties|the 1970s|1990s|80s|the 2000s');
