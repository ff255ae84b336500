/**
 * Pairs of calls that a composite tool could make at once: the second follows the first often, with a value that only
 * the first gave (ToolRLA's composite tools, arXiv:2603.01620, section 3.1).
 */
import { isRecord } from '../../protocol/arguments';
import type { Trace } from '../../protocol/trace';

/** Where the value lies in the first result; a number is an index. */
export type Path = readonly (string | number)[];

export interface LinkedPair {
  first: string;
  second: string;
  path: Path;
  /** of the second, which takes it */
  parameter: string;
  /** how often the second followed with this link, of all calls of the first that gave something */
  linked: number;
  calls: number;
}

export interface PairOptions {
  /** seldomer pairs are none */
  least: number;
  /** of the first's calls, which the second must follow with the link */
  share: number;
}

/** Most frequent first; of a pair its most frequent link. */
export function linkedPairs(traces: readonly Trace[], { least, share }: PairOptions): LinkedPair[] {
  const calls = new Map<string, number>();
  const links = new Map<string, LinkedPair>();
  for (const trace of traces) {
    const made = trace.turns.flatMap((turn) => turn.calls).filter(({ result }) => result?.kind === 'ok');
    made.forEach((first, i) => {
      calls.set(first.name, (calls.get(first.name) ?? 0) + 1);
      const second = made[i + 1];
      if (!second || second.name === first.name) return;
      for (const { path, parameter } of linksOf(trace, first, second)) {
        const key = JSON.stringify([first.name, second.name, path, parameter]);
        const known = links.get(key) ?? {
          first: first.name,
          second: second.name,
          path,
          parameter,
          linked: 0,
          calls: 0,
        };
        links.set(key, { ...known, linked: known.linked + 1 });
      }
    });
  }
  const best = new Map<string, LinkedPair>();
  for (const link of links.values()) {
    const key = `${link.first}>${link.second}`;
    if (link.linked > (best.get(key)?.linked ?? 0)) best.set(key, { ...link, calls: calls.get(link.first)! });
  }
  return [...best.values()]
    .filter(({ linked, calls: all }) => linked >= least && linked >= share * all)
    .sort((a, b) => b.linked - a.linked);
}

type Call = Trace['turns'][number]['calls'][number];

/** What of the second's arguments the first's result holds, and neither the request nor the first's arguments do. */
function linksOf(trace: Trace, first: Call, second: Call): { path: Path; parameter: string }[] {
  let value: unknown;
  try {
    value = JSON.parse(first.result!.content);
  } catch {
    return []; // cut
  }
  const asked = trace.messages.filter(({ role }) => role === 'user').map(({ content }) => content.toLowerCase());
  const given = new Set(Object.values(first.arguments).map(String));
  return Object.entries(second.arguments).flatMap(([parameter, argument]) => {
    const isScalar = (typeof argument === 'string' && argument !== '') || typeof argument === 'number';
    if (!isScalar || given.has(String(argument))) return [];
    if (asked.some((text) => text.includes(String(argument).toLowerCase()))) return [];
    const path = pathTo(value, argument, 3);
    return path ? [{ path, parameter }] : [];
  });
}

/** The way to a value: the first item of a list, any member of an object; null: it lies deeper, or nowhere. */
function pathTo(value: unknown, wanted: string | number, depth: number): Path | null {
  if (value === wanted) return [];
  if (depth === 0) return null;
  const members: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map((item) => [0, item])
    : isRecord(value)
      ? Object.entries(value)
      : [];
  for (const [key, member] of members) {
    const path = pathTo(member, wanted, depth - 1);
    if (path) return [key, ...path];
  }
  return null;
}
