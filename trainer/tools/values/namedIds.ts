/** `{ "Action Camera": "3377618313", "Air Purifier": "3821016478" }`: things by their names, each with its id. */
import { isRecord } from '../../protocol/arguments';

export interface NamedId {
  name: string;
  id: string;
}

/** null for any other object; of two entries at least. */
export function namedIds(value: unknown): NamedId[] | null {
  if (!isRecord(value)) return null;
  const entries = Object.entries(value);
  if (entries.length < 2 || !entries.every(([name, id]) => isName(name) && typeof id === 'string' && IS_ID.test(id)))
    return null;
  return entries.map(([name, id]) => ({ name, id: id as string }));
}

/** "Air Purifier", and neither `orderId` nor "AAPL" */
const isName = (key: string): boolean => /^\p{Lu}.*\p{Ll}|\s/u.test(key) && /\p{L}{2}/u.test(key) && !/\d/.test(key);
const IS_ID = /^(?=.*\d)[\w#:/-]{3,40}$/;

/** Such lists in a result: it is one, or a member of it is. */
export const namedIdLists = (value: unknown): NamedId[][] =>
  [value, ...(isRecord(value) ? Object.values(value) : [])].flatMap((one) => {
    const list = namedIds(one);
    return list ? [list] : [];
  });
