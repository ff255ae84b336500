/** Forms that a description asks for where the schema has no `format` or `pattern`: "first day, YYYY-MM-DD". */

export type FormName =
  | 'dateTimeInUtc'
  | 'dateTimeWithSeconds'
  | 'dateTime'
  | 'dateAndTime'
  | 'date'
  | 'month'
  | 'firstOfMonth'
  | 'dateWithDots'
  | 'dateWithSlashes'
  | 'dateOfAmerica'
  | 'isoTime'
  | 'isoDate'
  | 'timeWithSeconds'
  | 'time'
  | 'email';

/** "Start time in ISO format", but no ISO code of a currency or a language. */
const ISO = /\bISO[ -]?(8601|format(ted)?|date(-?time)?|time(stamp)?|string)\b|\bRFC ?3339\b/i;
const ISO_WITH_TIME = new RegExp(`^(?=.*time(stamp)?\\b)(?!.*\\btime ?zone).*(${ISO.source})`, 'is');
/** "List of attendees' emails", but not "body of the customer's email". */
const EMAIL_OF_SOMEBODY =
  /^(?!.*\b(answer|body|content|draft|message|reply|subject|text)\b).*\w(['’]s|s['’]) e-?mails?\b/i;

/** The first that a description matches counts, so longer ones come first. */
const FORMS: readonly (readonly [asks: RegExp, name: FormName, holds: RegExp])[] = [
  [/\bY{4}-MM-DD'?T'?HH:MM:SS'?Z/i, 'dateTimeInUtc', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  [/\bY{4}-MM-DD'?T'?HH:MM:SS/i, 'dateTimeWithSeconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/],
  [/\bY{4}-MM-DDT?'?T'?HH:MM(?!:SS)/i, 'dateTime', /^\d{4}-\d\d-\d\dT\d\d:\d\d$/],
  [/\bY{4}-MM-DD HH:MM(?!:SS)/i, 'dateAndTime', /^\d{4}-\d\d-\d\d \d\d:\d\d$/],
  [/\bY{4}-MM-DD(?!T| HH)\b/i, 'date', /^\d{4}-\d\d-\d\d$/],
  [/\bY{4}-MM-01\b/i, 'firstOfMonth', /^\d{4}-\d\d-01$/],
  [/\bY{4}-MM(?!-)\b/i, 'month', /^\d{4}-\d\d$/],
  [/\bDD\.MM\.Y{4}\b/i, 'dateWithDots', /^\d\d\.\d\d\.\d{4}$/],
  [/\bDD\/MM\/Y{4}\b/i, 'dateWithSlashes', /^\d\d\/\d\d\/\d{4}$/],
  [/\bMM\/DD\/Y{4}\b/i, 'dateOfAmerica', /^\d\d\/\d\d\/\d{4}$/],
  [ISO_WITH_TIME, 'isoTime', /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  [ISO, 'isoDate', /^\d{4}-\d\d-\d\d$/],
  [/\bHH:MM:SS\b/i, 'timeWithSeconds', /^\d\d:\d\d:\d\d$/],
  [/\bHH:MM\b/i, 'time', /^\d\d:\d\d$/],
  [/\be-?mail address(es)?\b/i, 'email', /^[^\s@]+@[^\s@]+\.\w+$/],
  [EMAIL_OF_SOMEBODY, 'email', /^[^\s@]+@[^\s@]+\.\w+$/],
];

/** null: the description asks for none. */
export function formSaid(description: unknown): { name: FormName; holds: RegExp } | null {
  if (typeof description !== 'string') return null;
  const found = FORMS.find(([asks]) => asks.test(description));
  return found ? { name: found[1], holds: found[2] } : null;
}

/** Of what shape a value is that looks like the example: a number or letters may be others, also more or fewer. */
const SHAPES: readonly (readonly [example: RegExp, holds: RegExp])[] = [
  [/^\d{4}-\d\d-\d\d$/, /^\d{4}-\d\d-\d\d$/],
  [/^\d\d:\d\d$/, /^\d\d?:\d\d$/],
  [/^[A-Za-z]{1,8}[-_#]?\d{1,10}$/, /^[A-Za-z]{1,10}[-_#]?\d+[A-Za-z]?$/],
  [/^\d{1,4}[A-Za-z]$/, /^\d+[A-Za-z]$/],
];

/**
 * What any value must look like by the description, where the schema has no pattern or format: a form that it names, or
 * the shape that all examples have which it shows ("its number, such as K4107"). null: it is left open ("HH:MM, or now",
 * "such as A4, postcard").
 */
export function strictForm({ pattern, format, description }: Record<string, unknown>): RegExp | null {
  if (pattern !== undefined || format !== undefined || typeof description !== 'string') return null;
  if (/\b(or|otherwise|else|unless|both|any)\b/i.test(description)) return null;
  const named = formSaid(description);
  if (named) return named.holds;
  const shown = EXAMPLES.exec(description)?.[1];
  const examples = shown?.split(/,|\band\b/).map((text) => text.trim().replace(/^["'`]|["'`]$/g, '')) ?? [];
  return SHAPES.find(([example]) => examples.length > 0 && examples.every((text) => example.test(text)))?.[1] ?? null;
}

const EXAMPLES = /(?:\be\.\s?g\.|\bsuch as|\bfor example|\bfor instance|\blike|\bexample:)[,:]?\s+([^.;)]+)/i;
