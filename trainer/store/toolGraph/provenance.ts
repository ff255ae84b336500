import { parseJson } from '../../base/json';
import { saysValue } from '../../base/saysValue';
import { isRecord, stableJson, type Arguments } from '../../protocol/arguments';
import type { ArgumentSource } from '../../protocol/toolGraph';

/** A call that was made before, with what it gave. */
export interface PastCall {
  name: string;
  arguments: Arguments;
  /** undefined: it failed, or what it gave is no JSON (cut off) */
  result: unknown;
}

type Found = Omit<ArgumentSource, 'count'>;

/** Leaves of one result that are looked at: what a page of hits holds, so that time stays linear in the traces. */
const MOST_LEAVES = 512;

/** What an episode's calls gave so far, by value and by place. Time linear in what is added. */
export class Known {
  private readonly places = new Map<string, Found>();
  private readonly latest = new Map<string, { arguments: Arguments; leaves: ReadonlyMap<string, string | number> }>();

  /** What the policy reads from here on. Of equal values the latest counts, and of a result the first. */
  add({ name, arguments: args, result }: PastCall): void {
    const leaves = leavesOf(result);
    for (const [path, leaf] of [...leaves].reverse())
      this.places.set(stableJson(leaf), { kind: 'result', tool: name, path });
    this.latest.set(name, { arguments: args, leaves });
    for (const [path, given] of Object.entries(args))
      this.places.set(stableJson(given), { kind: 'argument', tool: name, path });
  }

  /**
   * Where an argument's value came from: an earlier call's argument, the user's words, an earlier result, else the
   * value itself, which is a constant where it is always the same.
   */
  sourceOf(value: unknown, said: string): Found {
    const place = this.places.get(stableJson(value));
    if (place?.kind === 'argument') return place;
    if (isText(value) && saysValue(said, value)) return { kind: 'user' };
    if (place) return place;
    // what was taken out before writing is no value that could be given again
    return stableJson(value).includes('[redacted:') ? { kind: 'unknown' } : { kind: 'constant', value };
  }

  /** What a source gives now; undefined: nothing. */
  valueOf({ kind, tool = '', path = '', value }: Found): unknown {
    if (kind === 'constant') return value;
    const call = this.latest.get(tool);
    return kind === 'argument' ? call?.arguments[path] : kind === 'result' ? call?.leaves.get(path) : undefined;
  }
}

/** What a call gave, from what the policy read of it. @returns undefined where it failed or is no JSON */
export function resultOf(content: string, isOk: boolean): unknown {
  if (!isOk) return undefined;
  try {
    return parseJson(content);
  } catch {
    return undefined;
  }
}

/** Numbers and texts by their paths, the outer ones first: `[0].order`; '' is the result itself. */
function leavesOf(value: unknown): Map<string, string | number> {
  const leaves = new Map<string, string | number>();
  const open: [path: string, node: unknown][] = [['', value]];
  for (let at = 0; at < open.length && leaves.size < MOST_LEAVES; at++) {
    const [path, node] = open[at]!;
    if (isText(node)) leaves.set(path, node);
    else if (Array.isArray(node)) node.slice(0, MOST_LEAVES).forEach((item, i) => open.push([`${path}[${i}]`, item]));
    else if (isRecord(node))
      for (const [key, member] of Object.entries(node)) open.push([path === '' ? key : `${path}.${key}`, member]);
  }
  return leaves;
}

/** An empty text names nothing. */
const isText = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';
