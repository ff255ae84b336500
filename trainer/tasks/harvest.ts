import type { ToolSchema } from '../protocol/task';
import type { ToolResult } from '../protocol/trace';
import { isRecord, stableJson, type Arguments } from './arguments';
import type { KnownValues } from './values';
import { singular, splitWords } from './words';

/** Calls a tool as the run would; the result says whether it was real. */
export type Call = (name: string, args: Arguments) => Promise<ToolResult>;

/** One value that a tool really returned. */
export interface Found {
  tool: ToolSchema;
  /** name of the member that held it; '' where the result itself is the value */
  property: string;
  value: string | number;
}

/** A call that worked, and what it gave. */
export interface Seen { args: Arguments; value: unknown; isReal: boolean }

/** What is known of the tools by calling the read-only ones: results by call (each call is made once), and the values in them. */
export class Harvest {
  private readonly results = new Map<string, Promise<Seen | null>>();
  private readonly found: Found[] = [];
  private readonly foundKeys = new Set<string>();
  private readonly searches = new Set<string>();
  /** per parameter, valid as long as nothing more was found */
  private readonly knownValues = new Map<string, { of: number; values: unknown[] }>();
  private readonly nameFits = new Map<string, boolean>();
  private readonly exampleArguments = new Map<string, Arguments[]>();
  /** the last failure of each tool, for the note that it has no tasks */
  readonly failures = new Map<string, string>();

  constructor(tools: readonly ToolSchema[], private readonly call: Call) {
    for (const tool of tools) this.exampleArguments.set(tool.name, (tool.examples ?? []).flatMap((text) => parseExample(text, tool)));
  }

  /** The call's result; null where it failed. A tool that changes the world is never called: then the value is undefined. */
  async run(tool: ToolSchema, args: Arguments): Promise<Seen | null> {
    if (tool.changesWorld) return { args, value: undefined, isReal: false };
    const key = `${tool.name} ${stableJson(args)}`;
    let result = this.results.get(key);
    if (!result) this.results.set(key, (result = this.runOnce(tool, args)));
    return result;
  }

  /** Real values for a parameter: from `@example`, from members of results that go by its name, else words of the tool's own results. */
  readonly known: KnownValues = (tool, parameter, type) => {
    const key = `${tool.name}.${parameter} ${type}`;
    const cached = this.knownValues.get(key);
    if (cached?.of === this.found.length) return cached.values;
    const values = this.lookUp(tool, parameter, type);
    this.knownValues.set(key, { of: this.found.length, values });
    return values;
  };

  private lookUp(tool: ToolSchema, parameter: string, type: 'string' | 'number'): unknown[] {
    const examples = (this.exampleArguments.get(tool.name) ?? []).map((args) => args[parameter]).filter((value) => typeof value === type);
    const named = this.found.filter((found) => typeof found.value === type && this.fitsName(found, tool, parameter)).map((found) => found.value);
    const values = [...new Set([...examples, ...named])];
    if (values.length || type !== 'string') return values;
    return this.searches.has(`${tool.name}.${parameter}`) ? this.wordsOf(tool) : values;
  }

  /** All values found, in the order in which they were found. */
  values(): readonly Found[] {
    return this.found;
  }

  /** Says that a text parameter accepts loose words (a search): words of the tool's own results are then its values. */
  markSearch(tool: ToolSchema, parameter: string): void {
    this.knownValues.clear();
    this.searches.add(`${tool.name}.${parameter}`);
  }

  /** feeds(), remembered: it depends on the names alone. */
  private fitsName(found: Found, tool: ToolSchema, parameter: string): boolean {
    const key = `${found.tool.name}.${found.property} ${tool.name}.${parameter}`;
    let fits = this.nameFits.get(key);
    if (fits === undefined) this.nameFits.set(key, (fits = feeds(found, tool, parameter)));
    return fits;
  }

  private async runOnce(tool: ToolSchema, args: Arguments): Promise<Seen | null> {
    const result = await this.call(tool.name, args);
    if (result.kind !== 'ok' || result.isCut) {
      this.failures.set(tool.name, result.content.slice(0, 120));
      return null;
    }
    let value: unknown;
    try {
      value = JSON.parse(result.content);
    } catch {
      return null;
    }
    const isReal = result.policy === 'real';
    if (isReal) this.collect(tool, '', value, args, 0);
    return { args, value, isReal };
  }

