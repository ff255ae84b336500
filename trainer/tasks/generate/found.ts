/** The values that tools really returned, each with the member that held it. */
import { isRecord } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import { isHolder, isItsName, wordsOf } from '../../tools/values/facts';
import { isNameKey, isPointer } from '../../tools/values/fit';

/** One value that a tool really returned. */
export interface Found {
  tool: ToolSchema;
  /** name of the member that held it; '' where the result itself is the value */
  property: string;
  /** what of a thing it stood in: 'sets' of `{ id, name, sets: [{ id }] }` */
  part?: string;
  value: string | number;
}

const MOST_FOUND = 4000;
const MOST_ITEMS = 40;
const DEEPEST = 4;

/** Each value of a tool once, in the order in which they were found. */
export class FoundValues {
  readonly all: Found[] = [];
  private readonly keys = new Set<string>();

  /** @param isEcho it holds what was made up for the call */
  collect(tool: ToolSchema, value: unknown, isEcho: (value: unknown) => boolean): void {
    const visit = (held: unknown, property: string, part: string | undefined, depth: number): void => {
      if (depth > DEEPEST || this.all.length >= MOST_FOUND || isEcho(held) || isItsName(property, held)) return;
      if (Array.isArray(held)) for (const item of held.slice(0, MOST_ITEMS)) visit(item, property, part, depth + 1);
      else if (isRecord(held))
        for (const [key, member] of Object.entries(held))
          visit(member, key, isPartOf(held, key) ? key : part, depth + 1);
      else if ((typeof held === 'string' && held !== '' && held.length <= 60) || typeof held === 'number')
        this.add({ tool, property, value: held, ...(part !== undefined && { part }) });
    };
    visit(value, '', undefined, 0);
  }

  private add(found: Found): void {
    const key = `${found.tool.name}.${found.part ?? ''}.${found.property}=${JSON.stringify(found.value)}`;
    if (this.keys.has(key)) return;
    this.keys.add(key);
    this.all.push(found);
  }
}

/** Things that belong to one that has an id or a name of its own; `{ success: true, orders: [] }` is no thing. */
export function isPartOf(thing: Record<string, unknown>, key: string): boolean {
  const member = thing[key];
  const holdsThings = isRecord(Array.isArray(member) ? member[0] : member);
  return holdsThings && !isHolder(wordsOf(key)) && Object.keys(thing).some((one) => isNamedBy(one, thing[one]));
}

const isNamedBy = (key: string, value: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'number') && (isPointer(key) || isNameKey(key));

/** What a result holds as that part of the one thing that it gives; undefined: it gives several, or none that has it. */
export function partOf(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return value.length === 1 ? partOf(value[0], part) : undefined;
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, part) && isPartOf(value, part)) return value[part];
  const inner = Object.values(value).map((member) => partOf(member, part));
  return inner.find((one) => one !== undefined);
}
