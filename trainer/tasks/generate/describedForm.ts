/** Forms that a description asks for where the schema has no `format`: "first day, YYYY-MM-DD", "an e-mail address". */
import { email, isoDate, isoTime, two, type Draw } from './everydayValues';

export interface DescribedForm {
  /** what is known counts only if it has the form */
  holds: RegExp;
  draw: Draw;
  /** a day or a time: made anew each time, whatever was found under such a name */
  isAnew: boolean;
}

const isoMonth: Draw = (random) => isoDate(random).slice(0, 7);
const inParts = (join: (year: string, month: string, day: string) => string): Draw => {
  return (random) => {
    const [year = '', month = '', day = ''] = isoDate(random).split('-');
    return join(year, month, day);
  };
};
const anew = (holds: RegExp, draw: Draw): DescribedForm => ({ holds, draw, isAnew: true });

/** The first that a description matches counts, so longer ones come first. */
const FORMS: readonly (readonly [RegExp, DescribedForm])[] = [
  [
    /\bY{4}-MM-DDT?'?T'?HH:MM(?!:SS)/i,
    anew(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, (random) => `${isoDate(random)}T${isoTime(random)}`),
  ],
  [/\bY{4}-MM-DD HH:MM(?!:SS)/i, anew(/^\d{4}-\d\d-\d\d \d\d:\d\d$/, (r) => `${isoDate(r)} ${isoTime(r)}`)],
  [/\bY{4}-MM-DD(?!T| HH)\b/i, anew(/^\d{4}-\d\d-\d\d$/, isoDate)],
  [/\bY{4}-MM(?!-)\b/i, anew(/^\d{4}-\d\d$/, isoMonth)],
  [
    /\bDD\.MM\.Y{4}\b/i,
    anew(
      /^\d\d\.\d\d\.\d{4}$/,
      inParts((year, month, day) => `${day}.${month}.${year}`),
    ),
  ],
  [
    /\bDD\/MM\/Y{4}\b/i,
    anew(
      /^\d\d\/\d\d\/\d{4}$/,
      inParts((year, month, day) => `${day}/${month}/${year}`),
    ),
  ],
  [
    /\bMM\/DD\/Y{4}\b/i,
    anew(
      /^\d\d\/\d\d\/\d{4}$/,
      inParts((year, month, day) => `${month}/${day}/${year}`),
    ),
  ],
  [
    /\btime\b.*\b(ISO[ -]?8601|RFC ?3339)\b|\b(ISO[ -]?8601|RFC ?3339)\b.*\btime\b/i,
    anew(/^\d{4}-\d\d-\d\dT\d\d:\d\d/, (random) => `${isoDate(random)}T${isoTime(random)}`),
  ],
  [/\bISO[ -]?8601\b/i, anew(/^\d{4}-\d\d-\d\d$/, isoDate)],
  [/\bHH:MM:SS\b/i, anew(/^\d\d:\d\d:\d\d$/, (random) => `${isoTime(random)}:${two(random.int(60))}`)],
  [/\bHH:MM\b/i, anew(/^\d\d:\d\d$/, isoTime)],
  [/\be-?mail address\b/i, { holds: /^[^\s@]+@[^\s@]+\.\w+$/, draw: email, isAnew: false }],
];

/** null: the description asks for none. */
export function describedForm(description: unknown): DescribedForm | null {
  if (typeof description !== 'string') return null;
  return FORMS.find(([asks]) => asks.test(description))?.[1] ?? null;
}