  private collect(tool: ToolSchema, property: string, value: unknown, args: Arguments, depth: number): void {
    if (depth > 4 || this.found.length >= MOST_FOUND) return;
    if (Array.isArray(value)) for (const item of value.slice(0, 40)) this.collect(tool, property, item, args, depth + 1);
    else if (isRecord(value)) for (const [key, member] of Object.entries(value)) this.collect(tool, key, member, args, depth + 1);
    else if ((typeof value === 'string' && value !== '' && value.length <= 60) || typeof value === 'number') {
      const key = `${tool.name}.${property}=${JSON.stringify(value)}`;
      if (this.foundKeys.has(key)) return;
      this.foundKeys.add(key);
      this.found.push({ tool, property, value });
    }
  }

  /** Words worth searching for: of four letters or more, from the texts that the tool returned. */
  private wordsOf(tool: ToolSchema): string[] {
    const texts = this.found.filter((found) => found.tool === tool && typeof found.value === 'string' && /\p{L}{4}/u.test(found.value)).map((found) => String(found.value));
    return [...new Set(texts.flatMap((text) => text.match(/\p{L}{4,}/gu) ?? []))];
  }
}

const MOST_FOUND = 4000;

/**
 * Does a value found under that name fit the parameter? "orderId" takes orderId of anything and id of a tool about orders; "id" takes the id of a
 * tool about the same thing; "customer" takes customer, customerName of anything and name of a tool about customers.
 */
export function feeds(found: Found, tool: ToolSchema, parameter: string): boolean {
  const wanted = splitWords(parameter).map(singular);
  const offered = splitWords(found.property).map(singular);
  const source = splitWords(found.tool.name).map(singular);
  const own = splitWords(tool.name).map(singular);
  const sameThing = source.slice(1).some((word) => own.slice(1).includes(word)) || source.join() === own.join();
  const [wantedText, offeredText] = [wanted.join(' '), offered.join(' ')];
  // A bare result only goes by its tool's name, which is too little where no call can show that it fits.
  if (offeredText === '') return !tool.changesWorld && source.slice(-wanted.length).join(' ') === wantedText && wantedText !== '';
  if (wantedText === offeredText) return isGeneric(wantedText) ? sameThing : true;
  const [short, long] = wanted.length < offered.length ? [wanted, offered] : [offered, wanted];
  if (long.length === short.length + 1 && HANDLES.has(long[long.length - 1]) && short.join(' ') === long.slice(0, -1).join(' ')) return true;
  if (HANDLES.has(offeredText)) return wanted.every((word) => source.includes(word) || word === offeredText) && wanted.some((word) => source.includes(word));
  return HANDLES.has(wantedText) && offered.every((word) => own.includes(word) || word === wantedText);
}

/** Does the name point to a thing: an id, or orderId, itemCode? */
export function isHandle(name: string): boolean {
  return HANDLES.has(splitWords(name).at(-1) ?? '');
}

/** Members that stand for the thing itself. */
const HANDLES = new Set(['id', 'name', 'number', 'code', 'key', 'ref', 'reference', 'sku', 'title', 'slug']);
const isGeneric = (name: string): boolean => HANDLES.has(name) || name === 'value' || name === 'type' || name === 'result';

/** Arguments in the text of an `@example`: `tool("a", 2)`, `tool({a: 1})` or a JSON object. */
function parseExample(text: string, tool: ToolSchema): Arguments[] {
  const names = Object.keys(isRecord(tool.parameters.properties) ? tool.parameters.properties : {});
  const fit = (value: unknown): value is Arguments => isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => names.includes(key));
  const call = /\(([\s\S]*?)\)\s*(?:;|\/\/|=>|→|$)/m.exec(text);
  const candidates = call ? [`[${call[1]}]`] : [text.trim()];
  const out: Arguments[] = [];
  for (const candidate of candidates) {
    const value = parseLoose(candidate);
    if (fit(value)) out.push(value);
    else if (Array.isArray(value) && value.length === 1 && fit(value[0])) out.push(value[0]);
    else if (Array.isArray(value) && value.length > 0 && value.length <= names.length) out.push(Object.fromEntries(value.map((item, i) => [names[i], item])));
  }
  return out;
}

/** JSON, also with single quotes and bare keys. */
function parseLoose(text: string): unknown {
  for (const attempt of [text, text.replace(/'([^'\\]*)'/g, (_, inner: string) => JSON.stringify(inner)).replace(/([{,]\s*)([A-Za-z_$][\w$]*)\s*:/g, '$1"$2":')]) {
    try {
      return JSON.parse(attempt);
    } catch {
      continue;
    }
  }
  return undefined;
}
