/** What is made up for a parameter whose description asks for a form. */
import { formSaid, type FormName } from '../../base/formSaid';
import { isRecord, propertiesOf } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import { two, type Draw } from './draw';
import { isoDate, isoTime } from './everydayTimes';
import { email } from './everydayValues';

export interface DescribedForm {
  /** what is known counts only if it has the form */
  holds: RegExp;
  draw: Draw;
  /** a day, a time, a letter: made anew each time, whatever was found under such a name */
  isAnew: boolean;
}

const inParts = (join: (year: string, month: string, day: string) => string): Draw => {
  return (random) => {
    const [year = '', month = '', day = ''] = isoDate(random).split('-');
    return join(year, month, day);
  };
};
const dateTime: Draw = (random) => `${isoDate(random)}T${isoTime(random)}`;

const DRAWS: Readonly<Record<FormName, Draw>> = {
  dateTimeInUtc: (random) => `${dateTime(random)}:00Z`,
  dateTimeWithSeconds: (random) => `${dateTime(random)}:00`,
  dateTime,
  dateAndTime: (random) => `${isoDate(random)} ${isoTime(random)}`,
  date: isoDate,
  firstOfMonth: (random) => `${isoDate(random).slice(0, 7)}-01`,
  month: (random) => isoDate(random).slice(0, 7),
  dateWithDots: inParts((year, month, day) => `${day}.${month}.${year}`),
  dateWithSlashes: inParts((year, month, day) => `${day}/${month}/${year}`),
  dateOfAmerica: inParts((year, month, day) => `${month}/${day}/${year}`),
  isoTime: dateTime,
  isoDate,
  timeWithSeconds: (random) => `${isoTime(random)}:${two(random.int(60))}`,
  time: isoTime,
  email,
};

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');
/** One character: what else was found of that length, digits of a count for instance, is none that one asks for. */
export const LETTER: DescribedForm = { holds: /^\p{L}$/u, draw: (random) => random.pick(LETTERS), isAnew: true };

/** How days are written among some tools: as their parameters ask for them, else as results give them. */
export class WrittenDays {
  private asked: ReadonlyMap<Draw, DescribedForm> | null = null;
  private areGiven = false;

  /** @param value of a result */
  saw(value: unknown): void {
    this.areGiven ||= typeof value === 'string' && ISO_DAY.holds.test(value);
  }

  /** null: nothing shows it, or they ask for several forms */
  form(tools: readonly ToolSchema[]): DescribedForm | null {
    const [form, other] = (this.asked ??= daysAsked(tools)).values();
    return other ? null : (form ?? (this.areGiven ? ISO_DAY : null));
  }
}

function daysAsked(tools: readonly ToolSchema[]): Map<Draw, DescribedForm> {
  const asked = new Map<Draw, DescribedForm>();
  for (const { parameters } of tools)
    for (const schema of Object.values(propertiesOf(parameters))) {
      if (!isRecord(schema)) continue;
      const form = schema.format === 'date' ? ISO_DAY : describedForm(schema.description);
      if (form && DAYS.has(form.draw)) asked.set(form.draw, form);
    }
  return asked;
}
const ISO_DAY = describedForm('YYYY-MM-DD')!;
const DAYS: ReadonlySet<Draw> = new Set(
  (['date', 'dateWithDots', 'dateWithSlashes', 'dateOfAmerica'] as const).map((name) => DRAWS[name]),
);

/** null: the description asks for none. */
export function describedForm(description: unknown): DescribedForm | null {
  const form = formSaid(description);
  return form && { holds: form.holds, draw: DRAWS[form.name], isAnew: form.name !== 'email' };
}
